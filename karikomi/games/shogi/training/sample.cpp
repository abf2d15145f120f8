#include "karikomi/games/shogi/training/sample.hpp"

#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/base/files.hpp"

namespace karikomi::shogi {
namespace {

namespace fs = std::filesystem;

constexpr std::array<PieceType, 8> kKinds = {kPawn,   kLance, kKnight, kSilver,
                                             kBishop, kRook,  kGold,   kKing};

int first_of(PieceType kind) {
    int at = 0;
    for (const PieceType t : kKinds) {
        if (t == kind) break;
        at += kFullSet[static_cast<std::size_t>(t)];
    }
    return at;
}

PieceType kind_of(PieceType t) {
    return t == kKing ? kKing : demoted(t);
}

}  // namespace

Sample pack(const Board& board) {
    Sample s{};
    std::memset(s.place, Sample::kMissing, sizeof s.place);
    std::array<int, 9> used{};
    const auto next = [&](PieceType kind) {
        return static_cast<std::size_t>(first_of(kind) + used[static_cast<std::size_t>(kind)]++);
    };
    for (int square = 0; square < 81; ++square) {
        const Piece p = board.on(square_at(square / 9 + 1, square % 9));
        if (p == kNoPiece) continue;
        const PieceType t = type_of(p);
        const std::size_t i = next(kind_of(t));
        const int white = colour_of(p) == kWhite ? Sample::kWhiteBit : 0;
        s.place[i] = static_cast<std::uint8_t>(square | white);
        if (is_promoted(t)) {
            s.promoted[i / 8] = static_cast<std::uint8_t>(s.promoted[i / 8] | 1 << (i % 8));
        }
    }
    for (const Colour c : {kBlack, kWhite}) {
        for (const PieceType t : kHandOrder) {
            for (int n = board.hand(c).count(t); n > 0; --n) {
                const int white = c == kWhite ? Sample::kWhiteBit : 0;
                s.place[next(t)] = static_cast<std::uint8_t>(Sample::kInHand | white);
            }
        }
    }
    if (board.side() == kWhite) s.flags = Sample::kWhiteToMove;
    return s;
}

Expected<Board> unpack(const Sample& s) {
    Board b;
    std::size_t i = 0;
    for (const PieceType kind : kKinds) {
        for (int n = kFullSet[static_cast<std::size_t>(kind)]; n > 0; --n, ++i) {
            const int at = s.place[i] & 127;
            const Colour c = (s.place[i] & Sample::kWhiteBit) != 0 ? kWhite : kBlack;
            if (at == Sample::kMissing) continue;
            if (at == Sample::kInHand) {
                b.give(c, kind);
                continue;
            }
            const bool up = (s.promoted[i / 8] >> (i % 8) & 1) != 0;
            if (at > 80 || (up && !can_promote(kind))) return Error{"a sample that cannot be"};
            const Square square = square_at(at / 9 + 1, at % 9);
            if (b.on(square) != kNoPiece) return Error{"a sample with two pieces on a square"};
            b.put(make_piece(c, up ? promoted(kind) : kind), square);
        }
    }
    const bool white = (s.flags & Sample::kWhiteToMove) != 0;
    if (const Status status = b.finish(white ? kWhite : kBlack); !status) return status.error();
    return b;
}

fs::path chunk_path(const fs::path& folder, int chunk) {
    return folder / fmt::format("chunk_{:06}.pos", chunk);
}

fs::path leaves_path(const fs::path& folder, int chunk) {
    return folder / fmt::format("chunk_{:06}.leaves", chunk);
}

Status write_samples(const fs::path& file, const std::vector<Sample>& samples) {
    if (!write_file(file, std::as_bytes(std::span(samples)))) {
        return Error{fmt::format("{}: cannot be written", file.string()), "check the disk"};
    }
    return {};
}

}  // namespace karikomi::shogi
