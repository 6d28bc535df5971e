#include "shared/interchange/gltf_read.hpp"

#include <algorithm>

#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"
#include "shared/interchange/safe_name.hpp"

namespace iron::interchange {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostElements = 64ull << 20;

tl::unexpected<Error> invalid(std::string message) { return fail("gltf_invalid", std::move(message)); }

/// Percent escapes of a relative URI.
std::string decode_uri(std::string_view uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] == '%' && i + 2 < uri.size()) {
            if (const auto byte = from_hex(uri.substr(i + 1, 2))) {
                out += static_cast<char>((*byte)[0]);
                i += 2;
                continue;
            }
        }
        out += uri[i];
    }
    return out;
}

Result<Bytes> decode_base64(std::string_view text) {
    Bytes out;
    std::uint32_t word = 0;
    int bits = 0;
    for (const char c : text) {
        std::uint32_t v = 0;
        if (c >= 'A' && c <= 'Z') v = static_cast<std::uint32_t>(c - 'A');
        else if (c >= 'a' && c <= 'z') v = static_cast<std::uint32_t>(c - 'a') + 26;
        else if (c >= '0' && c <= '9') v = static_cast<std::uint32_t>(c - '0') + 52;
        else if (c == '+') v = 62;
        else if (c == '/') v = 63;
        else if (c == '=') break;
        else return invalid("a data URI is not base64");
        word = (word << 6) | v;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out.push_back(static_cast<std::uint8_t>(word >> bits));
        }
    }
    return out;
}

Result<Bytes> load_buffer(const Json& buffer, const fs::path& folder, const Bytes& binary, bool first) {
    const Json* uri = json_member(buffer, "uri");
    if (uri == nullptr) {
        if (!first || binary.empty()) return invalid("a buffer has no data");
        return binary;
    }
    if (!uri->is_string()) return invalid("a buffer's uri is not text");
    const std::string text = uri->get<std::string>();
    if (text.rfind("data:", 0) == 0) {
        const std::size_t comma = text.find(";base64,");
        if (comma == std::string::npos) return invalid("a data URI is not base64");
        return decode_base64(std::string_view(text).substr(comma + 8));
    }
    const std::string name = decode_uri(text);
    if (folder.empty()) return fail("unsafe_name", "a buffer outside the file");
    if (!is_safe_file_name(name)) return fail("unsafe_name", "'" + text + "' is not a plain file name");
    std::error_code code;
    if (fs::is_symlink(folder / name, code)) return fail("symlink", "'" + name + "' is a symbolic link");
    return read_file(folder / name);
}

/// Splits a .glb into its two chunks.
Status split_glb(const Bytes& bytes, std::string_view& json, Bytes& binary) {
    ByteReader in(bytes);
    IRON_TRY([[maybe_unused]] const std::uint32_t magic, in.u32("magic"));
    IRON_TRY(const std::uint32_t version, in.u32("version"));
    IRON_TRY([[maybe_unused]] const std::uint32_t length, in.u32("length"));
    if (version != 2) return invalid("glTF version " + std::to_string(version));
    IRON_TRY(const std::uint32_t json_size, in.u32("chunk size"));
    IRON_TRY(const std::uint32_t json_type, in.u32("chunk type"));
    if (json_type != 0x4E4F534A) return invalid("the first chunk is not JSON");
    IRON_TRY(const ByteView text, in.view(json_size, "JSON chunk"));
    json = as_text(text);
    if (in.at_end()) return {};
    IRON_TRY(const std::uint32_t size, in.u32("chunk size"));
    IRON_TRY(const std::uint32_t type, in.u32("chunk type"));
    if (type != 0x004E4942) return invalid("the second chunk is not binary");
    IRON_TRY(const ByteView data, in.view(size, "binary chunk"));
    binary.assign(data.begin(), data.end());
    return {};
}

unsigned component_size(std::uint64_t type) {
    switch (type) {
        case 5120:
        case 5121: return 1;
        case 5122:
        case 5123: return 2;
        case 5125:
        case 5126: return 4;
        default: return 0;
    }
}

float read_component(const std::uint8_t* p, std::uint64_t type, bool normalized) {
    switch (type) {
        case 5120: {
            const float v = static_cast<float>(load_le<std::int8_t>(p));
            return normalized ? std::max(v / 127.0f, -1.0f) : v;
        }
        case 5121: return static_cast<float>(*p) / (normalized ? 255.0f : 1.0f);
        case 5122: {
            const float v = static_cast<float>(load_le<std::int16_t>(p));
            return normalized ? std::max(v / 32767.0f, -1.0f) : v;
        }
        case 5123: return static_cast<float>(load_le<std::uint16_t>(p)) / (normalized ? 65535.0f : 1.0f);
        case 5125: return static_cast<float>(load_le<std::uint32_t>(p));
        default: return load_le<float>(p);
    }
}

}  // namespace

