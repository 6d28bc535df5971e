#include "dpcompat/capture/native_log.hpp"

#include <algorithm>

#include "protocol/log_format.hpp"
#include "shared/base/text.hpp"

namespace iron::dpcompat {
namespace {

namespace record = protocol::record;

constexpr std::size_t kMaxRecordBytes = 256 * 1024;  // protocol/log.fbs, Native.bytes

void clear_ip(SockAddr& a) { a.endpoint.ip = 0; }
void clear_ip(std::optional<SpData>& d) {
    if (!d) return;
    clear_ip(d->tcp);
    clear_ip(d->udp);
}
void blank(std::optional<Text16>& password) {
    if (password) password->assign(password->size(), u'*');
}
void zero(Bytes& bytes) { std::fill(bytes.begin(), bytes.end(), std::uint8_t{0}); }

struct Cleaner {
    template <class B>
    void operator()(B&) const {}
    void operator()(EnumSessionsBody& b) const { blank(b.password); }
    void operator()(SessionDescChangedBody& b) const { blank(b.password); }
    void operator()(EnumPlayersReplyBody& b) const {
        blank(b.password);
        for (auto& p : b.players) clear_ip(p.sp_data);
    }
    void operator()(SuperEnumReplyBody& b) const {
        blank(b.password);
        for (auto& p : b.players) clear_ip(p.sp_data);
    }
    void operator()(CreateBody& b) const { create(b); }
    void operator()(AddForwardBody& b) const { create(b); }
    void operator()(AddForwardRequestBody& b) const { create(b); }
    void operator()(NameServerBody& b) const { clear_ip(b.sp_data); }
    void operator()(AuthTokenBody& b) const { zero(b.token); }
    void operator()(AccessGrantedBody& b) const { zero(b.key); }
    void operator()(KeyExchangeBody& b) const {
        zero(b.session_key);
        zero(b.public_key);
    }
    template <class B>
    static void create(B& b) {
        blank(b.password);
        clear_ip(b.player.sp_data);
    }
};

}  // namespace

Message without_secrets(Message message) {
    std::visit(Cleaner{}, message.body);
    return message;
}

struct NativeLogWriter::Impl {
    protocol::LogWriter log;
    std::uint64_t opaque = 0, opaque_bytes = 0;

