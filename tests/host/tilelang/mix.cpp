// SPDX-License-Identifier: Apache-2.0
// c = relu(a * b) as halves: the AIC leaves 64 x 64 floats in a workspace and sets a flag, each AIV takes half of the rows.
#include "form.h"

constexpr uint32_t kBlock = 64, kHalf = kBlock * kBlock / 2;

extern "C" __global__ __aicore__ void mix_kernel(GM_ADDR a_handle, GM_ADDR b_handle, GM_ADDR work_handle, GM_ADDR c_handle, int64_t blocks,
                                                 uint64_t fftsAddr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::SetSyncBaseAddr(fftsAddr);
    AscendC::TPipe pipe;
    form::Memories memories;
    memories.take(pipe);
    AscendC::GlobalTensor<half> a, b, c;
    AscendC::GlobalTensor<float> work;
    a.SetGlobalBuffer((__gm__ half*)a_handle, blocks * kBlock * kBlock);
    b.SetGlobalBuffer((__gm__ half*)b_handle, kBlock * kBlock);
    work.SetGlobalBuffer((__gm__ float*)work_handle, blocks * kBlock * kBlock);
    c.SetGlobalBuffer((__gm__ half*)c_handle, blocks * kBlock * kBlock);
    if ASCEND_IS_AIC {
        const int64_t at = AscendC::GetBlockIdx() * kBlock * kBlock;
        auto a_l1 = memories.l1.GetWithOffset<half>(kBlock * kBlock, 0);
        auto b_l1 = memories.l1.GetWithOffset<half>(kBlock * kBlock, 8192);
        auto a_l0 = memories.l0a.GetWithOffset<half>(kBlock * kBlock, 0);
        auto b_l0 = memories.l0b.GetWithOffset<half>(kBlock * kBlock, 0);
        auto c_l0 = memories.l0c.GetWithOffset<float>(kBlock * kBlock, 0);
        form::to_l1(a_l1, a[at], kBlock, kBlock, kBlock);
        form::to_l1(b_l1, b, kBlock, kBlock, kBlock);
        AscendC::PipeBarrier<PIPE_ALL>();
        form::to_l0(a_l0, a_l1, kBlock, kBlock, false);
        form::to_l0(b_l0, b_l1, kBlock, kBlock, true);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Mmad(c_l0, a_l0, b_l0, AscendC::MmadParams(kBlock, kBlock, kBlock, 0, false, true));
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Fixpipe(work[at], c_l0, AscendC::FixpipeParamsV220(kBlock, kBlock, kBlock, kBlock, false));
        AscendC::CrossCoreSetFlag<0x2, PIPE_FIX>(0);
    }
    if ASCEND_IS_AIV {
        auto from = memories.ub.GetWithOffset<float>(kHalf, 0);
        auto to = memories.ub.GetWithOffset<half>(kHalf, kHalf * sizeof(float));
        const int64_t at = AscendC::GetBlockIdx() / 2 * kBlock * kBlock + AscendC::GetSubBlockIdx() * kHalf;
        AscendC::CrossCoreWaitFlag(0);
        AscendC::DataCopy(from, work[at], kHalf);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Maxs(from, from, 0.0f, kHalf);
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, kHalf);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(c[at], to, kHalf);
    }
}

extern "C" void call(uint8_t* a, uint8_t* b, uint8_t* work, uint8_t* c, int64_t blocks, aclrtStream stream) {
    mix_kernel<<<blocks, nullptr, stream>>>(a, b, work, c, blocks, form::ffts());
}
