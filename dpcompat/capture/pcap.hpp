// Capture files: pcap and pcapng in, pcap out. Source: the published formats; directplay.md 15.4.6.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::dpcompat {

// Link types that are understood (tcpdump's registry).
inline constexpr std::uint32_t kLinkNull = 0, kLinkEthernet = 1, kLinkRawOld = 12, kLinkRawOpenBsd = 14, kLinkRaw = 101,
                               kLinkLoop = 108, kLinkCooked = 113, kLinkIpv4 = 228, kLinkCooked2 = 276;

/// One captured frame; `bytes` points into the file.
struct CapturedFrame {
    std::uint64_t number = 0;  ///< from 1
    std::uint64_t time_us = 0;  ///< since 1970
    std::uint32_t link_type = 0;
    std::uint32_t original_bytes = 0;  ///< more than bytes.size(): cut by the recorder
    ByteView bytes;
};

struct CaptureFile {
    Bytes file;
    std::vector<CapturedFrame> frames;
    bool torn = false;              ///< the file ends inside a frame; that frame is not there
    std::uint64_t skipped_blocks = 0;  ///< pcapng blocks without packets
};

/// Errors `not_a_capture`, `bad_capture` (with the offset).
Result<CaptureFile> read_capture(Bytes file);

/// Writes Ethernet frames with microsecond times.
class PcapWriter {
public:
    explicit PcapWriter(std::uint32_t link_type = kLinkEthernet);
    void frame(std::uint64_t time_us, ByteView bytes);
    Bytes take() { return out_.take(); }

private:
    ByteWriter out_;
};

}  // namespace iron::dpcompat
