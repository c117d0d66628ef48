#include "kernel_operator.h"
#include "tiling.h"

// x[i] = i * step * FACTOR + OFFSET, one element a block.
extern "C" __global__ __aicore__ void fill(GM_ADDR x, Tiling tiling) {
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)x, tiling.length);
    const int32_t i = static_cast<int32_t>(AscendC::GetBlockIdx());
    gm.SetValue(i, i * tiling.step * FACTOR + OFFSET);
    AscendC::DataCacheCleanAndInvalid<int32_t, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(gm[i]);
}
