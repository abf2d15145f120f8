#include "karikomi/games/othello/weights.hpp"

#include <cstring>

#include <fmt/format.h>
#include <zstd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/base/hash.hpp"
#include "karikomi/engine/handed_file.hpp"

#if !defined(KARIKOMI_BROWSER)
// The shipped file, as it is: no copy of it is needed beside the program.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global karikomi_othello_weights_begin\n"
    "karikomi_othello_weights_begin:\n"
    ".incbin \"" KARIKOMI_OTHELLO_WEIGHTS
    "\"\n"
    ".global karikomi_othello_weights_end\n"
    "karikomi_othello_weights_end:\n"
    ".text\n");
extern "C" const std::byte karikomi_othello_weights_begin[];  // NOLINT: names of the assembler
extern "C" const std::byte karikomi_othello_weights_end[];    // NOLINT
#endif

namespace karikomi::othello {
namespace {

struct Header {
    char magic[8];
    std::uint32_t phases;
    std::uint32_t weights;  ///< free weights in a phase
    std::uint32_t scale;
    std::uint32_t layout;  ///< fingerprint of patterns and their order
    std::uint64_t checksum;
};
constexpr char kMagic[8] = {'K', 'A', 'R', 'I', 'O', 'T', 'H', '2'};

std::uint32_t layout_fingerprint() {
    Fnv hash;
    for (const Pattern& p : kPatterns) hash.add(std::as_bytes(std::span(p.squares)));
    return hash.folded();
}

std::size_t free_total() {
    return at(kPhases) * at(ties().count);
}

/// The content of an instance whose squares stand in another order.
int permuted(int content, int cells, const std::array<int, kMaxCells>& to) {
    int out = 0;
    for (int k = 0; k < cells; ++k) {
        int digit = (content % 3 + 3) % 3;  // 0, 1, 2 for empty, black, white
        if (digit == 2) digit = -1;
        out += digit * power_of_3(to[at(k)]);
        content = (content - digit) / 3;
    }
    return out;
}

/// For a pattern that a symmetry maps onto itself: where each of its squares goes. Identity where
/// there is no such symmetry.
std::array<int, kMaxCells> self_map(const Pattern& p) {
    std::array<int, kMaxCells> map{};
    for (int k = 0; k < kMaxCells; ++k) map[at(k)] = k;
    for (int symmetry = 1; symmetry < kSymmetries; ++symmetry) {
        std::array<int, kMaxCells> images{};
        for (int k = 0; k < p.cells; ++k) images[at(k)] = image(p.squares[at(k)], symmetry);
        if (squares_mask(p, images) != squares_mask(p, p.squares) || images == p.squares) continue;
        for (int k = 0; k < p.cells; ++k) {
            const auto* const to = std::find(p.squares.begin(), p.squares.end(), images[at(k)]);
            map[at(k)] = static_cast<int>(to - p.squares.begin());
        }
        return map;
    }
    return map;
}

Ties make_ties() {
    Ties t;
    t.free_of.assign(at(kWeightLayout.size), -1);
    int place = 0;
    for (const Pattern& p : kPatterns) {
        const int half = half_of(p);
        const auto map = self_map(p);
        const int centre = place + half;
        for (int content = -half; content <= half; ++content) {
            std::int32_t& mine = t.free_of[at(centre + content)];
            if (mine >= 0) continue;
            mine = t.count++;
            t.free_of[at(centre + permuted(content, p.cells, map))] = mine;
        }
        place += 2 * half + 1;
    }
    for (int i = 0; i < 4 * kMobilities; ++i) t.free_of[at(place++)] = t.count++;
    return t;
}

}  // namespace

const Ties& ties() {
    static const Ties kTies = make_ties();
    return kTies;
}

Weights Weights::from_free(std::span<const std::int16_t> free) {
    Weights w;
    const Ties& t = ties();
    for (int phase = 0; phase < kPhases; ++phase) {
        std::int16_t* const out = w.expanded_.data() + at(phase) * at(kWeightLayout.size);
        const std::int16_t* const in = free.data() + at(phase) * at(t.count);
        for (int i = 0; i < kWeightLayout.size; ++i) {
            out[i] = t.free_of[at(i)] < 0 ? std::int16_t{0} : in[t.free_of[at(i)]];
        }
    }
    w.name_it();
    return w;
}

std::vector<std::int16_t> Weights::free() const {
    const Ties& t = ties();
    std::vector<std::int16_t> out(free_total());
    for (int p = 0; p < kPhases; ++p) {
        for (int i = 0; i < kWeightLayout.size; ++i) {
            if (t.free_of[at(i)] < 0) continue;
            out[at(p) * at(t.count) + at(t.free_of[at(i)])] = phase(p)[i];
        }
    }
    return out;
}

void Weights::name_it() {
    const Fnv hash = fnv_of(std::span<const std::int16_t>(expanded_));
    id_ = fmt::format("othello-patterns-{:08x}", hash.folded());
}

std::vector<std::byte> Weights::to_bytes() const {
    const std::vector<std::int16_t> numbers = free();
    // Low and high bytes apart: the high ones are nearly all alike, which compresses better.
    std::vector<unsigned char> planes(numbers.size() * 2);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto n = static_cast<std::uint16_t>(numbers[i]);
        planes[i] = static_cast<unsigned char>(n & 255);
        planes[numbers.size() + i] = static_cast<unsigned char>(n >> 8);
    }
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.phases = kPhases;
    header.weights = static_cast<std::uint32_t>(ties().count);
    header.scale = kWeightScale;
    header.layout = layout_fingerprint();
    header.checksum = fnv_of(std::span<const unsigned char>(planes)).value();
    std::vector<std::byte> out(sizeof header + ZSTD_compressBound(planes.size()));
    std::memcpy(out.data(), &header, sizeof header);
    const std::size_t size = ZSTD_compress(out.data() + sizeof header, out.size() - sizeof header,
                                           planes.data(), planes.size(), 19);
    out.resize(sizeof header + size);
    return out;
}

