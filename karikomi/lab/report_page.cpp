#include "karikomi/lab/report_page.hpp"

#include <string>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::lab {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fdfdfc; --faint: #6b6b76;
  --line: #d9d9de; --accent: #1f6feb; --good: #1a7f37; --bad: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ec; --paper: #16161a; --faint: #a0a0ad;
  --line: #37373f; --accent: #6ea8fe; --good: #56d364; --bad: #ff8a7a; } }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #444;
  --line: #bbb; --accent: #0b4fb3; --good: #11602a; --bad: #8f1b12; }
  section, figure { break-inside: avoid; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem;
  border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p, figcaption, .facts { color: var(--faint); margin: .25rem 0; font-size: .85rem; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem; }
figure { margin: .5rem 0; } svg { max-width: 100%; height: auto; overflow: visible; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; }
td, th { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
td:first-child, th:first-child, .left { text-align: left !important; } pre { font-size: .8rem; }
.turning td { font-weight: 600; } .met { color: var(--good); }
.missed { color: var(--bad); font-weight: 600; } .scroll { overflow-x: auto; }
)";

/// As text of a script element: nothing in it may end the element.
std::string inside_script(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

std::string report_html(const Json& data, std::string_view script, std::string_view title) {
    const std::string json =
        inside_script(data.dump(-1, ' ', false, Json::error_handler_t::replace), "<", "\\u003c");
    const std::string code = inside_script(std::string(script), "</script", "<\\/script");
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n"
        "<style>{}</style>\n</head>\n<body>\n<main id=\"report\"></main>\n"
        "<noscript>The charts are drawn by a script inside this file.</noscript>\n"
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n"
        "</body>\n</html>\n",
        title, kStyle, json, code);
}

}  // namespace karikomi::lab
