#include <catch2/catch.hpp>

#include "shared/asset/comp_ini.hpp"
#include "shared/asset/config_text.hpp"
#include "shared/asset/mission_cfg.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

IniDocument ini(std::string_view text) {
    ReadContext context = strict();
    return read_ini(as_bytes(text), context);
}
std::string text_of(const IniDocument& document) { return std::string(as_text(write_ini(document))); }

const auto read_cfg = [](ByteView b, ReadContext& c) { return read_mission_cfg(b, c); };
const auto read_comp = [](ByteView b, ReadContext& c) { return read_comp_ini(b, c); };

}  // namespace

TEST_CASE("physical lines keep every byte and every line end") {
    const std::string text("a\r\nb\nc\rd\r\r\n\0\xFF\n\ntail", 19);
    const TextDocument document = read_text(as_bytes(text));
    REQUIRE(document.lines.size() == 6);
    CHECK(document.lines[0] == TextLine{"a", LineEnd::crlf});
    CHECK(document.lines[1] == TextLine{"b", LineEnd::lf});
    CHECK(document.lines[2] == TextLine{"c\rd\r", LineEnd::crlf});
    CHECK(document.lines[3] == TextLine{std::string("\0\xFF", 2), LineEnd::lf});
    CHECK(document.lines[5] == TextLine{"tail", LineEnd::none});
    CHECK(as_text(write_text(document)) == text);
    CHECK(read_text({}).lines.empty());
}

TEST_CASE("ini entries: sections, quotes, comments, spaces") {
    const IniDocument document = ini(
        "early=1\r\n[CS]\r\n DISPLAY_WIDTH = 640 // pixels\r\nPATH=a//b\r\n"
        "Q = \" x // y \" // c\r\n; off\r\n# off\r\n// off\r\nEMPTY =\r\n[TEMP]\nkey==v\n");
    REQUIRE(document.find("", "early"));
    CHECK(document.find("cs", "display_width")->value == "640");
    CHECK(document.find("CS", "PATH")->value == "a//b");
    CHECK(document.find("CS", "Q")->value == " x // y ");
    CHECK(document.find("CS", "Q")->raw == "\" x // y \"");
    CHECK(document.find("CS", "EMPTY")->value.empty());
    CHECK(document.find("temp", "KEY")->value == "=v");
    CHECK_FALSE(document.find("CS", "missing"));
    CHECK(document.sections == std::vector<std::string>{"CS", "TEMP"});
    CHECK(document.entries.size() == 6);
}

TEST_CASE("the first of duplicate ini keys counts and both stay") {
    ReadContext context = strict();
    const std::string_view text = "[a]\nk=1\nK=2\nno equals\n";
    const IniDocument document = read_ini(as_bytes(text), context);
    CHECK(document.find("A", "k")->value == "1");
    CHECK(document.entries.size() == 2);
    CHECK(context.has("config_duplicate_key"));
    CHECK(context.has("config_opaque_line"));
    CHECK(text_of(document) == text);
}

TEST_CASE("a setting never collapses present, raw, effective and origin") {
    const IniDocument document = ini("[a]\nwidth = 0x10\nempty =\nbad = 1x\nratio = 0.5\non = 1\ntwo = 2\n");
    ReadContext context = strict();
    const auto width = document.integer("a", "width", 640, context);
    CHECK(width.present);
    CHECK(width.raw == "0x10");
    CHECK(width.effective == 16);
    CHECK(width.origin == SettingOrigin::file);
    CHECK(width.line == 2);

    const auto absent = document.integer("a", "height", 480, context);
    CHECK_FALSE(absent.present);
    CHECK(absent.effective == 480);
    CHECK(absent.origin == SettingOrigin::built_in_default);
    const auto unset = document.integer("a", "height", {}, context);
    CHECK_FALSE(unset.effective);
    CHECK(unset.origin == SettingOrigin::unset);
    CHECK(context.diagnostics.empty());

    const auto bad = document.integer("a", "bad", 7, context);
    CHECK(bad.present);
    CHECK(bad.raw == "1x");
    CHECK(bad.effective == 7);
    CHECK(bad.origin == SettingOrigin::built_in_default);
    CHECK(context.has("config_bad_value"));

    const auto empty = document.string("a", "empty", std::string("d"));
    CHECK(empty.present);
    CHECK(empty.effective == std::string());
    CHECK(document.real("a", "ratio", {}, context).effective == 0.5f);
    CHECK(document.boolean("a", "on", {}, context).effective == true);
    CHECK_FALSE(document.boolean("a", "two", {}, context).effective);
}

TEST_CASE("setting an ini value rewrites its bytes only") {
    IniDocument document = ini("[CS]\r\n A = 1  // keep\r\n; note\r\n[T]\r\nQ=\"x\"\r\n");
    document.set("cs", "a", "22");
    document.set("T", "q", "y");
    CHECK(text_of(document) == "[CS]\r\n A = 22  // keep\r\n; note\r\n[T]\r\nQ=\"y\"\r\n");
    document.set("CS", "NEW", "a b");
    document.set("X", "k", "1 // 2");
    CHECK(text_of(document) ==
          "[CS]\r\n A = 22  // keep\r\n; note\r\nNEW = a b\r\n[T]\r\nQ=\"y\"\r\n[X]\r\nk = \"1 // 2\"\r\n");
    CHECK(document.find("T", "Q")->value == "y");
    CHECK(document.find("X", "k")->value == "1 // 2");
    // The model in memory equals what a reader sees.
    const IniDocument again = ini(text_of(document));
    REQUIRE(again.entries.size() == document.entries.size());
    for (std::size_t i = 0; i < again.entries.size(); ++i) {
        CHECK(again.entries[i].key == document.entries[i].key);
        CHECK(again.entries[i].value == document.entries[i].value);
        CHECK(again.entries[i].line == document.entries[i].line);
    }
}

