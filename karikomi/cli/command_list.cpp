/// Everything.
#include "karikomi/cli/commands.hpp"

namespace karikomi::cli {

std::span<const AddCommand> command_list() {
    static constexpr AddCommand kCommands[] = {
        add_games,  add_show,    add_perft,    add_analyze,    add_solve,  add_bench,
        add_demo,   add_params,  add_match,    add_curve,      add_tune,   add_lab,
        add_worker, add_cluster, add_book,     add_records,    add_repair, add_review,
        add_serve,  add_train,   add_new_game, add_completion, add_man,    add_protocols};
    return kCommands;
}

}  // namespace karikomi::cli
