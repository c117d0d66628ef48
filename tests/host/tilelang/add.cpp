// SPDX-License-Identifier: Apache-2.0
// c = a + b, a tile a block, half of it an AIV; far more blocks than cores.
#include "form.h"

constexpr int64_t kTile = 256;

extern "C" __global__ __aicore__ void add_kernel(GM_ADDR a_handle, GM_ADDR b_handle, GM_ADDR c_handle, int64_t length, uint64_t fftsAddr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::SetSyncBaseAddr(fftsAddr);
    AscendC::TPipe pipe;
    form::Memories memories;
    memories.take(pipe);
    auto a_ub = memories.ub.GetWithOffset<float>(kTile / 2, 0);
    auto b_ub = memories.ub.GetWithOffset<float>(kTile / 2, 512);
    if ASCEND_IS_AIV {
        auto cid = AscendC::GetBlockIdx() / 2;
        auto vid = AscendC::GetSubBlockIdx();
        const int64_t at = cid * kTile + vid * (kTile / 2);
        AscendC::GlobalTensor<float> a, b, c;
        a.SetGlobalBuffer((__gm__ float*)a_handle, length);
        b.SetGlobalBuffer((__gm__ float*)b_handle, length);
        c.SetGlobalBuffer((__gm__ float*)c_handle, length);
        AscendC::DataCopy(a_ub, a[at], kTile / 2);
        AscendC::DataCopy(b_ub, b[at], kTile / 2);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Add(a_ub, a_ub, b_ub, kTile / 2);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(c[at], a_ub, kTile / 2);
    }
}

extern "C" void call(uint8_t* a, uint8_t* b, uint8_t* c, int64_t length, aclrtStream stream) {
    add_kernel<<<form::ceil_div(length, kTile), nullptr, stream>>>(a, b, c, length, form::ffts());
}
