#include "karikomi/games/renju/weights.hpp"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <zstd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/base/hash.hpp"
#include "karikomi/engine/handed_file.hpp"
#include "karikomi/games/renju/threats.hpp"

#if !defined(KARIKOMI_BROWSER)
// The shipped files, as they are: no copy of them is needed beside the program.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global karikomi_renju_weights_0\n"
    "karikomi_renju_weights_0:\n"
    ".incbin \"" KARIKOMI_FREESTYLE_WEIGHTS
    "\"\n"
    ".global karikomi_renju_weights_1\n"
    "karikomi_renju_weights_1:\n"
    ".incbin \"" KARIKOMI_STANDARD_WEIGHTS
    "\"\n"
    ".global karikomi_renju_weights_2\n"
    "karikomi_renju_weights_2:\n"
    ".incbin \"" KARIKOMI_RENJU_WEIGHTS
    "\"\n"
    ".global karikomi_renju_weights_3\n"
    "karikomi_renju_weights_3:\n"
    ".text\n");
extern "C" const std::byte karikomi_renju_weights_0[];  // NOLINT: names of the assembler
extern "C" const std::byte karikomi_renju_weights_1[];  // NOLINT
extern "C" const std::byte karikomi_renju_weights_2[];  // NOLINT
extern "C" const std::byte karikomi_renju_weights_3[];  // NOLINT
#endif

namespace karikomi::renju {
namespace {

struct Header {
    char magic[8];
    std::uint32_t rule;
    std::uint32_t classes;
    std::uint64_t checksum;
};
constexpr char kMagic[8] = {'K', 'A', 'R', 'I', 'R', 'E', 'N', '1'};

/// Every number as 32 bits, tables one after the other: zstd does the rest.
template <class T, class F> void each_number(T& tables, F&& f) {
    for (auto& colour : tables) {
        for (auto& c : colour.cells) f(c.moving);
        for (auto& c : colour.cells) f(c.waiting);
        for (auto& m : colour.moves) f(m.order_make);
        for (auto& m : colour.moves) f(m.order_take);
        for (auto& m : colour.moves) f(m.gain_make);
        for (auto& m : colour.moves) f(m.gain_take);
        for (auto& t : colour.threats) f(t);
    }
}

std::vector<std::int32_t> numbers_of(const Weights::Tables& tables) {
    std::vector<std::int32_t> all;
    each_number(tables, [&](auto n) { all.push_back(n); });
    return all;
}

#if defined(KARIKOMI_BROWSER)
std::vector<std::byte> shipped(Rule rule) {
    if (rule == Rule::Freestyle) return take_handed_file("gomoku.bin");
    return take_handed_file(rule == Rule::Standard ? "standard_gomoku.bin" : "renju.bin");
}
#else
std::span<const std::byte> shipped(Rule rule) {
    switch (rule) {
        case Rule::Freestyle:
            return {karikomi_renju_weights_0, karikomi_renju_weights_1};
        case Rule::Standard:
            return {karikomi_renju_weights_1, karikomi_renju_weights_2};
        default:
            return {karikomi_renju_weights_2, karikomi_renju_weights_3};
    }
}
#endif

// ---- By hand ------------------------------------------------------------------------------------

/// What a stone's shape on one line is worth before it stands there. The sum counts a shape once
/// for each cell that would make it, so that wide shapes weigh more by themselves.
constexpr std::array<int, kShapes> kShapeValues = {
    0,   // Dead
    0,   // OneClosed
    1,   // One
    3,   // TwoClosed
    7,   // Two
    9,   // TwoWide
    11,  // TwoBest
    13,  // ThreeClosed
    28,  // Three
    34,  // ThreeWide
    40,  // Four
    90,  // FourOpen
    40,  // FourDouble
    90,  // Five
    0,   // Overline
};

constexpr std::array<int, kPoints> kPointBonus = {
    0,    // None
    0,    // Low
    0,    // Two
    8,    // TwoTwo
    0,    // Three
    12,   // ThreePlus
    60,   // DoubleThree
    0,    // Four
    14,   // FourPlus
    110,  // FourThree
    120,  // FourOpen
    0,    // Five
    0,    // Foul
    0,    // MaybeFoul
    0,    // MaybeFoulFour
    0,    // MaybeFoulOpen
};

/// What a point of each class is worth in the order of moves: to make it, and to take it away.
constexpr std::array<int, kPoints> kMake = {
    0,     0,      500,     2'000,             // None, Low, Two, TwoTwo
    9'000, 14'000, 40'000,                     // Three, ThreePlus, DoubleThree
    6'000, 16'000, 200'000, 400'000, 900'000,  // Four, FourPlus, FourThree, FourOpen, Five
    0,     5'000,  8'000,   8'000};            // fouls
constexpr std::array<int, kPoints> kTake = {0,     0,     300,    1'500,             //
                                            5'000, 8'000, 25'000,                    //
                                            5'000, 9'000, 80'000, 150'000, 800'000,  //
                                            0,     0,     0,      0};

constexpr int kTurn = 230;  ///< to be the one who moves

int hand_value(const PatternTable& patterns, Code code) {
    const auto point = static_cast<Point>(patterns.points[code]);
    int sum = kPointBonus[static_cast<std::size_t>(point)];
    for (int d = 0; d < 4; ++d) sum += kShapeValues[static_cast<std::size_t>(shape_in(code, d))];
    // A cell on which Black may not play is worth little to Black; one in question, half.
    if (point == Point::Foul) return 0;
    return may_be_foul(point) ? sum / 2 : sum;
}

int hand_threats(std::size_t mask) {
    const auto has = [&](ThreatBit b) { return (mask >> static_cast<unsigned>(b) & 1U) != 0; };
    int v = kTurn;
    if (has(ThreatBit::OwnFourThree)) v += 1800;  // can make a four and an open three at once
    if (has(ThreatBit::OtherOpenFours)) {
        v -= 900;  // more cells for a straight four than one stone takes
    } else if (has(ThreatBit::OtherOpenFour)) {
        v -= 260;  // must answer an open three
    }
    if (has(ThreatBit::OtherFourThree)) v -= 380;
    return v;
}

}  // namespace

Weights Weights::by_hand(Rule rule) {
    auto tables = std::make_unique<Tables>();
    const CodeClasses& classes = code_classes();
    for (int k = 0; k < 2; ++k) {
        ColourTables& mine = (*tables)[static_cast<std::size_t>(k)];
        const PatternTable& own = patterns_of(style_of(rule, k));
        const PatternTable& other = patterns_of(style_of(rule, 1 - k));
        for (std::size_t i = 0; i < kCodeClasses; ++i) {
            const Code code = classes.example[i];
            const int value = hand_value(own, code);
            const int others = hand_value(other, code);
            mine.cells[i] = {static_cast<std::int16_t>(kFine * value),
                             static_cast<std::int16_t>(kFine * value)};
            mine.moves[i] = {
                kMake[own.points[code]] + 128 * value, kTake[other.points[code]] + 64 * others,
                static_cast<std::int16_t>(2 * value - kTurn), static_cast<std::int16_t>(others)};
        }
        for (std::size_t m = 0; m < kThreatMasks; ++m) {
            mine.threats[m] = static_cast<std::int16_t>(hand_threats(m));
        }
    }
    Weights weights(rule, *tables);
    weights.id_ = "renju-tables-1";
    return weights;
}

// ---- Files --------------------------------------------------------------------------------------

Weights::Weights(Rule rule, const Tables& tables)
    : rule_(rule), tables_(std::make_shared<const Tables>(tables)) {
    const auto numbers = numbers_of(*tables_);
    id_ = fmt::format("{}-tables-{:08x}", kRuleNames[static_cast<std::size_t>(rule)],
                      fnv_of(std::span<const std::int32_t>(numbers)).folded());
}

std::vector<std::byte> Weights::to_bytes() const {
    const auto numbers = numbers_of(*tables_);
    const auto raw = std::as_bytes(std::span(numbers));
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.rule = static_cast<std::uint32_t>(rule_);
    header.classes = static_cast<std::uint32_t>(kCodeClasses);
    header.checksum = fnv_of(raw).value();
    std::vector<std::byte> out(sizeof header + ZSTD_compressBound(raw.size()));
    std::memcpy(out.data(), &header, sizeof header);
    const std::size_t size = ZSTD_compress(out.data() + sizeof header, out.size() - sizeof header,
                                           raw.data(), raw.size(), 19);
    out.resize(sizeof header + size);
    return out;
}

Expected<Weights> Weights::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
    const auto broken = [&](const std::string& why) {
        return Error{fmt::format("renju weights {}: {}", name, why),
                     "take the shipped file, or train new ones with `karikomi train renju`"};
    };
    Header header{};
    if (bytes.size() < sizeof header) return broken("shorter than its header");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return broken("not a weights file");
    if (header.rule >= kRuleNames.size() || header.classes != kCodeClasses) {
        return broken("made for other rules or patterns than this program's");
    }
    auto tables = std::make_unique<Tables>();
    std::vector<std::int32_t> numbers = numbers_of(*tables);
    const auto raw = std::as_writable_bytes(std::span(numbers));
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), bytes.data() + sizeof header,
                                             bytes.size() - sizeof header);
    if (ZSTD_isError(size) != 0 || size != raw.size()) return broken("damaged or cut short");
    if (fnv_of(std::span<const std::byte>(raw)).value() != header.checksum)
        return broken("wrong checksum");
    std::size_t at = 0;
    each_number(*tables, [&](auto& n) {
        n = static_cast<std::remove_reference_t<decltype(n)>>(numbers[at++]);
    });
    return Weights(static_cast<Rule>(header.rule), *tables);
}

