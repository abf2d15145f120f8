#include "karikomi/engine/params.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "karikomi/base/hash.hpp"
#include "karikomi/engine/calibration_json.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/param_list.hpp"

namespace karikomi {
namespace {

template <class T>
concept HasPresets = requires(T t) {
    t.presets([](std::string_view, auto) {});
};

/// Base of the visitors: keeps the path of the section being visited.
struct Visitor {
    std::string path;
    std::string at(std::string_view name) const {
        return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
    }
};

/// A float as the shortest decimal that reads back as the same float: 0.8, not 0.800000012.
template <class T> Json as_json(T x) {
    if constexpr (std::is_same_v<T, float>)
        return Json::parse(fmt::format("{}", x)).template get<double>();
    return x;
}

template <class T> Json list_value(const T& list) {
    Json out = Json::array();
    for (const auto& x : list) out.push_back(as_json(x));
    return out;
}

/// Collects every parameter with its value.
struct Lister : Visitor {
    std::vector<ParamInfo> all;

    template <class S> void section(std::string_view name, S& s) {
        path = name;
        s.describe(*this);
        path.clear();
    }
    void flag(std::string_view name, bool& x, std::string_view doc) {
        all.push_back({at(name), ParamType::Flag, x, 0, 1, "", std::string(doc), {}});
    }
    template <class E, std::size_t N>
    void choice(std::string_view name, E& x, const std::array<std::string_view, N>& names,
                std::string_view doc) {
        const std::vector<std::string> choices(names.begin(), names.end());
        all.push_back({at(name), ParamType::Choice, choices[static_cast<std::size_t>(x)], 0, 0, "",
                       std::string(doc), choices});
    }
    /// Left out of files and fingerprints where it has its default, so that those from before it
    /// stay as they are.
    template <class E, std::size_t N>
    void later_choice(std::string_view name, E& x, const std::array<std::string_view, N>& names,
                      std::string_view doc) {
        choice(name, x, names, doc);
        all.back().came_later = true;
    }
    void later_flag(std::string_view name, bool& x, std::string_view doc) {
        flag(name, x, doc);
        all.back().came_later = true;
    }
    template <class T>
    void later_number(std::string_view name, T& x, std::type_identity_t<T> min,
                      std::type_identity_t<T> max, std::string_view unit, std::string_view doc) {
        number(name, x, min, max, unit, doc);
        all.back().came_later = true;
    }
    template <class T>
    void number(std::string_view name, T& x, std::type_identity_t<T> min,
                std::type_identity_t<T> max, std::string_view unit, std::string_view doc) {
        constexpr auto kType = std::is_integral_v<T> ? ParamType::Integer : ParamType::Real;
        all.push_back({at(name),
                       kType,
                       as_json(x),
                       as_json(min).template get<double>(),
                       as_json(max).template get<double>(),
                       std::string(unit),
                       std::string(doc),
                       {}});
    }
    template <class T, std::size_t N>
    void list(std::string_view name, std::array<T, N>& x, std::type_identity_t<T> min,
              std::type_identity_t<T> max, std::string_view unit, std::string_view doc) {
        constexpr auto kType = std::is_integral_v<T> ? ParamType::IntegerList : ParamType::RealList;
        all.push_back({at(name),
                       kType,
                       list_value(x),
                       as_json(min).template get<double>(),
                       as_json(max).template get<double>(),
                       std::string(unit),
                       std::string(doc),
                       {}});
    }
};

/// Bytes that are no UTF-8 (a value typed wrong) are replaced, not thrown at.
constexpr auto kReplace = Json::error_handler_t::replace;

std::string shown(const Json& j) {
    const std::string text = j.dump(-1, ' ', false, kReplace);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

/// Reads one section's object into its struct; keeps the first error.
struct Reader : Visitor {
    const Json* object = nullptr;
    std::vector<std::string> known;
    std::optional<Error> error;

    const Json* take(std::string_view name) {
        known.emplace_back(name);
        if (error) return nullptr;
        const auto it = object->find(std::string(name));
        return it == object->end() ? nullptr : &*it;
    }
    void fail(std::string_view name, const std::string& what, const std::string& remedy) {
        error = Error{fmt::format("{}: {}", at(name), what), remedy};
    }
    void flag(std::string_view name, bool& x, std::string_view) {
        const Json* j = take(name);
        if (j == nullptr) return;
        if (!j->is_boolean())
            return fail(name, shown(*j) + " is not true or false", "write true or false");
        x = j->get<bool>();
    }
    void later_flag(std::string_view name, bool& x, std::string_view doc) { flag(name, x, doc); }
    template <class E, std::size_t N>
    void choice(std::string_view name, E& x, const std::array<std::string_view, N>& names,
                std::string_view) {
        const Json* j = take(name);
        if (j == nullptr) return;
        const auto it = j->is_string()
                            ? std::find(names.begin(), names.end(), j->get<std::string>())
                            : names.end();
        if (it == names.end()) {
            return fail(name, shown(*j) + " is unknown",
                        fmt::format("use one of {}", fmt::join(names, ", ")));
        }
        x = static_cast<E>(it - names.begin());
    }
    template <class E, std::size_t N>
    void later_choice(std::string_view name, E& x, const std::array<std::string_view, N>& names,
                      std::string_view doc) {
        choice(name, x, names, doc);
    }
    template <class T> bool read_number(std::string_view name, const Json& j, T& x, T min, T max) {
        const bool fits = std::is_integral_v<T> ? j.is_number_integer() : j.is_number();
        if (!fits) {
            const char* kind = std::is_integral_v<T> ? "a whole number" : "a number";
            fail(name, fmt::format("{} is not {}", shown(j), kind), fmt::format("give {}", kind));
            return false;
        }
        // Compared as a double for whole numbers (which may be huge), as T for the others: the text
        // "1.1" is not below the float 1.1.
        const double v = std::is_integral_v<T> ? j.get<double>() : static_cast<double>(j.get<T>());
        if (!(v >= static_cast<double>(min) && v <= static_cast<double>(max))) {
            fail(name, fmt::format("{} outside {}..{}", shown(j), min, max),
                 "choose a value inside");
            return false;
        }
        x = static_cast<T>(v);
        return true;
    }
    template <class T>
    void number(std::string_view name, T& x, std::type_identity_t<T> min,
                std::type_identity_t<T> max, std::string_view, std::string_view) {
        if (const Json* j = take(name)) read_number<T>(name, *j, x, min, max);
    }
    template <class T>
    void later_number(std::string_view name, T& x, std::type_identity_t<T> min,
                      std::type_identity_t<T> max, std::string_view unit, std::string_view doc) {
        number(name, x, min, max, unit, doc);
    }
    template <class T, std::size_t N>
    void list(std::string_view name, std::array<T, N>& x, std::type_identity_t<T> min,
              std::type_identity_t<T> max, std::string_view, std::string_view) {
        const Json* j = take(name);
        if (j == nullptr) return;
        // Lists that may end early say so by allowing 0, which then means "none".
        const bool complete =
            j->is_array() && (j->size() == N || (j->size() < N && min == 0 && N > 4));
        if (!complete) {
            return fail(name, fmt::format("{} is not a list of {} numbers", shown(*j), N),
                        "write [a, b, ...]");
        }
        std::array<T, N> fresh{};
        for (std::size_t i = 0; i < j->size(); ++i) {
            if (!read_number<T>(fmt::format("{}[{}]", name, i), (*j)[i], fresh[i], min, max))
                return;
        }
        x = fresh;
    }
};

/// Visits the sections by name, so that one can be read from its object.
struct SectionReader {
    const Json& document;
    std::vector<std::string> known;
    std::vector<std::string> left_out;
    std::optional<Error> error;

    template <class S> void section(std::string_view name, S& s) {
        known.emplace_back(name);
        if (error) return;
        const auto it = document.find(std::string(name));
        if (it == document.end()) {
            left_out.emplace_back(name);
            return;
        }
        if (!it->is_object()) {
            error = Error{fmt::format("{}: {} is not an object", name, shown(*it)), "write {...}"};
            return;
        }
        Reader r;
        r.path = name;
        r.object = &*it;
        s.describe(r);
        error = r.error;
        for (const auto& [key, value] : it->items()) {
            if (error) return;
            if (std::find(r.known.begin(), r.known.end(), key) != r.known.end()) continue;
            const std::string near = nearest_name(key, r.known);
            error = Error{fmt::format("{}.{}: unknown key", name, key),
                          near.empty() ? "remove it" : fmt::format("did you mean '{}'?", near)};
        }
    }
};

/// "game" and "evaluation" must be there and be the engine's; what is missing is said at once.
Status check_identity(const Json& document, const GameInfo& game) {
    const std::pair<const char*, const std::string&> fields[] = {{"game", game.name},
                                                                 {"evaluation", game.evaluation}};
    std::vector<std::string> missing;
    std::vector<std::string> remedies;
    for (const auto& [key, wanted] : fields) {
        const auto it = document.find(key);
        if (it != document.end() && it->is_string()) continue;
        missing.emplace_back(key);
        remedies.push_back(fmt::format("\"{}\": \"{}\"", key, wanted));
    }
    if (!missing.empty()) {
        return Error{fmt::format("{}: missing", fmt::join(missing, ", ")),
                     fmt::format("write {}", fmt::join(remedies, ", "))};
    }
    for (const auto& [key, wanted] : fields) {
        const auto is = document.find(key)->get<std::string>();
        if (is == wanted) continue;
        return Error{fmt::format("{}: the file is for '{}', the engine has '{}'", key, is, wanted),
                     "use a file fitted for this one"};
    }
    return {};
}

/// Finds one section by name and runs `act` on it.
template <class F> struct SectionFinder {
    std::string_view wanted;
    F act;
    bool found = false;
    std::vector<std::string> names;
    template <class S> void section(std::string_view name, S& s) {
        names.emplace_back(name);
        if (name != wanted) return;
        found = true;
        act(s);
    }
};

template <class S>
std::optional<Error> set_in_section(S& s, const std::string& section, const std::string& key,
                                    const Json& value) {
    if constexpr (HasPresets<S>) {
        if (key == "preset") {
            std::vector<std::string> names;
            bool found = false;
            const std::string wanted = value.is_string() ? value.get<std::string>() : value.dump();
            s.presets([&](std::string_view name, auto apply) {
                names.emplace_back(name);
                if (name == wanted) found = true, apply();
            });
            if (found) return std::nullopt;
            return Error{fmt::format("{}.preset: '{}' is unknown", section, wanted),
                         fmt::format("use one of {}", fmt::join(names, ", "))};
        }
    }
    const Json object = {{key, value}};
    Reader r;
    r.path = section;
    r.object = &object;
    s.describe(r);
    if (r.error) return r.error;
    if (std::find(r.known.begin(), r.known.end(), key) != r.known.end()) return std::nullopt;
    const std::string near = nearest_name(key, r.known);
    return Error{fmt::format("{}.{}: unknown parameter", section, key),
                 near.empty() ? "see `karikomi params`"
                              : fmt::format("did you mean '{}.{}'?", section, near)};
}

Expected<std::vector<Technique>> parse_names(std::string_view names) {
    std::vector<Technique> out;
    const std::vector<std::string> known(kTechniqueNames.begin(), kTechniqueNames.end());
    std::stringstream stream{std::string(names)};
    for (std::string name; std::getline(stream, name, ',');) {
        if (name == "all") {
            for (std::size_t i = 0; i < known.size(); ++i) out.push_back(Technique(i));
            continue;
        }
        const auto it = std::find(known.begin(), known.end(), name);
        if (it == known.end()) {
            const std::string near = nearest_name(name, known);
            return Error{fmt::format("unknown technique '{}'", name),
                         near.empty() ? fmt::format("use {} or all", fmt::join(known, ", "))
                                      : fmt::format("did you mean '{}'?", near)};
        }
        out.push_back(Technique(it - known.begin()));
    }
    if (out.empty())
        return Error{"no technique named", fmt::format("use {} or all", fmt::join(known, ", "))};
    return out;
}

}  // namespace

std::vector<ParamInfo> list_params(const SearchParams& params) {
    const auto list = [](SearchParams copy) {
        Lister lister;
        copy.describe(lister);
        return std::move(lister.all);
    };
    static const std::vector<ParamInfo> kUsual = list({});
    std::vector<ParamInfo> all = list(params);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].unwritten = all[i].came_later && all[i].value == kUsual[i].value;
    }
    return all;
}

