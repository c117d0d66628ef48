// SPDX-License-Identifier: Apache-2.0
// Softmax of rows, a tile of 16 rows for each AIV: reductions with a Pattern, and Broadcast, on the whole tile at once.
#include "form.h"

constexpr uint32_t kRows = 16, kColumns = 128;

extern "C" __global__ __aicore__ void softmax_tiles(GM_ADDR x_handle, GM_ADDR y_handle, int64_t rows, uint64_t fftsAddr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::SetSyncBaseAddr(fftsAddr);
    AscendC::TPipe pipe;
    form::Memories memories;
    memories.take(pipe);
    auto tile = memories.ub.GetWithOffset<float>(kRows * kColumns, 0);
    auto wide = memories.ub.GetWithOffset<float>(kRows * kColumns, 8192);
    auto found = memories.ub.GetWithOffset<float>(kRows, 16384);
    auto tmp = memories.ub.GetWithOffset<uint8_t>(65536, 32768);
    if ASCEND_IS_AIV {
        const int64_t at = AscendC::GetBlockIdx() * kRows * kColumns;
        AscendC::GlobalTensor<float> x, y;
        x.SetGlobalBuffer((__gm__ float*)x_handle, rows * kColumns);
        y.SetGlobalBuffer((__gm__ float*)y_handle, rows * kColumns);
        AscendC::DataCopy(tile, x[at], kRows * kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::ReduceMax<float, AscendC::Pattern::Reduce::AR, true>(found, tile, tmp, (uint32_t[]){kRows, kColumns}, true);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Broadcast<float, 2, 1>(wide, found, (uint32_t[]){kRows, kColumns}, (uint32_t[]){kRows, 1}, tmp);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Sub(tile, tile, wide, kRows * kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Exp(tile, tile, kRows * kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::ReduceSum<float, AscendC::Pattern::Reduce::AR, true>(found, tile, tmp, (uint32_t[]){kRows, kColumns}, true);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Broadcast<float, 2, 1>(wide, found, (uint32_t[]){kRows, kColumns}, (uint32_t[]){kRows, 1}, tmp);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Div(tile, tile, wide, kRows * kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(y[at], tile, kRows * kColumns);
    }
}

extern "C" void call(uint8_t* x, uint8_t* y, int64_t rows, aclrtStream stream) {
    softmax_tiles<<<rows / 32, nullptr, stream>>>(x, y, rows, form::ffts());
}
