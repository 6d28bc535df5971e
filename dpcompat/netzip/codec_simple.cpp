// Stored bytes, byte transforms, run lengths. Source: directplay.md 16.2.
#include <algorithm>
#include <cstdio>

#include "dpcompat/netzip/codec_families.hpp"
#include "shared/archive/xor_stream.hpp"

namespace iron::dpcompat {

Status check_plain(std::size_t plain, std::size_t packed, std::optional<std::size_t> promised, const UnpackLimits& limits) {
    if (plain > limits.max_plain_bytes || plain > (packed + 1) * limits.max_ratio)
        return fail("netzip_limit", std::to_string(plain) + " bytes from " + std::to_string(packed));
    if (promised && *promised != plain)
        return fail("netzip_length", std::to_string(plain) + " bytes instead of " + std::to_string(*promised));
    return {};
}

namespace {

std::string with_hex(const char* name, unsigned value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%s(%0*x)", name, digits, value);
    return text;
}

/// Same size in and out; apply() is its own inverse, or undo() is given.
class Transform : public NetZipCodec {
public:
    bool is_transform() const override { return true; }
    Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const override {
        IRON_CHECK(check_plain(packed.size(), packed.size(), plain_bytes, limits));
        return Unpacked{undo(packed), packed.size()};
    }
    Result<Bytes> pack(ByteView plain) const override { return apply(plain); }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        // A transform may treat the last bytes of the whole differently, never the first ones by what follows.
        Bytes out = undo(packed);
        out.resize(std::min(out.size(), count));
        return out;
    }

protected:
    virtual Bytes apply(ByteView in) const = 0;
    virtual Bytes undo(ByteView in) const { return apply(in); }
};

class Stored final : public Transform {
public:
    std::string id() const override { return "stored"; }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        return Bytes(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(std::min(packed.size(), count)));
    }

private:
    Bytes apply(ByteView in) const override { return Bytes(in.begin(), in.end()); }
};

class XorConst final : public Transform {
public:
    explicit XorConst(std::uint8_t key) : key_(key) {}
    std::string id() const override { return with_hex("xor-const", key_, 2); }

private:
    Bytes apply(ByteView in) const override {
        Bytes out(in.begin(), in.end());
        for (auto& b : out) b = static_cast<std::uint8_t>(b ^ key_);
        return out;
    }
    std::uint8_t key_;
};

class AddConst final : public Transform {
public:
    explicit AddConst(std::uint8_t key) : key_(key) {}
    std::string id() const override { return with_hex("add-const", key_, 2); }

private:
    Bytes apply(ByteView in) const override {
        Bytes out(in.begin(), in.end());
        for (auto& b : out) b = static_cast<std::uint8_t>(b + key_);
        return out;
    }
    Bytes undo(ByteView in) const override {
        Bytes out(in.begin(), in.end());
        for (auto& b : out) b = static_cast<std::uint8_t>(b - key_);
        return out;
    }
    std::uint8_t key_;
};

/// XOR with a counter that leaves the last three bytes alone: the form of another DirectPlay game [cap].
class XorCount final : public Transform {
public:
    explicit XorCount(std::uint8_t start) : start_(start) {}
    std::string id() const override { return with_hex("xor-count", start_, 2); }

private:
    Bytes apply(ByteView in) const override {
        Bytes out(in.begin(), in.end());
        for (std::size_t i = 0; i + 3 < out.size(); ++i) out[i] = static_cast<std::uint8_t>(out[i] ^ (start_ + i));
        return out;
    }
    std::uint8_t start_;
};

class XorStreamCodec final : public Transform {
public:
    explicit XorStreamCodec(std::uint16_t key) : key_(key) {}
    std::string id() const override { return with_hex("xor-stream", key_, 4); }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        return archive::xor_stream(packed.first(std::min(packed.size(), count)), key_);
    }

private:
    Bytes apply(ByteView in) const override { return archive::xor_stream(in, key_); }
    std::uint16_t key_;
};

/// Output of a run-length decoder, bounded while it grows.
class Runs {
public:
    Runs(std::size_t packed, std::optional<std::size_t> promised, const UnpackLimits& limits)
        : most_(std::min({limits.max_plain_bytes, (packed + 1) * limits.max_ratio, promised.value_or(limits.max_plain_bytes)})) {}
    bool put(std::size_t count, std::uint8_t value) {
        if (count > most_ - bytes.size()) return false;
        bytes.insert(bytes.end(), count, value);
        return true;
    }
    Bytes bytes;

private:
    std::size_t most_;
};

class RunLength : public NetZipCodec {
public:
    Result<Unpacked> unpack(ByteView packed, std::optional<std::size_t> plain_bytes, const UnpackLimits& limits) const override {
        Runs out(packed.size(), plain_bytes, limits);
        if (!decode(packed, out)) return fail("netzip_input", "not a run-length stream");
        IRON_CHECK(check_plain(out.bytes.size(), packed.size(), plain_bytes, limits));
        return Unpacked{std::move(out.bytes), packed.size()};
    }
    Bytes prefix(ByteView packed, std::size_t count) const override {
        Runs out(packed.size(), {}, {});
        decode(packed.first(std::min(packed.size(), 2 * count + 2)), out);
        out.bytes.resize(std::min(out.bytes.size(), count));
        return std::move(out.bytes);
    }

protected:
    /// False when the stream is wrong or too long.
    virtual bool decode(ByteView in, Runs& out) const = 0;
};

