#include "dpcompat/capture/session_capture.hpp"

#include <algorithm>
#include <memory>

#include "dpcompat/capture/session_directory.hpp"
#include "dpcompat/wire/fragments.hpp"

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxSearchBytes = 64 * 1024;  // a stream without any header in there is not DirectPlay

/// Token, family and the eight zero bytes: what a resynchronisation looks for (directplay.md 15.4).
bool looks_like_header(ByteView b) {
    if (b.size() < kSpHeaderBytes) return false;
    const auto word = load_le<std::uint32_t>(b.data());
    return (word >> 20) == kTokenNormal && (word & kMaxSpSize) >= kSpHeaderBytes && load_le<std::uint16_t>(b.data() + 4) == 2 &&
           std::all_of(b.begin() + 12, b.begin() + 20, [](std::uint8_t v) { return v == 0; });
}
/// The header of a message whose place is known: padding is not looked at.
bool is_header(ByteView b) {
    if (b.size() < kSpHeaderBytes) return false;
    const auto word = load_le<std::uint32_t>(b.data());
    return (word >> 20) == kTokenNormal && (word & kMaxSpSize) >= kSpHeaderBytes && load_le<std::uint16_t>(b.data() + 4) == 2;
}
bool is_directplay_port(std::uint16_t port) { return (port >= kTcpFirst && port <= 2400) || port == kEnumPort; }

/// The known id with that slot; the first use of the slot when nobody has it.
DpId id_of_slot(const CapturedSession& session, std::uint16_t slot) {
    for (const auto& [id, player] : session.players)
        if (split_id(id, session.key).slot == slot) return id;
    return make_id({slot, 1}, session.key);
}

class Analyser {
public:
    explicit Analyser(SessionCapture& out) : out_(out), directory_(out.sessions) {}

    void udp(const UdpDatagram& d);
    void tcp(const TcpSegment& s);
    void finish();

private:
    struct Flow {
        TcpStream stream;
        Endpoint from, to;
        std::uint32_t connection = 0;
        Bytes buffer;
        std::uint64_t lost = 0, time_us = 0;
        bool aligned = true;     ///< the buffer starts with a header, if the stream is DirectPlay at all
        bool known = false;      ///< a header was found
        bool foreign = false;
    };
    void cut(Flow& flow, std::uint64_t time_us, bool last);
    void emit_noise(Flow& flow, std::size_t count, std::uint64_t time_us);
    void emit_block(Flow& flow, Bytes raw, std::uint64_t time_us);
    CaptureRecord base(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, bool is_udp, ByteView raw);
    void finish_record(CaptureRecord record, const Machine& sender);
    void inner(CaptureRecord& record, const Message& message, const Machine& sender);
    void count(const CaptureRecord& record);
    void count_content(CapturedSession& s, const Content& content, bool is_udp);

    SessionCapture& out_;
    SessionDirectory directory_;
    std::map<std::pair<Endpoint, Endpoint>, std::unique_ptr<Flow>> flows_;
    std::map<Machine, FragmentAssembler> fragments_;
    std::map<std::pair<Endpoint, Endpoint>, std::unique_ptr<ReliableLink>> links_;
    std::uint32_t connections_ = 0;
};

CaptureRecord Analyser::base(std::uint64_t time_us, const Endpoint& from, const Endpoint& to, bool is_udp, ByteView raw) {
    CaptureRecord r;
    r.time_us = time_us;
    r.from = from;
    r.to = to;
    r.udp = is_udp;
    r.raw.assign(raw.begin(), raw.end());
    return r;
}

void Analyser::count_content(CapturedSession& s, const Content& content, bool is_udp) {
    if (const auto* m = std::get_if<Message>(&content)) {
        ++s.commands[m->command];
        if (command_name(m->command) == "UNKNOWN") ++s.unknown_commands;
        return;
    }
    const std::size_t bytes = std::get<PlayerMessage>(content).data.size();
    (is_udp ? s.datagrams : s.guaranteed) += 1;
    (is_udp ? s.datagram_bytes : s.guaranteed_bytes) += bytes;
}

