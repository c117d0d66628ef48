// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kernel_tiling/kernel_tiling.h"

struct GatherMatmulTilingData {
    Mc2InitTiling mc2InitTiling;
    Mc2CcTiling mc2CcTiling;
    TCubeTiling cube;
    uint32_t rankSize, reserved;
};
