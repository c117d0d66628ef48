// SPDX-License-Identifier: Apache-2.0
// Kernels that call Hccl without tiling: one collective each, and those that get something wrong.
#include "kernel_operator.h"
using namespace AscendC;

enum Kind : uint32_t { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL };

__aicore__ inline HcclHandle Prepare(Hccl<>& hccl, uint32_t kind, GM_ADDR x, GM_ADDR y, uint64_t count, uint32_t type, uint32_t op,
                                     uint64_t stride, uint32_t repeat) {
    const auto dataType = static_cast<HcclDataType>(type);
    const auto reduceOp = static_cast<HcclReduceOp>(op);
    if (kind == ALL_REDUCE) return hccl.AllReduce(x, y, count, dataType, reduceOp, repeat);
    if (kind == ALL_GATHER) return hccl.AllGather(x, y, count, dataType, stride, repeat);
    if (kind == REDUCE_SCATTER) return hccl.ReduceScatter(x, y, count, dataType, reduceOp, stride, repeat);
    return hccl.AlltoAll(x, y, count, dataType, stride, repeat);
}

extern "C" __global__ __vector__ void collective(GM_ADDR x, GM_ADDR y, uint32_t kind, uint64_t count, uint32_t type, uint32_t op,
                                                 uint64_t stride, uint32_t repeat) {
    Hccl hccl;
    hccl.Init(GetHcclContext<0>());
    const HcclHandle handle = Prepare(hccl, kind, x, y, count, type, op, stride, repeat);
    for (uint32_t i = 0; i < repeat; i++) hccl.Commit(handle);
    for (uint32_t i = 0; i < repeat; i++) hccl.Wait(handle);
    hccl.Finalize();
}

// The four lists of this rank lie in global memory, as the host wrote them.
extern "C" __global__ __vector__ void to_all_v(GM_ADDR x, GM_ADDR y, __gm__ uint64_t* lists, uint32_t type, uint32_t repeat) {
    Hccl hccl;
    hccl.Init(GetHcclContext<0>());
    const uint32_t ranks = hccl.GetRankDim();
    uint64_t own[4][8] = {};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t rank = 0; rank < ranks; rank++) own[i][rank] = lists[i * ranks + rank];
    const auto dataType = static_cast<HcclDataType>(type);
    const HcclHandle handle = hccl.AlltoAllV<true>(x, own[0], own[1], dataType, y, own[2], own[3], dataType, repeat);
    for (uint32_t i = 0; i < repeat; i++) hccl.Wait(handle);
    hccl.Finalize();
}

// What ranks, windows and queries say, in words of 8 bytes.
extern "C" __global__ __vector__ void tells(__gm__ uint64_t* out, GM_ADDR x, GM_ADDR y) {
    Hccl hccl;
    hccl.Init(GetHcclContext<0>());
    out[0] = hccl.GetRankId();
    out[1] = hccl.GetRankDim();
    out[2] = (uint64_t)hccl.GetWindowsInAddr(1);
    out[3] = (uint64_t)hccl.GetWindowsOutAddr(0);
    out[4] = (uint64_t)hccl.GetWindowsInAddr(99);
    const HcclHandle first = hccl.AllGather(x, y, 8, HCCL_DATA_TYPE_FP32, 16, 2);
    out[5] = first;
    out[6] = hccl.Query(first);
    hccl.Commit(first);
    while (hccl.Query(first) < 1) {}
    out[7] = hccl.Query(first);
    hccl.Commit(first);
    out[8] = hccl.Wait(first);
    out[9] = hccl.Wait(first);
    out[10] = hccl.Query(first);
    const HcclHandle second = hccl.AllReduce<true>(x, y, 8, HcclDataType::HCCL_DATA_TYPE_FP32, HcclReduceOp::HCCL_REDUCE_SUM);
    out[11] = second;
    hccl.Finalize();
}