void Analyser::count(const CaptureRecord& r) {
    CapturedSession* s = directory_.find(r.session);
    if (s == nullptr) return;
    if (s->records++ == 0) s->first_us = r.time_us;
    s->last_us = r.time_us;
    if (r.kind == RecordKind::unreadable || r.kind == RecordKind::noise) ++s->unreadable;
    if (r.content) count_content(*s, *r.content, r.udp);
    for (const Content& c : r.assembled) count_content(*s, c, r.udp);
}

/// Puts the pieces of 15 and 30 together; what comes out is learned from like a message of its own.
void Analyser::inner(CaptureRecord& r, const Message& m, const Machine& sender) {
    const auto* piece = m.as<PacketBody>();
    if (piece == nullptr) return;
    const auto whole = fragments_[sender].add(*piece, r.time_us / 1000);
    if (!whole) {
        r.error = whole.error().code();
        return;
    }
    if (!*whole) return;
    if (has_play(**whole, 0)) {
        if (auto message = read_message(**whole)) {
            if (const auto session = directory_.learn(sender, {r.to.ip, 0}, *message, r.time_us)) r.session = session;
            r.assembled.emplace_back(std::move(*message));
        }
    } else if (auto player = read_bare_player_message(**whole)) {
        r.assembled.emplace_back(std::move(*player));
    }
}

void Analyser::finish_record(CaptureRecord r, const Machine& sender) {
    if (const Message* m = r.message()) inner(r, *m, sender);
    count(r);
    out_.records.push_back(std::move(r));
}

void Analyser::emit_noise(Flow& flow, std::size_t count_bytes, std::uint64_t time_us) {
    if (count_bytes == 0) return;
    CaptureRecord r = base(time_us, flow.from, flow.to, false, ByteView(flow.buffer).first(count_bytes));
    r.connection = flow.connection;
    r.lost_before = std::exchange(flow.lost, 0);
    flow.buffer.erase(flow.buffer.begin(), flow.buffer.begin() + static_cast<std::ptrdiff_t>(count_bytes));
    count(r);
    out_.records.push_back(std::move(r));
}

void Analyser::emit_block(Flow& flow, Bytes raw, std::uint64_t time_us) {
    CaptureRecord r = base(time_us, flow.from, flow.to, false, raw);
    r.connection = flow.connection;
    r.lost_before = std::exchange(flow.lost, 0);
    const SpHeader header = *read_sp_header(raw);
    const Machine sender{flow.from.ip, header.address.endpoint.port};
    const bool play = has_play(raw, kSpHeaderBytes);
    const std::uint32_t session = play ? 0 : directory_.of_machines(sender, flow.to);
    const CapturedSession* known = directory_.find(session);
    auto block = read_block(raw, known != nullptr && known->has_flag(session_flag::kNoMessageId));
    if (!block) {
        r.kind = RecordKind::unreadable;
        r.error = block.error().code();
        r.session = directory_.of_machines(sender, flow.to);
    } else {
        r.kind = play ? RecordKind::system : RecordKind::player;
        r.session = play ? directory_.learn(sender, flow.to, *block->message(), time_us) : session;
        r.content = std::move(block->content);
    }
    finish_record(std::move(r), sender);
}

