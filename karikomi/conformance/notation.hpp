/// The checks of how positions and moves are written.
#pragma once

#include <set>

#include "karikomi/conformance/context.hpp"

namespace karikomi::conformance {

template <Game G>
requires HasNotation<G>
class NotationCheck {
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Notation = typename G::Notation;

public:
    explicit NotationCheck(Context<G>& context) : context_(context), report_(context.report) {}

    void run() {
        std::mt19937_64 random(context_.options.seed + 1);
        for (int game = 0; game < context_.options.games; ++game) play(game, random);
        refuse_nonsense();
    }

private:
    static constexpr const char* kCheck = "notation";

    void play(int game, std::mt19937_64& random) {
        Played<G> played{context_.start(game)};
        Position pos = played.start;
        std::string text;  // as the engine keeps it where the notation writes no positions
        std::vector<std::string> words;
        for (int ply = 0; ply < context_.options.max_plies && !pos.outcome(0); ++ply) {
            const auto legal = context_.legal(pos);
            if (legal.empty()) break;
            check_moves(pos, legal, played);
            check_position(pos, text, game, played);
            const Move m = context_.choose(pos, legal, random);
            words.push_back(Notation::format_move(pos, m));
            text += words.back();
            typename G::Undo undo{};
            pos.make(m, undo);
            played.moves.push_back(m);
        }
        const std::string list = fmt::format("{}", fmt::join(words, " "));
        report_.expect(kCheck, Notation::split_moves(list) == words, [&] {
            return fmt::format("split_moves does not give back the moves of '{}'", list);
        });
        report_.expect(kCheck, !Notation::draw(pos).empty(), [] { return "draw gives nothing"; });
    }

    void check_moves(const Position& pos, const std::vector<Move>& legal, const Played<G>& played) {
        std::set<std::string> texts;
        for (const Move m : legal) {
            const std::string text = Notation::format_move(pos, m);
            const auto back = Notation::parse_move(pos, text);
            report_.expect(kCheck, back && *back == m, [&] {
                return fmt::format("the move written '{}' is read as {} ({})", text,
                                   back ? "another move" : "an error: " + back.error().what,
                                   context_.where(played));
            });
            report_.expect(kCheck, texts.insert(text).second, [&] {
                return fmt::format("two moves are written '{}' ({})", text, context_.where(played));
            });
        }
    }

    void check_position(const Position& pos, const std::string& moves, int game,
                        const Played<G>& played) {
        std::string text = moves;
        if constexpr (WritesPositions<Notation, G>) {
            text = Notation::format(pos);
        } else if (!context_.options.starts.empty()) {
            return;  // nobody knows how such a start is written
        }
        (void)game;
        const auto back = Notation::parse(text);
        const bool reads = report_.expect(kCheck, static_cast<bool>(back), [&] {
            return fmt::format("the position '{}' is not read: {} ({})", text, back.error().what,
                               context_.where(played));
        });
        if (!reads) return;
        report_.expect(kCheck, back->key() == pos.key() && back->side() == pos.side(), [&] {
            return fmt::format("the position read from '{}' has another key or side ({})", text,
                               context_.where(played));
        });
        report_.expect(kCheck, codes_of(*back) == codes_of(pos), [&] {
            return fmt::format("the position read from '{}' has other moves ({})", text,
                               context_.where(played));
        });
    }
    std::set<MoveCode> codes_of(const Position& pos) const {
        std::set<MoveCode> codes;
        for (const Move m : context_.legal(pos)) codes.insert(m.raw());
        return codes;
    }

    void refuse_nonsense() {
        const Position pos = context_.start(0);
        for (const std::string_view text : {"\x01 not a position \xff", "~~~~"}) {
            report_.expect(kCheck, !Notation::parse(text),
                           [&] { return "parse takes nonsense for a position"; });
            report_.expect(kCheck, !Notation::parse_move(pos, text),
                           [&] { return "parse_move takes nonsense for a move"; });
        }
        report_.expect(kCheck, !Notation::parse_move(pos, ""),
                       [] { return "parse_move takes an empty text for a move"; });
    }

    Context<G>& context_;
    Report& report_;
};

}  // namespace karikomi::conformance
