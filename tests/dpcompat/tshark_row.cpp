#include "tests/dpcompat/tshark_row.hpp"

#include <algorithm>
#include <cstdio>

#include "shared/base/hash.hpp"

namespace iron::test {

using namespace iron::dpcompat;

namespace {

std::string hex(const char* format, std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, format, value);
    return text;
}
/// Ids are printed as bytes in wire order.
std::string id_bytes(std::uint32_t id) {
    ByteWriter out;
    out.u32(id);
    return to_hex(out.buffer());
}

class Row {
public:
    std::vector<std::string> cells = std::vector<std::string>(tshark_fields().size());
    void set(const char* field, std::string value) {
        const auto& fields = tshark_fields();
        cells[static_cast<std::size_t>(std::find(fields.begin(), fields.end(), field) - fields.begin())] = std::move(value);
    }
    void add(const char* field, const std::string& value) {
        const auto& fields = tshark_fields();
        std::string& cell = cells[static_cast<std::size_t>(std::find(fields.begin(), fields.end(), field) - fields.begin())];
        cell += (cell.empty() ? "" : ",") + value;
    }
    void packed(const PackedPlayer& p) {
        set("dplay.pp.id", id_bytes(p.id));
        if (p.short_name) set("dplay.pp.short_name", to_utf8(*p.short_name));
    }
    void multi(DpId player, DpId group) {
        set("dplay.multi.player_id", id_bytes(player));
        set("dplay.multi.group_id", id_bytes(group));
    }
    void desc(const SessionDesc& d) { set("dplay.sess_desc.curr_players", std::to_string(d.current_players)); }

    template <class B>
    void body(const B&) {}
    void body(const EnumSessionsBody& b) { set("dplay.type02.flags", hex("0x%08x", b.flags)); }
    void body(const EnumSessionsReplyBody& b) { desc(b.desc); }
    void body(const RequestIdBody& b) { set("dplay.type_05.flags", hex("0x%08x", b.flags)); }
    void body(const RequestReplyBody& b) { set("dplay.type_07.dpid", id_bytes(b.id)); }
    void body(const CreateBody& b) {
        multi(b.id, 0);
        packed(b.player);
    }
    void body(const AddForwardBody& b) {
        multi(b.id, 0);
        packed(b.player);
    }
    void body(const MembershipBody& b) { multi(b.player, b.group); }
    void body(const DataChangedBody& b) {
        set("dplay.type_0f.player_id", id_bytes(b.id));
        set("dplay.type_0f.player_data", to_hex(b.data));
    }
    void body(const AddForwardRequestBody& b) {
        set("dplay.type_13.player_id", id_bytes(b.id));
        set("dplay.type_13.tick_count", id_bytes(b.key));
        packed(b.player);
    }
    void body(const PacketBody& b) { set("dplay.type_15.packet_idx", std::to_string(b.index)); }
    void body(const PingBody& b) {
        set("dplay.ping.id_from", id_bytes(b.id));
        set("dplay.ping.tick_count", std::to_string(b.tick_ms));
    }
    void body(const SessionDescChangedBody& b) { desc(b.desc); }
    void body(const SuperEnumReplyBody& b) {
        desc(b.desc);
        set("dplay.type_29.player_count", std::to_string(b.players.size()));
        for (const auto* list : {&b.players, &b.groups})
            for (const SuperPackedPlayer& p : *list) {
                ByteWriter out;
                write_super_packed_player(out, p);
                add("dplay.spp.id", id_bytes(p.id));
                add("dplay.spp.pim", hex("0x%08x", load_le<std::uint32_t>(out.buffer().data() + 12)));
                if (p.short_name) add("dplay.spp.short_name", to_utf8(*p.short_name));
            }
    }
};

}  // namespace

const std::vector<std::string>& tshark_fields() {
    static const std::vector<std::string> fields = {
        "dplay.size", "dplay.token", "dplay.saddr.port", "dplay.command", "dplay.dialect.version", "dplay.type02.flags",
        "dplay.type_05.flags", "dplay.type_07.dpid", "dplay.multi.player_id", "dplay.multi.group_id", "dplay.type_0f.player_id",
        "dplay.type_0f.player_data", "dplay.type_13.player_id", "dplay.type_13.tick_count", "dplay.pp.id", "dplay.pp.short_name",
        "dplay.type_29.player_count", "dplay.spp.id", "dplay.spp.pim", "dplay.spp.short_name", "dplay.sess_desc.curr_players",
        "dplay.ping.id_from", "dplay.ping.tick_count", "dplay.type_15.packet_idx", "dplay.player_msg"};
    return fields;
}

bool tshark_reads_body(std::uint16_t command) {
    switch (command) {
        case 0x01: case 0x02: case 0x05: case 0x07: case 0x08: case 0x0B: case 0x0D: case 0x0F: case 0x13: case 0x15: case 0x16:
        case 0x17: case 0x1A: case 0x29: case 0x2E: case 0x2F: return true;
        default: return false;
    }
}

std::vector<std::string> tshark_row(const Block& block) {
    Row row;
    row.set("dplay.size", std::to_string(block.header.size));
    row.set("dplay.token", hex("0x%08x", block.header.token));
    row.set("dplay.saddr.port", std::to_string(block.header.address.endpoint.port));
    if (const PlayerMessage* data = block.player()) {
        row.set("dplay.player_msg", to_hex(write_bare_player_message(*data)));
        return row.cells;
    }
    const Message& m = *block.message();
    row.set("dplay.command", hex("0x%04x", m.command));
    row.set("dplay.dialect.version", hex("0x%04x", m.version));
    if (tshark_reads_body(m.command)) std::visit([&](const auto& b) { row.body(b); }, m.body);
    return row.cells;
}

}  // namespace iron::test
