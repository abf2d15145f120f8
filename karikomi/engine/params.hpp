/// Parameters as text: strict JSON, --set, lists for protocols and documentation, fingerprint. All
/// of it runs on the describe() lists of core/params.hpp; nothing here names a single parameter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/core/params.hpp"
#include "karikomi/engine/engine.hpp"
#include "karikomi/engine/json_fwd.hpp"

namespace karikomi {

/// A parameter file: unknown sections, unknown keys and values out of range are errors that name
/// the path. Sections and keys that are left out keep the library's defaults; `left_out` gets the
/// names of all such sections, for a caller to tell. "game" and "evaluation" must be the engine's.
Expected<SearchParams> read_params(const Json& document, const GameInfo& game,
                                   std::vector<std::string>* left_out = nullptr);
Expected<SearchParams> load_params(const std::string& file, const GameInfo& game,
                                   std::vector<std::string>* left_out = nullptr);
/// The same, of the text of such a file.
Expected<SearchParams> parse_params(std::string_view text, const GameInfo& game);
/// The text of a file that leaves everything out.
std::string empty_params(std::string_view game, std::string_view evaluation);
/// Everything, so that it reads back as the same parameters. `provenance` says where they come
/// from.
Json write_params(const SearchParams& params, const GameInfo& game, const Json& provenance);

/// Indented, but with lists of numbers on one line: for files that people read.
std::string pretty(const Json& j, int indent = 0);

/// "multi_probcut.t=1.5"; lists as "[1,2,3]"; "iid.preset=aggressive" where presets exist.
Status set_param(SearchParams& params, std::string_view assignment);
/// "probcut,iid" or "all".
Status switch_off(SearchParams& params, std::string_view names);
/// Switches everything off but these; those named are switched on.
Status switch_only(SearchParams& params, std::string_view names);

/// 16 hex digits over every declared value, the calibration, the game and its evaluation.
std::string fingerprint(const SearchParams& params, const GameInfo& game);

/// The nearest of some names, or "" when none is near: for "did you mean".
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names);

/// docs/parameters.md.
std::string params_markdown();

}  // namespace karikomi
