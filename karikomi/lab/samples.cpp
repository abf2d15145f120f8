#include "karikomi/lab/samples.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/hash.hpp"
#include "karikomi/engine/strict.hpp"
#include "karikomi/lab/match/match.hpp"
#include "karikomi/lab/store/binary_hash.hpp"
#include "karikomi/lab/store/database.hpp"

namespace karikomi::lab {
namespace {

const Database::Kind kKind = {"lab", 1, R"(
CREATE TABLE IF NOT EXISTS sources (name TEXT PRIMARY KEY, facts TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS units (source TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (source, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS samples (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL, unit INTEGER NOT NULL, position TEXT NOT NULL, stage INTEGER NOT NULL,
    side INTEGER NOT NULL, ply INTEGER, static_value INTEGER NOT NULL,
    depth_values TEXT NOT NULL, depth_nodes TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS records (name TEXT NOT NULL, number INTEGER NOT NULL,
    record TEXT NOT NULL, PRIMARY KEY (name, number)) WITHOUT ROWID)"};

/// "12,-5,,8": nothing between two commas where there is no value.
std::string values_text(const std::vector<Value>& values) {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ',';
        if (values[i] != kNoValue) out += std::to_string(values[i]);
    }
    return out;
}

template <class T> std::vector<T> numbers_of(std::string_view text, T missing) {
    std::vector<T> out;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        T value = missing;
        const std::string_view word = text.substr(0, comma);
        std::from_chars(word.data(), word.data() + word.size(), value);
        out.push_back(value);
        if (comma == text.size()) break;
        text.remove_prefix(comma + 1);
        if (text.empty()) out.push_back(missing);
    }
    return out;
}

/// The same everywhere.
std::uint64_t hash_of(const std::string& text, std::uint64_t number) {
    const std::uint64_t h = fnv_of(text).add_number(number).value();
    return h ^ (h >> 29);
}

Sample read_row(SQLite::Statement& q) {
    Sample s;
    s.key = q.getColumn(0).getString();
    s.position = q.getColumn(1).getString();
    s.stage = q.getColumn(2).getInt();
    s.side = q.getColumn(3).getInt();
    s.ply = q.getColumn(4).isNull() ? -1 : q.getColumn(4).getInt();
    s.static_value = q.getColumn(5).getInt();
    s.values = numbers_of<Value>(q.getColumn(6).getText(), kNoValue);
    s.nodes = numbers_of<std::uint64_t>(q.getColumn(7).getText(), 0);
    return s;
}

}  // namespace

Value Sample::any_value(Depth depth) const {
    if (depth < 0 || static_cast<std::size_t>(depth) > values.size()) return kNoValue;
    return depth == 0 ? static_value : values[static_cast<std::size_t>(depth) - 1];
}

Value Sample::value(Depth depth) const {
    const Value v = any_value(depth);
    return is_decisive(v) ? kNoValue : v;
}

Json to_json(const Sample& s) {
    return {{"key", s.key}, {"position", s.position},   {"stage", s.stage},   {"side", s.side},
            {"ply", s.ply}, {"static", s.static_value}, {"values", s.values}, {"nodes", s.nodes}};
}

Sample sample_of(const Json& j) {
    constexpr std::size_t kMostText = 4'000;
    constexpr int kMostStage = 10'000;
    constexpr int kMostPly = 100'000;
    constexpr double kMostNodes = 1e15;
    constexpr auto kLow = std::numeric_limits<Value>::min();
    constexpr auto kHigh = std::numeric_limits<Value>::max();
    constexpr auto kDepths = static_cast<std::size_t>(kMaxDepth);
    Sample s;
    s.key = strict::text(j, "key", kMostText);
    s.position = strict::text(j, "position", kMostText);
    s.stage = strict::whole_as<int>(j, "stage", 0, kMostStage);
    s.side = strict::whole_as<int>(j, "side", 0, 1);
    s.ply = strict::whole_as<int>(j, "ply", -1, kMostPly);
    s.static_value = strict::whole_as<Value>(j, "static", kLow, kHigh);
    for (const double v : strict::reals(j, "values", kDepths, kLow, kHigh)) {
        s.values.push_back(static_cast<Value>(v));
    }
    for (const double n : strict::reals(j, "nodes", kDepths, 0, kMostNodes)) {
        s.nodes.push_back(static_cast<std::uint64_t>(n));
    }
    if (s.values.size() != s.nodes.size()) {
        throw strict::StrictError("'values' and 'nodes' differ in length");
    }
    return s;
}

std::string key_of(const Engine& engine) {
    return hash_of_text(fmt::format("{}{}", engine.side_to_move(), engine.draw_board()));
}

SampleStore::~SampleStore() = default;

Expected<std::unique_ptr<SampleStore>> SampleStore::open(const std::string& file) {
    std::unique_ptr<SampleStore> store(new SampleStore);
    auto database = Database::open(file, kKind);
    if (!database) return database.error();
    store->database_ = std::move(*database);
    return store;
}

Expected<std::unique_ptr<SampleStore>> SampleStore::open(const std::string& file,
                                                         const Json& conditions) {
    auto store = open(file);
    if (!store) return store.error();
    const Json known = (*store)->conditions();
    if (known.is_null()) {
        (*store)->set_fact("config", conditions);
        return store;
    }
    for (const auto& [key, value] : conditions.items()) {
        if (known.value(key, Json(nullptr)) == value) continue;
        return Error{fmt::format("database '{}': its samples have {} {}, not {}", file, key,
                                 known.value(key, Json(nullptr)).dump(), value.dump()),
                     "name another file with --db"};
    }
    return store;
}

Expected<std::unique_ptr<SampleStore>> SampleStore::read(const std::string& file) {
    std::unique_ptr<SampleStore> store(new SampleStore);
    auto database = Database::read(file, kKind.name);
    if (!database) {
        return Error{database.error().what, "collect samples first: karikomi lab collect GAME"};
    }
    store->database_ = std::move(*database);
    return store;
}

Json SampleStore::fact(const std::string& key) const {
    return database_->get(key);
}
void SampleStore::set_fact(const std::string& key, const Json& value) {
    database_->set(key, value);
}
std::string SampleStore::run_id() {
    return match::run_id_of(*database_);
}

void SampleStore::add_source(const std::string& name, const Json& facts) {
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(db, "INSERT OR IGNORE INTO sources (name, facts) VALUES (?, ?)");
        q.bind(1, name);
        q.bind(2, facts.dump());
        q.exec();
    });
}

Json SampleStore::sources() const {
    return database_->run([&](SQLite::Database& db) {
        Json out = Json::array();
        SQLite::Statement q(
            db,
            "SELECT facts, name, (SELECT COUNT(*) FROM samples WHERE source = name), "
            "(SELECT COUNT(*) FROM units WHERE source = name) FROM sources");
        while (q.executeStep()) {
            Json facts = Json::parse(q.getColumn(0).getString());
            facts["name"] = q.getColumn(1).getString();
            facts["samples"] = q.getColumn(2).getInt64();
            facts["units"] = q.getColumn(3).getInt64();
            out.push_back(std::move(facts));
        }
        return out;
    });
}

std::set<std::uint64_t> SampleStore::done(const std::string& source) const {
    return database_->run([&](SQLite::Database& db) {
        std::set<std::uint64_t> out;
        SQLite::Statement q(db, "SELECT number FROM units WHERE source = ?");
        q.bind(1, source);
        while (q.executeStep()) out.insert(static_cast<std::uint64_t>(q.getColumn(0).getInt64()));
        return out;
    });
}

std::size_t SampleStore::save(const std::string& source, std::uint64_t number,
                              const std::vector<Sample>& samples) {
    return database_->run([&](SQLite::Database& db) {
        SQLite::Transaction transaction(db);
        SQLite::Statement unit(db, "INSERT OR IGNORE INTO units (source, number) VALUES (?, ?)");
        unit.bind(1, source);
        unit.bind(2, static_cast<std::int64_t>(number));
        if (unit.exec() == 0) return std::size_t{0};  // somebody was thought dead and was not
        std::size_t fresh = 0;
        SQLite::Statement q(
            db,
            "INSERT OR IGNORE INTO samples (key, source, unit, position, stage, side, "
            "ply, static_value, depth_values, depth_nodes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (const Sample& s : samples) {
            q.reset();
            q.bind(1, s.key);
            q.bind(2, source);
            q.bind(3, static_cast<std::int64_t>(number));
            q.bind(4, s.position);
            q.bind(5, s.stage);
            q.bind(6, s.side);
            s.ply < 0 ? q.bind(7) : q.bind(7, s.ply);
            q.bind(8, s.static_value);
            q.bind(9, values_text(s.values));
            q.bind(10, fmt::format("{}", fmt::join(s.nodes, ",")));
            fresh += static_cast<std::size_t>(q.exec());
        }
        transaction.commit();
        return fresh;
    });
}

std::size_t SampleStore::size() const {
    return database_->run([&](SQLite::Database& db) {
        return static_cast<std::size_t>(db.execAndGet("SELECT COUNT(*) FROM samples").getInt64());
    });
}

std::map<int, std::size_t> SampleStore::by_stage() const {
    return database_->run([&](SQLite::Database& db) {
        std::map<int, std::size_t> out;
        SQLite::Statement q(db, "SELECT stage, COUNT(*) FROM samples GROUP BY stage");
        while (q.executeStep()) {
            out[q.getColumn(0).getInt()] = static_cast<std::size_t>(q.getColumn(1).getInt64());
        }
        return out;
    });
}

void SampleStore::for_each(int held_out_percent, const Visit& visit) const {
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(db,
                            "SELECT key, position, stage, side, ply, static_value, depth_values, "
                            "depth_nodes, source, unit FROM samples ORDER BY id");
        while (q.executeStep()) {
            const std::uint64_t h = hash_of(q.getColumn(8).getText(),
                                            static_cast<std::uint64_t>(q.getColumn(9).getInt64()));
            Sample sample = read_row(q);
            sample.game = std::max<std::uint64_t>(h, 1);
            visit(sample, h % 100 < static_cast<std::uint64_t>(held_out_percent));
        }
    });
}

void SampleStore::save_record(const std::string& name, std::uint64_t number, const Json& record) {
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(
            db, "INSERT OR REPLACE INTO records (name, number, record) VALUES (?, ?, ?)");
        q.bind(1, name);
        q.bind(2, static_cast<std::int64_t>(number));
        q.bind(3, record.dump());
        q.exec();
    });
}

std::map<std::uint64_t, Json> SampleStore::records(const std::string& name) const {
    return database_->run([&](SQLite::Database& db) {
        std::map<std::uint64_t, Json> out;
        SQLite::Statement q(db, "SELECT number, record FROM records WHERE name = ?");
        q.bind(1, name);
        while (q.executeStep()) {
            out[static_cast<std::uint64_t>(q.getColumn(0).getInt64())] =
                Json::parse(q.getColumn(1).getString());
        }
        return out;
    });
}

void SampleStore::clear_records(const std::string& name) {
    database_->run([&](SQLite::Database& db) {
        SQLite::Statement q(db, "DELETE FROM records WHERE name = ?");
        q.bind(1, name);
        q.exec();
    });
}

}  // namespace karikomi::lab
