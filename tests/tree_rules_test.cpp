// Shows on small texts that each rule of the tree can fail. tree_test.cpp reads the real tree.
#include "tests/tree_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace karikomi::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string repeat(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// A function of so many lines, its first and last included.
std::string function_text(const std::string& head, int lines) {
    return head + " {\n" + repeat("    work();\n", lines - 2) + "}\n";
}

TEST(LineWidth, ComplainsAboveOneHundredColumns) {
    const std::string full(100, 'x');
    EXPECT_THAT(check_line_width({"a.cpp", "short\n" + full + "\n"}), IsEmpty());
    EXPECT_THAT(check_line_width({"a.cpp", "short\n" + full + "x\n"}),
                ElementsAre("a.cpp:2: 101 columns"));
}

TEST(LineWidth, CountsCharactersNotBytes) {
    EXPECT_THAT(check_line_width({"a.cpp", repeat("刈", 100)}), IsEmpty());
    EXPECT_THAT(check_line_width({"a.cpp", repeat("刈", 101)}), SizeIs(1));
}

TEST(TechniqueSize, ComplainsFromTwoHundredLines) {
    const std::string path = "karikomi/core/selective/iid.hpp";
    EXPECT_THAT(check_technique_size({path, repeat("x\n", 199)}), IsEmpty());
    EXPECT_THAT(check_technique_size({path, repeat("x\n", 200)}), SizeIs(1));
}

TEST(TechniqueSize, LeavesOtherFilesAlone) {
    const std::string text = repeat("x\n", 200);
    EXPECT_THAT(check_technique_size({"karikomi/core/tt.hpp", text}), IsEmpty());
    EXPECT_THAT(check_technique_size({"karikomi/core/selective/calibration.cpp", text}), IsEmpty());
}

TEST(Layering, AllowsIncludesAlongTheArrows) {
    const auto check = [](const char* path, const char* included) {
        return check_layering({path, std::string("#include ") + included + "\n"});
    };
    EXPECT_THAT(check("karikomi/core/tt.cpp", "\"karikomi/core/tt.hpp\""), IsEmpty());
    EXPECT_THAT(check("karikomi/core/tt.cpp", "\"tt.hpp\""), IsEmpty());
    EXPECT_THAT(check("karikomi/core/tt.cpp", "<vector>"), IsEmpty());
    EXPECT_THAT(check("karikomi/core/selective/iid.hpp", "\"../types.hpp\""), IsEmpty());
    EXPECT_THAT(check("karikomi/engine/engine.hpp", "\"karikomi/core/types.hpp\""), IsEmpty());
    EXPECT_THAT(check("karikomi/engine/params.cpp", "\"karikomi/version.hpp\""), IsEmpty());
    EXPECT_THAT(check("karikomi/games/shipped.cpp", "\"examples/connect_four/module.hpp\""),
                IsEmpty());
    EXPECT_THAT(check("examples/connect_four/module.cpp", "\"karikomi/core/root.hpp\""), IsEmpty());
    EXPECT_THAT(check("examples/connect_four/main.cpp", "<karikomi/program.hpp>"), IsEmpty());
    EXPECT_THAT(check("karikomi/lab/fit.cpp", "\"karikomi/engine/registry.hpp\""), IsEmpty());
    EXPECT_THAT(check("karikomi/cli/main.cpp", "\"karikomi/server/server.hpp\""), IsEmpty());
    EXPECT_THAT(check("tests/core/tt_test.cpp", "\"karikomi/cli/options.hpp\""), IsEmpty());
}

TEST(Layering, ComplainsOfIncludesAgainstTheArrows) {
    const auto check = [](const char* path, const char* included) {
        return check_layering({path, std::string("// why\n#include ") + included + "\n"});
    };
    EXPECT_THAT(check("karikomi/core/tt.cpp", "\"karikomi/engine/params.hpp\""),
                ElementsAre("karikomi/core/tt.cpp:2: core must not include "
                            "karikomi/engine/params.hpp"));
    EXPECT_THAT(check("karikomi/core/tt.cpp", "<karikomi/engine/params.hpp>"), SizeIs(1));
    EXPECT_THAT(check("karikomi/core/tt.cpp", "\"../engine/params.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/core/tt.cpp", "\"karikomi/version.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/core/tt.cpp", "\"tests/helpers.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/engine/params.cpp", "\"karikomi/games/shipped.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/engine/params.cpp", "\"examples/connect_four/module.hpp\""),
                SizeIs(1));
    EXPECT_THAT(check("examples/connect_four/module.cpp", "\"karikomi/lab/fit.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/games/shipped.cpp", "\"karikomi/program.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/protocols/lines.cpp", "\"karikomi/lab/match.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/lab/match.cpp", "\"karikomi/server/server.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/server/server.cpp", "\"karikomi/cli/main.hpp\""), SizeIs(1));
    // The browser has neither.
    EXPECT_THAT(check("karikomi/services/work.cpp", "\"karikomi/server/guard.hpp\""), SizeIs(1));
    EXPECT_THAT(check("karikomi/services/work.cpp", "\"karikomi/lab/review.hpp\""), SizeIs(1));
}

