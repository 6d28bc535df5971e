#include "dpcompat/bridge/translator.hpp"

#include "client/net/client_session.hpp"
#include "dpcompat/wire/structures.hpp"
#include "shared/archive/vfs.hpp"

namespace iron::dpcompat {
namespace {

namespace net = client::net;

/// At most 64 bytes, cut between characters; the server wants a name.
std::string player_name(const Text16& name) {
    std::string out;
    for (char c : to_utf8(name))
        if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) out += c;
    while (out.size() > 64) {
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
        if (!out.empty()) out.pop_back();
    }
    return out.empty() ? "player" : out;
}

Result<protocol::Profile> edition_of(const std::string& name) {
    for (const protocol::Profile p : protocol::EnumValuesProfile())
        if (name == protocol::EnumNameProfile(p)) return p;
    return fail("bad_setting", "'" + name + "' is no edition");
}

std::int64_t number_in(const MapValues& values, const char* name, std::int64_t fallback) {
    const auto found = values.find(name);
    if (found == values.end()) return fallback;
    const auto* n = std::get_if<std::int64_t>(&found->second);
    return n ? *n : fallback;
}
std::string text_in(const MapValues& values, const char* name) {
    const auto found = values.find(name);
    const auto* t = found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
    return t ? *t : std::string();
}

}  // namespace

struct Translator::Impl {
    Endpoint server;
    net::ConnectSettings base;
    MessageMap map;
    NetZipProfile profile;
    TranslationCounters counters;
    struct Original {
        net::ClientSession session;
        bool told = false;  ///< its end was reported
    };
    std::map<DpId, Original> originals;
    std::map<std::uint16_t, ModernPlayer> modern;

    bool is_ours(std::uint16_t number) const {
        for (const auto& [id, o] : originals)
            if (o.session.player_number() == number) return true;
        return false;
    }
    bool act(net::ClientSession& session, const MapMessage& message, const MapValues& values);
    void sync_players(Translator& owner);
    void event(Translator& owner, DpId id, const net::SessionEvent& e);
    bool to_original(Translator& owner, DpId to, std::uint16_t from, MapAction action, const MapValues& values);
};

Translator::Translator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Translator::~Translator() = default;

Result<std::unique_ptr<Translator>> Translator::create(const BridgeSettings& settings) {
    auto impl = std::make_unique<Impl>();
    IRON_TRY(impl->server, parse_endpoint(settings.server, 27300));
    impl->base.address = ip_text(impl->server.ip);
    impl->base.port = impl->server.port;
    if (!settings.server_password.empty()) impl->base.password = settings.server_password;
    IRON_TRY(impl->base.profile, edition_of(settings.edition));
    if (!settings.root.empty()) {
        IRON_TRY(const archive::Vfs vfs, archive::Vfs::open(settings.root));
        IRON_TRY_WRAP(impl->base.manifest, mission::build_manifest(vfs), "hashing the content of '" + settings.root + "'");
    }
    IRON_TRY(impl->profile, load_profile(settings.profiles_folder, settings.profile));
    if (impl->profile.application != kGameGuid) return fail("bad_setting", "the packing profile belongs to another game");
    if (!settings.map_file.empty()) {
        IRON_TRY(impl->map, load_message_map(settings.map_file, settings.allow_synthetic));
    }
    return std::unique_ptr<Translator>(new Translator(std::move(impl)));
}

void Translator::enter(DpId id, const Text16& name, const Bytes& data) {
    net::ConnectSettings s = impl_->base;
    s.player_name = player_name(name);
    if (data.size() <= 1024) s.player_data = data;
    else ++impl_->counters.not_expressible;
    auto session = net::ClientSession::start(std::move(s));
    if (!session) {
        if (on_ended) on_ended(id, session.error().to_string());
        return;
    }
    impl_->originals.emplace(id, Impl::Original{std::move(*session)});
}

void Translator::leave(DpId id) {
    const auto found = impl_->originals.find(id);
    if (found == impl_->originals.end()) return;
    found->second.session.leave();
    found->second.session.pump(0);  // delivers the goodbye
    impl_->originals.erase(found);
}

void Translator::leave_all() {
    while (!impl_->originals.empty()) leave(impl_->originals.begin()->first);
}

