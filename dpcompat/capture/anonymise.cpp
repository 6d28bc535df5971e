#include "dpcompat/capture/anonymise.hpp"

#include <algorithm>

#include "dpcompat/capture/frame_builder.hpp"
#include "dpcompat/capture/native_log.hpp"
#include "shared/base/text.hpp"

namespace iron::dpcompat {
namespace {

constexpr std::uint64_t kStartUs = 1'000'000'000ull * 1'000'000;
constexpr Ipv4 kLoopback = 0x7F000001, kBroadcast = 0xFFFFFFFF;

bool telling(Ipv4 ip) { return ip != 0 && ip != kLoopback && ip != kBroadcast && (ip >> 24) != 127; }

/// Old bytes and the new ones of the same length.
struct Replacement {
    Bytes from, to;
};

/// Everything that must not be in the result, and what stands there instead.
class Secrets {
public:
    /// Before freeze(): remembers it. After: what stands in its place.
    Ipv4 address(Ipv4 ip) {
        if (!telling(ip)) return ip;
        return addresses_.emplace(ip, 0).first->second;
    }
    Text16 name(const Text16& text) {
        if (text.empty()) return text;
        return names_.emplace(text, Text16()).first->second;
    }
    /// A text that says nothing, of the same length.
    Text16 filler(std::size_t units) const { return Text16(units, static_cast<char16_t>(letter_)); }
    Guid guid(const Guid& guid) {
        if (guid.is_zero() || guid == kGameGuid) return guid;
        const auto [found, fresh] = guids_.emplace(guid, Guid{});
        if (fresh) {
            const auto n = static_cast<std::uint32_t>(guids_.size());
            found->second.bytes = {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n >> 8), static_cast<std::uint8_t>(n >> 16),
                                   static_cast<std::uint8_t>(n >> 24), 0, 0, 0, 0x40, 0x80};
        }
        return found->second;
    }
    /// Call when everything is known: the byte patterns to look for.
    void freeze();
    /// Replaces every pattern in opaque bytes; returns how many there were.
    std::size_t scrub(Bytes& bytes) const;
    bool clean(ByteView bytes) const;
    std::size_t address_count() const { return addresses_.size(); }
    std::size_t name_count() const { return names_.size(); }

private:
    void pattern(Bytes from, Bytes to) {
        if (from != to) replacements_.push_back({std::move(from), std::move(to)});
    }
    void choose_addresses();
    void choose_names();
    std::map<Ipv4, Ipv4> addresses_;
    std::map<Text16, Text16> names_;
    char letter_ = 'x';
    std::map<Guid, Guid> guids_;
    std::vector<Replacement> replacements_;
};

Bytes utf16(const Text16& text) {
    ByteWriter out;
    write_text16(out, text);
    Bytes bytes = out.take();
    bytes.resize(bytes.size() - 2);
    return bytes;
}
Bytes plain(const std::string& text) { return Bytes(text.begin(), text.end()); }
Bytes big_endian(Ipv4 ip) {
    return {static_cast<std::uint8_t>(ip >> 24), static_cast<std::uint8_t>(ip >> 16), static_cast<std::uint8_t>(ip >> 8),
            static_cast<std::uint8_t>(ip)};
}

void Secrets::choose_addresses() {
    std::uint32_t n = 0;
    const auto next = [&] {
        // 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24, then 198.18.0.0/15.
        static constexpr Ipv4 kRanges[] = {0xC0000200, 0xC6336400, 0xCB007100};
        const Ipv4 ip = n < 3 * 254 ? kRanges[n / 254] + 1 + n % 254 : 0xC6120000 + n;
        ++n;
        return ip;
    };
    for (auto& [from, to] : addresses_)
        do to = next();
        while (addresses_.contains(to));
}

void Secrets::choose_names() {
    // The letter is one that makes no original name, so that nothing new looks like something old.
    for (letter_ = 'x';; letter_ = static_cast<char>(letter_ - 1)) {
        std::size_t n = 0;
        bool good = true;
        for (auto& [from, to] : names_) {
            const std::string number = std::to_string(++n);
            to = filler(from.size());
            for (std::size_t i = 0; i < number.size() && i < to.size(); ++i)
                to[to.size() - 1 - i] = static_cast<char16_t>(number[number.size() - 1 - i]);
            for (const auto& [other, unused] : names_)
                good = good && (other.size() < 2 || (to.find(other) == Text16::npos && filler(other.size()) != other));
        }
        if (good || letter_ == 'a') break;
    }
}

void Secrets::freeze() {
    choose_addresses();
    choose_names();
    for (const auto& [from, to] : names_) {
        // Two letters are the least that can be told from any other bytes; then with a terminator.
        if (from.size() < 2) continue;
        Bytes wide = utf16(from), wide_to = utf16(to);
        Bytes ansi = plain(utf8_to_cp1251(to_utf8(from))), ansi_to = plain(utf8_to_cp1251(to_utf8(to)));
        Bytes utf8 = plain(to_utf8(from)), utf8_to(utf8.size(), 'x');
        if (from.size() < 3) {
            for (Bytes* b : {&ansi, &ansi_to, &utf8, &utf8_to}) b->push_back(0);
        }
        pattern(wide, wide_to);
        if (ansi.size() == ansi_to.size()) pattern(ansi, ansi_to);
        pattern(utf8, utf8_to);
    }
    for (const auto& [from, to] : addresses_) {
        Bytes be = big_endian(from), be_to = big_endian(to);
        Bytes le(be.rbegin(), be.rend()), le_to(be_to.rbegin(), be_to.rend());
        pattern(be, be_to);
        pattern(le, le_to);
        std::string dotted = ip_text(from), dotted_to = ip_text(to);
        dotted_to.resize(dotted.size(), 'x');
        pattern(plain(dotted), plain(dotted_to));
        pattern(utf16(to_text16(dotted)), utf16(to_text16(dotted_to)));
    }
    // Longer patterns first, so that no name is cut by a shorter one inside it.
    std::stable_sort(replacements_.begin(), replacements_.end(),
                     [](const Replacement& a, const Replacement& b) { return a.from.size() > b.from.size(); });
}

std::size_t Secrets::scrub(Bytes& bytes) const {
    std::size_t places = 0;
    for (const Replacement& r : replacements_)
        for (auto at = bytes.begin();;) {
            at = std::search(at, bytes.end(), r.from.begin(), r.from.end());
            if (at == bytes.end()) break;
            std::copy(r.to.begin(), r.to.end(), at);
            at += static_cast<std::ptrdiff_t>(r.from.size());
            ++places;
        }
    // A replacement must not complete another name; then zeros are the safe answer.
    if (places != 0 && !clean(bytes)) std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    return places;
}

bool Secrets::clean(ByteView bytes) const {
    return std::none_of(replacements_.begin(), replacements_.end(), [&](const Replacement& r) {
        return std::search(bytes.begin(), bytes.end(), r.from.begin(), r.from.end()) != bytes.end();
    });
}

void zero(Bytes& bytes) { std::fill(bytes.begin(), bytes.end(), std::uint8_t{0}); }

/// Visits the bodies: first to collect what is secret, then to replace it.
class Editor {
public:
    Editor(Secrets& secrets, AnonymiseReport& report, const AnonymiseOptions& options)
        : secrets_(secrets), report_(report), options_(options) {}
    bool collecting = true;

