/// Programs by USI. It is shogi's protocol, but nothing in it knows a piece: any game whose moves
/// are single words can be played by it.
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/lab/match/external_player.hpp"

namespace karikomi::match {
namespace {

class UsiPlayer final : public ExternalPlayer {
public:
    using ExternalPlayer::ExternalPlayer;
    ~UsiPlayer() override {
        write("quit");
        child_.finish(std::chrono::milliseconds(1000));
    }

    Trouble new_game(const GameStart& start) override {
        if (Trouble t = ready(); t.fault != Fault::None) return t;
        position_ = start.position.empty() ? "startpos" : "sfen " + start.position;
        write("isready");
        const Fault f =
            wait_for([](const std::string& line) { return is(line, "readyok"); }, setup_.start_ms);
        if (f != Fault::None) return trouble(f, "readyok");
        write("usinewgame");
        return {};
    }

    Answer think(const Turn& turn) override {
        std::string position = "position " + position_;
        if (!turn.moves.empty()) position += fmt::format(" moves {}", fmt::join(turn.moves, " "));
        write(position);
        answer_ = {};
        start_clock();
        write(go_of(turn));
        const Fault f =
            wait_for_answer([this](const std::string& line) { return read(line); }, turn, "stop");
        answer_.time_ms = clock_ms();
        if (f != Fault::None) return fail(f, "bestmove");
        return answer_;
    }

    void game_over(int outcome) override {
        write(outcome > 0 ? "gameover win" : outcome < 0 ? "gameover lose" : "gameover draw");
    }

protected:
    Trouble greet() override {
        options_.clear();
        write("usi");
        const Fault f = wait_for([this](const std::string& line) { return read_identity(line); },
                                 setup_.start_ms);
        if (f != Fault::None) return trouble(f, "usiok");
        if (identity_.name.empty()) identity_.name = spec_.command;
        // These two every engine must accept; others only when it has named them.
        set_option("USI_Ponder", "false");
        set_option("USI_Hash", std::to_string(spec_.hash_mb));
        // Fairy-Stockfish speaks USI but keeps the name it has from chess.
        if (options_.contains("Hash")) set_option("Hash", std::to_string(spec_.hash_mb));
        if (options_.contains("Threads")) set_option("Threads", std::to_string(spec_.threads));
        for (const auto& [name, value] : spec_.options) set_option(name, value);
        return {};
    }

private:
    static bool is(const std::string& line, std::string_view word) {
        const auto words = words_of(line);
        return !words.empty() && words[0] == word;
    }
    void set_option(const std::string& name, const std::string& value) {
        write(fmt::format("setoption name {} value {}", name, value));
    }

    bool read_identity(const std::string& line) {
        const auto words = words_of(line);
        if (words.size() >= 3 && words[0] == "id" && words[1] == "name" && spec_.name.empty()) {
            identity_.name = line.substr(line.find(words[2], line.find("name") + 4));
        }
        if (words.size() >= 3 && words[0] == "option" && words[1] == "name") {
            options_.insert(words[2]);
        }
        return !words.empty() && words[0] == "usiok";
    }

    /// GUIs send byoyomi or increments, never both; a fixed time for the move is byoyomi alone.
    static std::string go_of(const Turn& turn) {
        const Limits& l = turn.limits;
        std::string go = "go";
        if (l.has_clock) {
            go += fmt::format(" btime {} wtime {}", turn.clock_ms[0], turn.clock_ms[1]);
            go += l.byoyomi_ms > 0
                      ? fmt::format(" byoyomi {}", l.byoyomi_ms)
                      : fmt::format(" binc {} winc {}", l.increment_ms, l.increment_ms);
        } else if (l.move_time_ms > 0) {
            go += fmt::format(" btime 0 wtime 0 byoyomi {}", l.move_time_ms);
        }
        if (l.nodes > 0) go += fmt::format(" nodes {}", l.nodes);
        if (l.depth > 0) go += fmt::format(" depth {}", l.depth);
        return go;
    }

    bool read(const std::string& line) {
        const auto words = words_of(line);
        if (words.empty()) return false;
        if (words[0] == "info") return read_info(words), false;
        if (words[0] != "bestmove") return false;
        answer_.move = words.size() > 1 ? words[1] : "";
        answer_.resigns = answer_.move == "resign";
        return true;
    }

    void read_info(const std::vector<std::string>& words) {
        std::optional<double> score;
        for (std::size_t i = 1; i + 1 < words.size(); ++i) {
            const std::string& key = words[i];
            if (key == "pv" || key == "string") break;
            const auto number = number_in(words[i + 1]);
            if (key == "multipv" && number && *number > 1) return;  // not the best line
            if (key == "depth" && number) answer_.depth = static_cast<int>(*number);
            if (key == "nodes" && number && *number >= 0) {
                answer_.nodes = static_cast<std::uint64_t>(*number);
            }
            if (key == "cp" && number) score = *number / 100.0;
            if (key == "mate") score = words[i + 1].starts_with('-') ? -kProven : kProven;
        }
        if (score) answer_.score = score;
    }

    std::set<std::string> options_;
    std::string position_;
    Answer answer_;
};

}  // namespace

Expected<std::unique_ptr<Player>> make_usi(const EngineSpec& spec, const PlayerSetup& setup) {
    return ExternalPlayer::make<UsiPlayer>(spec, setup);
}

}  // namespace karikomi::match
