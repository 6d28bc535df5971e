// The adaptive Huffman tree of archives.md 4.8, shared by coder and decoder. Used by lzhuf.cpp.
#pragma once

#include <array>
#include <cstdint>

namespace iron::archive {

class LzhufTree {
public:
    static constexpr unsigned kSymbols = 314;  // 256 literals, 58 lengths
    static constexpr unsigned kNodes = 2 * kSymbols - 1;
    static constexpr unsigned kRoot = kNodes - 1;
    static constexpr unsigned kMaxFrequency = 0x8000;

    LzhufTree() {
        for (unsigned s = 0; s < kSymbols; ++s) {
            freq_[s] = 1;
            child_[s] = static_cast<std::uint16_t>(s + kNodes);
            parent_[s + kNodes] = static_cast<std::uint16_t>(s);
        }
        for (unsigned i = 0, j = kSymbols; j < kNodes; i += 2, ++j) {
            freq_[j] = static_cast<std::uint16_t>(freq_[i] + freq_[i + 1]);
            child_[j] = static_cast<std::uint16_t>(i);
            parent_[i] = parent_[i + 1] = static_cast<std::uint16_t>(j);
        }
        freq_[kNodes] = 0xFFFF;  // sentinel of the upward scan
        parent_[kRoot] = 0;
    }

    /// Walks from the root with `next_bit()` (0 or 1, negative at the end of the input) to a
    /// symbol and adapts; negative if the input ended.
    template <class NextBit>
    int decode(NextBit next_bit) {
        unsigned n = child_[kRoot];
        while (n < kNodes) {
            const int bit = next_bit();
            if (bit < 0) return -1;
            n = child_[n + static_cast<unsigned>(bit)];
        }
        const unsigned symbol = n - kNodes;
        update(symbol);
        return static_cast<int>(symbol);
    }

    /// Emits the code of a symbol through `put_bit(bit)` and adapts.
    template <class PutBit>
    void encode(unsigned symbol, PutBit put_bit) {
        std::array<std::uint8_t, kNodes> bits;  // deepest possible path
        unsigned count = 0;
        for (unsigned n = parent_[symbol + kNodes]; n != kRoot; n = parent_[n])
            bits[count++] = static_cast<std::uint8_t>(n & 1);
        while (count != 0) put_bit(bits[--count]);
        update(symbol);
    }

private:
    void set_child(unsigned node, std::uint16_t child) {
        child_[node] = child;
        parent_[child] = static_cast<std::uint16_t>(node);
        if (child < kNodes) parent_[child + 1u] = static_cast<std::uint16_t>(node);
    }

    void update(unsigned symbol) {
        if (freq_[kRoot] == kMaxFrequency) rebuild();
        unsigned n = parent_[symbol + kNodes];
        do {
            const std::uint16_t k = ++freq_[n];
            if (k > freq_[n + 1]) {
                unsigned m = n + 1;
                while (k > freq_[m + 1]) ++m;
                freq_[n] = freq_[m];
                freq_[m] = k;
                const std::uint16_t moved = child_[n], other = child_[m];
                set_child(m, moved);
                set_child(n, other);
                n = m;
            }
            n = parent_[n];
        } while (n != 0);
    }

    /// Halves the leaf frequencies and builds the inner nodes anew.
    void rebuild() {
        unsigned leaves = 0;
        for (unsigned n = 0; n < kNodes; ++n) {
            if (child_[n] < kNodes) continue;
            freq_[leaves] = static_cast<std::uint16_t>((freq_[n] + 1) / 2);
            child_[leaves++] = child_[n];
        }
        for (unsigned i = 0, j = kSymbols; j < kNodes; i += 2, ++j) {
            const auto f = static_cast<std::uint16_t>(freq_[i] + freq_[i + 1]);
            unsigned k = j;
            for (; f < freq_[k - 1]; --k) {
                freq_[k] = freq_[k - 1];
                child_[k] = child_[k - 1];
            }
            freq_[k] = f;
            child_[k] = static_cast<std::uint16_t>(i);
        }
        for (unsigned n = 0; n < kNodes; ++n) set_child(n, child_[n]);
    }

    std::array<std::uint16_t, kNodes + 1> freq_{};
    std::array<std::uint16_t, kNodes + kSymbols> parent_{};
    std::array<std::uint16_t, kNodes> child_{};
};

}  // namespace iron::archive
