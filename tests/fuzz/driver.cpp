// Runs a fuzz entry point once over every seed file of the given folders, for compilers without
// libFuzzer, so that the seed corpus is checked by every test run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    std::vector<std::filesystem::path> seeds;
    for (int i = 1; i < argc; ++i)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
            if (entry.is_regular_file()) seeds.push_back(entry.path());
    std::sort(seeds.begin(), seeds.end());
    for (const auto& seed : seeds) {
        std::ifstream in(seed, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
        LLVMFuzzerTestOneInput(data, bytes.size());
        // Every prefix of a short seed and single-byte damage exercise the error paths.
        if (bytes.size() <= 4096) {
            for (std::size_t n = 0; n < bytes.size(); ++n) LLVMFuzzerTestOneInput(data, n);
            std::vector<std::uint8_t> hurt(data, data + bytes.size());
            for (std::size_t k = 0; k < hurt.size(); ++k) {
                const std::uint8_t keep = hurt[k];
                hurt[k] = static_cast<std::uint8_t>(keep ^ 0xFF);
                LLVMFuzzerTestOneInput(hurt.data(), hurt.size());
                hurt[k] = keep;
            }
        }
    }
    std::printf("%zu seeds\n", seeds.size());
    return seeds.empty() ? 1 : 0;
}