Expected<Weights> Weights::load(const std::filesystem::path& file) {
    const auto text = read_file(file);
    if (!text) {
        return Error{fmt::format("renju weights {}: cannot be opened", file.string()),
                     "check the path"};
    }
    return from_bytes(std::as_bytes(std::span(*text)), file.string());
}

Status Weights::save(const std::filesystem::path& file) const {
    if (!write_file(file, to_bytes())) {
        return Error{fmt::format("renju weights {}: cannot be written", file.string()),
                     "check the folder and the disk"};
    }
    return {};
}

// ---- Built in -----------------------------------------------------------------------------------

const std::shared_ptr<const Weights>& built_in_weights(Rule rule) {
    const auto read = [](Rule wanted) {
        const auto bytes = shipped(wanted);
        if (bytes.empty()) return std::make_shared<const Weights>(Weights::by_hand(wanted));
        auto loaded = Weights::from_bytes(bytes, "(built in)");
        if (!loaded) throw std::logic_error(loaded.error().what);
        return std::make_shared<const Weights>(std::move(*loaded));
    };
    using Pointer = std::shared_ptr<const Weights>;
    if (rule == Rule::Freestyle) {
        static const Pointer kFreestyle = read(Rule::Freestyle);
        return kFreestyle;
    }
    if (rule == Rule::Standard) {
        static const Pointer kStandard = read(Rule::Standard);
        return kStandard;
    }
    static const Pointer kRenju = read(Rule::Renju);
    return kRenju;
}

}  // namespace karikomi::renju
