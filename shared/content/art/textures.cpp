// All pictures, drawn by code: metal panels with grime, terrain, foliage, lights.
#include <algorithm>

#include "shared/base/rng.hpp"
#include "shared/content/art/art.hpp"
#include "shared/content/kit/noise.hpp"

namespace iron::content {
namespace {

using asset::TexmFormat;

float fx(int v, int size) { return static_cast<float>(v) / static_cast<float>(size); }

/// Every pixel from a function of (u, v) in 0..1.
template <class F>
Image paint(int size, F&& f) {
    Image out(size, size);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) out.at(x, y) = f(fx(x, size), fx(y, size));
    return out;
}

/// Worn paint over metal: base colour with cloudy tone, scratches down to bright metal, grime that
/// gathers in noise valleys and runs downward.
void weather(Image& image, std::uint64_t seed, float wear, float grime) {
    const int n = image.width();
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            const float u = fx(x, n), v = fx(y, n);
            const float cloud = fbm(seed, u * 4, v * 4, 4, 4);
            image.shade(x, y, 0.86f + 0.28f * cloud);
            const float speck = value_noise(seed + 3, u * 128, v * 128, 128);
            image.shade(x, y, 0.97f + 0.06f * speck);
            const float dirt = fbm(seed + 7, u * 8, v * 3, 3, 8) * smooth_step(0.35f, 0.75f, fbm(seed + 9, u * 3, v * 3, 3, 3));
            image.blend(x, y, {0.16f, 0.13f, 0.10f, 1}, grime * dirt);
            const float chip = fbm(seed + 13, u * 24, v * 24, 2, 24);
            if (chip > 0.74f - 0.1f * wear) image.blend(x, y, {0.55f, 0.54f, 0.52f, 1}, wear * smooth_step(0.74f - 0.1f * wear, 0.82f, chip));
        }
    }
}

/// Vertical streaks below a row.
void streaks(Image& image, std::uint64_t seed, int row, int length, Color c, float strength) {
    const int n = image.width();
    for (int x = 0; x < n; ++x) {
        const float s = value_noise(seed, fx(x, n) * 32, 0.5f, 32);
        const int run = static_cast<int>(static_cast<float>(length) * s * s);
        for (int y = 0; y < run; ++y)
            image.blend(x, row + y, c, strength * s * (1.0f - fx(y, run + 1)));
    }
}

void panel_seams(Image& image, std::uint64_t seed, int levels) {
    // Recursive split of the square into plates, each with its own tone, groove and rivets.
    struct Part {
        int x, y, w, h, level;
    };
    const int n = image.width();
    std::vector<Part> open{{0, 0, n, n, 0}};
    std::uint64_t draw = seed;
    const auto random = [&] {
        draw += 0x9E3779B97F4A7C15ull;
        return hash01(draw, 1, 2);
    };
    while (!open.empty()) {
        const Part p = open.back();
        open.pop_back();
        const bool wide = p.w > p.h || (p.w == p.h && random() < 0.5f);
        const int side = wide ? p.w : p.h;
        if (p.level < levels && side >= n / 6 && (p.level < 2 || random() < 0.8f)) {
            const int cut = static_cast<int>(static_cast<float>(side) * (0.35f + 0.3f * random())) & ~3;
            if (wide) {
                open.push_back({p.x, p.y, cut, p.h, p.level + 1});
                open.push_back({p.x + cut, p.y, p.w - cut, p.h, p.level + 1});
            } else {
                open.push_back({p.x, p.y, p.w, cut, p.level + 1});
                open.push_back({p.x, p.y + cut, p.w, p.h - cut, p.level + 1});
            }
            continue;
        }
        const float tone = 0.92f + 0.16f * random();
        for (int y = p.y; y < p.y + p.h; ++y)
            for (int x = p.x; x < p.x + p.w; ++x) image.shade(x, y, tone);
        image.groove(p.x, p.y, p.w, p.h);
        const float r = static_cast<float>(n) / 128.0f;
        const int inset = n / 26;
        if (p.w > inset * 4 && p.h > inset * 4 && random() < 0.7f) {
            for (const int x : {p.x + inset, p.x + p.w - inset})
                for (const int y : {p.y + inset, p.y + p.h - inset}) image.rivet(x, y, r);
            if (random() < 0.35f) image.vent(p.x + p.w / 4, p.y + p.h / 3, p.w / 2, p.h / 3, 4);
        }
    }
}

