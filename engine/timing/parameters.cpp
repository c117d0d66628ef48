// SPDX-License-Identifier: Apache-2.0
#include "timing/parameters.h"

namespace aclimb::timing {

void Parameters::change(const std::map<std::string, double>& values) {
    const auto take = [&](const char* name, double& to) {
        if (const auto found = values.find(name); found != values.end()) to = found->second;
    };
#define ACLIMB_TIMING_ROW(name) take(#name, name);
    ACLIMB_TIMING_PARAMETERS(ACLIMB_TIMING_ROW)
#undef ACLIMB_TIMING_ROW
}

bool Parameters::fill(const std::map<std::string, double>& values, std::string& missing) {
    const auto take = [&](const char* name, double& to) {
        const auto found = values.find(name);
        if (found == values.end()) return missing = name, false;
        to = found->second;
        return true;
    };
#define ACLIMB_TIMING_ROW(name)                                                                                                            \
    if (!take(#name, name)) return false;
    ACLIMB_TIMING_PARAMETERS(ACLIMB_TIMING_ROW)
#undef ACLIMB_TIMING_ROW
    return true;
}

} // namespace aclimb::timing
