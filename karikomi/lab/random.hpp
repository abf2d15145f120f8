/// Random numbers for measurements: the same on every machine for the same seed.
#pragma once

#include <cstdint>

namespace karikomi::lab {

/// splitmix64.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// A stream of its own for each number, so that work can be done in any order.
    Random(std::uint64_t seed, std::uint64_t number)
        : state_(seed * 0x2545F4914F6CDD1DULL + number * 0x9E3779B97F4A7C15ULL) {
        next();
    }
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t n) { return next() % n; }

private:
    std::uint64_t state_;
};

}  // namespace karikomi::lab
