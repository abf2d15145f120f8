// The corpus of every fuzz target as a plain test: its files as they are, and mutated. Files of
// crashes that were found stay there as regressions.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/cli/process.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/lab/queue/mutations.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus_of(const Target& target) {
    std::vector<std::string> files;
    const fs::path folder = fs::path(KARIKOMI_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

// KARIKOMI_FUZZ_ROUNDS=N: so many mutations of each file.
int wanted_rounds() {
    const char* const wanted = std::getenv("KARIKOMI_FUZZ_ROUNDS");
    return wanted != nullptr ? std::atoi(wanted) : test::rounds(100);
}

TEST(FuzzCorpus, EveryTargetHasSeeds) {
    ASSERT_GE(targets().size(), 10U);
    for (const Target& t : targets()) EXPECT_FALSE(corpus_of(t).empty()) << t.name;
}

TEST(FuzzCorpus, NoFileBreaksItsTarget) {
    for (const Target& t : targets()) {
        std::uint64_t inputs = 0;
        Random random(t.name.size());
        for (const std::string& file : corpus_of(t)) {
            SCOPED_TRACE(file);
            const std::string bytes = tests::read_file(file);
            t.run(bytes);
            ++inputs;
            // A conversation waits for its searches.
            const int rounds = wanted_rounds() / (t.name == "protocols" ? 100 : 1);
            for (int i = 0; i < rounds; ++i, ++inputs) {
                t.run(tests::mutated_message(bytes, random));
            }
        }
        std::printf("%-14s %llu inputs\n", t.name.c_str(), static_cast<unsigned long long>(inputs));
    }
}

}  // namespace
}  // namespace karikomi::fuzz