TEST(Layering, ShowsGamesToTheProgramsMainOnly) {
    const auto check = [](const char* path, const char* included) {
        return check_layering({path, std::string("#include \"") + included + "\"\n"});
    };
    EXPECT_THAT(check("karikomi/cli/main.cpp", "karikomi/games/shipped.hpp"), IsEmpty());
    EXPECT_THAT(check("karikomi/browser/program.cpp", "karikomi/games/shipped.hpp"), IsEmpty());
    EXPECT_THAT(check("karikomi/cli/main.cpp", "karikomi/games/othello/board.hpp"), SizeIs(1));
    for (const char* path : {"karikomi/cli/solve.cpp", "karikomi/lab/fit.cpp",
                             "karikomi/lab/match/spec.cpp", "karikomi/services/orders.cpp",
                             "karikomi/protocols/lines.cpp", "karikomi/engine/registry.cpp"}) {
        EXPECT_THAT(check(path, "karikomi/games/shipped.hpp"), SizeIs(1)) << path;
        EXPECT_THAT(check(path, "karikomi/games/renju/game.hpp"), SizeIs(1)) << path;
        EXPECT_THAT(check(path, "examples/connect_four/module.hpp"), SizeIs(1)) << path;
    }
}

TEST(GameNames, AreRefusedOutsideTheirPlace) {
    const auto check = [](const char* path, const char* text) {
        return check_game_names({path, text});
    };
    const char* const kGuess = "// why\nif (game == \"othello\") return 64;\n";
    EXPECT_THAT(check("karikomi/lab/match/game.cpp", kGuess),
                ElementsAre("karikomi/lab/match/game.cpp:2: names the game 'othello'"));
    for (const char* text :
         {"x = \"Shogi\";", "using renju::Position;", "add(\"standard_gomoku\");", "kFreestyle",
          "run(\"karikomi perft connect_four\");", "\"Connect Four\"", "/* why */ reversi();",
          "auto u = \"http://x\"; gomoku();"}) {
        EXPECT_THAT(check("karikomi/cli/perft.cpp", text), SizeIs(1)) << text;
        EXPECT_THAT(check("karikomi/games/othello/module.cpp", text), IsEmpty()) << text;
        EXPECT_THAT(check("karikomi/games/shipped.cpp", text), IsEmpty()) << text;
        EXPECT_THAT(check("examples/connect_four/module.cpp", text), IsEmpty()) << text;
        EXPECT_THAT(check("tests/cli/cli_test.cpp", text), IsEmpty()) << text;
        EXPECT_THAT(check("web/src/lib/session.svelte.ts", text), SizeIs(1)) << text;
        EXPECT_THAT(check("web/src/games/renju.ts", text), IsEmpty()) << text;
    }
}

TEST(GameNames, MayBeSaidInComments) {
    for (const char* text : {"x();  // as in Othello", "/* Shogi\n renju */ y();", "/// gomoku",
                             "the_standard_way();"}) {
        EXPECT_THAT(check_game_names({"karikomi/core/tt.cpp", text}), IsEmpty()) << text;
    }
    EXPECT_THAT(check_game_names({"karikomi/core/tt.cpp", "/* a\nb */\nothello();"}),
                ElementsAre("karikomi/core/tt.cpp:3: names the game 'othello'"));
}

TEST(Globals, AreRefused) {
    const auto check = [](const char* path, const std::string& text) {
        return check_globals({path, text});
    };
    for (const char* text :
         {"std::shared_ptr<Weights> active;", "static Weights active;", "int calls = 0;",
          "void f() {\n    static int calls = 0;\n}", "class A {\n    static int count_;\n};",
          "inline std::atomic<bool> stop{false};"}) {
        EXPECT_THAT(check("karikomi/games/othello/weights.cpp", text), SizeIs(1)) << text;
        EXPECT_THAT(check("tests/core/x.cpp", text), IsEmpty()) << text;
    }
    for (const char* text :
         {"static constexpr int kMost = 3;", "const Table kTable = make();", "int calls();",
          "using A = B<C>;", "    int member = 0;", "extern const Tables kTables;",
          "    static const Weights kShipped = read();", "    static int count();", "return x;",
          "    static SharedFiles<Weights> files;"}) {
        EXPECT_THAT(check("karikomi/games/othello/weights.cpp", text), IsEmpty()) << text;
    }
    EXPECT_THAT(check("karikomi/engine/registry.cpp", "    static std::deque<Game> all;"),
                IsEmpty());
}