namespace {

/// Of a document's contents, however they are laid out in the file.
std::string checksum_of(Json document) {
    document.erase("checksum");
    return fnv_of(document.dump(-1, ' ', false, Json::error_handler_t::replace)).text();
}

/// A damaged digit may be a good value; only the checksum tells.
Status check_sum(const Json& document) {
    const auto it = document.find("checksum");
    if (it == document.end() || *it == checksum_of(document)) return {};
    return Error{"checksum: the file is not what was written: it is damaged, or edited",
                 "if the edit is meant, delete the line \"checksum\""};
}

}  // namespace

Expected<SearchParams> read_params(const Json& document, const GameInfo& game,
                                   std::vector<std::string>* left_out) {
    if (!document.is_object()) return Error{"the document is not a JSON object", "write {...}"};
    if (const Status s = check_identity(document, game); !s) return s.error();
    SearchParams params;
    SectionReader reader{
        document, {"game", "evaluation", "provenance", "calibration", "checksum"}, {}, {}};
    params.describe(reader);
    if (left_out != nullptr) *left_out = reader.left_out;
    if (reader.error) return *reader.error;
    for (const auto& [key, value] : document.items()) {
        if (std::find(reader.known.begin(), reader.known.end(), key) != reader.known.end())
            continue;
        const std::string near = nearest_name(key, reader.known);
        return Error{fmt::format("{}: unknown section", key),
                     near.empty() ? "remove it" : fmt::format("did you mean '{}'?", near)};
    }
    if (const auto it = document.find("calibration"); it != document.end()) {
        auto calibration = read_calibration(*it, game);
        if (!calibration) return calibration.error();
        params.calibration = std::move(*calibration);
    }
    if (const Status s = check_sum(document); !s) return s.error();
    return params;
}

