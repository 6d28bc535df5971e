// The native message a modern one stands for, for Envelope.native. Source: net-messages.md 2, 8.
#pragma once

#include <cstdint>

#include "protocol/messages.hpp"

namespace iron::session {

/// kNoNative when the original has no such message or its number is not known.
constexpr std::uint32_t native_number(protocol::Body body) {
    using protocol::Body;
    switch (body) {
        case Body::TickEnd: return 6;
        case Body::ObjectSetState: return 7;
        case Body::ResourceRemove: return 0x14;
        case Body::ObjectKill: return 0x16;
        case Body::ContactEvent: return 0x1B;
        case Body::PauseRequest:
        case Body::PauseState: return 0x3EA;
        case Body::PlayerDataConfirmed: return 0x3EC;
        case Body::PlayerRemoved: return 0x3ED;
        case Body::SnapshotRequest:
        case Body::SnapshotBegin:
        case Body::SnapshotChunk:
        case Body::SnapshotEnd: return 0x3EE;
        case Body::GameStarted: return 0x3EF;
        case Body::ObjectDetach: return 0x3F1;
        case Body::LandscapeChild: return 0x3F2;
        case Body::MirrorCreate: return 0x80000000u;
        case Body::PlayerJoined: return 0x80000001u;
        case Body::Text: return 0x80000002u;
        case Body::MirrorState: return 0x80000003u;
        case Body::ObjectTaken: return 0x80000004u;
        case Body::MissionPath: return 0x80000005u;
        case Body::PlayerData: return 0x80000006u;
        case Body::ObjectOwner: return 0x80000007u;
        case Body::ResourceAppend: return 0x80000020u;
        default: return protocol::kNoNative;
    }
}

}  // namespace iron::session