std::size_t run_at(ByteView b, std::size_t at, std::size_t most) {
    std::size_t n = 1;
    while (at + n < b.size() && n < most && b[at + n] == b[at]) ++n;
    return n;
}

/// n < 128: n + 1 bytes follow; n > 128: the next byte 257 - n times; 128: nothing.
class PackBits final : public RunLength {
public:
    std::string id() const override { return "rle-packbits"; }
    Result<Bytes> pack(ByteView plain) const override {
        Bytes out;
        for (std::size_t at = 0; at < plain.size();) {
            const std::size_t run = run_at(plain, at, 128);
            if (run >= 2) {
                out.push_back(static_cast<std::uint8_t>(257 - run));
                out.push_back(plain[at]);
                at += run;
                continue;
            }
            std::size_t count = 1;
            while (at + count < plain.size() && count < 128 && run_at(plain, at + count, 3) < 3) ++count;
            out.push_back(static_cast<std::uint8_t>(count - 1));
            out.insert(out.end(), plain.begin() + static_cast<std::ptrdiff_t>(at), plain.begin() + static_cast<std::ptrdiff_t>(at + count));
            at += count;
        }
        return out;
    }

private:
    bool decode(ByteView in, Runs& out) const override {
        for (std::size_t at = 0; at < in.size();) {
            const std::uint8_t n = in[at++];
            if (n == 128) continue;
            if (n > 128) {
                if (at == in.size() || !out.put(257u - n, in[at++])) return false;
                continue;
            }
            for (unsigned i = 0; i <= n; ++i)
                if (at == in.size() || !out.put(1, in[at++])) return false;
        }
        return true;
    }
};

/// escape, count, value; a literal escape byte is a run of its own.
class EscapeRle final : public RunLength {
public:
    explicit EscapeRle(std::uint8_t escape) : escape_(escape) {}
    std::string id() const override { return with_hex("rle-escape", escape_, 2); }
    Result<Bytes> pack(ByteView plain) const override {
        Bytes out;
        for (std::size_t at = 0; at < plain.size();) {
            const std::size_t run = run_at(plain, at, 255);
            if (run >= 4 || plain[at] == escape_) {
                out.insert(out.end(), {escape_, static_cast<std::uint8_t>(run), plain[at]});
                at += run;
            } else {
                out.push_back(plain[at++]);
            }
        }
        return out;
    }

private:
    bool decode(ByteView in, Runs& out) const override {
        for (std::size_t at = 0; at < in.size();) {
            if (in[at] != escape_) {
                if (!out.put(1, in[at++])) return false;
                continue;
            }
            if (in.size() - at < 3 || in[at + 1] == 0 || !out.put(in[at + 1], in[at + 2])) return false;
            at += 3;
        }
        return true;
    }
    std::uint8_t escape_;
};

/// A zero byte is followed by how many zeros there are.
class ZeroRuns final : public RunLength {
public:
    std::string id() const override { return "rle-zero"; }
    Result<Bytes> pack(ByteView plain) const override {
        Bytes out;
        for (std::size_t at = 0; at < plain.size();) {
            if (plain[at] != 0) {
                out.push_back(plain[at++]);
                continue;
            }
            const std::size_t run = run_at(plain, at, 255);
            out.insert(out.end(), {std::uint8_t{0}, static_cast<std::uint8_t>(run)});
            at += run;
        }
        return out;
    }

private:
    bool decode(ByteView in, Runs& out) const override {
        for (std::size_t at = 0; at < in.size();) {
            if (in[at] != 0) {
                if (!out.put(1, in[at++])) return false;
                continue;
            }
            if (at + 1 == in.size() || in[at + 1] == 0 || !out.put(in[at + 1], 0)) return false;
            at += 2;
        }
        return true;
    }
};

}  // namespace

CodecPtr make_stored() { return std::make_shared<Stored>(); }
CodecPtr make_xor_const(std::uint8_t key) { return std::make_shared<XorConst>(key); }
CodecPtr make_add_const(std::uint8_t key) { return std::make_shared<AddConst>(key); }
CodecPtr make_xor_count(std::uint8_t start) { return std::make_shared<XorCount>(start); }
CodecPtr make_xor_stream(std::uint16_t key) { return std::make_shared<XorStreamCodec>(key); }
CodecPtr make_escape_rle(std::uint8_t escape) { return std::make_shared<EscapeRle>(escape); }

void add_rle(std::vector<CodecPtr>& out) {
    out.push_back(std::make_shared<PackBits>());
    out.push_back(std::make_shared<ZeroRuns>());
}

}  // namespace iron::dpcompat
