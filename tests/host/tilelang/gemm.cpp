// SPDX-License-Identifier: Apache-2.0
// c = a * b in halves, a block of 64 x 64 a group, sums over 64 columns of a at a time with explicit flags.
#include "form.h"

constexpr uint32_t kBlock = 64;

extern "C" __global__ __aicore__ void gemm_kernel(GM_ADDR a_handle, GM_ADDR b_handle, GM_ADDR c_handle, int64_t m, int64_t n, int64_t k,
                                                  uint64_t fftsAddr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::SetSyncBaseAddr(fftsAddr);
    AscendC::TPipe pipe;
    form::Memories memories;
    memories.take(pipe);
    auto a_l1 = memories.l1.GetWithOffset<half>(kBlock * kBlock, 0);
    auto b_l1 = memories.l1.GetWithOffset<half>(kBlock * kBlock, kBlock * kBlock * sizeof(half));
    auto a_l0 = memories.l0a.GetWithOffset<half>(kBlock * kBlock, 0);
    auto b_l0 = memories.l0b.GetWithOffset<half>(kBlock * kBlock, 0);
    auto c_l0 = memories.l0c.GetWithOffset<float>(kBlock * kBlock, 0);
    if ASCEND_IS_AIC {
        auto cid = AscendC::GetBlockIdx();
        const int64_t row = cid / (n / kBlock) * kBlock, column = cid % (n / kBlock) * kBlock;
        AscendC::GlobalTensor<half> a, b, c;
        a.SetGlobalBuffer((__gm__ half*)a_handle, m * k);
        b.SetGlobalBuffer((__gm__ half*)b_handle, k * n);
        c.SetGlobalBuffer((__gm__ half*)c_handle, m * n);
        for (int64_t step = 0; step < k / kBlock; ++step) {
            if (step) AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(0);
            form::to_l1(a_l1, a[row * k + step * kBlock], kBlock, kBlock, k);
            form::to_l1(b_l1, b[step * kBlock * n + column], kBlock, kBlock, n);
            AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(0);
            AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(0);
            if (step) AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(0);
            form::to_l0(a_l0, a_l1, kBlock, kBlock, false);
            form::to_l0(b_l0, b_l1, kBlock, kBlock, true);
            if (step + 1 < k / kBlock) AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(0);
            AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(0);
            AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(0);
            AscendC::MmadParams params(kBlock, kBlock, kBlock, 0, false, step == 0);
            AscendC::Mmad(c_l0, a_l0, b_l0, params);
            if (step + 1 < k / kBlock) AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(0);
        }
        AscendC::SetFlag<AscendC::HardEvent::M_FIX>(0);
        AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(0);
        AscendC::FixpipeParamsV220 out(kBlock, kBlock, kBlock, n, false);
        out.quantPre = QuantMode_t::F322F16;
        AscendC::Fixpipe(c[row * n + column], c_l0, out);
    }
}

extern "C" void call(uint8_t* a, uint8_t* b, uint8_t* c, int64_t m, int64_t n, int64_t k, aclrtStream stream) {
    gemm_kernel<<<m / kBlock*(n / kBlock), nullptr, stream>>>(a, b, c, m, n, k, form::ffts());
}
