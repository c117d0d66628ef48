// SPDX-License-Identifier: Apache-2.0
// The sum over all ranks. Each block puts its part of x into the window of its rank and tells every rank so; when all ranks have told it
// the same, it adds up their windows.
#include "kernel_operator.h"
using namespace AscendC;

// A communicator's context, as kernels carry it: only what is read.
struct HcclCombinOpParam {
    uint64_t workSpace, workSpaceSize;
    uint32_t rankId, rankNum;
    uint64_t winSize;
    uint64_t windowsIn[32], windowsOut[32];
};

constexpr uint32_t LINE = 64; // bytes of a flag: the data cache is cleaned line by line

class AllReduce {
  public:
    __aicore__ inline AllReduce(GM_ADDR x, GM_ADDR y, uint32_t length) : length(length), part(length / GetBlockNum()) {
        context = (__gm__ HcclCombinOpParam*)GetHcclContext<0>();
        first = GetBlockIdx() * part;
        xGm.SetGlobalBuffer((__gm__ float*)x + first, part);
        yGm.SetGlobalBuffer((__gm__ float*)y + first, part);
        pipe.InitBuffer(buffers, 2 * part * sizeof(float));
        sum = buffers.Get<float>();
        next = sum[part];
    }
    __aicore__ inline void Process() {
        Share();
        for (uint32_t rank = 0; rank < context->rankNum; rank++) Tell(rank);
        for (uint32_t rank = 0; rank < context->rankNum; rank++) WaitFor(rank);
        Add();
    }

  private:
    __aicore__ inline GlobalTensor<float> Window(uint32_t rank) {
        GlobalTensor<float> window;
        window.SetGlobalBuffer((__gm__ float*)context->windowsIn[rank] + first, part);
        return window;
    }
    // In the window of `at`, behind the data: whether the block of `of` is there.
    __aicore__ inline GlobalTensor<int32_t> Flag(uint32_t at, uint32_t of) {
        GlobalTensor<int32_t> flag;
        const uint64_t line = of * GetBlockNum() + GetBlockIdx();
        flag.SetGlobalBuffer((__gm__ int32_t*)(context->windowsIn[at] + length * sizeof(float) + line * LINE), 1);
        return flag;
    }
    __aicore__ inline void Share() {
        DataCopy(sum, xGm, part);
        PipeBarrier<PIPE_ALL>();
        DataCopy(Window(context->rankId), sum, part);
        PipeBarrier<PIPE_ALL>();
    }
    __aicore__ inline void Tell(uint32_t rank) {
        GlobalTensor<int32_t> flag = Flag(rank, context->rankId);
        flag.SetValue(0, 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
    }
    __aicore__ inline void WaitFor(uint32_t rank) {
        GlobalTensor<int32_t> flag = Flag(context->rankId, rank);
        do DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
        while (flag.GetValue(0) != 1);
    }
    __aicore__ inline void Add() {
        Duplicate(sum, 0.0f, part);
        for (uint32_t rank = 0; rank < context->rankNum; rank++) {
            DataCopy(next, Window(rank), part);
            PipeBarrier<PIPE_ALL>();
            AscendC::Add(sum, sum, next, part);
            PipeBarrier<PIPE_ALL>();
        }
        DataCopy(yGm, sum, part);
    }

    TPipe pipe;
    TBuf<TPosition::VECCALC> buffers;
    LocalTensor<float> sum, next;
    GlobalTensor<float> xGm, yGm;
    __gm__ HcclCombinOpParam* context;
    uint32_t length, part, first;
};

extern "C" __global__ __aicore__ void all_reduce(GM_ADDR x, GM_ADDR y, uint32_t length) { AllReduce(x, y, length).Process(); }