Expected<SearchParams> load_params(const std::string& file, const GameInfo& game,
                                   std::vector<std::string>* left_out) {
    std::ifstream in(file);
    if (!in) return Error{fmt::format("cannot read parameter file '{}'", file), "check the path"};
    Json document;
    try {
        document = Json::parse(in);
    } catch (const std::exception& e) {  // broken text, or a folder
        return Error{fmt::format("{}: not valid JSON: {}", file, e.what()), "correct the file"};
    }
    auto params = read_params(document, game, left_out);
    if (!params) {
        const std::string prefix = document.is_object() ? game.name + "." : "";
        return Error{fmt::format("{}: {}{}", file, prefix, params.error().what),
                     params.error().remedy};
    }
    return params;
}

Expected<SearchParams> parse_params(std::string_view text, const GameInfo& game) {
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) return Error{"not valid JSON", "correct the text"};
    return read_params(document, game);
}

std::string empty_params(std::string_view game, std::string_view evaluation) {
    return Json{{"game", game}, {"evaluation", evaluation}}.dump();
}

Json write_params(const SearchParams& params, const GameInfo& game, const Json& provenance) {
    Json out = Json::object();
    out["game"] = game.name;
    // Not the last line: whoever edits the file deletes it, and what stays must be JSON.
    if (!provenance.is_null()) out["checksum"] = "";
    out["evaluation"] = game.evaluation;
    out["provenance"] = provenance;
    for (const ParamInfo& p : list_params(params)) {
        if (p.unwritten) continue;
        const auto dot = p.path.find('.');
        out[p.path.substr(0, dot)][p.path.substr(dot + 1)] = p.value;
    }
    out["calibration"] = write_calibration(params.calibration);
    if (!provenance.is_null()) {
        // As the file will be read: a number may be written in more than one way.
        out["checksum"] = checksum_of(Json::parse(out.dump(-1, ' ', false, kReplace)));
    }
    return out;
}

