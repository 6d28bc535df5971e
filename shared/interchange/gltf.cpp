#include "shared/interchange/gltf.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "shared/interchange/safe_name.hpp"

namespace iron::interchange {
namespace {

constexpr int kFloat = 5126, kUnsignedInt = 5125;
constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;
constexpr int kRepeat = 10497, kLinear = 9729, kLinearMipmapLinear = 9987;

struct Image {
    std::string name;
    Bytes png;
};

}  // namespace

struct Gltf::State {
    Json json = Json{{"asset", {{"version", "2.0"}, {"generator", "iron3d"}}}};
    ByteWriter buffer;
    std::vector<Image> images;
    std::map<std::string, int> textures;
    SafeNames image_names;

    int append(const char* list, Json item) {
        Json& items = json[list];
        if (items.is_null()) items = Json::array();
        items.push_back(std::move(item));
        return static_cast<int>(items.size()) - 1;
    }
    int add_view(ByteView bytes, int target) {
        buffer.align(4);
        Json view{{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}};
        if (target != 0) view["target"] = target;
        buffer.bytes(bytes);
        return append("bufferViews", std::move(view));
    }
};

Gltf::Gltf() : state_(std::make_unique<State>()) {}
Gltf::Gltf(Gltf&&) noexcept = default;
Gltf& Gltf::operator=(Gltf&&) noexcept = default;
Gltf::~Gltf() = default;

Json& Gltf::root() { return state_->json; }
int Gltf::add(const char* list, Json item) { return state_->append(list, std::move(item)); }
Json& Gltf::item(const char* list, int index) { return state_->json[list][static_cast<std::size_t>(index)]; }
std::size_t Gltf::count(const char* list) const {
    const auto it = state_->json.find(list);
    return it == state_->json.end() ? 0 : it->size();
}

int Gltf::add_floats(std::span<const float> values, unsigned components, bool bounds, Use use) {
    static constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const ByteView bytes(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes());
    const int view = state_->add_view(bytes, use == Use::vertex ? kVertexBuffer : 0);
    Json accessor{{"bufferView", view}, {"componentType", kFloat}, {"count", values.size() / components}, {"type", kTypes[components]}};
    if (bounds && !values.empty()) {
        // Exact doubles of the floats: viewers compare them with the data.
        std::vector<double> low(values.begin(), values.begin() + components), high = low;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto v = static_cast<double>(values[i]);
            low[i % components] = std::min(low[i % components], v);
            high[i % components] = std::max(high[i % components], v);
        }
        accessor["min"] = low;
        accessor["max"] = high;
    }
    return state_->append("accessors", std::move(accessor));
}

int Gltf::add_indices(std::span<const std::uint32_t> values) {
    const ByteView bytes(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes());
    const int view = state_->add_view(bytes, kIndexBuffer);
    return state_->append("accessors", Json{{"bufferView", view}, {"componentType", kUnsignedInt}, {"count", values.size()}, {"type", "SCALAR"}});
}

int Gltf::add_texture(std::string_view name, Bytes png) {
    const auto [it, fresh] = state_->textures.try_emplace(std::string(name), 0);
    if (!fresh) return it->second;
    if (count("samplers") == 0)
        add("samplers", Json{{"magFilter", kLinear}, {"minFilter", kLinearMipmapLinear}, {"wrapS", kRepeat}, {"wrapT", kRepeat}});
    const auto image = state_->images.size();
    state_->images.push_back({state_->image_names.take(std::string(name) + ".png"), std::move(png)});
    it->second = add("textures", Json{{"name", name}, {"sampler", 0}, {"source", image}});
    return it->second;
}

void Gltf::set_scene(std::string_view name, std::vector<int> roots) {
    // A quarter turn about X: (x, y, z) becomes (x, z, -y).
    const double half = 0.70710678118654752440;
    Json node{{"name", name}, {"rotation", {-half, 0.0, 0.0, half}}};
    if (!roots.empty()) node["children"] = roots;
    const int top = add("nodes", std::move(node));
    state_->json["scenes"] = Json::array({Json{{"name", name}, {"nodes", {top}}}});
    state_->json["scene"] = 0;
}

std::vector<OutputFile> Gltf::files(std::string_view stem) const {
    Json json = state_->json;
    std::vector<OutputFile> out(1);
    out[0].name = std::string(stem) + ".gltf";
    if (state_->buffer.size() != 0) {
        const std::string bin = std::string(stem) + ".bin";
        json["buffers"] = Json::array({Json{{"uri", bin}, {"byteLength", state_->buffer.size()}}});
        out.push_back({bin, state_->buffer.buffer()});
    }
    for (const Image& image : state_->images) {
        // A name is a URI here: its own percent signs are data.
        std::string uri;
        for (const char c : image.name) uri += c == '%' ? "%25" : c == '#' ? "%23" : std::string(1, c);
        json["images"].push_back({{"uri", uri}});
        out.push_back({image.name, image.png});
    }
    const std::string text = dump_json(json);
    const ByteView bytes = as_bytes(text);
    out[0].bytes.assign(bytes.begin(), bytes.end());
    return out;
}

Bytes Gltf::glb() const {
    Json json = state_->json;
    ByteWriter binary;
    binary.bytes(state_->buffer.buffer());
    for (const Image& image : state_->images) {
        binary.align(4);
        const std::size_t view = json.contains("bufferViews") ? json["bufferViews"].size() : 0;
        json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", image.png.size()}});
        json["images"].push_back({{"bufferView", view}, {"mimeType", "image/png"}, {"name", image.name}});
        binary.bytes(image.png);
    }
    if (binary.size() != 0) json["buffers"] = Json::array({Json{{"byteLength", binary.size()}}});
    binary.align(4);
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    while (text.size() % 4 != 0) text += ' ';

    ByteWriter out;
    out.text("glTF");
    out.u32(2);
    out.u32(0);
    out.u32(static_cast<std::uint32_t>(text.size()));
    out.text("JSON");
    out.text(text);
    if (binary.size() != 0) {
        out.u32(static_cast<std::uint32_t>(binary.size()));
        out.bytes(as_bytes(std::string_view("BIN\0", 4)));
        out.bytes(binary.buffer());
    }
    out.patch(8, static_cast<std::uint32_t>(out.size()));
    return out.take();
}

}  // namespace iron::interchange