void Translator::chat(DpId from, DpId to, const Text16& text) {
    const auto found = impl_->originals.find(from);
    if (found == impl_->originals.end()) return;
    std::uint16_t number = 0;
    if (to != kIdAll) {
        number = number_of(to);
        if (number == 0 && number_of_modern) number = number_of_modern(to);
        if (number == 0) {
            ++impl_->counters.not_expressible;
            return;
        }
    }
    ++impl_->counters.translated_to_server;
    ++impl_->counters.by_name["chat"];
    found->second.session.chat(to_utf8(text), number);
}

void Translator::set_data(DpId id, const Bytes& data) {
    const auto found = impl_->originals.find(id);
    if (found == impl_->originals.end()) return;
    if (data.size() > 1024) {
        ++impl_->counters.not_expressible;
        return;
    }
    ++impl_->counters.translated_to_server;
    ++impl_->counters.by_name["player data"];
    found->second.session.set_player_data(data);
}

void Translator::renamed(DpId) { ++impl_->counters.not_expressible; }

bool Translator::Impl::act(net::ClientSession& session, const MapMessage& message, const MapValues& values) {
    switch (message.action) {
        case MapAction::chat: session.chat(text_in(values, "text"), static_cast<std::uint16_t>(number_in(values, "to", 0))); return true;
        case MapAction::pause: session.request_pause(number_in(values, "paused", 1) != 0); return true;
        case MapAction::player_data: {
            const auto found = values.find("data");
            const auto* bytes = found == values.end() ? nullptr : std::get_if<Bytes>(&found->second);
            if (bytes == nullptr) return false;
            session.set_player_data(*bytes);
            return true;
        }
        case MapAction::order: {
            net::CommandDraft draft;
            const std::int64_t order = number_in(values, "order", -1);
            if (order < static_cast<std::int64_t>(protocol::OrderCode::MIN) || order > static_cast<std::int64_t>(protocol::OrderCode::MAX)) return false;
            draft.order = static_cast<protocol::OrderCode>(order);
            draft.flags = static_cast<std::uint8_t>(number_in(values, "flags", 0));
            draft.target = static_cast<std::uint32_t>(number_in(values, "target", protocol::kNoObject));
            draft.at_x = static_cast<std::int32_t>(number_in(values, "x", 0));
            draft.at_y = static_cast<std::int32_t>(number_in(values, "y", 0));
            draft.param = static_cast<std::uint32_t>(number_in(values, "param", 0));
            draft.amount = static_cast<std::uint32_t>(number_in(values, "amount", 0));
            if (const auto found = values.find("subjects"); found != values.end())
                if (const auto* list = std::get_if<std::vector<std::int64_t>>(&found->second))
                    for (std::int64_t object : *list) draft.subjects.push_back(static_cast<std::uint32_t>(object));
            return session.send(draft) != 0;
        }
        case MapAction::game_started: return false;  // only a server starts a match
        case MapAction::ignore: return true;
    }
    return false;
}

bool Translator::payload(DpId from, ByteView data, bool guaranteed) {
    Impl& i = *impl_;
    const auto found = i.originals.find(from);
    const auto opaque = [&] {
        ++i.counters.opaque;
        return false;
    };
    if (found == i.originals.end() || i.map.messages.empty()) return opaque();
    Bytes plain(data.begin(), data.end());
    if (const ProfileEntry* entry = i.profile.find(guaranteed ? PayloadTransport::tcp : PayloadTransport::udp, PayloadDirection::to_host)) {
        auto unpacked = entry->pipeline.unpack(data);
        if (!unpacked) {
            ++i.counters.unpack_failed;
            return opaque();
        }
        plain = std::move(unpacked->plain);
    } else if (!i.map.synthetic) {
        return opaque();  // packed bytes are not looked into
    }
    const MapMessage* message = i.map.find(plain, true);
    if (message == nullptr) return opaque();
    const auto values = read_mapped(i.map, *message, plain);
    if (!values) {
        ++i.counters.map_mismatch;
        return opaque();
    }
    if (!i.act(found->second.session, *message, *values)) {
        ++i.counters.not_expressible;
        return opaque();
    }
    ++i.counters.translated_to_server;
    ++i.counters.by_name[message->name.empty() ? std::to_string(message->number) : message->name];
    return true;
}

