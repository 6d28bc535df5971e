// Messages for people and scripts: a JSON object a message, one line a message.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

/// Ids and results as "0x........", GUIDs in Windows form, opaque bytes as hexadecimal. Names of fields follow
/// directplay.md.
nlohmann::ordered_json to_json(const Message& message);
nlohmann::ordered_json to_json(const PlayerMessage& message);
nlohmann::ordered_json to_json(const SessionDesc& desc);
/// "CREATEPLAYER player 0x1f6b9200 'name'".
std::string summary(const Message& message);
std::string id_text(DpId id);

}  // namespace iron::dpcompat
