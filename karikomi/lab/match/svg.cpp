#include "karikomi/lab/match/svg.hpp"

#include <fmt/format.h>

namespace karikomi::match {
namespace {

std::string escape(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace

std::string svg_text(double x, double y, const std::string& text, const char* anchor) {
    return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>\n", x, y, anchor,
                       escape(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, const char* colour) {
    return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}'/>\n", x1,
                       y1, x2, y2, colour);
}

std::string svg_document(double width, double height, const std::string& body) {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' "
        "viewBox='0 0 {0} {1}' font-family='sans-serif' font-size='12'>\n"
        "<rect width='100%' height='100%' fill='white'/>\n{2}</svg>\n",
        width, height, body);
}

}  // namespace karikomi::match
