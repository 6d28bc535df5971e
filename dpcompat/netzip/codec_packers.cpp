// The engine's archive codecs, zlib's formats and the LZ of another DirectPlay game. Source: directplay.md 16.2,
// archives.md 4.7-4.9.
#include <algorithm>
#include <cstdio>

#include <zlib.h>

#include "dpcompat/netzip/codec_families.hpp"
#include "shared/archive/lzhuf.hpp"
#include "shared/archive/lzss.hpp"

namespace iron::dpcompat {
namespace {

Error as_netzip(const Error& error) {
    return Error(error.code() == "limit_exceeded" ? "netzip_limit" : "netzip_input", error.message());
}

std::size_t most_plain(std::size_t packed, const UnpackLimits& limits) {
    return std::min(limits.max_plain_bytes, (packed + 1) * limits.max_ratio);
}

class Lzss final : public NetZipCodec {
public:
    explicit Lzss(archive::LzssFormat format) : format_(format) {}
    std::string id() const override {
        char text[32];
        std::snprintf(text, sizeof text, "lzss-4096-%02x-%03x", format_.fill, format_.start);
        std::string out = text;
        if (!format_.lsb_first) out += "-msb";
        if (!format_.literal_flag) out += "-match1";
        if (format_.min_match == 2) out += "-min2";
        if (format_.swapped_nibbles) out += "-hilen";
        if (format_.relative) out += "-rel";
        return out;
    }
    Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const override {
        const std::size_t most = most_plain(packed.size(), limits);
        if (plain_bytes && *plain_bytes > most) return fail("netzip_limit", "a size of " + std::to_string(*plain_bytes));
        auto out = plain_bytes ? archive::lzss_decode(packed, *plain_bytes, format_) : archive::lzss_decode_all(packed, most, format_);
        if (!out) return tl::unexpected(as_netzip(out.error()));
        return Unpacked{std::move(out->plain), out->consumed};
    }
    Result<Bytes> pack(ByteView plain) const override { return archive::lzss_encode(plain, format_); }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        auto out = archive::lzss_decode(packed.first(std::min(packed.size(), 2 * count + 4)), count, format_);
        // A short stream ends before `count`; then all of it is the prefix.
        if (!out) out = archive::lzss_decode_all(packed, 1 << 16, format_);
        if (!out) return {};
        out->plain.resize(std::min(out->plain.size(), count));
        return std::move(out->plain);
    }

private:
    archive::LzssFormat format_;
};

class Lzhuf final : public NetZipCodec {
public:
    std::string id() const override { return "lzhuf"; }
    bool needs_length() const override { return true; }
    Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const override {
        if (!plain_bytes) return fail("netzip_length", "this codec needs the plain size");
        if (*plain_bytes > most_plain(packed.size(), limits)) return fail("netzip_limit", "a size of " + std::to_string(*plain_bytes));
        auto out = archive::lzhuf_decode(packed, *plain_bytes);
        if (!out) return tl::unexpected(as_netzip(out.error()));
        return Unpacked{std::move(out->plain), out->consumed};
    }
    Result<Bytes> pack(ByteView plain) const override { return archive::lzhuf_encode(plain); }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        for (; count != 0; count /= 2)
            if (auto out = archive::lzhuf_decode(packed, count)) return std::move(out->plain);
        return {};
    }
};

class Zlib final : public NetZipCodec {
public:
    Zlib(const char* id, int window_bits) : id_(id), window_bits_(window_bits) {}
    std::string id() const override { return id_; }
    Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const override {
        std::size_t consumed = 0;
        bool ended = false;
        Bytes plain = inflate_some(packed, most_plain(packed.size(), limits), consumed, ended);
        if (!ended)
            return fail(plain.size() >= most_plain(packed.size(), limits) ? "netzip_limit" : "netzip_input", "not a whole " + id_ + " stream");
        IRON_CHECK(check_plain(plain.size(), packed.size(), plain_bytes, limits));
        return Unpacked{std::move(plain), consumed};
    }
    Result<Bytes> pack(ByteView plain) const override {
        z_stream z{};
        if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, window_bits_, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            return fail("netzip_pack", "zlib does not start");
        Bytes out(deflateBound(&z, static_cast<uLong>(plain.size())) + 32);
        z.next_in = const_cast<Bytef*>(plain.data());
        z.avail_in = static_cast<uInt>(plain.size());
        z.next_out = out.data();
        z.avail_out = static_cast<uInt>(out.size());
        const int result = deflate(&z, Z_FINISH);
        out.resize(z.total_out);
        deflateEnd(&z);
        if (result != Z_STREAM_END) return fail("netzip_pack", "zlib does not finish");
        return out;
    }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        std::size_t consumed = 0;
        bool ended = false;
        return inflate_some(packed, count, consumed, ended);
    }

