// SPDX-License-Identifier: Apache-2.0
// The 16 largest of each row of 32 with their places, two rows a block: Sort32 of (value, place) pairs, then the pairs taken apart.
#include "form.h"

constexpr uint32_t kColumns = 32, kTop = 16;

extern "C" __global__ __aicore__ void topk_kernel(GM_ADDR x_handle, GM_ADDR values_handle, GM_ADDR places_handle, int64_t rows,
                                                  uint64_t fftsAddr) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::SetSyncBaseAddr(fftsAddr);
    AscendC::TPipe pipe;
    form::Memories memories;
    memories.take(pipe);
    auto row = memories.ub.GetWithOffset<float>(kColumns, 0);
    auto places = memories.ub.GetWithOffset<uint32_t>(kColumns, 128);
    auto pairs = memories.ub.GetWithOffset<float>(2 * kColumns, 256);
    auto top = memories.ub.GetWithOffset<float>(kColumns, 512);
    auto where = memories.ub.GetWithOffset<uint32_t>(kColumns, 640);
    if ASCEND_IS_AIV {
        const int64_t at = AscendC::GetBlockIdx();
        AscendC::GlobalTensor<float> x, values;
        AscendC::GlobalTensor<uint32_t> out;
        x.SetGlobalBuffer((__gm__ float*)x_handle, rows * kColumns);
        values.SetGlobalBuffer((__gm__ float*)values_handle, rows * kTop);
        out.SetGlobalBuffer((__gm__ uint32_t*)places_handle, rows * kTop);
        AscendC::DataCopy(row, x[at * kColumns], kColumns);
        AscendC::CreateVecIndex(places.ReinterpretCast<int32_t>(), 0, kColumns);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Sort32(pairs, row, places, 1);
        AscendC::PipeBarrier<PIPE_ALL>();
        uint64_t kept = 0;
        AscendC::GatherMask(top, pairs, 1, false, 0, {1, 1, 8, 8}, kept);
        AscendC::GatherMask(where, pairs.ReinterpretCast<uint32_t>(), 2, false, 0, {1, 1, 8, 8}, kept);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(values[at * kTop], top, kTop);
        AscendC::DataCopy(out[at * kTop], where, kTop);
    }
}

extern "C" void call(uint8_t* x, uint8_t* values, uint8_t* places, int64_t rows, aclrtStream stream) {
    topk_kernel<<<rows / 2, nullptr, stream>>>(x, values, places, rows, form::ffts());
}
