/// --evidence: results files of the commands (docs/evidence.md). A build without the laboratory
/// (KARIKOMI_ENGINES_ONLY) keeps none and does not offer the option.
#pragma once

#include <string>

#include "karikomi/base/expected.hpp"
#include "karikomi/engine/json_fwd.hpp"

namespace karikomi::cli {

bool keeps_evidence();
/// Writes what a command said at its end, with its conditions, into a results file.
Json evidence_of(const std::string& kind, const std::string& command, const Json& document,
                 const Json& fingerprint);
Status save_evidence(const std::string& file, const Json& record);

}  // namespace karikomi::cli