TEST_CASE("a comment behind an empty value stays a comment when the value is set") {
    IniDocument document = ini("a =// note\r\nb = // note\r\n");
    CHECK(document.find("", "a")->value == "// note");  // not preceded by white space
    document.set("", "b", "1");
    CHECK(text_of(document) == "a =// note\r\nb = 1 // note\r\n");
    CHECK(ini(text_of(document)).find("", "b")->value == "1");
}

TEST_CASE("mission.cfg blocks keep order, keys and comments") {
    const std::string_view text =
        "// head\r\nobject music\r\n   desc    \"a b\"\r\n   library = \"ui\\\\ui.lib\"\r\n   type 3\r\n"
        "   x\r\nend\r\nobject prebuild\r\n   scheme units\\units\\prebld\\scr_pre1.dat\r\n"
        "   other = \"a.DAT\"\r\n   \"q b.dat\"\r\nend\r\n";
    ReadContext context = strict();
    const auto cfg = read_mission_cfg(as_bytes(text), context);
    REQUIRE(cfg);
    REQUIRE(cfg->document.blocks.size() == 2);
    const ConfigBlock& music = cfg->document.blocks[0];
    CHECK(music.name == "music");
    CHECK(music.find("DESC")->value == "a b");
    CHECK(music.find("library")->value == "ui\\ui.lib");
    CHECK(music.find("type")->value == "3");
    CHECK(music.find("x")->value.empty());
    CHECK(cfg->prebuild_schemes() ==
          std::vector<std::string>{"units\\units\\prebld\\scr_pre1.dat", "a.DAT"});
    CHECK(as_text(write_mission_cfg(*cfg)) == text);
}

TEST_CASE("mission.cfg checks") {
    CHECK(code_of(read_cfg, text_bytes("end\n")) == "config_block_unbalanced");
    CHECK(code_of(read_cfg, text_bytes("object a\nobject b\nend\nend\n")) == "config_block_unbalanced");
    CHECK(code_of(read_cfg, text_bytes("object a\n k v\n")) == "config_block_unbalanced");
    CHECK(reports(read_cfg, text_bytes("object a\n type x\nend\n"), "config_bad_value"));
    CHECK(reports(read_cfg, text_bytes("= x\n"), "config_opaque_line"));
}

TEST_CASE("ui blocks may nest to their depth limit") {
    const BlockGrammar grammar{{"object", "page"}, 2};
    ReadContext context = strict();
    const std::string_view text = "library = \"ui\\\\font.lib\"\nPage a\nobject b\nk v\nend\nend\n";
    const auto document = read_blocks(as_bytes(text), grammar, context);
    REQUIRE(document);
    CHECK(document->entries[0].value == "ui\\font.lib");
    REQUIRE(document->blocks.size() == 1);
    REQUIRE(document->blocks[0].children.size() == 1);
    CHECK(document->blocks[0].children[0].find("k")->value == "v");
    CHECK_FALSE(read_blocks(as_bytes("page a\npage b\npage c\nend\nend\nend\n"), grammar, context));
}

TEST_CASE("an authored mission.cfg reads back") {
    const MissionCfg cfg = make_mission_cfg(
        {{"prebuild", {{"scheme", "units\\units\\prebld\\a.dat"}}}, {"m u", {{"desc", "say \"hi\""}}}});
    ReadContext context = strict();
    const auto again = read_mission_cfg(write_mission_cfg(cfg), context);
    REQUIRE(again);
    CHECK(again->prebuild_schemes() == std::vector<std::string>{"units\\units\\prebld\\a.dat"});
    CHECK(again->document.blocks[1].name == "m u");
    CHECK(again->document.blocks[1].find("desc")->value == "say \"hi\"");
}

TEST_CASE("Comp.ini reads the table of the specification") {
    const std::string_view text =
        "// components\r\n0 terrain.dll LoadLandscape first\r\n1 Terrain.DLL LoadBuilding // x\r\n"
        "\r\n7\tmisload.dll\tLoadResearch\r\n";
    ReadContext context = strict();
    const auto comp = read_comp_ini(as_bytes(text), context);
    REQUIRE(comp);
    CHECK(context.diagnostics.empty());
    REQUIRE(comp->components.size() == 3);
    CHECK(comp->find(1)->dll == "Terrain.DLL");
    CHECK(comp->find(7)->function == "LoadResearch");
    CHECK_FALSE(comp->find(2));
    CHECK(as_text(write_comp_ini(*comp)) == text);

    const auto made = write_comp_ini(make_comp_ini(default_components()));
    const auto again = read_comp_ini(made, context);
    REQUIRE(again);
    CHECK(again->components.size() == 8);
    CHECK(again->find(6)->function == "CreateShader");
}

TEST_CASE("Comp.ini checks") {
    CHECK(code_of(read_comp, text_bytes("x terrain.dll LoadCamera\n")) == "comp_bad_id");
    CHECK(code_of(read_comp, text_bytes("-1 terrain.dll LoadCamera\n")) == "comp_bad_id");
    CHECK(code_of(read_comp, text_bytes("2 terrain.dll\n")) == "comp_missing_function");
    const Bytes twice = text_bytes("2 a.dll LoadCamera\n2 a.dll LoadCamera\n");
    CHECK(code_of(read_comp, twice) == "comp_duplicate_id");
    CHECK(reports(read_comp, twice, "comp_duplicate_id", compatible()));
    CHECK(reports(read_comp, text_bytes("2 a.dll loadcamera\n"), "comp_unknown_function"));
}