/// Where an accessor's elements are.
struct GltfDocument::View {
    const std::uint8_t* data = nullptr;
    std::size_t count = 0, stride = 0;
    std::uint64_t type = 0;
    bool normalized = false;
};

Result<std::uint64_t> gltf_index(const Json& object, std::string_view key, std::uint64_t limit) {
    const Json* value = json_member(object, key);
    if (value == nullptr || !value->is_number_unsigned() || value->get<std::uint64_t>() >= limit)
        return invalid("'" + std::string(key) + "' is missing or out of range");
    return value->get<std::uint64_t>();
}

const Json& GltfDocument::list(std::string_view name) const {
    static const Json kEmpty = Json::array();
    const Json* value = json_member(json_, name);
    return value != nullptr && value->is_array() ? *value : kEmpty;
}

Result<GltfDocument> GltfDocument::read(const fs::path& file) {
    IRON_TRY(const Bytes bytes, read_file(file));
    return parse(bytes, file.has_parent_path() ? file.parent_path() : fs::path("."), file.filename().string());
}

Result<GltfDocument> GltfDocument::parse(const Bytes& bytes, const fs::path& folder, std::string_view label) {
    GltfDocument out;
    Bytes binary;
    std::string_view text = as_text(bytes);
    if (text.substr(0, 4) == "glTF") IRON_CHECK(split_glb(bytes, text, binary));
    IRON_TRY(out.json_, parse_json(text, label));
    bool first = true;
    for (const Json& buffer : out.list("buffers")) {
        IRON_TRY(Bytes data, load_buffer(buffer, folder, binary, first));
        out.buffers_.push_back(std::move(data));
        first = false;
    }
    return out;
}

Result<GltfDocument::View> GltfDocument::view(std::uint64_t accessor, unsigned components) const {
    static constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    if (accessor >= list("accessors").size()) return invalid("an accessor is out of range");
    const Json& a = list("accessors")[accessor];
    const Json* type = json_member(a, "type");
    if (type == nullptr || *type != kTypes[components]) return invalid(std::string("an accessor is not ") + kTypes[components]);
    if (json_member(a, "sparse") != nullptr) return fail("gltf_unsupported", "sparse accessors");
    IRON_TRY(const std::uint64_t view_index, gltf_index(a, "bufferView", list("bufferViews").size()));
    const Json& v = list("bufferViews")[view_index];
    IRON_TRY(const std::uint64_t buffer, gltf_index(v, "buffer", buffers_.size()));
    View out;
    IRON_TRY(out.type, gltf_index(a, "componentType", 65536));
    IRON_TRY(const std::uint64_t count, gltf_index(a, "count", kMostElements));
    const unsigned size = component_size(out.type);
    if (size == 0) return invalid("an accessor has an unknown component type");
    const auto offset_of = [](const Json& object, const char* key) -> Result<std::uint64_t> {
        if (json_member(object, key) == nullptr) return std::uint64_t{0};
        return gltf_index(object, key, std::uint64_t{1} << 40);
    };
    IRON_TRY(const std::uint64_t start, offset_of(v, "byteOffset"));
    IRON_TRY(const std::uint64_t inside, offset_of(a, "byteOffset"));
    IRON_TRY(const std::uint64_t stride, offset_of(v, "byteStride"));
    out.count = count;
    out.stride = stride != 0 ? stride : std::uint64_t{size} * components;
    const std::uint64_t begin = start + inside;
    const std::uint64_t need = count == 0 ? 0 : (count - 1) * out.stride + std::uint64_t{size} * components;
    const Bytes& data = buffers_[buffer];
    if (out.stride > 1024 || begin > data.size() || need > data.size() - begin) return invalid("an accessor goes beyond its buffer");
    out.data = data.data() + begin;
    const Json* normalized = json_member(a, "normalized");
    out.normalized = normalized != nullptr && *normalized == true;
    return out;
}

Result<std::vector<float>> GltfDocument::floats(std::uint64_t accessor, unsigned components) const {
    IRON_TRY(const View v, view(accessor, components));
    const unsigned size = component_size(v.type);
    std::vector<float> out;
    out.reserve(v.count * components);
    for (std::size_t i = 0; i < v.count; ++i)
        for (unsigned c = 0; c < components; ++c) out.push_back(read_component(v.data + i * v.stride + std::size_t{c} * size, v.type, v.normalized));
    return out;
}

Result<std::vector<std::uint32_t>> GltfDocument::indices(std::uint64_t accessor) const {
    IRON_TRY(const View v, view(accessor, 1));
    std::vector<std::uint32_t> out;
    out.reserve(v.count);
    for (std::size_t i = 0; i < v.count; ++i) {
        const std::uint8_t* p = v.data + i * v.stride;
        if (v.type == 5121)
            out.push_back(*p);
        else if (v.type == 5123)
            out.push_back(load_le<std::uint16_t>(p));
        else if (v.type == 5125)
            out.push_back(load_le<std::uint32_t>(p));
        else
            return invalid("indices are not unsigned integers");
    }
    return out;
}

}  // namespace iron::interchange
