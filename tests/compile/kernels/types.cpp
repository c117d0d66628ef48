// SPDX-License-Identifier: Apache-2.0
// Kernels without a declared type, and above each the type that follows from what it calls: at every level of optimisation.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 256;

__aicore__ inline LocalTensor<half> At(TPosition position) { return LocalTensor<half>(position, 0, kCount); }
__aicore__ inline void Load(const LocalTensor<half>& to, GM_ADDR from) {
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer((__gm__ half*)from, kCount);
    DataCopy(to, gm, kCount);
}
__aicore__ __attribute__((noinline)) void LoadApart(const LocalTensor<half>& to, GM_ADDR from) { Load(to, from); }
__aicore__ inline void Multiply() {
    LoadData(At(TPosition::A2), At(TPosition::A1), LoadData2DParams());
    Mmad(LocalTensor<float>(TPosition::CO1, 0, kCount), At(TPosition::A2), At(TPosition::B2), MmadParams());
}
__aicore__ inline void Sum() { Add(At(TPosition::VECCALC), At(TPosition::VECIN), At(TPosition::VECIN), kCount); }

// AIV_ONLY
extern "C" __global__ __aicore__ void nothing(GM_ADDR x) {}
// AIV_ONLY
extern "C" __global__ __aicore__ void scalar(GM_ADDR x) { *(__gm__ int32_t*)x = 1; }
// AIV_ONLY
extern "C" __global__ __aicore__ void copies(GM_ADDR x) { Load(At(TPosition::VECIN), x); }
// AIV_ONLY
extern "C" __global__ __aicore__ void asks_for_its_core(GM_ADDR x) {
    Load(At(TPosition::VECIN), x);
    if (g_coreType == AIV) Sum();
}
// AIV_ONLY
extern "C" __global__ __aicore__ void copies_apart(GM_ADDR x) {
    LoadApart(At(TPosition::VECIN), x);
    if (g_coreType == AIV) Sum();
}
// AIV_ONLY
extern "C" __global__ __aicore__ void aic_goes_home(GM_ADDR x) {
    if ASCEND_IS_AIC {
        return;
    }
    Load(At(TPosition::VECIN), x);
    Sum();
}
// AIV_ONLY
extern "C" __global__ __aicore__ void left_out(GM_ADDR x) {
    Sum();
    if constexpr (sizeof(half) == 4) Multiply();
}
// AIV_ONLY
extern "C" __global__ __aicore__ void false_condition(GM_ADDR x) {
    Sum();
    if (false) Multiply();
}
// AIV_ONLY
extern "C" __global__ __aicore__ void constant_condition(GM_ADDR x) {
    constexpr int mode = 2;
    Sum();
    if (mode == 1) Multiply();
}
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void dead_by_value(GM_ADDR x) {
    int mode = 2;
    Sum();
    if (mode == 1) Multiply();
}
__aicore__ inline void WorkOf(int mode) {
    Sum();
    if (mode == 1) Multiply();
}
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void dead_by_argument(GM_ADDR x) { WorkOf(2); }
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void dead_loop(GM_ADDR x) {
    Sum();
    for (int i = 0; i < 0; ++i) Multiply();
}
// AIC_ONLY
extern "C" __global__ __aicore__ void cube(GM_ADDR x) {
    Load(At(TPosition::A1), x);
    Multiply();
}
// AIC_ONLY
extern "C" __global__ __aicore__ void cube_apart(GM_ADDR x) {
    LoadApart(At(TPosition::A1), x);
    if (g_coreType == AIC) Multiply();
}
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void cube_with_dead_vector(GM_ADDR x) {
    bool relu = false;
    Load(At(TPosition::A1), x);
    Multiply();
    if (relu) Relu(At(TPosition::VECCALC), At(TPosition::VECIN), kCount);
}
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void both(GM_ADDR x) {
    if ASCEND_IS_AIC {
        Multiply();
    }
    if ASCEND_IS_AIV {
        Sum();
    }
}
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void aiv_only_copies(GM_ADDR x) {
    if ASCEND_IS_AIC {
        Multiply();
    }
    if ASCEND_IS_AIV {
        Load(At(TPosition::VECIN), x);
    }
}
// MIX_AIC_1_2
extern "C" __global__ __aicore__ void aic_only_copies(GM_ADDR x) {
    if (g_coreType == AIC) {
        GlobalTensor<half> gm;
        gm.SetGlobalBuffer((__gm__ half*)x, kCount);
        DataCopy(At(TPosition::A1), gm, kCount);
    } else {
        Sum();
    }
}
// AIC_ONLY
extern "C" __global__ __aicore__ void queue_in_l1(GM_ADDR x) {
    TPipe pipe;
    TQue<TPosition::A1, 1> queue;
    pipe.InitBuffer(queue, 1, kCount * sizeof(half));
    LocalTensor<half> tensor = queue.AllocTensor<half>();
    LoadApart(tensor, x);
    queue.FreeTensor(tensor);
}
// AIC_ONLY
extern "C" __global__ __aicore__ void allocator_in_l1(GM_ADDR x) {
    LocalMemAllocator<Hardware::L1> allocator;
    LoadApart(allocator.Alloc<half>(kCount), x);
}
// MIX_AIV_1_0
extern "C" __global__ __aicore__ void dead_sync(GM_ADDR x) {
    int rounds = 0;
    Sum();
    if (rounds > 0) SyncAll();
}
// AIV_ONLY
extern "C" __global__ __vector__ void declared_vector(GM_ADDR x) {
    int mode = 2;
    if (mode == 1) Sum();
}
// MIX_AIC_1_1
extern "C" __global__ __aicore__ void declared_by_macro(GM_ADDR x) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    Sum();
}
// MIX_AIC_1_1
extern "C" __global__ __aicore__ void declared_in_dead_code(GM_ADDR x) {
    int mode = 2;
    if (mode == 1) KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    Sum();
}
