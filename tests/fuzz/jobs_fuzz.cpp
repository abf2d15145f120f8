// What jobs and results say.
#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/collect.hpp"
#include "karikomi/lab/match/games_job.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    const auto json = strict::parse(bytes);
    if (!json) return;
    static const queue::Makers makers = [] {
        const match::WorkPlace place{.commands = false, .most_hash_mb = 16, .most_threads = 2};
        queue::Makers all = match::game_makers(place);
        all.merge(lab::sample_makers(place));
        return all;
    }();
    for (const auto& [kind, make] : makers) (void)make(0)->check(*json);
    (void)match::games_of(*json);
}

const Registration kTarget("jobs", run);

}  // namespace
}  // namespace karikomi::fuzz
