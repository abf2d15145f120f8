/// What the engine in the browser does: what the server answers over HTTP, as functions. Texts are
/// JSON in UTF-8; an answer is {"answer": ...} or {"error": ..., "remedy": ...}.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace karikomi::browser {

/// A game's weights, before it is first asked for.
void hand(const std::string& name, std::span<const std::byte> bytes);
std::string ask(const std::string& question, const std::string& body);

using Tell = std::function<void(const std::string& event, const std::string& data)>;
/// Returns when the work is done; tells of its events meanwhile.
std::string work(const std::string& kind, const std::string& body, const Tell& tell);

}  // namespace karikomi::browser
