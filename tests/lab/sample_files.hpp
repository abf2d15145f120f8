// What a file of samples holds, for comparing two of them.
#pragma once

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "karikomi/lab/samples.hpp"

namespace karikomi::tests {

/// Each position's key with all that was measured there; fails where one is there twice.
inline std::map<std::string, std::string> samples_of(const std::string& file) {
    std::map<std::string, std::string> out;
    const auto store = lab::SampleStore::read(file);
    EXPECT_TRUE(store) << file;
    if (!store) return out;
    (*store)->for_each(0, [&](const lab::Sample& s, bool) {
        EXPECT_TRUE(out.emplace(s.key, lab::to_json(s).dump()).second) << "twice: " << s.key;
    });
    return out;
}

}  // namespace karikomi::tests
