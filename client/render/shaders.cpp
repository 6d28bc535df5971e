#include "client/render/shaders.hpp"

namespace iron::client::render {
namespace {

constexpr const char* kVersion = "#version 330 core\n";

constexpr const char* kShade = R"(
uniform vec3 u_eye;
uniform vec3 u_sun_dir;       // toward the sun
uniform vec3 u_sun_color;
uniform vec3 u_sky_zenith;
uniform vec3 u_sky_horizon;
uniform vec3 u_bounce;        // light from the ground
uniform vec2 u_fog;           // start wu, 1 / reach wu
uniform float u_time;         // seconds
uniform sampler2DShadow u_shadow;
uniform mat4 u_shadow_matrix;
uniform vec3 u_shadow_area;   // centre x, y and radius wu; radius 0 = off
uniform float u_shadow_texel; // wu

vec3 sky_color(vec3 d) {
    float h = clamp(d.z, 0.0, 1.0);
    vec3 c = mix(u_sky_zenith, u_sky_horizon, exp(-h * 5.5));
    float s = max(dot(d, u_sun_dir), 0.0);
    return c + u_sun_color * (0.035 * pow(s, 6.0) + 0.10 * pow(s, 48.0));
}

vec3 apply_fog(vec3 color, vec3 world) {
    vec3 v = world - u_eye;
    float dist = length(v);
    float f = max(dist - u_fog.x, 0.0) * u_fog.y;
    f = 1.0 - exp(-f * f * 1.2 - f * 0.35);
    vec3 d = v / max(dist, 1e-3);
    return mix(color, sky_color(normalize(vec3(d.xy, max(d.z, 0.015)))), f);
}

float sun_light(vec3 world, vec3 normal) {
    if (u_shadow_area.z <= 0.0) return 1.0;
    float away = distance(world.xy, u_shadow_area.xy) / u_shadow_area.z;
    float fade = smoothstep(0.85, 1.0, away);
    if (fade >= 1.0) return 1.0;
    vec3 p = world + normal * u_shadow_texel * 1.6;
    vec4 q = u_shadow_matrix * vec4(p, 1.0);
    vec3 s = q.xyz * 0.5 + 0.5;
    vec2 step = 1.0 / vec2(textureSize(u_shadow, 0));
    float lit = texture(u_shadow, vec3(s.xy + step * vec2(-0.4, -0.9), s.z))
              + texture(u_shadow, vec3(s.xy + step * vec2( 0.9, -0.4), s.z))
              + texture(u_shadow, vec3(s.xy + step * vec2( 0.4,  0.9), s.z))
              + texture(u_shadow, vec3(s.xy + step * vec2(-0.9,  0.4), s.z));
    return mix(lit * 0.25, 1.0, fade);
}

vec3 ambient_light(vec3 n) {
    float up = n.z * 0.5 + 0.5;
    return mix(u_bounce, mix(u_sky_horizon, u_sky_zenith, 0.55) * 0.95, up);
}

vec3 tone(vec3 c) {
    c = mix(vec3(dot(c, vec3(0.27, 0.60, 0.13))), c, 0.84);
    c *= 0.80;
    c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
    return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
}
)";

std::string fragment(const char* body) { return std::string(kVersion) + kShade + body; }
std::string vertex(const char* body) { return std::string(kVersion) + body; }

}  // namespace