// Each block adds its part to x; behind a SyncAll block 0 commits, and all blocks wait, and add the sum of all ranks to y.
extern "C" __global__ __mix__(0, 1) void add_reduce_add(GM_ADDR x, GM_ADDR sum, GM_ADDR y, uint32_t length) {
    const uint32_t part = length / GetBlockNum(), first = GetBlockIdx() * part;
    GlobalTensor<float> xGm, sumGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + first, part);
    sumGm.SetGlobalBuffer((__gm__ float*)sum + first, part);
    yGm.SetGlobalBuffer((__gm__ float*)y + first, part);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, part * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    Hccl hccl;
    hccl.Init(GetHcclContext<0>());
    const HcclHandle handle = hccl.AllReduce(x, sum, length, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    DataCopy(local, xGm, part);
    PipeBarrier<PIPE_ALL>();
    Adds(local, local, 1.0f, part);
    PipeBarrier<PIPE_ALL>();
    DataCopy(xGm, local, part);
    SyncAll();
    hccl.Commit(handle);
    hccl.Wait(handle);
    DataCopy(local, sumGm, part);
    PipeBarrier<PIPE_ALL>();
    Muls(local, local, 2.0f, part);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, local, part);
    hccl.Finalize();
}

static constexpr HcclServerConfig ON_AIV_1 = {CoreType::ON_AIV, 1};
extern "C" __global__ __vector__ void from_block_one(GM_ADDR x, GM_ADDR y) {
    Hccl<HcclServerType::HCCL_SERVER_TYPE_AICPU, ON_AIV_1> hccl;
    hccl.Init(GetHcclContext<0>());
    const HcclHandle handle = hccl.AllReduce<true>(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    hccl.Wait(handle);
    hccl.Finalize();
}

// --- mistakes, each rank's own

enum Mistake : uint32_t {
    NO_INIT = 1,
    OTHER_CONTEXT,
    NO_COMMIT,
    NO_COMMIT_AT_FINALIZE,
    COMMIT_TWICE,
    UNKNOWN_COMMIT,
    UNKNOWN_WAIT,
    NO_FINALIZE,
    TOO_MANY,
    BEHIND_FINALIZE,
    SECOND_OBJECT,
    NO_REPEAT,
    OTHER_TYPE,
    PRODUCT,
    OVERLAP,
    BEYOND_RECV,
    BEYOND_SEND,
    NO_COUNT
};

extern "C" __global__ __vector__ void mistaken(GM_ADDR x, GM_ADDR y, uint32_t mistake, __gm__ int64_t* out) {
    Hccl hccl, other;
    if (mistake != NO_INIT) hccl.Init(mistake == OTHER_CONTEXT ? x : GetHcclContext<0>());
    const auto type = mistake == OTHER_TYPE ? HCCL_DATA_TYPE_INT64 : HCCL_DATA_TYPE_FP32;
    const auto op = mistake == PRODUCT ? HCCL_REDUCE_PROD : HCCL_REDUCE_SUM;
    const uint64_t count = mistake == BEYOND_RECV ? 65 : mistake == BEYOND_SEND ? 129 : mistake == NO_COUNT ? 0 : 8;
    for (int i = 0; mistake == TOO_MANY && i < 64; i++) hccl.AllReduce(x, y, 8, type, op);
    HcclHandle handle =
        mistake == OVERLAP ? hccl.AllGather(x, y, 8, type, 4) : hccl.AllReduce(x, y, count, type, op, mistake == NO_REPEAT ? 0 : 1);
    if (mistake == SECOND_OBJECT) {
        other.Init(GetHcclContext<0>());
        other.AllReduce(x, y, 8, type, op);
    }
    if (mistake != NO_COMMIT && mistake != NO_COMMIT_AT_FINALIZE) hccl.Commit(mistake == UNKNOWN_COMMIT ? 5 : handle);
    if (mistake == COMMIT_TWICE) hccl.Commit(handle);
    if (mistake != NO_COMMIT_AT_FINALIZE) out[0] = hccl.Wait(mistake == UNKNOWN_WAIT ? -1 : handle);
    if (mistake != NO_FINALIZE) hccl.Finalize();
    if (mistake == BEHIND_FINALIZE) hccl.AllReduce(x, y, 8, type, op);
}

// Prepares the given number of tasks, commits them, and ends.
extern "C" __global__ __vector__ void gives_up(GM_ADDR x, GM_ADDR y, uint32_t tasks) {
    Hccl hccl;
    hccl.Init(GetHcclContext<0>());
    for (uint32_t i = 0; i < tasks; i++) hccl.AllReduce<true>(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    hccl.Finalize();
}