Image metal_panels(std::uint64_t seed, Color base, float wear, float grime, int levels) {
    Image out(256, 256, base);
    panel_seams(out, seed, levels);
    weather(out, seed + 100, wear, grime);
    streaks(out, seed + 200, 0, 70, {0.14f, 0.11f, 0.08f, 1}, grime * 0.5f);
    return out;
}

Image track(std::uint64_t seed) {
    Image out(128, 128, rgb(0x3a3835));
    for (int i = 0; i < 8; ++i) {
        const int y = i * 16;
        out.fill_rect(0, y, 128, 3, rgb(0x141312), 0.9f);
        out.plate(2, y + 3, 124, 12, 0.9f);
        out.fill_rect(20, y + 5, 24, 8, rgb(0x55524d), 0.8f);
        out.plate(20, y + 5, 24, 8, 0.8f);
        out.fill_rect(84, y + 5, 24, 8, rgb(0x55524d), 0.8f);
        out.plate(84, y + 5, 24, 8, 0.8f);
        out.fill_rect(58, y + 4, 12, 10, rgb(0x1c1b1a), 0.8f);
    }
    weather(out, seed, 0.5f, 0.8f);
    return out;
}

Image tyre(std::uint64_t seed) {
    Image out = paint(128, [&](float u, float v) {
        const float n = fbm(seed, u * 16, v * 16, 3, 16);
        return scale(rgb(0x2b2a29), 0.75f + 0.5f * n);
    });
    for (int i = 0; i < 8; ++i) {
        out.line(0, static_cast<float>(i * 16), 64, static_cast<float>(i * 16 + 12), 4, rgb(0x0d0d0d), 0.85f);
        out.line(64, static_cast<float>(i * 16 + 12), 128, static_cast<float>(i * 16), 4, rgb(0x0d0d0d), 0.85f);
    }
    return out;
}

Image brushed(std::uint64_t seed, Color base) {
    Image out = paint(128, [&](float u, float v) {
        const float lines = value_noise(seed, u * 4, v * 64, 64) * 0.6f + value_noise(seed + 1, u * 8, v * 128, 128) * 0.4f;
        return scale(base, 0.75f + 0.45f * lines);
    });
    weather(out, seed + 10, 0.7f, 0.45f);
    return out;
}

Image glass(std::uint64_t seed) {
    Image out = paint(64, [&](float u, float v) {
        const float sky = smooth_step(0.85f, 0.1f, v);
        Color c = mix(rgb(0x0c141c), rgb(0x5a86a8), sky * 0.75f);
        const float glare = smooth_step(0.08f, 0.0f, (u - 0.25f - v * 0.3f) * (u - 0.25f - v * 0.3f) * 6.0f);
        c = mix(c, rgb(0xd8ecf8), glare * 0.55f);
        return scale(c, 0.95f + 0.1f * value_noise(seed, u * 8, v * 8, 8));
    });
    out.plate(0, 0, 64, 64, 0.6f);
    return out;
}

Image lamp_picture() {
    return paint(64, [](float u, float v) {
        const float d = sqrt_f((u - 0.5f) * (u - 0.5f) + (v - 0.5f) * (v - 0.5f)) * 2.0f;
        Color c = mix(rgb(0xfffbe8), rgb(0xe8c86a), smooth_step(0.1f, 0.75f, d));
        c = mix(c, rgb(0x37342c), smooth_step(0.75f, 0.98f, d));
        const float ribs = value_noise(5, u * 16, 0.5f, 16);
        return scale(c, 0.9f + 0.15f * ribs);
    });
}

