/// The subcommands: each adds its options and, when chosen, its job.
#pragma once

#include <span>

#include "karikomi/cli/common.hpp"

namespace karikomi::cli {

using AddCommand = void (*)(Program&);
/// In the order of the help. Which there are depends on what the program is linked with:
/// command_list.cpp, command_list_engines.cpp.
std::span<const AddCommand> command_list();

void add_games(Program& program);
void add_show(Program& program);
void add_perft(Program& program);
void add_analyze(Program& program);
void add_solve(Program& program);
void add_bench(Program& program);
void add_book(Program& program);
void add_demo(Program& program);
void add_params(Program& program);
void add_match(Program& program);
void add_curve(Program& program);
void add_tune(Program& program);
void add_lab(Program& program);
void add_worker(Program& program);
void add_cluster(Program& program);
void add_records(Program& program);
void add_repair(Program& program);
void add_review(Program& program);
void add_serve(Program& program);
void add_train(Program& program);
void add_new_game(Program& program);
void add_completion(Program& program);
void add_man(Program& program);
/// One command for each protocol of the games.
void add_protocols(Program& program);
/// The protocol's command that a program of this name stands for; empty: none.
std::string command_of_link(const std::string& program);

}  // namespace karikomi::cli
