// Chains in which each order between two pipes can be left out, one at a time: LEAVE_OUT names it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 64;
enum Order { none, loaded, computed, read, stored, to_l1, to_l0, multiplied, fixed_again, passed };
#ifndef LEAVE_OUT
#define LEAVE_OUT none
#endif
#ifndef SET_ON
#define SET_ON PIPE_MTE3
#endif

template <HardEvent event> __aicore__ inline void Flag(Order order, int32_t id = EVENT_ID0) {
    if (order == LEAVE_OUT) return;
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

// Three rows through one buffer in and one out.
extern "C" __global__ __vector__ void rows(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2 * kCount * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>(), b = a[kCount];
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 3 * kCount);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 3 * kCount);
    for (int row = 0; row < 3; row++) {
        DataCopy(a, from[row * kCount], kCount);
        Flag<HardEvent::MTE2_V>(loaded);
        Adds(b, a, 1.0f, kCount);
        Flag<HardEvent::V_MTE3>(computed);
        DataCopy(to[row * kCount], b, kCount);
        Flag<HardEvent::V_MTE2>(read);
        Flag<HardEvent::MTE3_V>(stored);
    }
}

// Two products of 16 x 16 through one buffer of each memory.
extern "C" __global__ __cube__ void squares(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> from;
    GlobalTensor<float> to;
    from.SetGlobalBuffer((__gm__ half*)x);
    to.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<half> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    for (int i = 0; i < 2; i++) {
        DataCopy(a1, from[i * 256], 256);
        Flag<HardEvent::MTE2_MTE1>(to_l1);
        LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
        LoadData(b2, a1, LoadData2DParams(0, 1, 1, 0, 0, true, 0));
        Flag<HardEvent::MTE1_M>(to_l0);
        Mmad(c, a2, b2, MmadParams(16, 16, 16, 0, false, true));
        Flag<HardEvent::M_FIX>(multiplied);
        Fixpipe(to[i * 256], c, FixpipeParamsV220(16, 16, 16, 16, false));
        Flag<HardEvent::MTE1_MTE2>(passed);
        Flag<HardEvent::M_MTE1>(passed);
        Flag<HardEvent::FIX_M>(fixed_again);
    }
}

// Each block stores its own row, tells the others, and loads its neighbour's. `fillers` vector instructions stand before the flag.
extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t fillers) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    constexpr uint32_t count = 16;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 3 * count * sizeof(float));
    LocalTensor<float> own = buffer.Get<float>(), filled = own[count], other = own[2 * count];
    GlobalTensor<float> in, mine, next, out;
    const uint32_t me = GetBlockIdx();
    in.SetGlobalBuffer((__gm__ float*)x + me * count);
    mine.SetGlobalBuffer((__gm__ float*)y + me * count);
    next.SetGlobalBuffer((__gm__ float*)y + (me + 1) % GetBlockNum() * count);
    out.SetGlobalBuffer((__gm__ float*)z + me * count);
    DataCopy(own, in, count);
    Flag<HardEvent::MTE2_V>(loaded);
    Adds(own, own, 1.0f, count);
    Flag<HardEvent::V_MTE3>(computed);
    DataCopy(mine, own, count);
    Duplicate(filled, 0.0f, count);
    for (uint32_t i = 0; i < fillers; i++) Adds(filled, filled, 1.0f, count);
    CrossCoreSetFlag<0, SET_ON>(0);
    CrossCoreWaitFlag(0);
    DataCopy(other, next, count);
    Flag<HardEvent::MTE2_MTE3>(passed);
    DataCopy(out, other, count);
}

// One core after the other through one word, without any order between them.
extern "C" __global__ __vector__ void unordered(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<int32_t> word, out;
    word.SetGlobalBuffer((__gm__ int32_t*)x);
    out.SetGlobalBuffer((__gm__ int32_t*)y + GetBlockIdx() * 16);
    const int32_t before = ReadGmByPassDCache(word.GetPhyAddr());
    WriteGmByPassDCache(word.GetPhyAddr(), before * 3 + static_cast<int32_t>(GetBlockIdx()) + 1);
    WriteGmByPassDCache(out.GetPhyAddr(), before);
}

// A fused pair: `early` sets on SET_ON with vector instructions behind its copy, `behind` reads what it wrote.
template <typename Before, typename After> __aicore__ inline void AddOne(GM_ADDR in, GM_ADDR out, uint32_t shift, Before before, After after) {
    constexpr uint32_t count = 16;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)in + (GetBlockIdx() + shift) % GetBlockNum() * count);
    to.SetGlobalBuffer((__gm__ float*)out + GetBlockIdx() * count);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 4 * count * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>()[shift ? 0 : 2 * count], rest = buffer.Get<float>()[3 * count];
    before();
    DataCopy(local, from, count);
    Flag<HardEvent::MTE2_V>(loaded);
    Adds(local, local, 1.0f, count);
    Flag<HardEvent::V_MTE3>(computed);
    DataCopy(to, local, count);
    after(rest);
}
extern "C" __global__ __vector__ void early(GM_ADDR in, GM_ADDR out, uint32_t fillers) {
    AddOne(in, out, 0, [] {}, [fillers](LocalTensor<float> rest) {
        Duplicate(rest, 0.0f, 16);
        for (uint32_t i = 0; i < fillers; i++) Adds(rest, rest, 1.0f, 16);
        SetNextTaskStart<SET_ON>();
    });
}
extern "C" __global__ __vector__ void behind(GM_ADDR in, GM_ADDR out) {
    AddOne(in, out, 1, [] { WaitPreTaskEnd(); }, [](LocalTensor<float>) {});
}