Image vent_picture(std::uint64_t seed) {
    Image out(128, 128, rgb(0x55564f));
    weather(out, seed, 0.6f, 0.5f);
    out.vent(10, 10, 108, 108, 9);
    for (const int x : {6, 64, 122})
        for (const int y : {6, 122}) out.rivet(x, y, 2);
    return out;
}

Image hazard_picture(std::uint64_t seed) {
    Image out(128, 128);
    out.hazard(0, 0, 128, 128, 64, rgb(0xd9a520), rgb(0x1d1c1a));
    weather(out, seed, 0.9f, 0.6f);
    return out;
}

Image concrete(std::uint64_t seed) {
    Image out = paint(256, [&](float u, float v) {
        const float n = fbm(seed, u * 6, v * 6, 5, 6), fine = value_noise(seed + 4, u * 128, v * 128, 128);
        const float pores = cells(seed + 5, u * 40, v * 40, 40).nearest;
        float g = 0.50f + 0.16f * (n - 0.5f) + 0.05f * (fine - 0.5f);
        if (pores < 0.14f) g *= 0.8f;
        return Color{g, g, g, 1};
    });
    for (const int at : {0, 128}) {
        for (int i = 0; i < 256; ++i) {
            out.shade(i, at, 0.6f);
            out.shade(i, at + 1, 1.12f);
            out.shade((at == 0 ? 0 : 64) + (i / 128) * 128, i, 0.68f);
            out.shade((at == 0 ? 0 : 64) + (i / 128) * 128 + 1, i, 1.1f);
        }
    }
    for (int y = 32; y < 256; y += 128)
        for (int x = 32; x < 256; x += 64) out.disc(static_cast<float>(x), static_cast<float>(y), 3, {0.2f, 0.2f, 0.2f, 1}, 0.7f);
    streaks(out, seed + 9, 2, 110, {0.22f, 0.22f, 0.22f, 1}, 0.6f);
    streaks(out, seed + 10, 130, 110, {0.22f, 0.22f, 0.22f, 1}, 0.6f);
    return out;
}

Image roof(std::uint64_t seed) {
    Image out(256, 256, rgb(0x53574f));
    for (int x = 0; x < 256; x += 16) {
        for (int y = 0; y < 256; ++y) {
            for (int i = 0; i < 16; ++i) {
                const float s = 1.0f - 2.0f * clamp01(static_cast<float>(i < 8 ? 8 - i : i - 8) / 8.0f);
                out.shade(x + i, y, 1.0f + 0.16f * s * (i < 8 ? 1.0f : -0.6f));
            }
            out.shade(x, y, 0.6f);
        }
    }
    for (int y = 0; y < 256; y += 64)
        for (int x = 0; x < 256; ++x) {
            out.shade(x, y, 0.62f);
            if (x % 16 == 8) out.rivet(x, y + 5, 1.2f);
        }
    weather(out, seed, 0.5f, 0.7f);
    streaks(out, seed + 3, 0, 120, rgb(0x4a2c18), 0.5f);
    return out;
}

Image window_picture(std::uint64_t seed, bool lit) {
    Image out(128, 128, rgb(0x3b3f41));
    out.plate(0, 0, 128, 128, 0.8f);
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 2; ++q) {
            const int x0 = 10 + p * 56, y0 = 10 + q * 56;
            for (int y = 0; y < 52; ++y)
                for (int x = 0; x < 52; ++x) {
                    const float v = fx(y, 52), u = fx(x, 52);
                    Color c = lit ? mix(rgb(0xffe2a0), rgb(0xd9852f), v) : mix(rgb(0x86aec4), rgb(0x16242e), smooth_step(0.0f, 0.9f, v));
                    if (!lit) c = mix(c, rgb(0xe8f4fa), 0.4f * smooth_step(0.12f, 0.0f, (u - v * 0.5f - 0.2f) * (u - v * 0.5f - 0.2f) * 4));
                    out.blend(x0 + x, y0 + y, c, 1);
                }
            out.groove(x0 - 1, y0 - 1, 53, 53);
        }
    weather(out, seed, 0.2f, 0.35f);
    return out;
}

