// The search of the synthetic game with single techniques left out of the build.
#include "tests/synthetic/technique_cases.hpp"

namespace karikomi::synthetic {

template <> Examined examine_without<Tree>(Technique t, const SearchParams& params) {
    return dispatch_without<Tree>(t, params);
}
template <> Examined examine_without_all<Tree>(const SearchParams& params) {
    return examine<Tree, WithoutAll>(params);
}

}  // namespace karikomi::synthetic
