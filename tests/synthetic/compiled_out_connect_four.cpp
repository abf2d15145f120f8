// The search of Connect Four with single techniques left out of the build.
#include "tests/synthetic/technique_cases.hpp"

namespace karikomi::synthetic {

template <> Examined examine_without<ConnectFour>(Technique t, const SearchParams& params) {
    return dispatch_without<ConnectFour>(t, params);
}
template <> Examined examine_without_all<ConnectFour>(const SearchParams& params) {
    return examine<ConnectFour, WithoutAll>(params);
}

}  // namespace karikomi::synthetic
