// SPDX-License-Identifier: Apache-2.0
// What stands first in an aclnn function: from here on its messages carry its name. The other parameters are for the vendor's own log.
#pragma once
#include <tuple>

#include "opdev/op_log.h"

namespace aclimb {
namespace level0 {
struct Phase {
    explicit Phase(const char* name) : before(function()) { function() = name; }
    ~Phase() { function() = before; }
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

  private:
    std::string before;
};
} // namespace level0
} // namespace aclimb

#define DFX_IN(...) std::make_tuple(__VA_ARGS__)
#define DFX_OUT(...) std::make_tuple(__VA_ARGS__)
#define L2_DFX_PHASE_1(APIName, IN, OUT)                                                                                                   \
    const ::aclimb::level0::Phase aclimb_phase(#APIName "GetWorkspaceSize");                                                               \
    (void)IN;                                                                                                                              \
    (void)OUT
#define L2_DFX_PHASE_2(APIName) const ::aclimb::level0::Phase aclimb_phase(#APIName)
#define L0_DFX(profilingName, ...) (void)std::make_tuple(__VA_ARGS__)