void Analyser::cut(Flow& flow, std::uint64_t time_us, bool last) {
    while (!flow.buffer.empty()) {
        const ByteView b = flow.buffer;
        if (flow.aligned && b.size() < kSpHeaderBytes + (flow.known ? 0 : 4)) break;
        // The first header decides whether this is DirectPlay: all its signs are asked for once.
        const bool here = flow.aligned && (flow.known ? is_header(b) : looks_like_header(b) || (is_header(b) && has_play(b, 20)));
        if (here) {
            const std::size_t size = load_le<std::uint32_t>(b.data()) & kMaxSpSize;
            if (!flow.known) {
                flow.known = true;
                flow.connection = ++connections_;
            }
            if (b.size() < size) break;
            Bytes raw(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(size));
            flow.buffer.erase(flow.buffer.begin(), flow.buffer.begin() + static_cast<std::ptrdiff_t>(size));
            emit_block(flow, std::move(raw), time_us);
            continue;
        }
        flow.aligned = false;
        std::size_t at = 0;
        while (at + kSpHeaderBytes <= b.size() && !looks_like_header(b.subspan(at))) ++at;
        if (at + kSpHeaderBytes <= b.size()) {
            if (!flow.known) {
                flow.known = true;
                flow.connection = ++connections_;
            }
            flow.aligned = true;
            emit_noise(flow, at, time_us);
            continue;
        }
        if (!flow.known && (b.size() > kMaxSearchBytes || !(is_directplay_port(flow.to.port) || is_directplay_port(flow.from.port)))) {
            flow.foreign = true;
            flow.buffer.clear();
            ++out_.foreign_streams;
            return;
        }
        if (flow.known && at > kMaxSearchBytes) emit_noise(flow, at, time_us);
        break;
    }
    if (last && !flow.foreign) {
        if (flow.known)
            emit_noise(flow, flow.buffer.size(), time_us);
        else if (!flow.buffer.empty())
            ++out_.foreign_streams;
        flow.buffer.clear();
    }
}

void Analyser::tcp(const TcpSegment& s) {
    auto& slot = flows_[{s.from, s.to}];
    if (!slot) {
        slot = std::make_unique<Flow>();
        Flow& flow = *slot;
        flow.from = s.from;
        flow.to = s.to;
        flow.stream.on_bytes = [this, &flow](ByteView bytes, std::uint64_t time_us) {
            if (flow.foreign) return;
            if (flow.buffer.empty() && flow.stream.started_late() && !flow.known) flow.aligned = false;
            flow.buffer.insert(flow.buffer.end(), bytes.begin(), bytes.end());
            // A piece that came early has waited for the one before it.
            flow.time_us = std::max(flow.time_us, time_us);
            cut(flow, flow.time_us, false);
        };
        flow.stream.on_gap = [this, &flow](std::uint64_t lost, std::uint64_t time_us) {
            if (flow.foreign) return;
            // What waits for its rest will never be whole.
            if (flow.known) emit_noise(flow, flow.buffer.size(), time_us);
            flow.buffer.clear();
            flow.aligned = false;
            flow.lost += lost;
        };
    }
    if (s.syn && !slot->foreign && slot->stream.restarts(s)) {
        slot->stream.flush(out_.tcp);
        cut(*slot, s.time_us, true);
        slot->aligned = true;
        slot->known = false;
    }
    slot->stream.segment(s, out_.tcp);
}

