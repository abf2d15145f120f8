// Messages of a NATS server, of every kind.
#include "karikomi/lab/queue/wire.hpp"
#include "tests/fuzz/target.hpp"

namespace karikomi::fuzz {
namespace {

void run(std::string_view bytes) {
    auto json = queue::Wire().read("karikomi.jobs.run", bytes);
    (void)queue::Wire("0123456789abcdef").read("karikomi.jobs.run", bytes);
    if (!json) return;
    (void)queue::presence_of(*json);
    (void)queue::refusal_of(*json);
    (void)queue::cancelled_run(*json);
    (void)queue::dead_letter_of(*json);
    (void)queue::result_message(*json);
    (void)queue::job_message(std::move(*json));
}

const Registration kTarget("wire", run);

}  // namespace
}  // namespace karikomi::fuzz
