/// The only place that instantiates the search for shogi.
#include "karikomi/games/shogi/engine.hpp"

#include "karikomi/engine/game_engine.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/weights.hpp"
#include "karikomi/games/shogi/game.hpp"
#include "karikomi/params/shogi.hpp"

namespace karikomi::shogi {
namespace {

static_assert(HasStagedGeneration<Game> && HasRules<Game>);

/// Fitted parameters belong to one evaluation: with another the calibration is left out.
std::string parameters_for(std::string_view evaluation) {
    Json json = Json::parse(params::kShogi);
    if (json["evaluation"] == evaluation) return std::string(params::kShogi);
    json["evaluation"] = std::string(evaluation);
    json["multi_probcut"]["enabled"] = false;
    json.erase("calibration");
    return json.dump();
}

Expected<std::shared_ptr<const Network>> read_network(const std::string& file) {
    if (file == "none") return std::shared_ptr<const Network>();
    return Network::load(file);
}

}  // namespace

Expected<std::unique_ptr<Engine>> make_engine(const EngineOptions& options) {
    static SharedFiles<Network> files;
    const auto network =
        choose_weights(options, "KARIKOMI_SHOGI_WEIGHTS", built_in_network,
                       [](const std::string& f) { return files.get(f, read_network); });
    if (!network) return network.error();
    const Evaluator evaluator(*network);
    GameInfo info;
    info.title = "Shogi";
    info.rules = "9x9; captured pieces are dropped again; mate wins, fourfold repetition draws";
    info.position_help = "SFEN: board, side, hands, move number; empty for the start position";
    info.rule_options = {
        {"declaration",
         "points27",
         {kDeclarations.begin(), kDeclarations.end()},
         0,
         "how a king that has entered the enemy camp wins"},
        {"max_moves", "0", {}, kMostMoves, "the game is drawn after so many plies; 0: no limit"},
        {"promotions",
         "useful",
         {"useful", "every"},
         0,
         "every: search also moves that do not promote a pawn, a bishop or a rook"}};
    info.max_level = Game::kMaxLevel;
    info.unit = kPawnValue;
    // From games of our own with random openings; the last ones with full hands.
    info.samples = {
        {"", 7},
        {"lnsg1g1k1/r5sbl/ppppppnp1/8p/4B1p2/2P5P/PP1PPPPP1/3S1SGR1/LN1G2KNL b - 25", 6},
        {"k4g2l/lr1sg2b1/npppspn2/p3p1ppp/9/2P1P1PP1/PPNPBPN1P/2RSG2SL/L4G2K w - 34", 6},
        {"l1k2gs1l/1rsg3b1/2pppppP1/p3n2Rp/1p7/2PB5/P1NPPPP1P/2S2S3/L1KG1G1NL w N2p 30", 5},
        {"k7l/l3ggs2/prp2p1pp/2Np2p2/1PPn1s3/P2bp2P1/N2S1P2P/1SG1BG1RK/L2N4L w 4P 78", 5},
        {"lns2k3/4g2r1/ppp+B1pnl+L/9/7n1/2P6/PP1PPPP2/3S1SGR1/1+b1G2K2 w GSL3Pn4p 66", 5},
        {"3g1g2l/9/l3+P1Sr1/2ppp1nSp/2k2P1n1/1P1+sP1PRP/+p2n2nP1/3B1G1K1/3G2S1L w B4Pl2p 106", 5},
        {"2s6/k1G1+S4/lp7/2Ppp1prp/5p3/1PSbP1PPP/5P1S1/2+l2G2L/+br3G2K b G2NLP2n4p 89", 4}};
    return std::unique_ptr<Engine>(std::make_unique<GameEngine<Game>>(
        std::move(info), parameters_for(evaluator.id()), evaluator));
}

}  // namespace karikomi::shogi
