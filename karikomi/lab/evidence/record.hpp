/// Measured figures as files: each with what one needs to judge it and to measure it again. The
/// tables of the documentation are made from such files (docs/evidence.md has the format).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "karikomi/lab/match/store.hpp"

namespace karikomi::evidence {

/// Parameters and evaluation that a game ships with: a figure of others is an older one.
struct Shipped {
    std::string parameters;  ///< fingerprint
    std::string evaluation;
};
Expected<Shipped> shipped_of(const std::string& game, const match::Rules& rules = {});

enum class Age : std::uint8_t { Current, OlderParameters, OlderEvaluation, Unknown };
std::string_view name_of(Age age);
Age age_of(const Json& record, const Shipped& now);

/// Where and when: commit, version, compiler, machine, date.
Json conditions_now();
/// All that a database of `karikomi match` knows. `command` may be empty.
Expected<Json> record_of_match(const match::Store& store, const std::string& command);
/// What any other command says at its end.
Json record_of_document(const std::string& kind, const std::string& command, const Json& document,
                        const Json& fingerprint);

using Records = std::map<std::string, Json>;  ///< by id
/// Nothing where there is no such file.
Expected<Records> read_records(const std::string& file);
/// All files *.json of a folder, each record with its "file". The same id twice is an error.
Expected<Records> read_folder(const std::string& folder);
/// Writes the file with the record in it; one of the same id is replaced, others stay.
Status save_record(const std::string& file, const Json& record);

}  // namespace karikomi::evidence
