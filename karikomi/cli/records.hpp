/// karikomi records: what its games share.
#pragma once

#include "karikomi/cli/common.hpp"

namespace karikomi::cli {

struct RecordsOptions {
    std::string game;
    std::vector<std::string> files;
    std::string text;
    std::string from;
    std::string to;
    std::string out;
    bool all_positions = false;
};

/// Renju, gomoku, standard_gomoku: SGF, PSQ and RenLib files.
int records_renju(const RecordsOptions& options, Session& session);

/// Whole or not at all.
void write_whole_file(const std::string& file, const std::string& bytes);

}  // namespace karikomi::cli
