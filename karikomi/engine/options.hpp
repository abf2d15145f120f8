/// Options that a game's facet takes, as data: the command line shows, reads and checks them
/// without knowing what they mean.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"

namespace karikomi {

struct OptionInfo {
    enum class Kind : std::uint8_t { Switch, Number, Real, Text };
    std::string name;  ///< as on the command line: "--threads"
    Kind kind = Kind::Text;
    std::string help;
    std::string value{};  ///< unless it is given; empty: not set
    double least = 0;     ///< numbers
    double most = 0;
    std::string type{};   ///< what help calls the value: "FILE"
    std::string group{};  ///< heading in the help; empty: the common one
};

OptionInfo switch_option(std::string name, std::string help);
/// `value` below `least` means: not set unless it is given.
OptionInfo number_option(std::string name, std::int64_t value, std::int64_t least,
                         std::int64_t most, std::string help);
OptionInfo real_option(std::string name, double value, double least, double most, std::string type,
                       std::string help);
OptionInfo text_option(std::string name, std::string type, std::string help,
                       std::string value = {});

/// The values of some options: those that were given, else their defaults. Asking for one that was
/// not declared is a mistake of the program and throws std::logic_error.
class OptionValues {
public:
    OptionValues() = default;
    explicit OptionValues(const std::vector<OptionInfo>& declared);

    /// Checks the value as its declaration says; `name` must be declared.
    Status set(const std::string& name, const std::string& value);
    bool is_given(std::string_view name) const;

    const std::string& text(std::string_view name) const;  ///< empty: not set
    bool flag(std::string_view name) const;
    std::int64_t number(std::string_view name) const;  ///< one below the least: not set
    int integer(std::string_view name) const { return static_cast<int>(number(name)); }
    double real(std::string_view name) const;

private:
    struct Held {
        OptionInfo info;
        bool given = false;
    };
    const Held& held(std::string_view name) const;

    std::map<std::string, Held, std::less<>> values_;
};

/// A whole number inside the range, or an error that names the option.
Expected<std::int64_t> read_whole(const std::string& name, const std::string& text,
                                  std::int64_t least, std::int64_t most);

}  // namespace karikomi
