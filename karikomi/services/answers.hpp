/// What the page asks and gets at once. The server and the engine in the browser both answer by
/// this; they differ only in how questions come and answers go. docs/page.md lists them.
#pragma once

#include <string>

#include "karikomi/services/orders.hpp"
#include "karikomi/services/records.hpp"

namespace karikomi::services {

/// A request's body. Junk may be nested so deeply that writing it would need more stack than there
/// is.
Expected<Json> parse_body(const std::string& body);
/// A member that is a text; empty where it is none.
std::string text_member(const Json& json, const char* name);

class Answers {
public:
    explicit Answers(OrderLimits limits) : limits_(limits), desk_(limits) {}

    /// `games` of the answer to /api/info, and what may be asked for at most.
    Json info() const;
    Expected<Json> position(const Json& body) const;
    Expected<Json> opening(const Json& body) const;
    Expected<Json> read_record(const Json& body) const;
    Expected<Json> write_record(const Json& body) const;
    /// A game to keep: only one that the rules allow.
    Expected<KeptGame> read_game(const Json& body) const;

    Expected<Order> search(const Json& body) const;
    /// A proof waits its turn like a search, and is listened to and stopped like one.
    Expected<Order> solve(const Json& body) const;

private:
    OrderLimits limits_;
    Desk desk_;
};

}  // namespace karikomi::services