private:
    Bytes inflate_some(ByteView packed, std::size_t most, std::size_t& consumed, bool& ended) const {
        z_stream z{};
        if (inflateInit2(&z, window_bits_) != Z_OK) return {};
        z.next_in = const_cast<Bytef*>(packed.data());
        z.avail_in = static_cast<uInt>(packed.size());
        Bytes out;
        std::uint8_t piece[4096];
        int result = Z_OK;
        while (result == Z_OK && out.size() < most) {
            z.next_out = piece;
            z.avail_out = static_cast<uInt>(std::min(sizeof piece, most - out.size()));
            const uInt room = z.avail_out;
            result = inflate(&z, Z_NO_FLUSH);
            out.insert(out.end(), piece, piece + (room - z.avail_out));
            if (result == Z_BUF_ERROR || (result == Z_OK && room == z.avail_out && z.avail_in == 0)) break;
        }
        if (result == Z_OK && out.size() == most) {
            // The output is full; what is left may be only the end mark.
            z.next_out = piece;
            z.avail_out = 0;
            result = inflate(&z, Z_NO_FLUSH);
        }
        ended = result == Z_STREAM_END;
        consumed = packed.size() - z.avail_in;
        if (result == Z_DATA_ERROR && out.empty()) out.clear();
        inflateEnd(&z);
        return out;
    }
    std::string id_;
    int window_bits_;
};

/// Control byte of eight flags from the low bit on: 0 = literal, 1 = a word whose upper 12 bits are an absolute place
/// in a window of 4096 that is written from 1 on and whose low 4 bits are the length - 2; place 0 ends. [cap]
class EndCodeLz final : public NetZipCodec {
public:
    std::string id() const override { return "lz-endcode"; }
    Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const override {
        Unpacked out;
        const std::size_t most = std::min(most_plain(packed.size(), limits), plain_bytes.value_or(limits.max_plain_bytes));
        if (!decode(packed, most, out)) return fail("netzip_input", "the stream has no end code");
        IRON_CHECK(check_plain(out.plain.size(), packed.size(), plain_bytes, limits));
        return out;
    }
    Result<Bytes> pack(ByteView plain) const override {
        Bytes out;
        std::size_t control = 0;
        unsigned bit = 8;
        const auto flag = [&](bool set) {
            if (bit == 8) {
                control = out.size();
                out.push_back(0);
                bit = 0;
            }
            if (set) out[control] = static_cast<std::uint8_t>(out[control] | 1u << bit);
            ++bit;
        };
        for (std::size_t at = 0; at < plain.size();) {
            std::size_t best = 0, best_at = 0;
            // Place 0 means the end, so a match may not start there.
            for (std::size_t from = at > 4000 ? at - 4000 : 0; from < at; ++from) {
                if (((from + 1) & 0xFFF) == 0) continue;
                std::size_t n = 0;
                while (n < 17 && at + n < plain.size() && from + n < at && plain[from + n] == plain[at + n]) ++n;
                if (n > best) best = n, best_at = from;
            }
            if (best >= 3) {
                flag(true);
                const std::size_t word = ((best_at + 1) & 0xFFF) << 4 | (best - 2);
                out.push_back(static_cast<std::uint8_t>(word));
                out.push_back(static_cast<std::uint8_t>(word >> 8));
                at += best;
            } else {
                flag(false);
                out.push_back(plain[at++]);
            }
        }
        flag(true);
        out.push_back(0);
        out.push_back(0);
        return out;
    }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        Unpacked out;
        decode(packed, count, out);
        return std::move(out.plain);
    }

private:
    static bool decode(ByteView in, std::size_t most, Unpacked& out) {
        Bytes window(4096, 0);
        std::size_t at = 0, write = 1;
        const auto put = [&](std::uint8_t b) {
            if (out.plain.size() == most) return false;
            out.plain.push_back(b);
            window[write & 0xFFF] = b;
            ++write;
            return true;
        };
        for (;;) {
            if (at == in.size()) return false;
            unsigned flags = in[at++];
            for (int bit = 0; bit < 8; ++bit, flags >>= 1) {
                if ((flags & 1) == 0) {
                    if (at == in.size() || !put(in[at++])) return false;
                    continue;
                }
                if (in.size() - at < 2) return false;
                const unsigned word = in[at] | static_cast<unsigned>(in[at + 1]) << 8;
                at += 2;
                if (word >> 4 == 0) {
                    out.consumed = at;
                    return true;
                }
                for (unsigned i = 0; i < (word & 15) + 2; ++i)
                    if (!put(window[((word >> 4) + i) & 0xFFF])) return false;
            }
        }
    }
};

}  // namespace

void add_lzss(std::vector<CodecPtr>& out) {
    for (const int lsb : {1, 0})
        for (const int literal : {1, 0})
            for (const int min : {3, 2})
                for (const int swapped : {0, 1})
                    for (const int relative : {0, 1})
                        for (const std::uint8_t fill : {std::uint8_t{0x20}, std::uint8_t{0}})
                            for (const std::uint16_t start : {std::uint16_t{0xFEE}, std::uint16_t{0xFF0}, std::uint16_t{0}}) {
                                // With distances the place where the ring starts makes no difference.
                                if (relative != 0 && start != 0xFEE) continue;
                                archive::LzssFormat f;
                                f.fill = fill;
                                f.start = start;
                                f.min_match = static_cast<std::uint8_t>(min);
                                f.lsb_first = lsb != 0;
                                f.literal_flag = literal != 0;
                                f.swapped_nibbles = swapped != 0;
                                f.relative = relative != 0;
                                out.push_back(std::make_shared<Lzss>(f));
                            }
}

CodecPtr make_lzhuf() { return std::make_shared<Lzhuf>(); }
CodecPtr make_end_code_lz() { return std::make_shared<EndCodeLz>(); }

void add_zlib(std::vector<CodecPtr>& out) {
    out.push_back(std::make_shared<Zlib>("deflate-raw", -15));
    out.push_back(std::make_shared<Zlib>("zlib", 15));
    out.push_back(std::make_shared<Zlib>("gzip", 31));
}

}  // namespace iron::dpcompat
