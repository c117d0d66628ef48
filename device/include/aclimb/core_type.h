// SPDX-License-Identifier: Apache-2.0
// Which core this pass is compiled for, and what exists there. A split kernel is compiled twice, once as AIC and once as AIV, so
// that all of this is known at compile time: a call that belongs to the other core vanishes.
#pragma once
#include <stdint.h>

#include "aclimb/abi.h"

// Every API function is inlined into the kernel: the return address of core()->issue then lies in the user's own line.
#define ACLIMB_API inline __attribute__((always_inline))

// A config as a template argument: its value, where the language has that. g++ 12 dies of a reference to a constant that is local to a
// member function of a template.
#if __cpp_nontype_template_args >= 201911L
#define ACLIMB_CONFIG(type) type
#else
#define ACLIMB_CONFIG(type) const type&
#endif

#ifndef ACLIMB_CORE_TYPE
#define ACLIMB_CORE_TYPE 2
#endif

namespace AscendC {
constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
} // namespace AscendC

constexpr int32_t g_coreType = ACLIMB_CORE_TYPE;
namespace AscendC {
using ::g_coreType;
}

#define ASCEND_IS_AIV constexpr(g_coreType == AscendC::AIV)
#define ASCEND_IS_AIC constexpr(g_coreType == AscendC::AIC)
#define ASCEND_IS_NOT_AIV constexpr(g_coreType != AscendC::AIV)
#define ASCEND_IS_NOT_AIC constexpr(g_coreType != AscendC::AIC)

namespace aclimb {

constexpr bool kIsCube = g_coreType != AscendC::AIV;
constexpr bool kIsVector = g_coreType != AscendC::AIC;

constexpr bool has_pipe(Pipe pipe) {
    switch (pipe) {
    case Pipe::V: return kIsVector;
    case Pipe::M:
    case Pipe::MTE1:
    case Pipe::FIX: return kIsCube;
    default: return true;
    }
}

constexpr bool has_memory(Memory memory) { return memory == Memory::GM || (memory == Memory::UB ? kIsVector : kIsCube); }

} // namespace aclimb