ShaderSource terrain_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec2 a_uv;
layout(location = 3) in vec3 a_layers;
layout(location = 4) in vec4 a_weights;  // shares of the three layers, occlusion
uniform mat4 u_view_projection;
out vec3 v_world;
out vec3 v_normal;
out vec2 v_uv;
out vec4 v_weights;
flat out vec3 v_layers;
void main() {
    v_world = a_position;
    v_normal = a_normal;
    v_uv = a_uv;
    v_weights = a_weights;
    v_layers = a_layers;
    gl_Position = u_view_projection * vec4(a_position, 1.0);
}
)"),
            fragment(R"(
in vec3 v_world;
in vec3 v_normal;
in vec2 v_uv;
in vec4 v_weights;
flat in vec3 v_layers;
uniform sampler2DArray u_layers;
uniform sampler2D u_noise;
uniform vec4 u_layer_tint[32];     // material colour
uniform float u_apron;             // 1 beyond the map border
out vec4 o_color;

// Two sizes of the same picture, so that its repetition does not show from far away.
vec3 layer_color(float layer, float away) {
    vec3 near_c = texture(u_layers, vec3(v_uv, layer)).rgb;
    vec3 far_c = texture(u_layers, vec3(v_uv * 0.273 + vec2(0.37, 0.11), layer)).rgb;
    return mix(near_c, far_c, away) * u_layer_tint[int(layer + 0.5)].rgb;
}

void main() {
    float dist = distance(v_world, u_eye);
    vec4 detail = texture(u_noise, v_world.xy / 9.0);
    vec4 mid = texture(u_noise, v_world.yx / 47.0);
    vec4 macro = texture(u_noise, v_world.xy / 173.0);
    float away = clamp(0.22 + 0.45 * smoothstep(60.0, 320.0, dist) + (mid.r - 0.5) * 0.7, 0.0, 0.85);

    // Shares wobble with the noise and are sharpened; a share of 0 stays 0 on both sides of an edge.
    float wobble = (detail.r - 0.5) * 2.4 + (mid.g - 0.5) * 2.2;
    vec3 odd = mod(v_layers, 2.0) * 2.0 - 1.0;
    vec3 w = v_weights.xyz * exp2(odd * wobble);
    w = w * w * w * w;
    w /= max(w.x + w.y + w.z, 1e-6);
    vec3 albedo = vec3(0.0);
    if (w.x > 0.01) albedo += layer_color(v_layers.x, away) * w.x;
    if (w.y > 0.01) albedo += layer_color(v_layers.y, away) * w.y;
    if (w.z > 0.01) albedo += layer_color(v_layers.z, away) * w.z;

    float near = 1.0 - smoothstep(30.0, 190.0, dist);
    float close = 1.0 - smoothstep(8.0, 60.0, dist);
    albedo *= mix(1.0, 0.58 + 0.84 * detail.r, 0.55 * near + 0.12);
    vec3 n = normalize(v_normal);
    vec2 tilt = (detail.ba * 2.0 - 1.0) * (0.42 * near + 0.05) + (mid.ba * 2.0 - 1.0) * 0.14;
    if (close > 0.0) {
        vec4 fine = texture(u_noise, v_world.xy / 2.1);
        albedo *= mix(1.0, 0.55 + 0.90 * fine.r, 0.55 * close);
        tilt += (fine.ba * 2.0 - 1.0) * 0.30 * close;
    }
    albedo *= (0.78 + 0.44 * macro.g) * (0.86 + 0.28 * mid.r);
    albedo = mix(albedo, albedo * vec3(1.10, 1.0, 0.80), smoothstep(0.45, 0.8, macro.r) * 0.5);

    n = normalize(n + vec3(tilt, 0.0));
    float sun = sun_light(v_world, normalize(v_normal));
    float diffuse = max(dot(n, u_sun_dir), 0.0);
    float open = v_weights.w * v_weights.w;
    vec3 light = u_sun_color * diffuse * sun + ambient_light(n) * open;
    vec3 color = albedo * light;
    if (u_apron > 0.5) color = mix(color, vec3(dot(color, vec3(0.3, 0.55, 0.15))), 0.25) * 0.86;
    o_color = vec4(tone(apply_fog(color, v_world)), 1.0);
}
)")};
}

ShaderSource water_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in float a_depth;
uniform mat4 u_view_projection;
out vec3 v_world;
out float v_depth;
void main() {
    v_world = a_position;
    v_depth = a_depth;
    gl_Position = u_view_projection * vec4(a_position, 1.0);
}
)"),
            fragment(R"(
in vec3 v_world;
in float v_depth;
uniform sampler2D u_noise;
uniform vec3 u_deep;
uniform vec3 u_shallow;
out vec4 o_color;
void main() {
    vec2 p = v_world.xy;
    vec4 a = texture(u_noise, p / 23.0 + vec2(0.013, 0.021) * u_time);
    vec4 b = texture(u_noise, p.yx / 11.0 + vec2(-0.028, 0.017) * u_time);
    vec4 c = texture(u_noise, p / 71.0 - vec2(0.006, 0.004) * u_time);
    float dist = distance(v_world, u_eye);
    float calm = 1.0 / (1.0 + dist * 0.006);
    vec2 slope = (a.ba + b.ba + c.ba - 1.5) * 0.34 * calm;
    vec3 n = normalize(vec3(slope, 1.0));
    vec3 view = normalize(u_eye - v_world);
    float facing = max(dot(n, view), 0.0);
    float fresnel = 0.03 + 0.97 * pow(1.0 - facing, 5.0);
    vec3 r = reflect(-view, n);
    vec3 mirror = sky_color(normalize(vec3(r.xy, max(r.z, 0.03))));
    float sun = sun_light(v_world, vec3(0.0, 0.0, 1.0));
    float depth = 1.0 - exp(-max(v_depth, 0.0) * 0.42);
    vec3 body = mix(u_shallow, u_deep, depth) * (0.45 + 0.55 * sun)
              * (ambient_light(vec3(0.0, 0.0, 1.0)) + u_sun_color * 0.25);
    float ripple = (a.r + b.r) * 0.5;
    body *= 0.70 + 0.60 * ripple;
    vec3 color = mix(body, mirror, fresnel * 0.85);
    vec3 h = normalize(view + u_sun_dir);
    float spark = pow(max(dot(n, h), 0.0), 260.0) * 5.0 + pow(max(dot(n, h), 0.0), 40.0) * 0.18;
    color += u_sun_color * spark * sun;
    // Foam breathes at the shore.
    float edge = 1.0 - smoothstep(0.0, 0.9, v_depth + (a.r - 0.5) * 0.5);
    float wave = 0.5 + 0.5 * sin(v_depth * 9.0 + u_time * 1.1 + c.r * 9.0);
    float foam = edge * smoothstep(0.50, 0.85, b.r * 0.55 + wave * 0.45);
    color = mix(color, vec3(0.85, 0.90, 0.92) * (u_sun_color * 0.22 + 0.35), foam * 0.55);
    float alpha = mix(0.30, 0.97, depth) * smoothstep(-0.05, 0.25, v_depth);
    o_color = vec4(tone(apply_fog(color, v_world)), clamp(alpha + fresnel * 0.5 + foam * 0.3, 0.0, 1.0));
}
)")};
}

