/// The same functions as a program of this machine, to compare the browser's engine with and to
/// find its faults by a debugger. A request is three lines (what to do, a word, a body), an answer
/// one:
///   hand / shogi.bin / weights/shogi.bin       ask / position / {"game": "shogi"}
#include <iostream>

#include "karikomi/base/files.hpp"
#include "karikomi/browser/program.hpp"

int main() {
    using namespace karikomi;
    std::string action;
    std::string word;
    std::string body;
    while (std::getline(std::cin, action) && std::getline(std::cin, word) &&
           std::getline(std::cin, body)) {
        std::string answer = R"({"error": "it is hand, ask or work"})";
        if (action == "hand") {
            const auto file = read_file(body);
            if (file) browser::hand(word, std::as_bytes(std::span(*file)));
            answer = file ? "{}" : R"({"error": "the file cannot be read"})";
        }
        if (action == "ask") answer = browser::ask(word, body);
        if (action == "work") answer = browser::work(word, body, [](const auto&, const auto&) {});
        std::cout << answer << std::endl;
    }
}
