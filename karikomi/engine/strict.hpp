/// Reading JSON that strangers wrote. Nothing is converted silently: the type must be right, the
/// number in its range, the text of a bounded length. What is wrong is thrown as StrictError, with
/// the name of the member; read_strictly() makes an Error of it.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::strict {

class StrictError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kDeepest = 32;            ///< nested lists and objects of a document
inline constexpr std::int64_t kMostExact = 1LL << 53;  ///< whole numbers that a double keeps

/// One whole document. Deeper nesting than kDeepest is refused: who copies or prints it recurses.
Expected<Json> parse(std::string_view text);

const Json& member(const Json& object, const char* name);
const Json& object(const Json& of, const char* name);
const Json& list(const Json& of, const char* name, std::size_t most);
std::int64_t whole(const Json& of, const char* name, std::int64_t min, std::int64_t max);
std::uint64_t natural(const Json& of, const char* name,
                      std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
double real(const Json& of, const char* name, double min, double max);
bool flag(const Json& of, const char* name);
std::string text(const Json& of, const char* name, std::size_t most);
/// The same where a missing member means `other`.
std::int64_t whole_or(const Json& of, const char* name, std::int64_t other, std::int64_t min,
                      std::int64_t max);
std::string text_or(const Json& of, const char* name, const std::string& other, std::size_t most);
std::vector<std::string> texts(const Json& of, const char* name, std::size_t most,
                               std::size_t most_bytes);
std::vector<double> reals(const Json& of, const char* name, std::size_t most, double min,
                          double max);

template <class Int> Int whole_as(const Json& of, const char* name, Int min, Int max) {
    return static_cast<Int>(
        whole(of, name, static_cast<std::int64_t>(min), static_cast<std::int64_t>(max)));
}

/// What `read` gives, or what was wrong; `what` is read.
template <class Read>
auto read_strictly(std::string_view what, const std::string& remedy, Read&& read)
    -> Expected<decltype(read())> {
    try {
        return read();
    } catch (const StrictError& e) {
        return Error{std::string(what) + ": " + e.what(), remedy};
    } catch (const Json::exception& e) {
        return Error{std::string(what) + ": " + e.what(), remedy};
    }
}

/// For people: no control characters, quotes kept, at most so many bytes of it.
std::string printable(std::string_view text, std::size_t most = 300);

}  // namespace karikomi::strict