ShaderSource model_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec2 a_uv;
layout(location = 3) in mat4 a_world;
layout(location = 7) in vec4 a_team;    // colour, -
layout(location = 8) in vec4 a_extra;   // flash, fade, -, -
uniform mat4 u_view_projection;
out vec3 v_world;
out vec3 v_normal;
out vec2 v_uv;
flat out vec3 v_team;
flat out vec2 v_extra;
void main() {
    vec4 world = a_world * vec4(a_position, 1.0);
    v_world = world.xyz;
    mat3 m = mat3(a_world);
    // Inverse transpose without the inverse: cofactors.
    v_normal = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * a_normal;
    v_uv = a_uv;
    v_team = a_team.rgb;
    v_extra = a_extra.xy;
    gl_Position = u_view_projection * world;
}
)"),
            fragment(R"(
in vec3 v_world;
in vec3 v_normal;
in vec2 v_uv;
flat in vec3 v_team;
flat in vec2 v_extra;
uniform sampler2D u_texture;
uniform vec4 u_diffuse;
uniform vec4 u_specular;     // colour, power
uniform vec3 u_emissive;
uniform int u_mode;          // 0 opaque, 1 cutout, 2 alpha, 3 additive
uniform int u_team;
uniform float u_ground;      // 1: darken toward the ground plane
out vec4 o_color;
void main() {
    vec4 texel = texture(u_texture, v_uv);
    float alpha = texel.a * u_diffuse.a;
    if (u_mode == 1) {
        alpha = clamp((alpha - 0.5) / max(fwidth(alpha), 1e-3) + 0.5, 0.0, 1.0);
        if (alpha < 0.1) discard;
    }
    vec3 albedo = texel.rgb * u_diffuse.rgb;
    if (u_team == 1) {
        vec3 team = pow(v_team, vec3(2.2));
        float shade = dot(albedo, vec3(0.3, 0.59, 0.11));
        albedo = team * (0.18 + 1.05 * shade);
    }
    vec3 n = normalize(v_normal);
    vec3 view = normalize(u_eye - v_world);
    if (!gl_FrontFacing) n = -n;
    // Leaves are crossed cards: they must not shade themselves in stripes.
    float sun = sun_light(u_mode == 1 ? v_world + u_sun_dir * 1.2 : v_world, n);
    float wrap = u_mode == 1 ? 0.15 : 0.0;
    float diffuse = max((dot(n, u_sun_dir) + wrap) / (1.0 + wrap), 0.0);
    vec3 light = u_sun_color * diffuse * sun + ambient_light(n);
    vec3 color = albedo * light;
    // A dull metal: a highlight of the sun and a little of the sky on grazing faces.
    vec3 gloss = u_specular.rgb;
    vec3 h = normalize(view + u_sun_dir);
    float power = max(u_specular.a, 8.0);
    float highlight = pow(max(dot(n, h), 0.0), power) * (power + 8.0) / 40.0;
    float rim = pow(1.0 - max(dot(n, view), 0.0), 4.0);
    color += gloss * (u_sun_color * highlight * sun * diffuse + sky_color(normalize(reflect(-view, n) + vec3(0.0, 0.0, 0.05))) * (0.08 + 0.5 * rim));
    color += u_emissive * (u_team == 1 ? pow(v_team, vec3(2.2)) * 1.5 : texel.rgb) * 2.2;
    color += v_extra.x * (albedo * 0.9 + vec3(0.05));
    color = apply_fog(color, v_world);
    float cover = v_extra.y;
    if (cover < 0.999) {
        color = mix(vec3(dot(color, vec3(0.3, 0.55, 0.15))), color, 0.35);
        if (u_mode < 2) {
            // Ghosts: a fixed screen pattern instead of sorting.
            vec2 q = floor(gl_FragCoord.xy);
            float pattern = fract(dot(q, vec2(0.7548777, 0.5698403)));
            if (pattern > cover) discard;
        }
    }
    float out_alpha = u_mode == 0 ? 1.0 : u_mode == 1 ? alpha : alpha * cover;
    o_color = vec4(tone(color), out_alpha);
}
)")};
}

