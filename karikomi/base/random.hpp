/// Random numbers that are the same on every machine for the same seed. (Not all of <random> is.)
#pragma once

#include <cstdint>

namespace karikomi {

/// Every bit of the result depends on every bit of `z`: the end of a step of splitmix64 (Steele,
/// Lea, Flood 2014).
constexpr std::uint64_t scrambled(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
/// The number that splitmix64 gives after `state`.
constexpr std::uint64_t mixed(std::uint64_t state) {
    return scrambled(state + 0x9E3779B97F4A7C15ULL);
}

/// splitmix64. Also a UniformRandomBitGenerator, for the distributions of <random>.
class Random {
public:
    using result_type = std::uint64_t;  // NOLINT: the standard's name

    constexpr explicit Random(std::uint64_t seed) : state_(seed) {}
    /// A stream of its own for each number, so that work can be done in any order.
    constexpr Random(std::uint64_t seed, std::uint64_t number)
        : state_(seed * 0x2545F4914F6CDD1DULL + number * kStep) {
        next();
    }

    constexpr std::uint64_t next() {
        const std::uint64_t z = mixed(state_);
        state_ += kStep;
        return z;
    }
    constexpr std::uint64_t below(std::uint64_t n) { return next() % n; }
    /// In [0, 1).
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    constexpr std::uint64_t operator()() { return next(); }
    static constexpr std::uint64_t min() { return 0; }
    static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

private:
    static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;
    std::uint64_t state_;
};

}  // namespace karikomi
