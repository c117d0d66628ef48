// SPDX-License-Identifier: Apache-2.0
// Mc2InitTiling and Mc2CcTiling: what Mc2CcTilingConfig tells Hccl. Their sizes are published, what is in them is not: the words below are
// aclimb's own. This file is in both folders of headers, and counts once.
#pragma once
#ifndef ACLIMB_KERNEL_TILING_HCCL_TILINGS_H
#define ACLIMB_KERNEL_TILING_HCCL_TILINGS_H
#include <stdint.h>

namespace AscendC {
namespace tiling {
struct Mc2InitTiling {
    uint8_t reserved[64] = {};
};
struct Mc2CcTiling {
    uint8_t reserved[280] = {};
};
} // namespace tiling
using tiling::Mc2CcTiling;
using tiling::Mc2InitTiling;
} // namespace AscendC
using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2InitTiling;

namespace aclimb {
constexpr uint32_t kMc2Made = 0x32434d41; // GetTiling has filled it
struct Mc2InitWords {
    uint32_t made;
};
struct Mc2CcWords {
    uint32_t made, command, reduce; // HcclCMDType, HcclReduceOp
    uint8_t skips_own, window_copy, comm_engine, reserved;
};
static_assert(sizeof(Mc2InitWords) <= sizeof(Mc2InitTiling) && sizeof(Mc2CcWords) <= sizeof(Mc2CcTiling), "they lie in the reserved bytes");
} // namespace aclimb
#endif