TEST(ArchitecturePage, ComplainsOfWhatIsOnlyThereOrOnlyInTheTree) {
    const std::string page =
        "## The tree\n| folder | contents |\n|---|---|\n| `karikomi/core` | the `selective` search "
        "|\n"
        "| `web`, `karikomi/old` | the page |\n## The rest\n| `karikomi/lab` | not here |\n";
    const auto exists = [](const std::string& path) { return path != "karikomi/old"; };
    const std::vector<std::string> folders = {"karikomi/core", "karikomi/core/selective"};
    EXPECT_THAT(check_architecture_page(page, folders, [](const auto&) { return true; }),
                IsEmpty());
    EXPECT_THAT(check_architecture_page(page, folders, exists),
                ElementsAre("the page names karikomi/old, which does not exist"));
    EXPECT_THAT(check_architecture_page(page, {"karikomi/lab", "karikomi/core/new"},
                                        [](const auto&) { return true; }),
                ElementsAre("the page does not name karikomi/lab",
                            "the page does not name karikomi/core/new"));
}

TEST(Layering, ComplainsOfAnUnknownFolder) {
    EXPECT_THAT(check_layering({"karikomi/misc/x.cpp", ""}),
                ElementsAre(HasSubstr("lies in no known layer")));
}

TEST(FunctionLength, ComplainsAboveEightyLines) {
    EXPECT_THAT(check_function_length({"a.cpp", function_text("void f()", 80)}), IsEmpty());
    EXPECT_THAT(check_function_length({"a.cpp", "int x;\n" + function_text("void f()", 81)}),
                ElementsAre("a.cpp:2: f() has 81 lines"));
}

TEST(FunctionLength, GivesTheNodeItsOwnLimit) {
    const std::string head =
        "template <Game G>\ntemplate <NodeKind K>\nValue Worker<G>::search(int)";
    const auto check = [&](const std::string_view path, int lines) {
        return check_function_length({std::string(path), function_text(head, lines - 2)});
    };
    EXPECT_THAT(check(kNodePath, 249), IsEmpty());
    EXPECT_THAT(check(kNodePath, 250), ElementsAre(HasSubstr("search() has 250 lines")));
    EXPECT_THAT(check("karikomi/core/root.hpp", 81), SizeIs(1));
    EXPECT_THAT(check_function_length({std::string(kNodePath), function_text("void g()", 81)}),
                SizeIs(1));
}

TEST(FunctionLength, CountsASignatureOfSeveralLines) {
    const std::string head =
        "Value search(Value alpha, Value beta,\n             Depth depth) const";
    EXPECT_THAT(check_function_length({"a.cpp", function_text(head, 79)}), IsEmpty());
    EXPECT_THAT(check_function_length({"a.cpp", function_text(head, 80)}), SizeIs(1));
}

TEST(FunctionLength, LooksInsideClassesAndNamespaces) {
    const std::string open = "namespace a {\nstruct B {\npublic:\n";
    const std::string close = "};\n}\n";
    const std::string small = function_text("B() : x_{1}, y_(2), z_{3}", 60);
    EXPECT_THAT(check_function_length({"a.cpp", open + small + small + close}), IsEmpty());
    const std::string large = function_text("B() : x_{1}, y_(2), z_{3}", 81);
    EXPECT_THAT(check_function_length({"a.cpp", open + small + large + close}),
                ElementsAre("a.cpp:64: B() has 81 lines"));
}

TEST(FunctionLength, ComplainsWhereBracketsDoNotMatch) {
    EXPECT_THAT(check_function_length({"a.cpp", "void f() {\n"}), SizeIs(1));
    EXPECT_THAT(check_function_length({"a.cpp", "}\n"}), SizeIs(1));
    EXPECT_THAT(check_function_length({"a.cpp", "void f() { g(1]; }\n"}), SizeIs(1));
}

TEST(FunctionFinder, FindsFunctionsOfManyForms) {
    EXPECT_THAT(
        functions_in(R"(
        int plain(int a = 1) { return a; }
        template <class T = int> requires(sizeof(T) > 2) auto f(T t) -> decltype(t) { return t; }
        template <class T> requires requires(T t) { t.x(); } void g() { if (a) { b(); } }
        struct alignas(64) S : Base<int> {
            S() = default;
            explicit S(int a) : a_{a}, b_(a) { init(); }
            ~S() { end(); }
            bool operator==(const S& o) const { return a_ == o.a_; }
            S& operator=(const S&) { return *this; }
            int operator()(int x) const noexcept(true) { return x; }
            int a_{0};
        };
        TEST(Name, Case) { run([] { x(); }); }
    )"),
        ElementsAre("plain", "f", "g", "S", "~S", "operator==", "operator=", "operator()", "TEST"));
}

TEST(FunctionFinder, PassesOverWhatIsNoFunction) {
    EXPECT_THAT(functions_in(R"(
        #define OPEN(x) { \
            {
        namespace { enum class E : int { kA, kB }; union { int i; float f; } u; }
        constexpr int kTable[] = {1, 2, 3};
        constexpr auto kLambda = [](int x) { return x; };
        template <class T> concept C = requires(T t) { t.x(); };
        const char* brace = "{ \" {"; const char quote = '{'; const int million = 1'000'000;
        // {
        /* { */
        extern "C" { int c(); }
        int declared(int a);
    )"),
                IsEmpty());
    EXPECT_THAT(functions_in("auto s = R\"x({{ ) \" )x\"; void f() {}"), ElementsAre("f"));
}

}  // namespace
}  // namespace karikomi::tests
