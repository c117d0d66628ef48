// SPDX-License-Identifier: Apache-2.0
// Softmax of rows, two rows a block, row by row with basic calls; softmax_tiles.cpp takes whole tiles.
#include "form.h"

constexpr uint32_t kColumns = 128;

DEVICE uint32_t product(const uint32_t* shape, uint32_t count) {
    uint32_t all = 1;
    for (uint32_t i = 0; i < count; ++i) all *= shape[i];
    return all;
}

extern "C" __global__ __aicore__ void softmax_kernel(GM_ADDR x_handle, GM_ADDR y_handle, int64_t rows, uint64_t fftsAddr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::SetSyncBaseAddr(fftsAddr);
    AscendC::TPipe pipe;
    form::Memories memories;
    memories.take(pipe);
    auto row = memories.ub.GetWithOffset<float>(product((uint32_t[]){1, kColumns}, 2), 0);
    auto found = memories.ub.GetWithOffset<float>(8, 512);
    auto tmp = memories.ub.GetWithOffset<float>(kColumns, 1024);
    if ASCEND_IS_AIV {
        const int64_t at = AscendC::GetBlockIdx() * product((uint32_t[2]){kColumns, 1}, 2);
        AscendC::GlobalTensor<float> x, y;
        x.SetGlobalBuffer((__gm__ float*)x_handle, rows * kColumns);
        y.SetGlobalBuffer((__gm__ float*)y_handle, rows * kColumns);
        AscendC::DataCopy(row, x[at], kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::ReduceMax(found, row, tmp, kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Adds(row, row, -found.GetValue(0), kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Exp(row, row, kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::ReduceSum(found, row, tmp, kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Muls(row, row, 1.0f / found.GetValue(0), kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(y[at], row, kColumns);
    }
}

extern "C" void call(uint8_t* x, uint8_t* y, int64_t rows, aclrtStream stream) {
    softmax_kernel<<<rows / 2, nullptr, stream>>>(x, y, rows, form::ffts());
}
