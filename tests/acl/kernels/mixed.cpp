// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

// A block is one AIC and two AIVs. Every core counts its runs and writes its block number, its sub-block number and the number of blocks:
// four words, those of the n AICs first, then those of the 2n AIVs.
extern "C" __global__ __aicore__ void mix_index(GM_ADDR out) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    auto* words = (__gm__ int32_t*)out;
    int64_t row = GetBlockIdx();
    if ASCEND_IS_AIV {
        row += GetBlockNum();
    }
    words += 4 * row;
    words[0] += 1;
    words[1] = static_cast<int32_t>(GetBlockIdx());
    words[2] = static_cast<int32_t>(GetSubBlockIdx());
    words[3] = static_cast<int32_t>(GetBlockNum());
}

// out[block] = block + 1, on cube cores alone.
extern "C" __global__ __cube__ void cube_index(GM_ADDR out) {
    ((__gm__ int32_t*)out)[GetBlockIdx()] = static_cast<int32_t>(GetBlockIdx()) + 1;
}