Image door_picture(std::uint64_t seed) {
    Image out(128, 128, rgb(0x6a6c66));
    for (int i = 0; i < 8; ++i) {
        out.plate(4, i * 16, 120, 15, 0.9f);
        out.fill_rect(4, i * 16 + 15, 120, 1, rgb(0x131313), 0.8f);
    }
    out.fill_rect(62, 0, 4, 128, rgb(0x161616), 0.9f);
    out.fill_rect(0, 0, 4, 128, rgb(0x2a2a2a), 0.9f);
    out.fill_rect(124, 0, 4, 128, rgb(0x2a2a2a), 0.9f);
    out.hazard(0, 108, 128, 20, 24, rgb(0xc7941d), rgb(0x1c1b19));
    weather(out, seed, 0.8f, 0.7f);
    return out;
}

Image alien(std::uint64_t seed) {
    return paint(256, [&](float u, float v) {
        const Cells c = cells(seed, u * 9 + 0.3f * fbm(seed + 2, u * 8, v * 8, 2, 8), v * 9, 9);
        const float edge = c.second - c.nearest;
        const float n = fbm(seed + 3, u * 12, v * 12, 4, 12);
        Color base = mix(rgb(0x2e2a3a), rgb(0x5a5468), 0.35f * c.id + 0.55f * n);
        base = scale(base, 0.72f + 0.55f * smooth_step(0.0f, 0.16f, edge));
        const float vein = smooth_step(0.05f, 0.0f, edge) * smooth_step(0.45f, 0.62f, fbm(seed + 5, u * 4, v * 4, 2, 4));
        return mix(base, rgb(0x59e0ff), vein * 0.9f);
    });
}

Image glow(Color core, Color rim) {
    return paint(32, [&](float u, float v) {
        const float n = fbm(77, u * 6, v * 6, 3, 6);
        return mix(core, rim, clamp01(n * 1.3f - 0.1f));
    });
}

Image portal(std::uint64_t seed) {
    return paint(128, [&](float u, float v) {
        const float n = ridged(seed, u * 5, v * 5, 4, 5), m = fbm(seed + 4, u * 4, v * 4, 3, 4);
        Color c = mix(rgb(0x1850a0), rgb(0xa8f0ff), n * n);
        c.a = clamp01(0.4f + 0.5f * m + 0.3f * n);
        return c;
    });
}

Image ore(std::uint64_t seed) {
    return paint(128, [&](float u, float v) {
        const Cells c = cells(seed, u * 10, v * 10, 10);
        const float edge = c.second - c.nearest;
        Color base = mix(rgb(0x4a3a30), rgb(0x8a6a4a), c.id);
        if (c.id > 0.82f) base = mix(base, rgb(0x6ac8d8), 0.75f);
        return scale(base, (0.55f + 0.6f * smooth_step(0.0f, 0.35f, edge)) * (0.85f + 0.3f * fbm(seed + 2, u * 24, v * 24, 2, 24)));
    });
}

Image rust(std::uint64_t seed) {
    return paint(128, [&](float u, float v) {
        const float n = fbm(seed, u * 6, v * 6, 5, 6), m = fbm(seed + 8, u * 20, v * 20, 3, 20);
        return scale(mix(rgb(0x4a2c1c), rgb(0xa05a2c), n), 0.7f + 0.6f * m);
    });
}

Image chitin(std::uint64_t seed) {
    return paint(128, [&](float u, float v) {
        const float ring = value_noise(seed, u * 4, v * 22 + 2.0f * fbm(seed + 1, u * 4, v * 4, 2, 4), 22);
        const float n = fbm(seed + 2, u * 10, v * 10, 3, 10);
        return scale(mix(rgb(0x5a3420), rgb(0xb8783c), ring * 0.7f + n * 0.3f), 0.8f + 0.4f * n);
    });
}

Image bark(std::uint64_t seed) {
    return paint(128, [&](float u, float v) {
        const float warp = fbm(seed, u * 4, v * 4, 3, 4) * 1.4f;
        const float r = ridged(seed + 1, u * 12 + warp, v * 3, 3, 12);
        return scale(mix(rgb(0x2c2018), rgb(0x77604a), r), 0.8f + 0.4f * value_noise(seed + 3, u * 40, v * 20, 40));
    });
}

