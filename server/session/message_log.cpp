#include "server/session/message_log.hpp"

#include <algorithm>
#include <cstring>

namespace iron::session {
namespace {

namespace record = protocol::record;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using BytesOffset = Offset<flatbuffers::Vector<std::uint8_t>>;

constexpr std::size_t kDigestBytes = 32;
constexpr std::size_t kManifestPart = 1024;

BytesOffset put(FlatBufferBuilder& b, ByteView bytes) { return b.CreateVector(bytes.data(), bytes.size()); }
Offset<flatbuffers::String> put(FlatBufferBuilder& b, const std::string& text) { return b.CreateString(text); }

ByteView view(const flatbuffers::Vector<std::uint8_t>& v) { return {v.data(), v.size()}; }

/// `bytes` has at least 32 bytes behind `at`.
Hash256 hash_at(ByteView bytes, std::size_t at = 0) {
    Hash256 out;
    std::memcpy(out.data(), bytes.data() + at, out.size());
    return out;
}

// ---- frame -> record

Offset<record::SessionCommand> put(FlatBufferBuilder& b, const world::SessionCommand& c) {
    return record::CreateSessionCommand(b, c.sequence, static_cast<std::uint8_t>(c.act), c.player, c.value, c.object.raw,
                                        put(b, c.name));
}

Offset<record::Command> put(FlatBufferBuilder& b, const world::Command& c) {
    std::vector<std::uint32_t> subjects;
    for (const auto id : c.subjects) subjects.push_back(id.raw);
    std::vector<record::Point> points;
    for (const auto& p : c.points) points.emplace_back(p.x, p.y);
    const auto subjects_at = b.CreateVector(subjects);
    const auto points_at = b.CreateVectorOfStructs(points);
    const auto key_at = put(b, c.key);
    const auto data_at = put(b, ByteView(c.data));
    return record::CreateCommand(b, c.player, c.sequence, c.order, c.flags, subjects_at, c.target.raw, c.at.x, c.at.y,
                                 c.yaw, c.param, c.amount, points_at, key_at, data_at);
}

record::Manual to_record(const world::ManualInput& m) {
    return record::Manual(m.object.raw, m.client_tick, m.buttons, m.target.raw, m.player, m.aim_yaw, m.aim_pitch,
                          m.move_x, m.move_y, m.turn);
}

// ---- record -> frame

world::SessionCommand from_record(const record::SessionCommand& r) {
    world::SessionCommand c;
    c.sequence = r.sequence();
    c.act = static_cast<world::SessionAct>(r.act());
    c.player = r.player();
    c.value = r.value();
    c.object = {r.object()};
    c.name = r.name()->str();
    return c;
}

world::Command from_record(const record::Command& r) {
    world::Command c;
    c.player = r.player();
    c.sequence = r.sequence();
    c.order = r.order();
    c.flags = r.flags();
    for (const auto id : *r.subjects()) c.subjects.push_back({id});
    c.target = {r.target()};
    c.at = {r.x(), r.y()};
    c.yaw = r.yaw();
    c.param = r.param();
    c.amount = r.amount();
    for (const auto* p : *r.points()) c.points.push_back({p->x(), p->y()});
    c.key = r.key()->str();
    c.data.assign(r.data()->begin(), r.data()->end());
    return c;
}

world::ManualInput from_record(const record::Manual& r) {
    world::ManualInput m;
    m.player = r.player();
    m.object = {r.object()};
    m.client_tick = r.client_tick();
    m.move_x = r.move_x();
    m.move_y = r.move_y();
    m.turn = r.turn();
    m.aim_yaw = r.aim_yaw();
    m.aim_pitch = r.aim_pitch();
    m.buttons = r.buttons();
    m.target = {r.target()};
    return m;
}

world::InputFrame from_record(const record::Input& r) {
    world::InputFrame frame;
    frame.tick = r.tick();
    for (const auto* c : *r.session()) frame.session.push_back(from_record(*c));
    for (const auto* c : *r.commands()) frame.commands.push_back(from_record(*c));
    for (const auto* m : *r.manual()) frame.manual.push_back(from_record(*m));
    return frame;
}

Result<LogCheckpoint> from_record(const record::Checkpoint& r) {
    LogCheckpoint out;
    out.tick = r.tick();
    out.hash.total = hash_at(view(*r.total()));
    // Another number of blocks belongs to another sim_version, which is refused before.
    if (r.blocks()->size() != out.hash.blocks.size() * kDigestBytes)
        return fail("bad_record", "checkpoint with another number of block digests");
    for (std::size_t i = 0; i < out.hash.blocks.size(); ++i)
        out.hash.blocks[i] = hash_at(view(*r.blocks()), i * kDigestBytes);
    return out;
}

Result<LogObjectDigests> from_record(const record::ObjectDigests& r) {
    LogObjectDigests out;
    out.tick = r.tick();
    out.block = static_cast<world::HashBlock>(r.block());
    if (r.digests()->size() != std::size_t{r.ids()->size()} * kDigestBytes)
        return fail("bad_record", "object digests do not match their ids");
    for (flatbuffers::uoffset_t i = 0; i < r.ids()->size(); ++i) {
        const world::ObjectId id{r.ids()->Get(i)};
        if (!out.digests.empty() && !(out.digests.back().id < id))
            return fail("bad_record", "object digests are not ascending by id");
        out.digests.push_back({id, hash_at(view(*r.digests()), i * kDigestBytes)});
    }
    return out;
}

LogManifestPart from_record(const record::Manifest& r) {
    LogManifestPart out;
    for (const auto* file : *r.files()) out.push_back({file->path()->str(), file->size(), hash_at(view(*file->sha256()))});
    return out;
}

LogHeader from_record(const record::Header& r) {
    LogHeader h;
    h.protocol = {r.protocol_major(), r.protocol_minor()};
    h.sim_version = r.sim_version();
    h.sim_version_text = r.sim_version_text()->str();
    h.fingerprint = hash_at(view(*r.fingerprint()));
    h.profile = static_cast<Edition>(r.profile());
    h.mission = r.mission()->str();
    h.rules = hash_at(view(*r.rules()));
    h.rules_text = as_text(view(*r.rules_text()));
    h.step_ms = r.step_ms();
    h.match_seed = r.match_seed();
    h.initial_tick = r.initial_tick();
    h.initial_hash = hash_at(view(*r.initial_hash()));
    h.build = r.build()->str();
    h.checkpoint_interval = r.checkpoint_interval();
    h.mode = r.mode();
    h.file_order = r.file_order();
    for (const auto* option : *r.options()) h.options.emplace_back(option->key()->str(), option->value()->str());
    return h;
}

}  // namespace

std::string build_description() {
    std::string out;
#if defined(__clang__)
    out = "Clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#elif defined(__GNUC__)
    out = "GCC " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
#if defined(__x86_64__)
    out += " x86_64";
#elif defined(__aarch64__)
    out += " aarch64";
#endif
#if defined(__OPTIMIZE__)
    out += " optimised";
#else
    out += " not optimised";
#endif
    return out;
}

// ---- writer

Result<std::unique_ptr<MessageLogWriter>> MessageLogWriter::create(const std::filesystem::path& path,
                                                                   const LogHeader& log_header,
                                                                   const MessageLogOptions& options) {
    if (log_header.build.find_first_of("/\\") != std::string::npos)
        return fail("bad_build", "the build description looks like a path");
    IRON_TRY(protocol::LogWriter file, protocol::LogWriter::create(path, options.file));
    std::unique_ptr<MessageLogWriter> writer(new MessageLogWriter(std::move(file), options));
    IRON_CHECK(writer->header(log_header));
    return writer;
}

Status MessageLogWriter::header(const LogHeader& h) {
    FlatBufferBuilder b;
    std::vector<Offset<record::Option>> options;
    for (const auto& [key, value] : h.options) {
        const auto key_at = put(b, key);  // one after the other: the order of arguments is not defined
        const auto value_at = put(b, value);
        options.push_back(record::CreateOption(b, key_at, value_at));
    }
    const auto options_at = b.CreateVector(options);
    const auto sim_at = put(b, h.sim_version_text);
    const auto fingerprint_at = put(b, h.fingerprint);
    const auto mission_at = put(b, h.mission);
    const auto rules_at = put(b, h.rules);
    const auto rules_text_at = put(b, as_bytes(h.rules_text));
    const auto initial_at = put(b, h.initial_hash);
    const auto build_at = put(b, h.build);
    record::HeaderBuilder out(b);
    out.add_format(protocol::kLogFormat);
    out.add_protocol_major(h.protocol.major);
    out.add_protocol_minor(h.protocol.minor);
    out.add_sim_version(h.sim_version);
    out.add_sim_version_text(sim_at);
    out.add_fingerprint(fingerprint_at);
    out.add_profile(static_cast<protocol::Profile>(h.profile));
    out.add_mission(mission_at);
    out.add_rules(rules_at);
    out.add_rules_text(rules_text_at);
    out.add_step_ms(h.step_ms);
    out.add_match_seed(h.match_seed);
    out.add_initial_tick(h.initial_tick);
    out.add_initial_hash(initial_at);
    out.add_build(build_at);
    out.add_checkpoint_interval(h.checkpoint_interval);
    out.add_mode(h.mode);
    out.add_file_order(h.file_order);
    out.add_options(options_at);
    IRON_CHECK(file_.append(b, out.Finish()));
    return file_.sync();
}

Status MessageLogWriter::input(const world::InputFrame& frame) {
    if (frame.empty()) return {};
    FlatBufferBuilder b;
    std::vector<Offset<record::SessionCommand>> session;
    for (const auto& c : frame.session) session.push_back(put(b, c));
    std::vector<Offset<record::Command>> commands;
    for (const auto& c : frame.commands) commands.push_back(put(b, c));
    std::vector<record::Manual> manual;
    for (const auto& m : frame.manual) manual.push_back(to_record(m));
    const auto session_at = b.CreateVector(session);
    const auto commands_at = b.CreateVector(commands);
    const auto manual_at = b.CreateVectorOfStructs(manual);
    return file_.append(b, record::CreateInput(b, frame.tick, session_at, commands_at, manual_at));
}

Status MessageLogWriter::checkpoint(world::Tick tick, const world::StateHash& hash) {
    FlatBufferBuilder b;
    Bytes blocks;
    for (const auto& digest : hash.blocks) blocks.insert(blocks.end(), digest.begin(), digest.end());
    const auto total_at = put(b, hash.total);
    const auto blocks_at = put(b, ByteView(blocks));
    IRON_CHECK(file_.append(b, record::CreateCheckpoint(b, tick, total_at, blocks_at)));
    ++checkpoints_;
    if (options_.sync_every_checkpoints != 0 && checkpoints_ % options_.sync_every_checkpoints == 0) return file_.sync();
    return file_.flush();
}

Status MessageLogWriter::end(world::Tick tick, const world::StateHash& hash) {
    FlatBufferBuilder b;
    IRON_CHECK(file_.append(b, record::CreateEnd(b, tick, put(b, hash.total))));
    return file_.close();
}

Status MessageLogWriter::object_digests(world::Tick tick, world::HashBlock block,
                                        const std::vector<world::ObjectDigest>& digests) {
    FlatBufferBuilder b;
    std::vector<std::uint32_t> ids;
    Bytes bytes;
    for (const auto& d : digests) {
        ids.push_back(d.id.raw);
        bytes.insert(bytes.end(), d.digest.begin(), d.digest.end());
    }
    const auto ids_at = b.CreateVector(ids);
    const auto bytes_at = put(b, ByteView(bytes));
    return file_.append(b, record::CreateObjectDigests(b, tick, static_cast<std::uint32_t>(block), ids_at, bytes_at));
}

Status MessageLogWriter::manifest(const std::vector<LogManifestFile>& files) {
    for (std::size_t at = 0; at < files.size(); at += kManifestPart) {
        FlatBufferBuilder b;
        std::vector<Offset<record::ManifestFile>> part;
        for (std::size_t i = at; i < std::min(files.size(), at + kManifestPart); ++i) {
            const auto path_at = put(b, files[i].path);
            const auto digest_at = put(b, files[i].digest);
            part.push_back(record::CreateManifestFile(b, path_at, files[i].size, digest_at));
        }
        IRON_CHECK(file_.append(b, record::CreateManifest(b, b.CreateVector(part))));
    }
    return {};
}

Status MessageLogWriter::note(world::Tick tick, std::string_view text) {
    FlatBufferBuilder b;
    return file_.append(b, record::CreateNote(b, tick, b.CreateString(text)));
}

Status MessageLogWriter::flush() { return file_.flush(); }

// ---- reader

Result<MessageLogReader> MessageLogReader::open(Bytes bytes, bool accept_damage) {
    IRON_TRY(protocol::LogReader file, protocol::LogReader::open(std::move(bytes), accept_damage));
    MessageLogReader reader(std::move(file));
    IRON_CHECK(reader.read_header());
    return reader;
}

Result<MessageLogReader> MessageLogReader::open_file(const std::filesystem::path& path, bool accept_damage) {
    IRON_TRY(protocol::LogReader file, protocol::LogReader::open_file(path, accept_damage));
    MessageLogReader reader(std::move(file));
    IRON_CHECK(reader.read_header());
    return reader;
}

Status MessageLogReader::read_header() {
    IRON_TRY(const record::Record* first, file_.next());
    const record::Header* found = first ? first->body_as_Header() : nullptr;
    if (found == nullptr) return fail("bad_log", "the log does not start with a header");
    if (found->format() != protocol::kLogFormat)
        return fail("other_log_format", "log format " + std::to_string(found->format()) + ", this program reads " +
                                            std::to_string(protocol::kLogFormat));
    header_ = from_record(*found);
    tick_ = header_.initial_tick;
    ended_ = false;
    return {};
}

Status MessageLogReader::rewind() {
    file_.rewind();
    return read_header();
}

Result<std::optional<LogEntry>> MessageLogReader::next() {
    // Input of a paused world is applied without a tick, so a state may lie one tick before the last input.
    const auto in_order = [this](world::Tick tick, world::Tick slack) -> Status {
        if (tick + slack < tick_)
            return fail("bad_log_order", "tick " + std::to_string(tick) + " comes after tick " + std::to_string(tick_));
        tick_ = std::max(tick_, tick);
        return {};
    };
    IRON_TRY(const record::Record* root, file_.next());
    if (root == nullptr) return std::optional<LogEntry>();
    if (ended_) return fail("bad_log_order", "a record follows the end record");
    switch (root->body_type()) {
        case record::Body::Input: {
            world::InputFrame frame = from_record(*root->body_as_Input());
            IRON_CHECK(in_order(frame.tick, 0));
            return std::optional<LogEntry>(std::move(frame));
        }
        case record::Body::Checkpoint: {
            IRON_TRY(LogCheckpoint checkpoint, from_record(*root->body_as_Checkpoint()));
            IRON_CHECK(in_order(checkpoint.tick, 1));
            return std::optional<LogEntry>(std::move(checkpoint));
        }
        case record::Body::ObjectDigests: {
            IRON_TRY(LogObjectDigests digests, from_record(*root->body_as_ObjectDigests()));
            IRON_CHECK(in_order(digests.tick, 1));
            return std::optional<LogEntry>(std::move(digests));
        }
        case record::Body::Manifest: return std::optional<LogEntry>(from_record(*root->body_as_Manifest()));
        case record::Body::End: {
            const auto* end = root->body_as_End();
            IRON_CHECK(in_order(end->tick(), 1));
            ended_ = true;
            return std::optional<LogEntry>(LogEnd{end->tick(), hash_at(view(*end->total()))});
        }
        case record::Body::Note: {
            const auto* note = root->body_as_Note();
            return std::optional<LogEntry>(LogNote{note->tick(), note->text()->str()});
        }
        case record::Body::Header: return fail("bad_log_order", "a second header");
        default: return fail("bad_record", "a native message in the log of a match");
    }
}

}  // namespace iron::session