ShaderSource depth_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
uniform mat4 u_view_projection;
void main() { gl_Position = u_view_projection * vec4(a_position, 1.0); }
)"),
            vertex("void main() {}\n")};
}

ShaderSource model_depth_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 2) in vec2 a_uv;
layout(location = 3) in mat4 a_world;
uniform mat4 u_view_projection;
out vec2 v_uv;
void main() {
    v_uv = a_uv;
    gl_Position = u_view_projection * a_world * vec4(a_position, 1.0);
}
)"),
            vertex(R"(
in vec2 v_uv;
uniform sampler2D u_texture;
uniform int u_mode;
void main() {
    if (u_mode == 1 && texture(u_texture, v_uv).a < 0.5) discard;
}
)")};
}

ShaderSource sky_shader() {
    return {vertex(R"(
uniform mat4 u_inverse;
out vec3 v_far;
void main() {
    vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    vec4 far = u_inverse * vec4(p, 1.0, 1.0);
    v_far = far.xyz / far.w;
    gl_Position = vec4(p, 1.0, 1.0);
}
)"),
            fragment(R"(
in vec3 v_far;
uniform sampler2D u_noise;
out vec4 o_color;
void main() {
    vec3 d = normalize(v_far - u_eye);
    vec3 c = sky_color(vec3(d.xy, max(d.z, 0.0)));
    if (d.z > 0.01) {
        vec2 q = d.xy / (d.z + 0.12);
        float n = texture(u_noise, q * 0.055 + u_time * 0.0011).r * 0.62
                + texture(u_noise, q * 0.17 - u_time * 0.0019).r * 0.38;
        float cloud = smoothstep(0.50, 0.74, n) * smoothstep(0.01, 0.22, d.z);
        float s = max(dot(d, u_sun_dir), 0.0);
        vec3 lit = mix(u_sky_horizon, vec3(1.0), 0.55) * 1.05 + u_sun_color * 0.10 * pow(s, 4.0);
        c = mix(c, lit, cloud * 0.60);
    }
    float disc = smoothstep(0.99955, 0.99985, dot(d, u_sun_dir));
    c += u_sun_color * disc * 4.0;
    o_color = vec4(tone(c), 1.0);
}
)")};
}

ShaderSource mark_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_color;
layout(location = 2) in float a_across;  // -1..1 across the line
uniform mat4 u_view_projection;
uniform vec3 u_eye;
out vec4 v_color;
out float v_across;
void main() {
    v_color = a_color;
    v_across = a_across;
    // A little toward the eye: above the ground it lies on.
    gl_Position = u_view_projection * vec4(mix(a_position, u_eye, 0.004), 1.0);
}
)"),
            vertex(R"(
in vec4 v_color;
in float v_across;
out vec4 o_color;
void main() {
    float d = abs(v_across);
    float core = 1.0 - smoothstep(0.45, 0.62, d);
    float glow = (1.0 - smoothstep(0.4, 1.0, d)) * 0.35;
    o_color = vec4(v_color.rgb, v_color.a * max(core, glow));
}
)")};
}

ShaderSource contact_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_color;
uniform mat4 u_view_projection;
uniform vec3 u_eye;
out vec4 v_color;
void main() {
    v_color = a_color;
    gl_Position = u_view_projection * vec4(mix(a_position, u_eye, 0.003), 1.0);
}
)"),
            vertex(R"(
in vec4 v_color;
out vec4 o_color;
void main() { o_color = v_color; }
)")};
}

ShaderSource streak_shader() {
    return {vertex(R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_color;
layout(location = 2) in float a_across;
uniform mat4 u_view_projection;
out vec4 v_color;
out float v_across;
void main() {
    v_color = a_color;
    v_across = a_across;
    gl_Position = u_view_projection * vec4(a_position, 1.0);
}
)"),
            vertex(R"(
in vec4 v_color;
in float v_across;
out vec4 o_color;
void main() {
    float d = 1.0 - abs(v_across);
    o_color = vec4(v_color.rgb * v_color.a * (d * d + 0.6 * pow(d, 8.0)), 1.0);
}
)")};
}

}  // namespace iron::client::render