/// A spray of leaves with a cut-out border; the colour continues under the transparent part.
Image leaves(std::uint64_t seed) {
    Image out(128, 128, rgb(0x33501c));
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x) out.at(x, y).a = 0;
    for (int i = 0; i < 260; ++i) {
        const float a = kTwoPi * hash01(seed, i, 0), r = sqrt_f(hash01(seed, i, 1)) * 54.0f;
        const float cx = 64 + r * det_cos(a), cy = 64 + r * det_sin(a);
        const float dir = kTwoPi * hash01(seed, i, 2), len = 7.0f + 5.0f * hash01(seed, i, 3);
        const float light = 0.55f + 0.75f * hash01(seed, i, 4) * (1.15f - (cy / 128.0f) * 0.5f) ;
        const Color c = scale(mix(rgb(0x3f6a20), rgb(0x86a83a), hash01(seed, i, 5)), light);
        const float ux = det_cos(dir), uy = det_sin(dir);
        for (int y = -12; y <= 12; ++y) {
            for (int x = -12; x <= 12; ++x) {
                const float px = static_cast<float>(x), py = static_cast<float>(y);
                const float along = (px * ux + py * uy) / len, across = (-px * uy + py * ux) / (len * 0.42f);
                if (along < -1 || along > 1) continue;
                const float shape = 1.0f - along * along - (across < 0 ? -across : across);
                if (shape <= 0) continue;
                const int ix = floor_i32(cx + px), iy = floor_i32(cy + py);
                if (ix < 1 || iy < 1 || ix > 126 || iy > 126) continue;
                Color leaf = scale(c, 0.85f + 0.3f * (across > 0 ? 1.0f : 0.0f));
                leaf.a = 1;
                out.at(ix, iy) = leaf;
            }
        }
    }
    return out;
}

/// A hanging fringe of needles: opaque above, cut out toward the lower border.
Image needles(std::uint64_t seed) {
    Image out(128, 128, rgb(0x22391f));
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x) {
            const float n = fbm(seed, fx(x, 128) * 16, fx(y, 128) * 8, 3, 16);
            out.at(x, y) = scale(mix(rgb(0x16281a), rgb(0x35552c), n), 0.6f + 0.5f * fx(y, 128));
            out.at(x, y).a = y < 88 ? 1.0f : 0.0f;
        }
    for (int i = 0; i < 900; ++i) {
        const float x0 = 128.0f * hash01(seed, i, 0), y0 = 116.0f * hash01(seed, i, 1);
        const float lean = (hash01(seed, i, 2) - 0.5f) * 9.0f, len = 8.0f + 12.0f * hash01(seed, i, 3);
        const Color c = scale(mix(rgb(0x2c4a26), rgb(0x6d9148), hash01(seed, i, 4)), 0.6f + 0.6f * hash01(seed, i, 5));
        for (int s = 0; s <= 20; ++s) {
            const float t = fx(s, 20);
            const int x = floor_i32(x0 + lean * t), y = floor_i32(y0 + len * t);
            if (y > 127) break;
            for (int w = 0; w < (t < 0.6f ? 2 : 1); ++w) {
                out.at(x + w, y) = c;
                out.at(x + w, y).a = 1;
            }
        }
    }
    return out;
}

Image stone(std::uint64_t seed, Color dark, Color light, float crack) {
    return paint(256, [&](float u, float v) {
        const float n = fbm(seed, u * 5, v * 5, 6, 5), r = ridged(seed + 2, u * 6, v * 6, 4, 6);
        const Cells c = cells(seed + 4, u * 7, v * 7, 7);
        const float line = smooth_step(0.10f, 0.0f, c.second - c.nearest) * crack;
        return scale(mix(dark, light, clamp01(n * 1.5f - 0.25f)), (0.75f + 0.4f * r) * (1.0f - 0.5f * line));
    });
}

