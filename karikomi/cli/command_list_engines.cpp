/// The engines without the laboratory, the matches and the page (KARIKOMI_ENGINES_ONLY).
#include "karikomi/cli/commands.hpp"

namespace karikomi::cli {

std::span<const AddCommand> command_list() {
    static constexpr AddCommand kCommands[] = {
        add_games,    add_show,       add_perft, add_analyze,  add_solve,  add_bench,
        add_demo,     add_params,     add_book,  add_records,  add_review, add_train,
        add_new_game, add_completion, add_man,   add_protocols};
    return kCommands;
}

}  // namespace karikomi::cli