    void message(Message& m) {
        std::visit(*this, m.body);
        m.irregular.clear();
        zero(m.trailing);
    }
    void opaque(Bytes& bytes, bool counted = true) {
        if (collecting) return;
        if (options_.blank_payloads) {
            zero(bytes);
            return;
        }
        if (counted && !bytes.empty()) ++report_.opaque_kept;
        report_.places += secrets_.scrub(bytes);
    }
    void unknown(Bytes& bytes) {
        if (collecting || bytes.empty()) return;
        ++report_.blanked;
        zero(bytes);
    }

    void operator()(UnknownBody& b) { unknown(b.bytes); }
    void operator()(EmptyBody&) {}
    void operator()(EnumSessionsReplyBody& b) {
        desc(b.desc);
        name(b.name);
    }
    void operator()(EnumSessionsBody& b) { password(b.password); }
    void operator()(EnumPlayersReplyBody& b) { table(b); }
    void operator()(SuperEnumReplyBody& b) {
        table(b);
        for (auto& p : b.shortcuts) player(p);
    }
    void operator()(RequestIdBody&) {}
    void operator()(RequestReplyBody&) {}
    void operator()(CreateBody& b) { create(b); }
    void operator()(AddForwardBody& b) { create(b); }
    void operator()(AddForwardRequestBody& b) { create(b); }
    void operator()(MembershipBody&) {}
    void operator()(DataChangedBody& b) { opaque(b.data); }
    void operator()(NameChangedBody& b) {
        name(b.short_name);
        name(b.long_name);
    }
    void operator()(PacketBody& b) { b.message = secrets_.guid(b.message); }
    void operator()(PacketAckBody& b) { b.message = secrets_.guid(b.message); }
    void operator()(PingBody&) {}
    void operator()(WrapperBody& b) { opaque(b.inner); }
    void operator()(SessionDescChangedBody& b) {
        desc(b.desc);
        name(b.name);
        password(b.password);
    }
    void operator()(AuthTokenBody& b) { unknown(b.token); }
    void operator()(AccessGrantedBody& b) { unknown(b.key); }
    void operator()(ResultBody&) {}
    void operator()(KeyExchangeBody& b) {
        unknown(b.session_key);
        unknown(b.public_key);
    }
    void operator()(SignedBody& b) {
        unknown(b.message);
        unknown(b.signature);
    }
    void operator()(MulticastBody& b) { unknown(b.message); }
    void operator()(ChatBody& b) {
        if (b.text && !collecting) *b.text = secrets_.filler(b.text->size());
    }
    void operator()(AddForwardAckBody&) {}
    void operator()(NameServerBody& b) { sockets(b.sp_data); }
    void operator()(VoiceBody& b) { unknown(b.packet); }

private:
    void name(std::optional<Text16>& text) {
        if (text) *text = secrets_.name(*text);
    }
    void password(std::optional<Text16>& text) {
        if (text && !collecting) *text = secrets_.filler(text->size());
    }
    void desc(SessionDesc& d) {
        d.instance = secrets_.guid(d.instance);
        d.name_pointer = d.password_pointer = 0;
    }
    void sockets(std::optional<SpData>& d) {
        if (!d) return;
        for (SockAddr* a : {&d->tcp, &d->udp}) {
            a->endpoint.ip = secrets_.address(a->endpoint.ip);
            a->padding.fill(0);
        }
    }
    template <class P>
    void player(P& p) {
        name(p.short_name);
        name(p.long_name);
        sockets(p.sp_data);
        opaque(p.data);
    }
    template <class B>
    void table(B& b) {
        desc(b.desc);
        name(b.name);
        password(b.password);
        for (auto& p : b.players) player(p);
        for (auto& p : b.groups) player(p);
    }
    template <class B>
    void create(B& b) {
        player(b.player);
        password(b.password);
    }