    Status native(std::uint64_t time_us, NativeDirection direction, std::uint32_t peer, std::uint32_t kind, ByteView bytes) {
        do {
            const ByteView part = bytes.first(std::min(bytes.size(), kMaxRecordBytes));
            bytes = bytes.subspan(part.size());
            flatbuffers::FlatBufferBuilder b(part.size() + 128);
            const auto vector = b.CreateVector(part.data(), part.size());
            IRON_CHECK(log.append(b, record::CreateNative(b, time_us, static_cast<std::uint8_t>(direction), peer,
                                                          kind | (bytes.empty() ? 0 : kNativeContinues), vector)));
        } while (!bytes.empty());
        return {};
    }
};

NativeLogWriter::NativeLogWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
NativeLogWriter::NativeLogWriter(NativeLogWriter&&) noexcept = default;
NativeLogWriter& NativeLogWriter::operator=(NativeLogWriter&&) noexcept = default;
NativeLogWriter::~NativeLogWriter() = default;

Result<NativeLogWriter> NativeLogWriter::create(const std::filesystem::path& path) {
    IRON_TRY(protocol::LogWriter log, protocol::LogWriter::create(path));
    return NativeLogWriter(std::make_unique<Impl>(Impl{std::move(log)}));
}

Status NativeLogWriter::note(std::string_view text) {
    std::string clean(text.substr(0, 500));
    for (char& c : clean)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    while (!is_valid_utf8(clean)) clean.pop_back();
    flatbuffers::FlatBufferBuilder b;
    const auto string = b.CreateString(clean);
    return impl_->log.append(b, record::CreateNote(b, 0, string));
}

Status NativeLogWriter::message(std::uint64_t time_us, NativeDirection direction, std::uint32_t peer, bool udp, bool assembled,
                                const Content& content) {
    const std::uint32_t bits = (udp ? kNativeUdp : 0) | (assembled ? kNativeAssembled : 0);
    if (const auto* m = std::get_if<Message>(&content))
        return impl_->native(time_us, direction, peer, m->command | bits, write_message(without_secrets(*m)));
    const PlayerMessage& data = std::get<PlayerMessage>(content);
    ++impl_->opaque;
    impl_->opaque_bytes += data.data.size();
    return impl_->native(time_us, direction, peer, kNativePlayerData | bits, write_bare_player_message(data));
}

Status NativeLogWriter::flush() { return impl_->log.flush(); }
Status NativeLogWriter::close() { return impl_->log.close(); }
std::uint64_t NativeLogWriter::opaque_messages() const { return impl_->opaque; }
std::uint64_t NativeLogWriter::opaque_bytes() const { return impl_->opaque_bytes; }

Result<std::vector<NativeRecord>> read_native_log(const std::filesystem::path& path) {
    IRON_TRY(protocol::LogReader log, protocol::LogReader::open_file(path));
    std::vector<NativeRecord> out;
    bool open = false;
    for (;;) {
        IRON_TRY(const record::Record* r, log.next());
        if (r == nullptr) break;
        const record::Native* n = r->body_as_Native();
        if (n == nullptr) continue;
        const bool continues = (n->kind() & kNativeContinues) != 0;
        if (!open) out.push_back({n->time_us(), static_cast<NativeDirection>(n->direction()), n->peer(), n->kind() & ~kNativeContinues, {}});
        NativeRecord& last = out.back();
        if (last.bytes.size() + n->bytes()->size() > 4u << 20) return fail("bad_log_order", "a native message without end");
        last.bytes.insert(last.bytes.end(), n->bytes()->begin(), n->bytes()->end());
        open = continues;
    }
    if (open) out.pop_back();
    return out;
}

Result<NativeLogSummary> capture_to_log(const SessionCapture& capture, std::uint32_t session, const std::filesystem::path& path) {
    IRON_TRY(NativeLogWriter log, NativeLogWriter::create(path));
    NativeLogSummary out;
    std::map<Ipv4, std::uint32_t> peers;
    const auto peer_number = [&](Ipv4 ip) { return peers.emplace(ip, static_cast<std::uint32_t>(peers.size() + 1)).first->second; };
    IRON_CHECK(log.note("native recording from a capture; payloads are opaque, addresses and passwords are blanked"));
    for (const CapturedSession& s : capture.sessions)
        if (session == 0 || session == s.number)
            IRON_CHECK(log.note("session " + std::to_string(s.number) + " '" + to_utf8(s.name) + "' " + to_string(s.instance)));
    for (const CaptureRecord& r : capture.records) {
        if (session != 0 && r.session != session) continue;
        const CapturedSession* s = r.session == 0 ? nullptr : &capture.sessions[r.session - 1];
        const Ipv4 host = s == nullptr ? 0 : s->host.ip;
        // On one address the listening ports tell the host from the others.
        const bool same = r.from.ip == r.to.ip && s != nullptr;
        const auto is_host = [&](const Endpoint& e) {
            if (!same) return host != 0 && e.ip == host;
            const auto udp = s->udp_ports.find(e);
            return e == s->host || (udp != s->udp_ports.end() && udp->second == s->host);
        };
        const NativeDirection direction = is_host(r.to)                                  ? NativeDirection::to_host
                                          : is_host(r.from) || (same && !r.udp && s->machines.contains(r.to)) ? NativeDirection::from_host
                                                                                         : NativeDirection::between_others;
        const Ipv4 other = direction == NativeDirection::from_host ? r.to.ip : r.from.ip;
        const auto write = [&](const Content& c, bool assembled) -> Status {
            ++out.messages;
            return log.message(r.time_us, direction, peer_number(other), r.udp, assembled, c);
        };
        const Message* m = r.message();
        const bool piece = m != nullptr && (m->as<PacketBody>() != nullptr || m->as<PacketAckBody>() != nullptr);
        if (r.content && !piece) IRON_CHECK(write(*r.content, false));
        for (const Content& c : r.assembled) IRON_CHECK(write(c, true));
        if (r.kind == RecordKind::unreadable || r.kind == RecordKind::noise) ++out.left_out;
    }
    out.opaque = log.opaque_messages();
    out.opaque_bytes = log.opaque_bytes();
    IRON_CHECK(log.note(std::to_string(out.messages) + " messages, " + std::to_string(out.opaque) + " opaque payloads of " +
                        std::to_string(out.opaque_bytes) + " bytes, " + std::to_string(out.left_out) + " unreadable pieces left out"));
    IRON_CHECK(log.close());
    return out;
}

}  // namespace iron::dpcompat
