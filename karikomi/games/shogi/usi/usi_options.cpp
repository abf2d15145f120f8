#include "karikomi/games/shogi/usi/usi_options.hpp"

#include <array>
#include <variant>

#include <fmt/format.h>

#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {
namespace {

struct Spin {
    long UsiOptions::*value;
    long min;
    long max;
};
struct Check {
    bool UsiOptions::*value;
};
struct Combo {
    std::string UsiOptions::*value;
};
struct FileName {
    std::string UsiOptions::*value;
};
struct Text {
    std::string UsiOptions::*value;
};
struct Button {
    bool UsiOptions::*pressed;
};
struct Option {
    const char* name;
    std::variant<Spin, Check, Combo, FileName, Text, Button> kind;
};

constexpr long kHuge = 2'000'000'000;
constexpr long kMostDrawValue = 20'000;

constexpr Option kOptions[] = {
    {"USI_Hash", Spin{&UsiOptions::hash_mb, 1, 1 << 20}},
    {"USI_Ponder", Check{&UsiOptions::ponder}},
    {"Threads", Spin{&UsiOptions::threads, 1, 1024}},
    {"MultiPV", Spin{&UsiOptions::multi_pv, 1, 600}},
    {"NetworkDelay", Spin{&UsiOptions::network_delay_ms, 0, 10'000}},
    {"NetworkDelay2", Spin{&UsiOptions::network_delay2_ms, 0, 10'000}},
    {"MinimumThinkingTime", Spin{&UsiOptions::minimum_time_ms, 0, 100'000}},
    {"SlowMover", Spin{&UsiOptions::slow_mover, 10, 500}},
    {"ResignValue", Spin{&UsiOptions::resign_value, 0, 99'999}},
    {"MaxMovesToDraw", Spin{&UsiOptions::max_moves, 0, 100'000}},
    {"EnteringKingRule", Combo{&UsiOptions::entering_king}},
    {"GenerateAllLegalMoves", Check{&UsiOptions::all_moves}},
    {"NodesLimit", Spin{&UsiOptions::nodes_limit, 0, kHuge}},
    {"DepthLimit", Spin{&UsiOptions::depth_limit, 0, 120}},
    {"DrawValueBlack", Spin{&UsiOptions::draw_black, -kMostDrawValue, kMostDrawValue}},
    {"DrawValueWhite", Spin{&UsiOptions::draw_white, -kMostDrawValue, kMostDrawValue}},
    {"ConsiderationMode", Check{&UsiOptions::consideration}},
    {"Stochastic_Ponder", Check{&UsiOptions::stochastic_ponder}},
    {"PvInterval", Spin{&UsiOptions::pv_interval_ms, 0, 100'000}},
    {"SkillLevel", Spin{&UsiOptions::skill, 0, kFullStrength}},
    {"USI_OwnBook", Check{&UsiOptions::own_book}},
    {"BookFile", FileName{&UsiOptions::book_file}},
    {"BookDir", Text{&UsiOptions::book_folder}},
    {"BookMoves", Spin{&UsiOptions::book_moves, 0, 10'000}},
    {"BookEvalDiff", Spin{&UsiOptions::book_margin, 0, 99'999}},
    {"BookDepthLimit", Spin{&UsiOptions::book_depth, 0, 999}},
    {"NarrowBook", Check{&UsiOptions::narrow_book}},
    {"FlippedBook", Check{&UsiOptions::flipped_book}},
    {"BookOnTheFly", Check{&UsiOptions::book_on_the_fly}},
    {"Clear_Hash", Button{&UsiOptions::clear_hash}},
};

/// As YaneuraOu's users know them, and our words for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kEnteringKing = {{
    {"NoEnteringKing", "none"},
    {"CSARule24", "points24"},
    {"CSARule24H", "points24_handicap"},
    {"CSARule27", "points27"},
    {"CSARule27H", "points27_handicap"},
    {"TryRule", "try"},
}};

Error refuse(const Option& option, std::string_view value, const std::string& allowed) {
    return {fmt::format("{}: '{}' is not {}", option.name, value.substr(0, 40), allowed)};
}

Status assign(UsiOptions& to, const Option& option, std::string_view value) {
    if (const auto* spin = std::get_if<Spin>(&option.kind)) {
        const auto number = parse_whole(value);
        if (!number || *number < spin->min || *number > spin->max) {
            return refuse(option, value, fmt::format("a number {}..{}", spin->min, spin->max));
        }
        to.*spin->value = static_cast<long>(*number);
    } else if (const auto* check = std::get_if<Check>(&option.kind)) {
        if (value != "true" && value != "false") return refuse(option, value, "true or false");
        to.*check->value = value == "true";
    } else if (const auto* combo = std::get_if<Combo>(&option.kind)) {
        for (const auto& [name, word] : kEnteringKing) {
            if (lower_case(name) != lower_case(value)) continue;
            to.*combo->value = name;
            return {};
        }
        return refuse(option, value, "one of its choices");
    } else if (const auto* file = std::get_if<FileName>(&option.kind)) {
        to.*file->value = value.empty() || value == "<empty>" ? "no_book" : value;
    } else if (const auto* text = std::get_if<Text>(&option.kind)) {
        to.*text->value = value == "<empty>" ? "" : value;
    } else if (const auto* button = std::get_if<Button>(&option.kind)) {
        to.*button->pressed = true;
    }
    return {};
}

}  // namespace

std::vector<std::string> UsiOptions::lines() const {
    std::vector<std::string> out;
    for (const Option& option : kOptions) {
        std::string kind;
        if (const auto* spin = std::get_if<Spin>(&option.kind)) {
            kind = fmt::format("spin default {} min {} max {}", this->*spin->value, spin->min,
                               spin->max);
        } else if (const auto* check = std::get_if<Check>(&option.kind)) {
            kind = fmt::format("check default {}", this->*check->value);
        } else if (const auto* combo = std::get_if<Combo>(&option.kind)) {
            kind = fmt::format("combo default {}", this->*combo->value);
            for (const auto& [name, word] : kEnteringKing) kind += fmt::format(" var {}", name);
        } else if (const auto* file = std::get_if<FileName>(&option.kind)) {
            kind = fmt::format("filename default {}", this->*file->value);
        } else if (const auto* text = std::get_if<Text>(&option.kind)) {
            const std::string& value = this->*text->value;
            kind = fmt::format("string default {}", value.empty() ? "<empty>" : value);
        } else {
            kind = "button";
        }
        out.push_back(fmt::format("option name {} type {}", option.name, kind));
    }
    return out;
}

Expected<bool> UsiOptions::set(std::string_view name, std::string_view value) {
    for (const Option& option : kOptions) {
        if (lower_case(option.name) != lower_case(name)) continue;
        if (const Status s = assign(*this, option, value); !s) return s.error();
        return true;
    }
    return false;
}

std::string_view UsiOptions::declaration() const {
    for (const auto& [name, word] : kEnteringKing) {
        if (name == entering_king) return word;
    }
    return "points27";
}

}  // namespace karikomi::protocols