    Secrets& secrets_;
    AnonymiseReport& report_;
    const AnonymiseOptions& options_;
};

class Anonymiser {
public:
    Anonymiser(const SessionCapture& capture, const AnonymiseOptions& options)
        : capture_(capture), options_(options), editor_(secrets_, report_, options_) {}

    Result<AnonymisedCapture> run() {
        collect();
        secrets_.freeze();
        editor_.collecting = false;
        const std::uint64_t start = capture_.records.empty() ? 0 : capture_.records.front().time_us;
        for (const CaptureRecord& r : capture_.records) {
            const auto bytes = rewrite(r);
            if (!bytes) {
                ++report_.left_out;
                continue;
            }
            if (!secrets_.clean(*bytes))
                return fail("verify_failed", "an original name or address is still in a rewritten message; nothing was written");
            ++report_.messages;
            const Endpoint from{secrets_.address(r.from.ip), r.from.port}, to{secrets_.address(r.to.ip), r.to.port};
            const std::uint64_t time_us = kStartUs + (r.time_us - std::min(start, r.time_us));
            if (r.udp)
                frames_.udp(time_us, from, to, *bytes);
            else
                frames_.tcp(time_us, from, to, *bytes);
        }
        report_.addresses = secrets_.address_count();
        report_.names = secrets_.name_count();
        return AnonymisedCapture{frames_.take(), report_};
    }

private:
    /// Learns every name and address, and the whole of each fragmented message by its GUID.
    void collect() {
        for (const CaptureRecord& r : capture_.records) {
            for (Ipv4 ip : {r.from.ip, r.to.ip}) (void)secrets_.address(ip);
            if (r.kind == RecordKind::system || r.kind == RecordKind::player)
                if (const auto header = read_sp_header(r.raw)) (void)secrets_.address(header->address.endpoint.ip);
            if (const Message* m = r.message()) {
                Message copy = *m;
                editor_.message(copy);
            }
            for (const Content& c : r.assembled)
                if (const auto* m = std::get_if<Message>(&c)) {
                    Message copy = *m;
                    editor_.message(copy);
                }
            if (const auto* piece = r.message() ? r.message()->as<PacketBody>() : nullptr; piece && r.assembled.size() == 1)
                whole_.insert_or_assign(piece->message, r.assembled[0]);
        }
    }

