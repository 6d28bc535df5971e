// Which pipeline belongs to which payloads: a data file, loaded by name. Source: directplay.md 16.3, 16.5.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dpcompat/netzip/pipeline.hpp"
#include "dpcompat/wire/basics.hpp"

namespace iron::dpcompat {

enum class PayloadTransport : std::uint8_t { any, tcp, udp };
enum class PayloadDirection : std::uint8_t { any, to_host, from_host };

/// How far a profile may be trusted (16.3). Only `accepted` may be used to send changed payloads to an original.
enum class ProfileStatus : std::uint8_t { unknown, hypothesis, decodes, accepted };
std::string_view profile_status_name(ProfileStatus status);

struct ProfileEntry {
    PayloadTransport transport = PayloadTransport::any;
    PayloadDirection direction = PayloadDirection::any;
    Pipeline pipeline;
    ProfileStatus status = ProfileStatus::unknown;
    std::vector<std::string> evidence;  ///< sentences and hashes
};

struct NetZipProfile {
    std::string name;
    Guid application = kGameGuid;
    std::vector<ProfileEntry> entries;  ///< the first that fits counts

    /// Nothing: the payload stays packed and opaque.
    const ProfileEntry* find(PayloadTransport transport, PayloadDirection direction) const;
};

/// Errors `bad_setting`, `netzip_codec`, `netzip_framing`.
Result<NetZipProfile> read_profile(std::string_view toml, std::string_view label);
/// FOLDER/NAME.toml; the name may not leave the folder. "opaque" (the default) is a profile without entries.
Result<NetZipProfile> load_profile(const std::filesystem::path& folder, std::string_view name);
std::string write_profile(const NetZipProfile& profile);

}  // namespace iron::dpcompat