Image ground(std::uint64_t seed, Color dark, Color light, float grain, int cell) {
    return paint(256, [&](float u, float v) {
        // Little contrast at the size of the picture: it repeats over the whole map.
        const float n = 0.3f * fbm(seed, u * 5, v * 5, 3, 5) + 0.7f * fbm(seed + 1, u * 14, v * 14, 4, 14);
        const float fine = fbm(seed + 3, u * 48, v * 48, 2, 48);
        Color c = mix(dark, light, clamp01(0.5f + 1.3f * (n - 0.5f)));
        c = scale(c, 1.0f + grain * (fine - 0.5f));
        if (cell > 0) {
            const Cells pebbles = cells(seed + 5, u * static_cast<float>(cell), v * static_cast<float>(cell), cell);
            if (pebbles.id > 0.55f && pebbles.nearest < 0.26f)
                c = scale(mix(c, light, 0.55f), 0.8f + 0.9f * (0.26f - pebbles.nearest));
        }
        return c;
    });
}

/// Blades of grass over a green ground; evenly dense, since a strong feature shows as a grid.
Image grass(std::uint64_t seed, Color soil, Color low, Color high, int blades) {
    Image out = ground(seed, mix(scale(soil, 0.8f), scale(low, 0.8f), 0.55f), mix(soil, low, 0.7f), 0.4f, 0);
    for (int i = 0; i < blades; ++i) {
        const float x0 = 256.0f * hash01(seed, i, 0), y0 = 256.0f * hash01(seed, i, 1);
        const float a = kTwoPi * hash01(seed, i, 2), len = 4.0f + 7.0f * hash01(seed, i, 3);
        const float patch = fbm(seed + 8, x0 / 256.0f * 8, y0 / 256.0f * 8, 3, 8);
        if (hash01(seed, i, 6) > 0.55f + 0.45f * patch) continue;
        const Color c = scale(mix(low, high, hash01(seed, i, 4)), 0.72f + 0.5f * hash01(seed, i, 5));
        out.line(x0, y0, x0 + len * det_cos(a), y0 + len * det_sin(a), 1.3f, c, 0.75f);
    }
    return out;
}

/// Weathered rock face: layered crests, fine grain, a few dark cracks.
Image cliff(std::uint64_t seed) {
    return paint(256, [&](float u, float v) {
        const float wide = 0.35f * fbm(seed + 3, u * 5, v * 5, 4, 5) + 0.65f * fbm(seed + 8, u * 12, v * 12, 4, 12);
        const float crest = ridged(seed + 4, u * 10, v * 10, 4, 10);
        const float grain = fbm(seed + 5, u * 48, v * 48, 2, 48);
        Color c = mix(rgb(0x4c463e), rgb(0xa39a8c), clamp01(0.2f + 0.5f * wide + 0.35f * crest));
        c = mix(c, rgb(0x6f6049), 0.3f * smooth_step(0.45f, 0.7f, fbm(seed + 6, u * 7, v * 7, 3, 7)));
        c = scale(c, 0.78f + 0.44f * grain);
        const float crack = ridged(seed + 7, u * 7, v * 7, 3, 7);
        return scale(c, 1.0f - 0.35f * smooth_step(0.86f, 0.97f, crack));
    });
}

/// Packed gravel: a track without direction, so that it lies on planar coordinates.
Image road(std::uint64_t seed) {
    return paint(256, [&](float u, float v) {
        const float n = fbm(seed, u * 5, v * 5, 5, 5), fine = fbm(seed + 2, u * 56, v * 56, 2, 56);
        const Cells c = cells(seed + 4, u * 44, v * 44, 44);
        Color base = mix(rgb(0x685c4c), rgb(0x94846c), clamp01(0.5f + 1.1f * (n - 0.5f)));
        base = scale(base, 0.86f + 0.28f * fine);
        if (c.id > 0.45f && c.nearest < 0.34f) base = mix(base, scale(rgb(0xa89c88), 0.7f + 0.5f * c.id), 0.55f);
        return base;
    });
}