    Bytes rewritten_whole(const Content& content) {
        if (const auto* m = std::get_if<Message>(&content)) {
            Message copy = *m;
            editor_.message(copy);
            return write_message(copy);
        }
        PlayerMessage copy = std::get<PlayerMessage>(content);
        editor_.opaque(copy.data);
        return write_bare_player_message(copy);
    }

    Message rewritten(const Message& original) {
        Message m = original;
        editor_.message(m);
        if (auto* piece = std::get_if<PacketBody>(&m.body)) {
            // A piece is a slice of the rewritten whole; without the whole nobody knows what it holds.
            const auto* before = original.as<PacketBody>();
            const auto found = whole_.find(before->message);
            const Bytes whole = found == whole_.end() ? Bytes() : rewritten_whole(found->second);
            if (whole.size() == piece->whole_bytes && std::uint64_t{piece->offset} + piece->piece.size() <= whole.size())
                std::copy_n(whole.begin() + piece->offset, piece->piece.size(), piece->piece.begin());
            else
                editor_.unknown(piece->piece);
        }
        return m;
    }

    std::optional<Bytes> rewrite(const CaptureRecord& r) {
        if (r.kind == RecordKind::system || r.kind == RecordKind::player) {
            Block block;
            block.header = *read_sp_header(r.raw);
            block.header.address.endpoint.ip = secrets_.address(block.header.address.endpoint.ip);
            block.header.address.padding.fill(0);
            if (const Message* m = r.message()) {
                block.content = rewritten(*m);
                return write_block(block);
            }
            PlayerMessage data = *r.player();
            editor_.opaque(data.data);
            block.content = data;
            return write_block(block, no_ids(r));
        }
        if (r.kind == RecordKind::bare && r.player()) {
            PlayerMessage data = *r.player();
            editor_.opaque(data.data);
            return write_bare_player_message(data, no_ids(r));
        }
        if (r.kind == RecordKind::reliable && r.frame) {
            ReliableFrame frame = *r.frame;
            const bool whole = (frame.flags & frame_flag::kStart) && (frame.flags & frame_flag::kEnd);
            if (whole && has_play(frame.payload, 0)) {
                const auto m = read_message(frame.payload);
                if (m) frame.payload = write_message(rewritten(*m));
                else editor_.unknown(frame.payload);
            } else if (whole) {
                editor_.opaque(frame.payload);
            } else {
                editor_.unknown(frame.payload);
            }
            return write_reliable_frame(frame);
        }
        return {};
    }
    bool no_ids(const CaptureRecord& r) const {
        return r.session != 0 && capture_.sessions[r.session - 1].has_flag(session_flag::kNoMessageId);
    }

    const SessionCapture& capture_;
    AnonymiseOptions options_;
    Secrets secrets_;
    AnonymiseReport report_;
    Editor editor_;
    std::map<Guid, Content> whole_;
    FrameBuilder frames_;
};

}  // namespace

Result<AnonymisedCapture> anonymise_capture(const SessionCapture& capture, const AnonymiseOptions& options) {
    return Anonymiser(capture, options).run();
}

}  // namespace iron::dpcompat
