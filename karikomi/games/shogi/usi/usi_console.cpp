#include "karikomi/games/shogi/usi/usi_console.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "karikomi/base/hash.hpp"

namespace karikomi::protocols {

Lines show_board(const Engine& engine) {
    Lines out;
    std::istringstream board(engine.draw_board());
    for (std::string line; std::getline(board, line);) out.push_back(line);
    out.push_back("sfen " + engine.position_text());
    return out;
}

Lines show_value(const Engine& engine) {
    const Value v = engine.static_value();
    const Value black = engine.side_to_move() == 0 ? v : -v;
    return {
        fmt::format("eval {} (side to move), {} (Black), {}", v, black, engine.info().evaluation)};
}

Lines count_perft(const Engine& engine, Depth depth) {
    Lines out;
    std::uint64_t nodes = 0;
    for (const PerftRow& row : engine.perft(std::max(depth, 1))) {
        out.push_back(fmt::format("{}: {}", row.move, row.nodes));
        nodes += row.nodes;
    }
    out.push_back(fmt::format("Nodes searched: {}", nodes));
    return out;
}

Lines run_bench(Engine& engine, Depth depth_limit, const StopToken& stop) {
    Lines out;
    const std::string before = engine.position_text();
    Fnv hash;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    for (const SamplePosition& sample : engine.info().samples) {
        engine.new_game();
        if (!engine.set_position(sample.text)) continue;
        SearchRequest request;
        request.limits.depth = depth_limit > 0 ? std::min(sample.depth, depth_limit) : sample.depth;
        request.stop = stop;
        const auto r = engine.search(request);
        if (!r || stop.stop_requested()) break;
        const Value value = r->lines.empty() ? 0 : r->lines.front().value;
        hash.add(fmt::format("{}|{}|{}|{}\n", sample.text, r->best_move, value, r->nodes));
        out.push_back(fmt::format("{:>2} {:>6} {:>10} nodes  {}", request.limits.depth, value,
                                  r->nodes, sample.text.empty() ? "startpos" : sample.text));
        nodes += r->nodes;
        time_us += r->time_us;
    }
    (void)engine.set_position(before);
    const double seconds = static_cast<double>(std::max<std::int64_t>(time_us, 1)) / 1e6;
    out.push_back(fmt::format("Nodes searched: {}", nodes));
    out.push_back(fmt::format("Nodes/second: {:.0f}", static_cast<double>(nodes) / seconds));
    out.push_back(stop.stop_requested() ? std::string("stopped before the end: no score hash")
                                        : fmt::format("score hash: {}", hash.text()));
    return out;
}

}  // namespace karikomi::protocols
