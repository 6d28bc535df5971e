// Any bytes as a capture file: read, listed, anonymised; the records of a connection stay within what was captured.
#include <cstdlib>

#include "dpcompat/capture/anonymise.hpp"
#include "dpcompat/capture/listing.hpp"

using namespace iron;
using namespace iron::dpcompat;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto capture = analyse_capture(Bytes(data, data + size));
    if (!capture) return 0;
    std::size_t raw = 0;
    for (const CaptureRecord& r : capture->records) {
        raw += r.raw.size();
        if (r.session > capture->sessions.size()) std::abort();
    }
    // IP fragments may be repeated, so the sum is bounded by the frames, not by the file.
    if (raw > size * 2 + 65'536) std::abort();
    (void)list_capture(*capture);
    if (const auto clean = anonymise_capture(*capture)) {
        const auto again = analyse_capture(clean->pcap);
        if (!again) std::abort();
    }
    return 0;
}