void Analyser::udp(const UdpDatagram& d) {
    CaptureRecord r = base(d.time_us, d.from, d.to, true, d.data);
    // A system message has its header; the helper's tokens do not travel between machines.
    if (is_header(d.data) && (load_le<std::uint32_t>(d.data.data()) & kMaxSpSize) == d.data.size() &&
        (has_play(d.data, kSpHeaderBytes) || (d.to.port == kEnumPort && looks_like_header(d.data)))) {
        const Machine sender{d.from.ip, read_sp_header(d.data)->address.endpoint.port};
        auto block = read_block(d.data);
        if (!block) {
            r.kind = RecordKind::unreadable;
            r.error = block.error().code();
            r.session = directory_.of_machines(sender, sender);
        } else {
            r.kind = block->message() ? RecordKind::system : RecordKind::player;
            const Machine receiver = directory_.machine_of_udp(d.to).value_or(Machine{d.to.ip, 0});
            if (block->message()) r.session = directory_.learn(sender, receiver, *block->message(), d.time_us);
            r.content = std::move(block->content);
        }
        finish_record(std::move(r), sender);
        return;
    }
    const std::uint32_t session = directory_.of_datagram(d.from, d.to, d.data);
    const CapturedSession* known = directory_.find(session);
    if (known != nullptr && known->has_flag(session_flag::kDirectPlayProtocol)) {
        if (auto frame = read_reliable_frame(d.data)) {
            r.kind = RecordKind::reliable;
            r.session = session;
            auto& link = links_[{d.from, d.to}];
            if (!link) {
                ReliableOptions options;
                options.preserve_order = !known->has_flag(session_flag::kNoPreserveOrder);
                link = std::make_unique<ReliableLink>(frame->to, frame->from, options);
            }
            // The link of the receiver, listening only: its own acknowledgements are thrown away.
            const auto messages = link->receive(d.data, d.time_us / 1000);
            (void)link->poll(d.time_us / 1000);
            if (messages)
                for (const Bytes& m : *messages) {
                    if (has_play(m, 0)) {
                        if (auto message = read_message(m)) r.assembled.emplace_back(std::move(*message));
                    } else {
                        r.assembled.emplace_back(PlayerMessage{id_of_slot(*known, frame->from), id_of_slot(*known, frame->to), m});
                    }
                }
            r.frame = std::move(*frame);
            count(r);
            out_.records.push_back(std::move(r));
            return;
        }
    }
    const bool no_ids = known != nullptr && known->has_flag(session_flag::kNoMessageId);
    bool accept = session != 0;
    if (!accept && d.data.size() >= 8 &&
        ((d.to.port >= kUdpFirst && d.to.port <= kUdpLast) || (d.from.port >= kUdpFirst && d.from.port <= kUdpLast))) {
        // Captured late: ids of one session share the key, so their XOR shows only slots (directplay.md 15.4.4, inferred).
        const auto from = load_le<std::uint32_t>(d.data.data()), to = load_le<std::uint32_t>(d.data.data() + 4);
        accept = to == kIdAll || ((from ^ to) >> 16 < 0x40 && ((from ^ to) & 0xFFFF) < 0x100);
    }
    if (!accept) {
        ++out_.foreign_udp;
        return;
    }
    r.kind = RecordKind::bare;
    r.session = session;
    auto message = read_bare_player_message(d.data, no_ids);
    if (!message) {
        r.kind = RecordKind::unreadable;
        r.error = message.error().code();
    } else {
        r.content = std::move(*message);
    }
    finish_record(std::move(r), directory_.machine_of_udp(d.from).value_or(Machine{d.from.ip, 0}));
}

void Analyser::finish() {
    for (auto& [key, flow] : flows_) {
        flow->stream.flush(out_.tcp);
        cut(*flow, out_.records.empty() ? 0 : out_.records.back().time_us, true);
    }
}

}  // namespace

std::string_view record_kind_name(RecordKind kind) {
    switch (kind) {
        case RecordKind::system: return "system";
        case RecordKind::player: return "player";
        case RecordKind::bare: return "player-datagram";
        case RecordKind::reliable: return "reliable-frame";
        case RecordKind::unreadable: return "unreadable";
        case RecordKind::noise: return "noise";
    }
    return "noise";
}

Result<SessionCapture> analyse_capture(Bytes bytes) {
    IRON_TRY(const CaptureFile file, read_capture(std::move(bytes)));
    SessionCapture out;
    out.torn = file.torn;
    {
        Analyser analyser(out);
        PacketDecoder decoder;
        decoder.on_udp = [&](const UdpDatagram& d) { analyser.udp(d); };
        decoder.on_tcp = [&](const TcpSegment& s) { analyser.tcp(s); };
        for (const CapturedFrame& frame : file.frames) decoder.frame(frame);
        decoder.finish();
        analyser.finish();
        out.packets = decoder.stats();
    }
    return out;
}

}  // namespace iron::dpcompat
