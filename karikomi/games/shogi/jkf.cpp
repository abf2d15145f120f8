/// JSON Kifu Format, read and written.
#include <cmath>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/games/shogi/csa_words.hpp"
#include "karikomi/games/shogi/kif_words.hpp"
#include "karikomi/games/shogi/move_names.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;

constexpr int kMostNesting = 64;

// ---- Writing ------------------------------------------------------------------------------------

Json place_json(Square s) {
    return {{"x", file_of(s)}, {"y", rank_of(s) + 1}};
}

Json time_json(milliseconds time, milliseconds total) {
    const auto parts = [](milliseconds t) {
        const auto ms = t.count();
        Json out = {{"h", ms / 3'600'000}, {"m", ms / 60'000 % 60}};
        const auto rest = ms % 60'000;
        out["s"] = rest % 1000 == 0 ? Json(rest / 1000) : Json(static_cast<double>(rest) / 1000.0);
        return out;
    };
    return {{"now", parts(time)}, {"total", parts(total)}};
}

Json lines_of(const std::string& text) {
    Json out = Json::array();
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

class JkfWriter {
public:
    explicit JkfWriter(const GameRecord& record) : record_(record) {}

    std::string write() {
        Json moves = Json::array();
        Json first = Json::object();
        if (!record_.comment.empty()) first["comments"] = lines_of(record_.comment);
        moves.push_back(first);
        write_line(moves, record_, 0);
        const Json out = {
            {"header", header()}, {"initial", initial()}, {"moves", std::move(moves)}};
        return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    }

private:
    const Handicap* handicap() const {
        for (const Handicap& h : handicaps()) {
            if (format_sfen(record_.start.board, 1) == h.sfen) return &h;
        }
        return nullptr;
    }
    Json header() const {
        Json out = Json::object();
        for (const auto& [key, value] : record_.facts) {
            std::string name = key;
            for (const kif::Heading& h : kif::kHeadings) {
                if (h.csa == key) name = h.kif;
            }
            out[name] = value;
        }
        const bool by_strength = handicap() != nullptr && record_.start.board.side() == kWhite;
        const auto name = [&](Colour c) {
            if (by_strength) return c == kBlack ? "下手" : "上手";
            return c == kBlack ? "先手" : "後手";
        };
        for (const Colour c : {kBlack, kWhite}) {
            const std::string& who = record_.names[static_cast<std::size_t>(c)];
            if (!who.empty()) out[name(c)] = who;
        }
        if (record_.start.move_number > 1) {
            out["手数"] = std::to_string(record_.start.move_number - 1);
        }
        return out;
    }
    Json initial() const {
        if (const Handicap* h = handicap()) return {{"preset", h->jkf}};
        const Board& b = record_.start.board;
        Json board = Json::array();
        for (int file = 1; file <= 9; ++file) {
            Json column = Json::array();
            for (int rank = 0; rank < 9; ++rank) {
                const Piece p = b.on(square_at(file, rank));
                Json cell = Json::object();
                if (p != kNoPiece) {
                    cell["color"] = colour_of(p) == kBlack ? 0 : 1;
                    cell["kind"] = csa::kNames[static_cast<std::size_t>(type_of(p))];
                }
                column.push_back(std::move(cell));
            }
            board.push_back(std::move(column));
        }
        Json hands = Json::array();
        for (const Colour c : {kBlack, kWhite}) {
            Json hand = Json::object();
            for (const PieceType t : kHandOrder) {
                hand[std::string(csa::kNames[static_cast<std::size_t>(t)])] = b.hand(c).count(t);
            }
            hands.push_back(std::move(hand));
        }
        return {
            {"preset", "OTHER"},
            {"data", {{"color", b.side() == kBlack ? 0 : 1}, {"board", board}, {"hands", hands}}}};
    }

    struct Here {
        Board board;
        Square last_to = kNowhere;
        std::array<milliseconds, 2> total{};
    };
    void play(const RecordedMove& m) {
        here_.total[static_cast<std::size_t>(here_.board.side())] +=
            m.time.value_or(milliseconds(0));
        BoardUndo undo;
        here_.board.do_move(m.move, undo);
        here_.last_to = m.move.to();
    }
    Json move_json(Move m) const {
        const Board& b = here_.board;
        const PieceType t = b.moved_type(m);
        Json out = {{"color", b.side() == kBlack ? 0 : 1},
                    {"to", place_json(m.to())},
                    {"piece", csa::kNames[static_cast<std::size_t>(t)]}};
        if (!m.is_drop()) {
            out["from"] = place_json(m.from());
            const bool could = can_promote(t) && (relative_rank(b.side(), m.to()) < 3 ||
                                                  relative_rank(b.side(), m.from()) < 3);
            if (could) out["promote"] = m.promotes();
            const Piece taken = b.captured_by(m);
            if (taken != kNoPiece) {
                out["capture"] = csa::kNames[static_cast<std::size_t>(type_of(taken))];
            }
        }
        if (m.to() == here_.last_to) out["same"] = true;
        const std::string relative = relative_of(b, m);
        if (!relative.empty()) out["relative"] = relative;
        return out;
    }
    /// The moves of a line after `moves`, which ends where the line begins. `number`: of the line.
    void write_line(Json& moves, const RecordedLine& line, std::size_t number) {
        const std::size_t begin = number == 0 ? 0 : record_.variations[number - 1].begin;
        const Here before = here_;
        if (number == 0) here_.board = record_.start.board;
        for (std::size_t i = 0; i <= line.moves.size(); ++i) {
            Json entry = Json::object();
            const Here at = here_;
            if (i < line.moves.size()) {
                write_move(entry, line.moves[i]);
            } else {
                write_end(entry, line);
            }
            const Here after = here_;
            here_ = at;
            Json forks = forks_at(number, begin + i);
            here_ = after;
            if (!forks.empty()) entry["forks"] = std::move(forks);
            if (!entry.empty()) moves.push_back(std::move(entry));
        }
        here_ = before;
    }
    void write_move(Json& entry, const RecordedMove& m) {
        entry["move"] = move_json(m.move);
        const auto side = static_cast<std::size_t>(here_.board.side());
        play(m);
        if (m.time) entry["time"] = time_json(*m.time, here_.total[side]);
        if (!m.comment.empty()) entry["comments"] = lines_of(m.comment);
    }
    void write_end(Json& entry, const RecordedLine& line) const {
        if (line.ending != Ending::None) {
            entry["special"] = csa::end_word(line.ending, here_.board.side());
        }
        if (line.last_time) {
            const auto side = static_cast<std::size_t>(here_.board.side());
            entry["time"] = time_json(*line.last_time, here_.total[side] + *line.last_time);
        }
        if (!line.end_comment.empty()) entry["comments"] = lines_of(line.end_comment);
    }
    Json forks_at(std::size_t parent, std::size_t begin) {
        Json forks = Json::array();
        for (std::size_t i = 0; i < record_.variations.size(); ++i) {
            const Variation& v = record_.variations[i];
            if (v.parent != parent || v.begin != begin) continue;
            Json moves = Json::array();
            write_line(moves, v, i + 1);
            forks.push_back(std::move(moves));
        }
        return forks;
    }

    const GameRecord& record_;
    Here here_;
};

// ---- Reading ------------------------------------------------------------------------------------

const Json* member(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto it = object.find(name);
    return it == object.end() ? nullptr : &*it;
}
int number_in(const Json& object, const char* name, int other) {
    const Json* const j = member(object, name);
    return j != nullptr && j->is_number() ? static_cast<int>(j->get<double>()) : other;
}
std::string text_in(const Json& object, const char* name) {
    const Json* const j = member(object, name);
    return j != nullptr && j->is_string() ? j->get<std::string>() : std::string();
}

class JkfReader {
public:
    Expected<GameRecord> read(const Json& json) {
        if (const Json* const header = member(json, "header")) read_header(*header);
        if (const Json* const initial = member(json, "initial")) {
            if (const Status s = read_initial(*initial); !s) return s.error();
        } else {
            record_.start = *parse_sfen(kStartSfen);
        }
        record_.start.move_number = number_;
        const Json* const moves = member(json, "moves");
        if (moves == nullptr || !moves->is_array()) return wrong("there is no list of moves");
        board_ = record_.start.board;
        if (const Status s = read_line(*moves, 0, 0); !s) return s.error();
        record_.sort_variations();
        return record_;
    }

private:
    Error wrong(const std::string& what) const {
        return Error{"JKF: " + what, "compare with a record that another program has written"};
    }
    void read_header(const Json& header) {
        if (!header.is_object()) return;
        for (const auto& [key, value] : header.items()) {
            if (!value.is_string()) continue;
            const auto text = value.get<std::string>();
            if (key == "先手" || key == "下手") {
                record_.names[kBlack] = text;
            } else if (key == "後手" || key == "上手") {
                record_.names[kWhite] = text;
            } else if (key == "手数") {
                number_ = std::atoi(text.c_str()) + 1;
            } else if (key != "手合割") {
                std::string name = key;
                for (const kif::Heading& h : kif::kHeadings) {
                    if (h.kif == key) name = h.csa;
                }
                record_.facts.emplace_back(name, text);
            }
        }
    }
    Status read_initial(const Json& initial) {
        const std::string preset = text_in(initial, "preset");
        for (const Handicap& h : handicaps()) {
            if (h.jkf != preset) continue;
            record_.start = *parse_sfen(h.sfen);
            return {};
        }
        const Json* const data = member(initial, "data");
        const Json* const cells = data != nullptr ? member(*data, "board") : nullptr;
        if (cells == nullptr || !cells->is_array() || cells->size() != 9) {
            return wrong(fmt::format("unknown start '{}'", preset.substr(0, 20)));
        }
        Board b;
        for (int file = 1; file <= 9; ++file) {
            const Json& column = (*cells)[static_cast<std::size_t>(file - 1)];
            if (!column.is_array() || column.size() != 9) return wrong("a column is not of nine");
            for (int rank = 0; rank < 9; ++rank) {
                const Json& cell = column[static_cast<std::size_t>(rank)];
                const std::string kind = text_in(cell, "kind");
                if (kind.empty()) continue;
                const PieceType t = csa::type_named(kind);
                if (t == kNoType) return wrong(fmt::format("unknown piece '{}'", kind));
                const Colour c = number_in(cell, "color", 0) == 0 ? kBlack : kWhite;
                b.put(make_piece(c, t), square_at(file, rank));
            }
        }
        if (const Json* const hands = member(*data, "hands"); hands != nullptr) {
            for (const Colour c : {kBlack, kWhite}) {
                if (!hands->is_array() || hands->size() != 2) return wrong("hands are not two");
                for (const PieceType t : kHandOrder) {
                    const std::string name(csa::kNames[static_cast<std::size_t>(t)]);
                    const Json& hand = (*hands)[static_cast<std::size_t>(c)];
                    const int n = number_in(hand, name.c_str(), 0);
                    if (n < 0 || n > kFullSet[static_cast<std::size_t>(t)]) {
                        return wrong("too many pieces in hand");
                    }
                    for (int i = 0; i < n; ++i) b.give(c, t);
                }
            }
        }
        const Status s = b.finish(number_in(*data, "color", 0) == 0 ? kBlack : kWhite);
        if (!s) return wrong(s.error().what);
        record_.start.board = b;
        return {};
    }

    RecordedLine& line(std::size_t number) {
        if (number == 0) return record_;
        return record_.variations[number - 1];
    }
    static std::optional<milliseconds> time_of(const Json& entry) {
        const Json* const time = member(entry, "time");
        const Json* const now = time != nullptr ? member(*time, "now") : nullptr;
        if (now == nullptr) return std::nullopt;
        const Json* const s = member(*now, "s");
        const double seconds = s != nullptr && s->is_number() ? s->get<double>() : 0;
        const double all = 3600.0 * number_in(*now, "h", 0) + 60.0 * number_in(*now, "m", 0);
        if (!(all + seconds >= 0 && all + seconds < 1e8)) return std::nullopt;
        return milliseconds(std::llround((all + seconds) * 1000));
    }
    static std::string comment_of(const Json& entry) {
        std::string out;
        const Json* const comments = member(entry, "comments");
        if (comments == nullptr || !comments->is_array()) return out;
        for (const Json& c : *comments) {
            if (!c.is_string()) continue;
            if (&c != &comments->front()) out += '\n';
            out += c.get<std::string>();
        }
        return out;
    }
    Expected<Move> move_of(const Json& move) const {
        const auto square = [&](const char* name) {
            const Json* const place = member(move, name);
            if (place == nullptr) return kNowhere;
            const int file = number_in(*place, "x", 0);
            const int rank = number_in(*place, "y", 0) - 1;
            return is_on_board(file, rank) ? square_at(file, rank) : kNowhere;
        };
        const Json* const promote = member(move, "promote");
        const bool promotes = promote != nullptr && promote->is_boolean() && promote->get<bool>();
        const Square from = square("from");
        // Without "to" it is where the last move went.
        const Square to = square("to") == kNowhere ? last_to_ : square("to");
        if (to == kNowhere) return wrong("a move goes nowhere");
        Move m;
        if (from != kNowhere) {
            m = Move::board(from, to, promotes);
        } else {
            const PieceType t = csa::type_named(text_in(move, "piece"));
            if (t < kPawn || t > kGold) return wrong("an unknown piece is dropped");
            m = Move::drop(t, to);
        }
        if (!board_.is_legal(m)) return wrong(format_usi(m) + " is not a legal move");
        return m;
    }
    /// `begin`: moves of the game before the line.
    Status read_line(const Json& entries, std::size_t number, std::size_t begin) {
        if (++nesting_ > kMostNesting) return wrong("variations are nested too deeply");
        const Board start = board_;
        const Square start_to = last_to_;
        std::size_t played = begin;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Json& entry = entries[i];
            const std::size_t before = played;
            const Board board = board_;
            const Square last_to = last_to_;
            if (const Status s = read_entry(entry, number, i == 0 && number == 0, played); !s) {
                return s;
            }
            if (const Json* const forks = member(entry, "forks");
                forks != nullptr && forks->is_array()) {
                const Board after = std::exchange(board_, board);
                const Square after_to = std::exchange(last_to_, last_to);
                for (const Json& fork : *forks) {
                    if (!fork.is_array()) return wrong("a fork is not a list of moves");
                    Variation v;
                    v.parent = number;
                    v.begin = before;
                    record_.variations.push_back(std::move(v));
                    const Status s = read_line(fork, record_.variations.size(), before);
                    if (!s) return s;
                }
                board_ = after;
                last_to_ = after_to;
            }
        }
        board_ = start;
        last_to_ = start_to;
        --nesting_;
        return {};
    }
    Status read_entry(const Json& entry, std::size_t number, bool is_start, std::size_t& played) {
        const std::string comment = comment_of(entry);
        if (const Json* const move = member(entry, "move")) {
            const auto m = move_of(*move);
            if (!m) return m.error();
            line(number).moves.push_back({*m, time_of(entry), comment});
            BoardUndo undo;
            board_.do_move(*m, undo);
            last_to_ = m->to();
            ++played;
            return {};
        }
        if (is_start) {
            record_.comment = comment;
            return {};
        }
        const std::string special = text_in(entry, "special");
        if (!special.empty()) {
            const auto ending = csa::ending_named(special, board_.side());
            if (!ending) return wrong(fmt::format("unknown end '{}'", special.substr(0, 30)));
            line(number).ending = *ending;
            line(number).last_time = time_of(entry);
        }
        line(number).end_comment = comment;
        return {};
    }

    GameRecord record_;
    Board board_;
    Square last_to_ = kNowhere;
    int number_ = 1;
    int nesting_ = 0;
};

}  // namespace

std::string format_jkf(const GameRecord& record) {
    return JkfWriter(record).write();
}

Expected<GameRecord> parse_jkf(std::string_view bytes) {
    const auto text = to_utf8(bytes);
    if (!text) return text.error();
    const Json json = Json::parse(*text, nullptr, false);
    if (json.is_discarded()) return Error{"JKF: this is not JSON", "read the file again"};
    return JkfReader().read(json);
}

}  // namespace karikomi::shogi
