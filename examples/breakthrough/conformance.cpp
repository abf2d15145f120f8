/// Does Breakthrough keep every rule that the search takes for granted?
#include <karikomi/conformance/conformance.hpp>

#include "breakthrough.hpp"

int main() {
    return karikomi::conformance::run<breakthrough::Game>();
}
