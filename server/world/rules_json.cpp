#include "server/world/rules_json.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "shared/base/math.hpp"

namespace iron::world {

namespace {

constexpr std::size_t kMaxDepth = 16;

/// Builds the tree from parser events; stops at the first problem.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    RuleNode root;
    std::string code, message;

    bool null() override { return stop("rules_type", "null is no rule value"); }
    bool boolean(bool v) override {
        RuleNode n;
        n.kind = RuleNode::Kind::flag;
        n.flag = v;
        return add(std::move(n));
    }
    bool number_integer(number_integer_t v) override { return number(std::to_string(v)); }
    bool number_unsigned(number_unsigned_t v) override { return number(std::to_string(v)); }
    bool number_float(number_float_t, const string_t& token) override { return number(token); }
    bool string(string_t& v) override {
        RuleNode n;
        n.kind = RuleNode::Kind::string;
        n.text = v;
        return add(std::move(n));
    }
    bool binary(binary_t&) override { return stop("rules_type", "binary value"); }
    bool start_object(std::size_t) override { return open(RuleNode::Kind::object); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(RuleNode::Kind::array); }
    bool end_array() override { return close(); }
    bool key(string_t& v) override {
        if (stack_.back().find(v)) return stop("rules_duplicate_key", "key '" + v + "' twice");
        keys_.back() = v;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
        return stop("rules_syntax", "at byte " + std::to_string(position) + ": " + e.what());
    }

private:
    bool stop(std::string c, std::string m) {
        code = std::move(c);
        message = std::move(m);
        return false;
    }
    bool number(std::string token) {
        RuleNode n;
        n.kind = RuleNode::Kind::number;
        n.text = std::move(token);
        return add(std::move(n));
    }
    bool open(RuleNode::Kind kind) {
        if (stack_.size() >= kMaxDepth) return stop("rules_syntax", "nested too deep");
        if (stack_.empty() && kind != RuleNode::Kind::object)
            return stop("rules_type", "the rules are one object");
        RuleNode n;
        n.kind = kind;
        stack_.push_back(std::move(n));
        keys_.emplace_back();
        return true;
    }
    bool close() {
        RuleNode done = std::move(stack_.back());
        stack_.pop_back();
        keys_.pop_back();
        if (!stack_.empty()) return add(std::move(done));
        root = std::move(done);
        return true;
    }
    bool add(RuleNode node) {
        if (stack_.empty()) return stop("rules_type", "the rules are one object");
        RuleNode& parent = stack_.back();
        if (parent.kind == RuleNode::Kind::object) node.key = keys_.back();
        parent.items.push_back(std::move(node));
        return true;
    }

    std::vector<RuleNode> stack_;
    std::vector<std::string> keys_;
};

/// Maps whose keys are the mod's own, with the kind of their values.
bool is_open_map(const std::string& path, RuleNode::Kind& value) {
    value = RuleNode::Kind::string;
    if (path == "weapon_class" || path == "unit_size") return true;
    value = RuleNode::Kind::number;
    return path.starts_with("ai.levels.") && (path.ends_with(".mix") || path.ends_with(".mix_late"));
}

/// Lists of any length, with the kind of their elements.
bool is_open_list(const std::string& path, RuleNode::Kind& value) {
    value = RuleNode::Kind::number;
    if (path == "nonwalkable_areal_classes" || path == "wizard.angles_deg") return true;
    value = RuleNode::Kind::string;
    return path == "flying_chassis" || path == "invulnerable" || path.starts_with("tower_weapons.");
}

/// Weapon rows share one set of optional keys.
bool is_optional_key(const std::string& path, std::string_view key, RuleNode::Kind kind) {
    if (!path.starts_with("weapons.")) return false;
    if (key == "guided") return kind == RuleNode::Kind::flag;
    for (auto k : {"area", "energy", "ammo", "drain", "shock_ms", "pool", "pool_regen", "reload_one_ms"})
        if (key == k) return kind == RuleNode::Kind::number;
    return false;
}

tl::unexpected<Error> wrong_type(const std::string& path) {
    return fail("rules_type", "rule '" + path + "' has the wrong kind of value");
}

}  // namespace

const RuleNode* RuleNode::find(std::string_view member) const {
    for (const RuleNode& node : items)
        if (node.key == member) return &node;
    return nullptr;
}