std::string pretty(const Json& j, int indent) {
    const auto is_flat = [](const Json& list) {
        return std::none_of(list.begin(), list.end(),
                            [](const Json& x) { return x.is_structured(); });
    };
    if (!j.is_structured() || j.empty() || (j.is_array() && is_flat(j)))
        return j.dump(-1, ' ', false, kReplace);
    const std::string pad(static_cast<std::size_t>(indent) + 2, ' ');
    std::string out = j.is_object() ? "{" : "[";
    const char* separator = "\n";
    for (const auto& [key, value] : j.items()) {
        out += separator + pad;
        if (j.is_object()) out += Json(key).dump() + ": ";
        out += pretty(value, indent + 2);
        separator = ",\n";
    }
    return out + "\n" + pad.substr(2) + (j.is_object() ? "}" : "]");
}

Status set_param(SearchParams& params, std::string_view assignment) {
    const auto equals = assignment.find('=');
    const auto dot = assignment.substr(0, equals).find('.');
    if (equals == std::string_view::npos || dot == std::string_view::npos) {
        return Error{fmt::format("'{}' is not section.name=value", assignment),
                     "write e.g. multi_probcut.t=1.5"};
    }
    const std::string section(assignment.substr(0, dot));
    const std::string key(assignment.substr(dot + 1, equals - dot - 1));
    const std::string text(assignment.substr(equals + 1));
    // Words need no quotes on a command line.
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded()) value = text;
    std::optional<Error> error;
    SearchParams changed = params;
    const auto act = [&](auto& s) { error = set_in_section(s, section, key, value); };
    SectionFinder<decltype(act)> finder{section, act, false, {}};
    changed.describe(finder);
    if (!finder.found) {
        const std::string near = nearest_name(section, finder.names);
        return Error{fmt::format("{}: unknown section", section),
                     near.empty() ? fmt::format("use one of {}", fmt::join(finder.names, ", "))
                                  : fmt::format("did you mean '{}'?", near)};
    }
    if (error) return *error;
    params = changed;
    return {};
}

