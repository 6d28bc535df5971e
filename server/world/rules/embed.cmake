# Turns INPUT into OUTPUT, a source file with the same bytes as one string constant.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include <string_view>\n\nnamespace iron::world {\n\nnamespace {\nconst unsigned char kRulesBytes[] = {\n${bytes}0};\n}\n\nextern std::string_view default_rules_text();\nstd::string_view default_rules_text() {\n    return {reinterpret_cast<const char*>(kRulesBytes), sizeof kRulesBytes - 1};\n}\n\n}  // namespace iron::world\n")