Result<RuleNode> parse_rules(std::string_view text) {
    TreeBuilder builder;
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
        return fail(builder.code.empty() ? "rules_syntax" : builder.code, builder.message);
    return std::move(builder.root);
}

Status merge_rules(RuleNode& base, const RuleNode& given, const std::string& path) {
    if (base.kind != given.kind) return wrong_type(path);
    RuleNode::Kind value{};
    if (base.kind == RuleNode::Kind::object) {
        if (is_open_map(path, value)) {
            for (const RuleNode& node : given.items)
                if (node.kind != value) return wrong_type(path + "." + node.key);
            base.items = given.items;
            return {};
        }
        for (const RuleNode& node : given.items) {
            const std::string inner = path.empty() ? node.key : path + "." + node.key;
            const auto target = std::find_if(base.items.begin(), base.items.end(),
                                             [&](const RuleNode& n) { return n.key == node.key; });
            if (target != base.items.end()) {
                IRON_CHECK(merge_rules(*target, node, inner));
            } else if (is_optional_key(path, node.key, node.kind)) {
                base.items.push_back(node);
            } else {
                return fail("rules_unknown_key", "unknown rule '" + inner + "'");
            }
        }
        return {};
    }
    if (base.kind == RuleNode::Kind::array) {
        if (is_open_list(path, value)) {
            if (given.items.size() > 1024) return fail("rules_range", "list '" + path + "' is too long");
            for (const auto& node : given.items)
                if (node.kind != value) return wrong_type(path);
            base.items = given.items;
            return {};
        }
        if (base.items.size() != given.items.size()) return wrong_type(path);
        for (std::size_t i = 0; i < base.items.size(); ++i)
            IRON_CHECK(merge_rules(base.items[i], given.items[i], path + "." + std::to_string(i)));
        return {};
    }
    base.text = given.text;
    base.flag = given.flag;
    return {};
}

Result<RuleNumber> convert_number(std::string_view token) {
    const auto bad = [&] {
        return fail("rules_range", "number '" + std::string(token) + "' is out of range");
    };
    RuleNumber out;
    const auto parsed = std::from_chars(token.data(), token.data() + token.size(), out.real);
    if (parsed.ec != std::errc{} || parsed.ptr != token.data() + token.size() || !is_finite(out.real))
        return bad();

    // Exact decimal: digits * 10^exponent, then millionths.
    std::size_t i = 0;
    const bool negative = token[0] == '-';
    if (negative) ++i;
    std::string digits;
    std::int64_t exponent = 0;
    bool fraction = false;
    for (; i < token.size() && token[i] != 'e' && token[i] != 'E'; ++i) {
        if (token[i] == '.') {
            fraction = true;
            continue;
        }
        digits.push_back(token[i]);
        if (fraction) --exponent;
    }
    if (i < token.size()) {
        ++i;
        if (i < token.size() && token[i] == '+') ++i;
        std::int32_t e = 0;
        const auto r = std::from_chars(token.data() + i, token.data() + token.size(), e);
        if (r.ec != std::errc{} || e > 1000 || e < -1000) return bad();
        exponent += e;
    }
    exponent += 6;
    bool exact = true, round_up = false;
    if (exponent < 0) {
        const auto drop = static_cast<std::size_t>(-exponent);
        if (drop > digits.size()) digits.insert(0, drop - digits.size(), '0');
        const std::size_t keep = digits.size() - drop;
        round_up = digits[keep] >= '5';
        exact = digits.find_first_not_of('0', keep) == std::string::npos;
        digits.resize(keep);
    } else {
        if (exponent > 18 && digits.find_first_not_of('0') != std::string::npos) return bad();
        digits.append(static_cast<std::size_t>(exponent > 18 ? 0 : exponent), '0');
    }
    std::int64_t value = 0;
    for (char c : digits)
        if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
            __builtin_add_overflow(value, std::int64_t{c - '0'}, &value))
            return bad();
    if (round_up && __builtin_add_overflow(value, std::int64_t{1}, &value)) return bad();
    out.ppm = negative ? -value : value;
    out.is_integer = exact && value % 1'000'000 == 0;
    out.whole = out.is_integer ? out.ppm / 1'000'000 : 0;
    return out;
}

}  // namespace iron::world