Image water(std::uint64_t seed) {
    return paint(256, [&](float u, float v) {
        const float warp = fbm(seed + 1, u * 4, v * 4, 3, 4) * 0.8f;
        const float r = ridged(seed, u * 5 + warp, v * 5 + warp, 4, 5), n = fbm(seed + 2, u * 6, v * 6, 4, 6);
        Color c = mix(rgb(0x143848), rgb(0x2f6a78), n);
        c = mix(c, rgb(0xa9d8dc), 0.45f * r * r * r * r);
        c.a = 0.78f + 0.12f * r;
        return c;
    });
}

}  // namespace

std::vector<Picture> make_pictures(std::uint64_t seed) {
    std::vector<Picture> out;
    const auto add = [&](const char* name, TexmFormat format, Image image) {
        out.push_back({std::string(name) + ".0", std::move(image), format});
    };
    using enum TexmFormat;
    const std::uint64_t s = splitmix64(seed) & 0xFFFFFFFFull;
    add("HULL", argb8888, metal_panels(s + 1, rgb(0x6d7264), 0.7f, 0.55f, 5));
    add("HULL_DK", rgb565, metal_panels(s + 2, rgb(0x40423f), 0.6f, 0.6f, 5));
    add("TEAM", argb8888, metal_panels(s + 3, rgb(0xc9c9c6), 0.35f, 0.42f, 4));
    add("TEAM_L", rgb565, glow(rgb(0xffffff), rgb(0xd8d8d8)));
    add("TRACK", rgb565, track(s + 4));
    add("TYRE", rgb565, tyre(s + 5));
    add("STEEL", rgb888, brushed(s + 6, rgb(0x7d7d7d)));
    add("GLASS", argb8888, glass(s + 7));
    add("LAMP", argb8888, lamp_picture());
    add("VENT", rgb565, vent_picture(s + 8));
    add("HAZARD", rgb565, hazard_picture(s + 9));
    add("CONCRETE", indexed, concrete(s + 10));
    add("PANEL", rgb565, metal_panels(s + 11, rgb(0x8a8878), 0.5f, 0.55f, 4));
    add("ROOF", rgb565, roof(s + 12));
    add("WINDOW", argb8888, window_picture(s + 13, true));
    add("DOOR", rgb565, door_picture(s + 14));
    add("ALIEN", argb8888, alien(s + 15));
    add("GLOW_R", rgb565, glow(rgb(0xffb0a0), rgb(0xe03010)));
    add("GLOW_G", rgb565, glow(rgb(0xd0ffc0), rgb(0x40c020)));
    add("GLOW_B", rgb565, glow(rgb(0xd0f4ff), rgb(0x30a0e8)));
    add("GLOW_Y", rgb565, glow(rgb(0xfff8d0), rgb(0xf0a020)));
    add("PORTAL", argb4444, portal(s + 16));
    add("ORE", rgb565, ore(s + 17));
    add("RUST", rgb565, rust(s + 18));
    add("CHITIN", rgb565, chitin(s + 19));
    add("BARK", rgb565, bark(s + 20));
    add("LEAF", argb4444, leaves(s + 21));
    add("NEEDLE", argb4444, needles(s + 22));
    add("STONE", rgb565, stone(s + 23, rgb(0x55514b), rgb(0xa8a298), 0.35f));
    add("L_DIRT", rgb565, ground(s + 30, rgb(0x54422f), rgb(0x86694a), 0.5f, 26));
    add("L_GRASS", rgb565, grass(s + 31, rgb(0x55452c), rgb(0x42592a), rgb(0x77883f), 11000));
    add("L_MEADOW", rgb565, grass(s + 32, rgb(0x4a4a28), rgb(0x566a28), rgb(0x96a04c), 12000));
    add("L_ROCK", rgb565, cliff(s + 33));
    add("L_SAND", rgb565, ground(s + 34, rgb(0x9c8558), rgb(0xd0b885), 0.25f, 0));
    add("L_SCREE", rgb565, ground(s + 35, rgb(0x5a5044), rgb(0x948672), 0.6f, 18));
    add("L_ROAD", rgb565, road(s + 36));
    add("WATER", argb8888, water(s + 37));
    return out;
}

}  // namespace iron::content