bool Translator::Impl::to_original(Translator& owner, DpId to, std::uint16_t from, MapAction action, const MapValues& values) {
    const MapMessage* message = map.find_action(action);
    if (message == nullptr || !owner.on_payload) return false;
    const ProfileEntry* entry = profile.find(PayloadTransport::tcp, PayloadDirection::from_host);
    // Only a packing that an original accepted carries payloads we made (directplay.md 16.3).
    const bool accepted = entry ? entry->status == ProfileStatus::accepted : map.synthetic;
    if (!accepted) {
        ++counters.not_accepted;
        return false;
    }
    auto plain = write_mapped(map, *message, values);
    if (!plain) {
        ++counters.map_mismatch;
        return false;
    }
    if (entry) {
        auto packed = entry->pipeline.pack(*plain);
        if (!packed) {
            ++counters.unpack_failed;
            return false;
        }
        plain = std::move(*packed);
    }
    owner.on_payload(to, from, *plain);
    ++counters.translated_to_originals;
    ++counters.by_name[message->name.empty() ? std::to_string(message->number) : message->name];
    return true;
}

void Translator::Impl::event(Translator& owner, DpId id, const net::SessionEvent& e) {
    switch (e.kind) {
        case net::SessionEventKind::text: {
            const auto own = originals.find(id);
            if (e.player == 0 || (own != originals.end() && own->second.session.player_number() == e.player)) return;  // ours, or the server's
            if (to_original(owner, id, e.player, MapAction::chat, {{"text", e.text}, {"from", std::int64_t{e.player}}})) return;
            if (!owner.on_chat) return;
            owner.on_chat(id, e.player, e.text);
            ++counters.translated_to_originals;
            ++counters.by_name["chat"];
            return;
        }
        case net::SessionEventKind::pause_changed: {
            const auto own = originals.find(id);
            if (own == originals.end()) return;
            to_original(owner, id, 0, MapAction::pause, {{"paused", std::int64_t{own->second.session.paused()}}});
            return;
        }
        case net::SessionEventKind::game_started: to_original(owner, id, 0, MapAction::game_started, {}); return;
        default: return;
    }
}

void Translator::Impl::sync_players(Translator& owner) {
    std::map<std::uint16_t, ModernPlayer> now;
    for (const auto& [id, o] : originals)
        for (const net::PlayerInfo& p : o.session.players())
            if (!p.name.empty() && !is_ours(p.number) && p.state != protocol::PlayerState::gone) now[p.number] = {p.number, p.name, p.data};
    const std::map<std::uint16_t, ModernPlayer> before = std::exchange(modern, now);
    for (const auto& [number, p] : before)
        if (!now.contains(number) && owner.on_left) owner.on_left(number);
    for (const auto& [number, p] : now) {
        const auto old = before.find(number);
        if (old == before.end()) {
            if (owner.on_joined) owner.on_joined(p);
        } else if (old->second != p && owner.on_changed) {
            owner.on_changed(p);
        }
    }
}

void Translator::pump() {
    Impl& i = *impl_;
    std::vector<std::pair<DpId, std::string>> ended;
    for (auto& [id, o] : i.originals) {
        o.session.pump(0);
        if (o.session.phase() == net::SessionPhase::ended && !o.told) {
            o.told = true;
            ended.emplace_back(id, o.session.ending() ? o.session.ending()->to_string() : "left");
        }
    }
    i.sync_players(*this);
    std::vector<std::pair<DpId, std::vector<net::SessionEvent>>> events;
    for (auto& [id, o] : i.originals) events.emplace_back(id, o.session.take_events());
    for (const auto& [id, list] : events)
        for (const net::SessionEvent& e : list) i.event(*this, id, e);
    for (const auto& [id, why] : ended) {
        i.originals.erase(id);
        if (on_ended) on_ended(id, why);
    }
}

std::uint16_t Translator::number_of(DpId original) const {
    const auto found = impl_->originals.find(original);
    return found == impl_->originals.end() ? std::uint16_t{0} : found->second.session.player_number();
}
DpId Translator::original_of(std::uint16_t number) const {
    for (const auto& [id, o] : impl_->originals)
        if (number != 0 && o.session.player_number() == number) return id;
    return 0;
}
std::size_t Translator::connected() const { return impl_->originals.size(); }
const TranslationCounters& Translator::counters() const { return impl_->counters; }
const MessageMap& Translator::map() const { return impl_->map; }
const NetZipProfile& Translator::profile() const { return impl_->profile; }

}  // namespace iron::dpcompat
