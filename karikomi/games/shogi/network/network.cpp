#include "karikomi/games/shogi/network/network.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <zstd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/base/hash.hpp"

namespace karikomi::shogi {

// ---- Features -----------------------------------------------------------------------------------

FeatureTables::FeatureTables() {
    for (const Colour c : {kBlack, kWhite}) {
        for (Square s = 0; s < kSquares; ++s) {
            if (!is_square(s)) continue;
            const Square seen = c == kBlack ? s : turned(s);
            const int file = file_of(seen);
            const int rank = rank_of(seen);
            square[c][0][s] = static_cast<std::uint8_t>((file - 1) * 9 + rank);
            square[c][1][s] = static_cast<std::uint8_t>((9 - file) * 9 + rank);
            View& v = view[c][s];
            v.mirror = file < 5 ? 1 : 0;
            const int wing = std::abs(file - 5);
            // The castle's four places on the last two ranks, a king on the way up, one in camp.
            v.set = static_cast<std::uint8_t>(rank < 4 ? 5 : rank < 7 ? 4 : 3 - std::min(wing, 3));
        }
    }
}

const FeatureTables kFeatureTables;

// ---- The layers ---------------------------------------------------------------------------------
namespace {

template <class Vector> std::span<std::byte> bytes_of(Vector& v) {
    return std::as_writable_bytes(std::span(v));
}

}  // namespace

Value Network::evaluate(const Accumulator& a, Colour to_move, const Kernels& by) const {
    const LayerViews layers = {
        {second_.data(), second_groups_.data(), second_bias_.data()},
        {third_.data(), third_groups_.data(), third_bias_.data()},
        last_.data(),
        last_bias_[0],
    };
    const std::int64_t sum = by.output(layers, a.half[to_move], a.half[opposite(to_move)]);
    return clamp_eval(static_cast<Value>(sum * kValueScale / (kOne * kWeightOne)));
}

void Network::refresh(const Board& b, Colour player, Row& half) const {
    half = bias();
    for_each_feature(b, player, [&](int feature) {
        const Row& w = weights(feature);
        for (int k = 0; k < kHalf; ++k) {
            half.at[k] = static_cast<std::int16_t>(half.at[k] + w.at[k]);
        }
    });
}

void Network::arrange() {
    const auto by_groups = [](const std::vector<std::int8_t>& weights, std::vector<Group>& groups) {
        const std::size_t inputs = weights.size() / kHidden;
        groups.resize(inputs / kGroup);
        for (std::size_t out = 0; out < kHidden; ++out) {
            for (std::size_t in = 0; in < inputs; ++in) {
                groups[in / kGroup].at[out][in % kGroup] = weights[out * inputs + in];
            }
        }
    };
    by_groups(second_, second_groups_);
    by_groups(third_, third_groups_);
    name_it();
}

// ---- Files --------------------------------------------------------------------------------------

/// What a file begins with; the sizes say which network it is for.
struct Network::Header {
    char magic[8];
    std::int32_t sets = kKingSets;
    std::int32_t features = kFeatures;
    std::int32_t half = kHalf;
    std::int32_t hidden = kHidden;
    bool fits() const {
        return sets == kKingSets && features == kFeatures && half == kHalf && hidden == kHidden;
    }
};

namespace {

constexpr char kPlainMagic[9] = "KARINET1";
constexpr char kCompressedMagic[9] = "KARINETZ";
constexpr int kCompression = 9;

}  // namespace

Network::Network()
    : first_(static_cast<std::size_t>(kKingSets) * kFeatures),
      first_bias_(1),
      second_(static_cast<std::size_t>(kHidden) * 2 * kHalf),
      second_bias_(kHidden),
      third_(static_cast<std::size_t>(kHidden) * kHidden),
      third_bias_(kHidden),
      last_(kHidden),
      last_bias_(1) {}

std::vector<std::span<std::byte>> Network::parts() {
    return {bytes_of(first_bias_), bytes_of(first_), bytes_of(second_bias_), bytes_of(second_),
            bytes_of(third_bias_), bytes_of(third_), bytes_of(last_bias_),   bytes_of(last_)};
}
std::vector<std::span<const std::byte>> Network::parts() const {
    std::vector<std::span<const std::byte>> out;
    for (const auto part : const_cast<Network*>(this)->parts()) out.emplace_back(part);
    return out;
}

void Network::name_it() {
    Fnv hash;
    for (const auto part : parts()) hash.add(part);
    id_ = fmt::format("shogi-net-{:08x}", hash.folded());
}

Expected<std::shared_ptr<const Network>> Network::from_bytes(std::span<const std::byte> bytes,
                                                             const std::string& name) {
    const auto damaged = [&](const char* why) {
        return Error{fmt::format("{}: {}", name, why), "make it with train/shogi/train.py"};
    };
    Header header{};
    if (bytes.size() < sizeof(Header)) return damaged("too short for a network");
    std::memcpy(&header, bytes.data(), sizeof(Header));
    const bool plain = std::memcmp(header.magic, kPlainMagic, 8) == 0;
    if (!plain && std::memcmp(header.magic, kCompressedMagic, 8) != 0) {
        return damaged("not a network for shogi");
    }
    if (!header.fits()) return damaged("a network of another shape");
    std::shared_ptr<Network> net(new Network);
    std::size_t size = 0;
    for (const auto part : net->parts()) size += part.size();
    std::vector<std::byte> room;
    std::span<const std::byte> body = bytes.subspan(sizeof(Header));
    if (!plain) {
        room.resize(size);
        const std::size_t n = ZSTD_decompress(room.data(), size, body.data(), body.size());
        if (ZSTD_isError(n) != 0 || n != size) return damaged("damaged");
        body = room;
    }
    if (body.size() != size) return damaged("of the wrong size");
    for (const auto part : net->parts()) {
        std::memcpy(part.data(), body.data(), part.size());
        body = body.subspan(part.size());
    }
    net->arrange();
    return std::shared_ptr<const Network>(net);
}

Expected<std::shared_ptr<const Network>> Network::load(const std::filesystem::path& file) {
    const auto text = read_file(file);
    if (!text) return Error{fmt::format("{}: cannot be read", file.string()), "check the path"};
    return from_bytes(std::as_bytes(std::span(*text)), file.string());
}

std::vector<std::byte> Network::to_bytes(Form form) const {
    Header header{};
    std::memcpy(header.magic, form == Form::Plain ? kPlainMagic : kCompressedMagic, 8);
    std::vector<std::byte> body;
    for (const auto part : parts()) body.insert(body.end(), part.begin(), part.end());
    if (form == Form::Compressed) {
        std::vector<std::byte> packed(ZSTD_compressBound(body.size()));
        packed.resize(
            ZSTD_compress(packed.data(), packed.size(), body.data(), body.size(), kCompression));
        body = std::move(packed);
    }
    std::vector<std::byte> out(sizeof(Header) + body.size());
    std::memcpy(out.data(), &header, sizeof(Header));
    std::copy(body.begin(), body.end(), out.begin() + sizeof(Header));
    return out;
}

Status Network::save(const std::filesystem::path& file) const {
    if (write_file(file, to_bytes(Form::Compressed))) return {};
    return Error{fmt::format("{}: cannot be written", file.string()), "check the disk"};
}

std::shared_ptr<const Network> Network::random(std::uint64_t seed) {
    std::shared_ptr<Network> net(new Network);
    std::mt19937_64 random(seed);
    const auto fill = [&](auto& v, int range) {
        std::uniform_int_distribution<int> any(-range, range);
        for (auto& w : v) w = static_cast<std::decay_t<decltype(w)>>(any(random));
    };
    for (Row& row : net->first_) fill(row.at, 40);
    for (Row& row : net->first_bias_) fill(row.at, 100);
    fill(net->second_, 30);
    fill(net->second_bias_, 2000);
    fill(net->third_, 60);
    fill(net->third_bias_, 2000);
    fill(net->last_, 120);
    fill(net->last_bias_, 1000);
    net->arrange();
    return net;
}

}  // namespace karikomi::shogi
