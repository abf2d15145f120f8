// What is fuzzed: functions that take bytes of strangers and must neither crash nor hang, whatever
// the bytes are. One file a target; they are run by libFuzzer (main.cpp), and over the corpus as a
// plain test (corpus_test.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace karikomi::fuzz {

struct Target {
    std::string name;  // of its folder in corpus/ too
    void (*run)(std::string_view bytes);
};

// Those that are linked in, by name.
std::vector<Target>& targets();
const Target* find_target(std::string_view name);

struct Registration {
    Registration(const char* name, void (*run)(std::string_view)) {
        targets().push_back({name, run});
    }
};

}  // namespace karikomi::fuzz
