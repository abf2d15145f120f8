/// A value, or one line that says what was wrong. (std::expected is C++23.)
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace karikomi {

/// What was wrong and where; `remedy` says what to do about it and may be empty.
struct Error {
    std::string what;
    std::string remedy = {};
};

template <class T> class [[nodiscard]] Expected {
public:
    Expected(T value) : state_(std::move(value)) {}      // NOLINT: implicit by design
    Expected(Error error) : state_(std::move(error)) {}  // NOLINT
    explicit operator bool() const { return std::holds_alternative<T>(state_); }
    T& operator*() { return std::get<T>(state_); }
    const T& operator*() const { return std::get<T>(state_); }
    T* operator->() { return &std::get<T>(state_); }
    const T* operator->() const { return &std::get<T>(state_); }
    const Error& error() const { return std::get<Error>(state_); }

private:
    std::variant<T, Error> state_;
};

/// Success, or an error.
class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT
    explicit operator bool() const { return ok_; }
    const Error& error() const { return error_; }

private:
    Error error_;
    bool ok_ = true;
};

}  // namespace karikomi
