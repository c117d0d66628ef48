// SPDX-License-Identifier: Apache-2.0
// Kernels that write what they were given as arguments to z, as 64-bit words.
#include "kernel_operator.h"

using namespace AscendC;

#define WORD(z, index, value) ((__gm__ uint64_t*)z)[index] = (uint64_t)(value)

// The addresses of six parameters, then the first two words of the tiling data.
extern "C" __global__ __vector__ void two_workspaces(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR first, GM_ADDR second, GM_ADDR tiling) {
    WORD(z, 0, x);
    WORD(z, 1, y);
    WORD(z, 2, z);
    WORD(z, 3, first);
    WORD(z, 4, second);
    WORD(z, 5, tiling);
    WORD(z, 6, ((const __gm__ uint64_t*)tiling)[0]);
    WORD(z, 7, ((const __gm__ uint64_t*)tiling)[1]);
}

// No workspace: tiling stands right behind the output.
extern "C" __global__ __vector__ void no_workspace(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    WORD(z, 0, x);
    WORD(z, 1, z);
    WORD(z, 2, ((const __gm__ uint64_t*)tiling)[0]);
}

// As many kernels of projects begin.
extern "C" __global__ __vector__ void needs_workspace(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    if (workspace == nullptr || GetUserWorkspace(workspace) == nullptr) return;
    WORD(z, 0, x);
    WORD(z, 1, z);
    WORD(z, 2, workspace);
    WORD(z, 3, ((const __gm__ uint64_t*)tiling)[0]);
}

// An input that may be left out, between two that may not; and no tiling data.
extern "C" __global__ __vector__ void optional_between(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR z) {
    WORD(z, 0, x);
    WORD(z, 1, bias);
    WORD(z, 2, y);
    WORD(z, 3, z);
}

// The block behind a dynamic input, word by word: 8 of them for two tensors with two sides.
extern "C" __global__ __vector__ void list_words(GM_ADDR list, GM_ADDR z) {
    for (uint32_t i = 0; i < 9; ++i) WORD(z, i, ((const __gm__ uint64_t*)list)[i]);
}

// Tiling key and number of blocks.
extern "C" __global__ __vector__ void three_keys(GM_ADDR x, GM_ADDR z) {
    uint64_t key = 0;
    if (TILING_KEY_IS(1)) {
        key = 1;
    } else if (TILING_KEY_IS(20)) {
        key = 20;
    } else if (TILING_KEY_IS(300)) {
        key = 300;
    }
    if (GetBlockIdx() == 0) {
        WORD(z, 0, key);
        WORD(z, 1, GetBlockNum());
    }
}

struct Inline {
    uint64_t one;
    uint32_t two;
};

// As a selector's kernel sees it: addresses, then bytes.
extern "C" __global__ __vector__ void inline_bytes(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR first, GM_ADDR second, Inline plan) {
    WORD(z, 0, x);
    WORD(z, 1, y);
    WORD(z, 2, z);
    WORD(z, 3, first);
    WORD(z, 4, second);
    WORD(z, 5, plan.one);
    WORD(z, 6, plan.two);
    WORD(z, 7, GetBlockNum());
}
