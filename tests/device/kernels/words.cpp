// SPDX-License-Identifier: Apache-2.0
// The small words around a kernel, and tensors that are put somewhere by hand.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline __forceinline__ T twice(T x) { return x + x; }

// y[0..] says what happened; x is 64 floats.
extern "C" __global__ __aicore__ void words(GM_ADDR x, GM_ADDR y) {
    auto out = (__gm__ int32_t*)y;
    int32_t asked = 0;
    if (likely(++asked == 1)) out[0] = 1;
    if (unlikely(++asked == 3)) out[0] = 2;
    out[1] = asked;
    out[2] = IsSameType<half, half>::value + 2 * AscendC::IsSameType<half, float>::value;
    KERNEL_LOG(KERNEL_ERROR, "not even %d arguments are looked at: %s", asked++, no_such_name);
    out[3] = asked;
    ASSERT(asked == 2);
    float32_t f = 1.5f;
    out[4] = static_cast<int32_t>(twice(f));
    typename AscendC::Conditional<sizeof(float32_t) == 4, int16_t, int64_t>::type chosen = 0;
    out[6] = sizeof chosen;
    out[5] = ::GetSysWorkSpacePtr() == AscendC::GetSysWorkSpacePtr() && GetSysWorkSpacePtr() == nullptr;
}

extern "C" __global__ __aicore__ void failing_assert(GM_ADDR y) {
    ASSERT(y == nullptr);
}

// The sum of x in y[0], through a TBuf that is used like a queue.
extern "C" __global__ __aicore__ void buffer_as_queue(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    out.SetGlobalBuffer((__gm__ float*)y, 8);
    TPipe pipe;
    TBuf<TPosition::VECIN> buffer;
    pipe.InitBuffer(buffer, 64 * sizeof(float));
    LocalTensor<float> local = buffer.AllocTensor<float>();
    DataCopy(local, in, 64);
    PipeBarrier<PIPE_ALL>();
    if (!buffer.EnQue(local)) return;
    LocalTensor<float> again = buffer.DeQue<float>();
    ReduceSum<float, true>(again, again, again, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, again, 8);
    buffer.FreeTensor(again);
    buffer.FreeTensor(again);
}

// What is of the CPU debug mode leaves nothing: neither names nor conditions are looked at.
extern "C" __global__ __aicore__ void debug_words(GM_ADDR y) {
    auto out = (__gm__ int32_t*)y;
    int32_t asked = 0;
    ASCENDC_ASSERT((asked++ == 5), { KERNEL_LOG(KERNEL_ERROR, "%d", no_such_name); });
    ASCENDC_ASSERT(no_such_condition<float>(), { asked = 9; })
    ASCENDC_DEBUG_ASSERT((no_such_name < 3), "not %d", asked++);
    ASCENDC_REPORT_NOT_SUPPORT(false, "this call");
    ASCENDC_REPORT_CHECK_ERROR("this call", KernelFuncType::NONE_MODE);
    ASCENDC_REPORT_OVERFLOW_MEM(asked++ > 0);
    ASCENDC_CHECK_VALUE_RANGE(asked, 1, 2, "asked", "this call");
    ASCENDC_CHECK_TPOSITION(false, "dst", "VECOUT", "this call", no_such_position);
    ASCENDC_CHECK_TENSOR_PTR_ALIGN(no_such_pointer, TPosition::VECIN, 32, "dst", "this call");
    out[0] = asked + 1;
}
