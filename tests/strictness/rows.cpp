// SPDX-License-Identifier: Apache-2.0
// One pair for each row of docs/strict_or_hardware.md: what strict refuses and a chip runs, and good_ the same put right.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 128; // floats of x and of z
constexpr uint32_t kBytes = kLength * sizeof(float);

struct Gm {
    __aicore__ Gm(GM_ADDR x, GM_ADDR z, uint32_t xLength = kLength) {
        xGm.SetGlobalBuffer((__gm__ float*)x, xLength);
        zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    }
    GlobalTensor<float> xGm, zGm;
};

// x doubled; the two halves of x lie in two buffers, one behind the other.
template <bool good> __aicore__ void ReadsUb(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second, sum;
    pipe.InitBuffer(first, kBytes / 2);
    pipe.InitBuffer(second, kBytes / 2);
    pipe.InitBuffer(sum, kBytes);
    LocalTensor<float> a = first.Get<float>(), b = second.Get<float>(), total = sum.Get<float>();
    DataCopy(a, gm.xGm, kLength / 2);
    DataCopy(b, gm.xGm[kLength / 2], kLength / 2);
    PipeBarrier<PIPE_ALL>();
    if constexpr (good) {
        Add(total, a, a, kLength / 2);
        Add(total[kLength / 2], b, b, kLength / 2);
    } else {
        Add(total, a, a, kLength);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, total, kLength);
}
extern "C" __global__ __aicore__ void ub_read(GM_ADDR x, GM_ADDR z) { ReadsUb<false>(x, z); }
extern "C" __global__ __aicore__ void good_ub_read(GM_ADDR x, GM_ADDR z) { ReadsUb<true>(x, z); }

// The same with the parameters of an operator.
extern "C" __global__ __aicore__ void ub_read_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) { ReadsUb<false>(x, z); }

// Sevens in both buffers.
template <bool good> __aicore__ void WritesUb(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    pipe.InitBuffer(first, kBytes / 2);
    pipe.InitBuffer(second, kBytes / 2);
    LocalTensor<float> a = first.Get<float>(), b = second.Get<float>();
    if constexpr (good) {
        Duplicate(a, 7.0f, kLength / 2);
        Duplicate(b, 7.0f, kLength / 2);
    } else {
        Duplicate(a, 7.0f, kLength);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, a, kLength / 2);
    DataCopy(gm.zGm[kLength / 2], b, kLength / 2);
}
extern "C" __global__ __aicore__ void ub_write(GM_ADDR x, GM_ADDR z) { WritesUb<false>(x, z); }
extern "C" __global__ __aicore__ void good_ub_write(GM_ADDR x, GM_ADDR z) { WritesUb<true>(x, z); }

// x unchanged, through UB.
__aicore__ inline void Through(Gm& gm, uint32_t count) {
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    DataCopy(local, gm.xGm, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, local, count);
}
extern "C" __global__ __aicore__ void gm_declared(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z, kLength / 2);
    Through(gm, kLength);
}
extern "C" __global__ __aicore__ void good_gm_declared(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z, kLength);
    Through(gm, kLength);
}
// From an element of x on as many as are asked for, whatever the buffers have.
extern "C" __global__ __aicore__ void reads(GM_ADDR x, GM_ADDR z, uint32_t from, uint32_t count, uint32_t declared) {
    Gm gm(x, z, declared);
    LocalTensor<float> local(TPosition::VECCALC, 0, 16 * kLength);
    DataCopy(local, gm.xGm[from], count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, local[count < kLength ? 0 : count - kLength], count < kLength ? count : kLength);
}
// Into x, then back from there.
extern "C" __global__ __aicore__ void writes(GM_ADDR x, GM_ADDR z, uint32_t from, uint32_t count) {
    Gm gm(x, z, 0);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    Duplicate(local, 7.0f, kLength);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.xGm[from], local, count);
    PipeBarrier<PIPE_ALL>();
    Duplicate(local, 0.0f, kLength);
    PipeBarrier<PIPE_ALL>();
    DataCopy(local, gm.xGm[from], count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, local, count);
}
extern "C" __global__ __aicore__ void pads(GM_ADDR x, GM_ADDR z, uint32_t count) {
    Gm gm(x, z, 0);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    DataCopyPad(local, gm.xGm, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, local, 8);
}

