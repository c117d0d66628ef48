// SPDX-License-Identifier: Apache-2.0
// AscendC::tiling::TCubeTiling, the same on host and device: 50 numbers that say how a Matmul object cuts its work. This file is in both
// folders of headers.
#ifndef ACLIMB_KERNEL_TILING_TCUBE_TILING_H
#define ACLIMB_KERNEL_TILING_TCUBE_TILING_H
#include <stdint.h>

// WORD(name) for each field, in the order of their bytes.
// clang-format off
#define ACLIMB_TCUBE_TILING(WORD) \
    WORD(usedCoreNum) \
    WORD(M) WORD(N) WORD(Ka) WORD(Kb) \
    WORD(singleCoreM) WORD(singleCoreN) WORD(singleCoreK) \
    WORD(baseM) WORD(baseN) WORD(baseK) \
    WORD(depthA1) WORD(depthB1) WORD(stepM) WORD(stepN) \
    WORD(isBias) WORD(transLength) WORD(iterateOrder) \
    WORD(shareMode) WORD(shareL1Size) WORD(shareL0CSize) WORD(shareUbSize) \
    WORD(batchM) WORD(batchN) WORD(singleBatchM) WORD(singleBatchN) \
    WORD(stepKa) WORD(stepKb) WORD(depthAL1CacheUB) WORD(depthBL1CacheUB) \
    WORD(dbL0A) WORD(dbL0B) WORD(dbL0C) \
    WORD(ALayoutInfoB) WORD(ALayoutInfoS) WORD(ALayoutInfoN) WORD(ALayoutInfoG) WORD(ALayoutInfoD) \
    WORD(BLayoutInfoB) WORD(BLayoutInfoS) WORD(BLayoutInfoN) WORD(BLayoutInfoG) WORD(BLayoutInfoD) \
    WORD(CLayoutInfoB) WORD(CLayoutInfoS1) WORD(CLayoutInfoN) WORD(CLayoutInfoG) WORD(CLayoutInfoS2) \
    WORD(BatchNum) WORD(mxTypePara)
// clang-format on

namespace AscendC {
namespace tiling {
#define ACLIMB_WORD(name) int32_t name;
struct TCubeTiling {
    ACLIMB_TCUBE_TILING(ACLIMB_WORD)
};
#undef ACLIMB_WORD
} // namespace tiling
} // namespace AscendC

static_assert(sizeof(AscendC::tiling::TCubeTiling) == 200, "TCubeTiling has 200 bytes");
#endif