Status switch_off(SearchParams& params, std::string_view names) {
    const auto techniques = parse_names(names);
    if (!techniques) return techniques.error();
    for (const Technique t : *techniques) params.selective.enabled(t) = false;
    return {};
}

Status switch_only(SearchParams& params, std::string_view names) {
    const auto techniques = parse_names(names);
    if (!techniques) return techniques.error();
    params.selective.disable_all();
    for (const Technique t : *techniques) params.selective.enabled(t) = true;
    return {};
}

std::string fingerprint(const SearchParams& params, const GameInfo& game) {
    return fnv_of(write_params(params, game, nullptr).dump()).text();  // the canonical text
}

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, wrong.size() / 3) + 1;
    for (const std::string& name : names) {
        std::vector<std::size_t> row(name.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 1; i <= wrong.size(); ++i) {
            std::size_t diagonal = std::exchange(row[0], i);
            for (std::size_t j = 1; j <= name.size(); ++j) {
                const std::size_t change = diagonal + (wrong[i - 1] == name[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
            }
        }
        if (row.back() < best_distance) best_distance = row.back(), best = name;
    }
    return best;
}

std::string params_markdown() {
    std::string out =
        "# Parameters\n\n"
        "Generated by `karikomi params --markdown`; the tests check that it is up to date. These "
        "are the\n"
        "library's defaults; each game ships its own values in `params/`. Set one with\n"
        "`--set section.name=value`, or all with `--params FILE`.\n";
    std::string section;
    for (const ParamInfo& p : list_params(SearchParams{})) {
        const auto dot = p.path.find('.');
        if (p.path.substr(0, dot) != section) {
            section = p.path.substr(0, dot);
            out += fmt::format(
                "\n## {}\n\n| name | default | range | unit | meaning |\n|---|---|---|---|---|\n",
                section);
        }
        std::string range = fmt::format("{} .. {}", p.min, p.max);
        if (p.type == ParamType::Flag) range = "true, false";
        if (p.type == ParamType::Choice) range = fmt::format("{}", fmt::join(p.choices, ", "));
        out += fmt::format("| `{}` | {} | {} | {} | {} |\n", p.path.substr(dot + 1), p.value.dump(),
                           range, p.unit, p.doc);
    }
    return out;
}

}  // namespace karikomi