// A tensor is used after its FreeTensor.
template <bool good> __aicore__ void UsesFreed(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    TBuf<TPosition::VECCALC> sum;
    pipe.InitBuffer(queue, 1, kBytes);
    pipe.InitBuffer(sum, kBytes);
    LocalTensor<float> total = sum.Get<float>(), in = queue.AllocTensor<float>();
    DataCopy(in, gm.xGm, kLength);
    queue.EnQue(in);
    in = queue.DeQue<float>();
    if constexpr (!good) queue.FreeTensor(in);
    Add(total, in, in, kLength);
    if constexpr (good) queue.FreeTensor(in);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, total, kLength);
}
extern "C" __global__ __aicore__ void freed(GM_ADDR x, GM_ADDR z) { UsesFreed<false>(x, z); }
extern "C" __global__ __aicore__ void good_freed(GM_ADDR x, GM_ADDR z) { UsesFreed<true>(x, z); }

// Each of two tensors is freed through the other's queue, and again and again both buffers are taken anew. `other`: where the second queue
// lies, and so which flag it waits for; `depth`: of the second queue.
template <TPosition other, int32_t depth, bool good, bool twice> __aicore__ void FreesAcross(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> first;
    TQue<other, depth> second;
    TBuf<TPosition::VECCALC> result;
    pipe.InitBuffer(first, 1, kBytes / 4);
    pipe.InitBuffer(second, 1, kBytes / 4);
    pipe.InitBuffer(result, kBytes);
    LocalTensor<float> out = result.Get<float>();
    for (uint32_t at = 0; at < kLength; at += kLength / 2) {
        LocalTensor<float> a = first.AllocTensor<float>(), b;
        if constexpr (depth == 0) second.template AllocTensor<float>(b);
        else b = second.template AllocTensor<float>();
        DataCopy(a, gm.xGm[at], kLength / 4);
        DataCopy(b, gm.xGm[at + kLength / 4], kLength / 4);
        first.EnQue(a);
        second.EnQue(b);
        a = first.DeQue<float>();
        if constexpr (depth == 0) second.template DeQue<float>(b);
        else b = second.template DeQue<float>();
        PipeBarrier<PIPE_ALL>();
        Adds(out[at], a, 0.0f, kLength / 4);
        Adds(out[at + kLength / 4], b, 0.0f, kLength / 4);
        if constexpr (good) {
            first.FreeTensor(a);
            second.FreeTensor(b);
        } else {
            if constexpr (twice) first.FreeTensor(b);
            first.FreeTensor(b), second.FreeTensor(a);
        }
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, out, kLength);
}
extern "C" __global__ __aicore__ void frees_across(GM_ADDR x, GM_ADDR z) { FreesAcross<TPosition::VECIN, 1, false, false>(x, z); }
extern "C" __global__ __aicore__ void good_frees_across(GM_ADDR x, GM_ADDR z) { FreesAcross<TPosition::VECIN, 1, true, false>(x, z); }
extern "C" __global__ __aicore__ void frees_twice(GM_ADDR x, GM_ADDR z) { FreesAcross<TPosition::VECIN, 1, false, true>(x, z); }
extern "C" __global__ __aicore__ void frees_of_vecout(GM_ADDR x, GM_ADDR z) { FreesAcross<TPosition::VECOUT, 1, false, false>(x, z); }
extern "C" __global__ __aicore__ void frees_in_place(GM_ADDR x, GM_ADDR z) { FreesAcross<TPosition::VECIN, 0, false, false>(x, z); }
extern "C" __global__ __aicore__ void frees_of_tbuf(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    TBuf<TPosition::VECIN> buffer;
    pipe.InitBuffer(queue, 1, kBytes);
    pipe.InitBuffer(buffer, kBytes);
    LocalTensor<float> b = buffer.Get<float>();
    queue.FreeTensor(b);
}
extern "C" __global__ __aicore__ void enqueues_across(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> first, second;
    pipe.InitBuffer(first, 1, kBytes);
    pipe.InitBuffer(second, 1, kBytes);
    LocalTensor<float> b = second.AllocTensor<float>();
    first.EnQue(b);
}

extern "C" __global__ __aicore__ void flag_left(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    Through(gm, kLength);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID2);
}
extern "C" __global__ __aicore__ void good_flag_left(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    Through(gm, kLength);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID2);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID2);
}

