// The modern side of translated players: one headless client session per original player, and what its messages
// mean. Source: net-messages.md 8, directplay.md 15.2, 16.5.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dpcompat/bridge/message_map.hpp"
#include "dpcompat/bridge/settings.hpp"
#include "dpcompat/netzip/profile.hpp"

namespace iron::dpcompat {

/// A player of the server who is not one of our originals.
struct ModernPlayer {
    std::uint16_t number = 0;
    std::string name;
    Bytes data;
    bool operator==(const ModernPlayer&) const = default;
};

struct TranslationCounters {
    std::uint64_t translated_to_server = 0, translated_to_originals = 0;
    std::uint64_t opaque = 0;            ///< no profile or no map entry: not translated
    std::uint64_t unpack_failed = 0;     ///< the profile did not fit
    std::uint64_t map_mismatch = 0;      ///< a known number with another layout
    std::uint64_t not_accepted = 0;      ///< would have been sent, but no original has accepted this packing yet
    std::uint64_t not_expressible = 0;   ///< e.g. a new name: the server keeps names for a match
    std::map<std::string, std::uint64_t> by_name;
};

class Translator {
public:
    /// Loads map and profile and hashes the content below `root`. Errors of those.
    static Result<std::unique_ptr<Translator>> create(const BridgeSettings& settings);
    ~Translator();

    // ---- from originals
    void enter(DpId id, const Text16& name, const Bytes& data);
    void leave(DpId id);
    void leave_all();
    /// `to` 0 = everybody.
    void chat(DpId from, DpId to, const Text16& text);
    void set_data(DpId id, const Bytes& data);
    void renamed(DpId id);
    /// True when the payload was translated; false: carry it and count it.
    bool payload(DpId from, ByteView data, bool guaranteed);

    // ---- to originals; set before pump()
    /// An original player whose session with the server ended.
    std::function<void(DpId id, const std::string& why)> on_ended;
    std::function<void(const ModernPlayer& player)> on_joined, on_changed;
    std::function<void(std::uint16_t number)> on_left;
    /// `from` is a number of the server, which may be one of our originals (see id_of()).
    std::function<void(DpId to, std::uint16_t from, const std::string& text)> on_chat;
    /// A payload for one original in the name of a player.
    std::function<void(DpId to, std::uint16_t from, const Bytes& data)> on_payload;
    /// Which DirectPlay id stands for a number of the server; 0 = none.
    std::function<DpId(std::uint16_t number)> id_of_modern;
    std::function<std::uint16_t(DpId id)> number_of_modern;

    void pump();
    /// Server number of an original; 0 before the server has given it.
    std::uint16_t number_of(DpId original) const;
    DpId original_of(std::uint16_t number) const;
    std::size_t connected() const;
    const TranslationCounters& counters() const;
    const MessageMap& map() const;
    const NetZipProfile& profile() const;

private:
    struct Impl;
    explicit Translator(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace iron::dpcompat