Expected<Weights> Weights::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
    const auto broken = [&](const std::string& why) {
        return Error{fmt::format("othello weights {}: {}", name, why),
                     "take the shipped file, or train new ones with `karikomi train othello`"};
    };
    Header header{};
    if (bytes.size() < sizeof header) return broken("shorter than its header");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return broken("not a weights file");
    if (header.phases != kPhases || header.scale != kWeightScale ||
        header.weights != static_cast<std::uint32_t>(ties().count) ||
        header.layout != layout_fingerprint()) {
        return broken("made for other patterns or phases than this program's");
    }
    std::vector<unsigned char> planes(free_total() * 2);
    const std::size_t size = ZSTD_decompress(
        planes.data(), planes.size(), bytes.data() + sizeof header, bytes.size() - sizeof header);
    if (ZSTD_isError(size) != 0 || size != planes.size()) return broken("damaged or cut short");
    if (fnv_of(std::span<const unsigned char>(planes)).value() != header.checksum) {
        return broken("wrong checksum");
    }
    std::vector<std::int16_t> numbers(free_total());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<std::int16_t>(planes[i] | planes[numbers.size() + i] << 8);
    }
    return from_free(numbers);
}

Expected<Weights> Weights::load(const std::filesystem::path& file) {
    const auto text = read_file(file);
    if (!text) {
        return Error{fmt::format("othello weights {}: cannot be opened", file.string()),
                     "check the path"};
    }
    return from_bytes(std::as_bytes(std::span(*text)), file.string());
}

Status Weights::save(const std::filesystem::path& file) const {
    if (!write_file(file, to_bytes())) {
        return Error{fmt::format("othello weights {}: cannot be written", file.string()),
                     "check the folder and the disk"};
    }
    return {};
}

const std::shared_ptr<const Weights>& built_in_weights() {
    static const std::shared_ptr<const Weights> kWeights = [] {
#if defined(KARIKOMI_BROWSER)
        const std::vector<std::byte> bytes = take_handed_file("othello.bin");
#else
        const std::span bytes(karikomi_othello_weights_begin, karikomi_othello_weights_end);
#endif
        auto shipped = Weights::from_bytes(bytes, "(built in)");
        if (!shipped) throw std::logic_error(shipped.error().what);
        return std::make_shared<const Weights>(std::move(*shipped));
    }();
    return kWeights;
}

}  // namespace karikomi::othello