// Each block copies what its neighbour wrote before the SyncAll.
__aicore__ inline void AskNeighbour(GM_ADDR x, GM_ADDR z, GM_ADDR between) {
    const uint32_t share = kLength / GetBlockNum(), mine = GetBlockIdx() * share;
    const uint32_t neighbour = (GetBlockIdx() + 1) % GetBlockNum() * share;
    GlobalTensor<float> xGm, zGm, betweenGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    betweenGm.SetGlobalBuffer((__gm__ float*)between, kLength);
    LocalTensor<float> local(TPosition::VECCALC, 0, share);
    DataCopy(local, xGm[mine], share);
    PipeBarrier<PIPE_ALL>();
    DataCopy(betweenGm[mine], local, share);
    SyncAll();
    DataCopy(local, betweenGm[neighbour], share);
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm[mine], local, share);
}
extern "C" __global__ __vector__ void sync_all(GM_ADDR x, GM_ADDR z, GM_ADDR between) { AskNeighbour(x, z, between); }
extern "C" __global__ __mix__(0, 1) void good_sync_all(GM_ADDR x, GM_ADDR z, GM_ADDR between) { AskNeighbour(x, z, between); }

// Block 0 does not come.
extern "C" __global__ __vector__ void sync_all_missed(GM_ADDR x, GM_ADDR z) {
    if (GetBlockIdx() > 0) SyncAll();
}
// The same between two flags that the blocks set themselves.
extern "C" __global__ __vector__ void cross_flags(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    Through(gm, kLength);
    CrossCoreSetFlag<0, PIPE_MTE3>(5);
    CrossCoreWaitFlag(5);
}

extern "C" __global__ __mix__(0, 1) void cross_left(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    Through(gm, kLength);
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
}
extern "C" __global__ __mix__(0, 1) void good_cross_left(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    Through(gm, kLength);
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
}

// Counts of DataCopy: z has what reached it, and minus ones behind that. way 0 into UB, 1 out of UB, 2 inside UB.
extern "C" __global__ __aicore__ void copies(GM_ADDR x, GM_ADDR z, uint32_t way, uint32_t count) {
    Gm gm(x, z);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength), other(TPosition::VECCALC, kBytes, kLength);
    Duplicate(local, -1.0f, kLength);
    Duplicate(other, -1.0f, kLength);
    PipeBarrier<PIPE_ALL>();
    if (way == 0) {
        DataCopy(other, gm.xGm, count);
        PipeBarrier<PIPE_ALL>();
    } else {
        DataCopy(local, gm.xGm, kLength);
        PipeBarrier<PIPE_ALL>();
        if (way == 2) DataCopy(other, local, count);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, other, kLength);
    PipeBarrier<PIPE_ALL>();
    if (way == 1) DataCopy(gm.zGm, local, count);
}
extern "C" __global__ __cube__ void copies_l1(GM_ADDR x, GM_ADDR z, uint32_t count, uint32_t back) {
    Gm gm(x, z);
    LocalTensor<float> local(TPosition::A1, 0, kLength);
    DataCopy(local, gm.xGm, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, local, back);
}
// Any number of bytes, as the advice says.
extern "C" __global__ __aicore__ void good_copies(GM_ADDR x, GM_ADDR z, uint32_t count) {
    Gm gm(x, z);
    const DataCopyExtParams some{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    DataCopyPad(local, gm.xGm, some, DataCopyPadExtParams<float>{false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(gm.zGm, local, some);
}

extern "C" __global__ __aicore__ void buffer_of(GM_ADDR x, GM_ADDR z, uint32_t bytes) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, bytes);
    z[0] = 1;
}
extern "C" __global__ __aicore__ void queue_of(GM_ADDR x, GM_ADDR z, uint32_t buffers, uint32_t bytes) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, buffers, bytes);
    z[0] = 1;
}
extern "C" __global__ __aicore__ void pool_of(GM_ADDR x, GM_ADDR z, uint32_t bytes) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC> pool;
    pipe.InitBufPool(pool, 1024);
    TBuf<TPosition::VECCALC> buffer;
    pool.InitBuffer(buffer, bytes);
    z[0] = 1;
}
extern "C" __global__ __aicore__ void prints_beside(GM_ADDR x, GM_ADDR z, uint32_t bytes) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, bytes);
    AscendC::printf("%u bytes\n", bytes);
}
// x unchanged, through the end of what an ASSERT is said to need.
extern "C" __global__ __aicore__ void asserts_beside(GM_ADDR x, GM_ADDR z, uint32_t bytes) {
    Gm gm(x, z);
    ASSERT(bytes != 0 && "of the buffer");
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, bytes);
    LocalTensor<float> end = buffer.Get<float>()[bytes / sizeof(float) - kLength];
    DataCopy(end, gm.xGm, kLength);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, end, kLength);
}
extern "C" __global__ __cube__ void l1_of(GM_ADDR x, GM_ADDR z, uint32_t bytes) {
    TPipe pipe;
    TBuf<TPosition::A1> buffer;
    pipe.InitBuffer(buffer, bytes);
}
// All of UB, to its last byte.
extern "C" __global__ __aicore__ void whole_ub(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, TOTAL_UB_SIZE);
    LocalTensor<float> end = buffer.Get<float>()[TOTAL_UB_SIZE / sizeof(float) - kLength];
    DataCopy(end, gm.xGm, kLength);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, end, kLength);
}

// Errors in both: a chip does not run these either.
extern "C" __global__ __aicore__ void beyond_ub(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    LocalTensor<float> end(TPosition::VECCALC, TOTAL_UB_SIZE - kBytes, kLength);
    DataCopy(end[8], gm.xGm, kLength);
}
extern "C" __global__ __aicore__ void gm_write(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> zGm;
    zGm.SetGlobalBuffer((__gm__ float*)z);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    DataCopy(zGm[16], local, kLength);
}
extern "C" __global__ __aicore__ void misaligned(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    DataCopy(local[1], gm.xGm, 8);
}

// Each row of x turned round: an offset for each float.
template <bool good> __aicore__ void Turns(GM_ADDR x, GM_ADDR z, uint32_t row) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second, third;
    pipe.InitBuffer(first, kBytes);
    pipe.InitBuffer(second, kBytes);
    pipe.InitBuffer(third, kBytes);
    LocalTensor<float> values = first.Get<float>(), result = second.Get<float>();
    LocalTensor<uint32_t> where = third.Get<uint32_t>();
    DataCopy(values, gm.xGm, kLength);
    for (uint32_t i = 0; i < kLength; ++i) where.SetValue(i, (i / row * row + row - 1 - i % row) * sizeof(float));
    PipeBarrier<PIPE_ALL>();
    if constexpr (good) Gather(result, values, where, 0, kLength);
    else Gather(values, values, where, 0, kLength);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, good ? result : values, kLength);
}
extern "C" __global__ __aicore__ void gather(GM_ADDR x, GM_ADDR z) { Turns<false>(x, z, 32); }
extern "C" __global__ __aicore__ void good_gather(GM_ADDR x, GM_ADDR z) { Turns<true>(x, z, 32); }
extern "C" __global__ __aicore__ void gather_far(GM_ADDR x, GM_ADDR z) { Turns<false>(x, z, kLength); }

// The blocks of each repeat turned round.
template <bool good> __aicore__ void TurnsBlocks(GM_ADDR x, GM_ADDR z) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second, third;
    pipe.InitBuffer(first, kBytes);
    pipe.InitBuffer(second, kBytes);
    pipe.InitBuffer(third, 64);
    LocalTensor<float> values = first.Get<float>(), result = second.Get<float>();
    LocalTensor<uint32_t> where = third.Get<uint32_t>();
    DataCopy(values, gm.xGm, kLength);
    for (uint32_t i = 0; i < 16; ++i) where.SetValue(i, (i ^ 7) * 32);
    PipeBarrier<PIPE_ALL>();
    if constexpr (good) Gatherb(result, values, where, 2, {1, 8});
    else Gatherb(values, values, where, 2, {1, 8});
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, good ? result : values, kLength);
}
extern "C" __global__ __aicore__ void gatherb(GM_ADDR x, GM_ADDR z) { TurnsBlocks<false>(x, z); }
extern "C" __global__ __aicore__ void good_gatherb(GM_ADDR x, GM_ADDR z) { TurnsBlocks<true>(x, z); }

// The largest of each row of x. Rows of whole blocks, and of 12 floats.
__aicore__ inline void Largest(GM_ADDR x, GM_ADDR z, uint32_t columns, bool isPadded) {
    Gm gm(x, z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    pipe.InitBuffer(first, kBytes);
    pipe.InitBuffer(second, kBytes);
    LocalTensor<float> values = first.Get<float>(), found = second.Get<float>();
    DataCopy(values, gm.xGm, kLength);
    Duplicate(found, 0.0f, kLength);
    PipeBarrier<PIPE_ALL>();
    const uint32_t shape[] = {8, columns};
    ReduceMax<float, Pattern::Reduce::AR>(found, values, shape, isPadded);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm.zGm, found, kLength);
}
extern "C" __global__ __aicore__ void unpadded(GM_ADDR x, GM_ADDR z) { Largest(x, z, 16, false); }
extern "C" __global__ __aicore__ void good_unpadded(GM_ADDR x, GM_ADDR z) { Largest(x, z, 16, true); }
extern "C" __global__ __aicore__ void unpadded_12(GM_ADDR x, GM_ADDR z) { Largest(x, z, 12, false); }
