// SPDX-License-Identifier: Apache-2.0
// AIVs have their AIC multiply: each its own part, in the way that the test asks for. Types and configuration come from the build.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef CONFIG
#define CONFIG CFG_NORM
#endif
#ifndef AB_POSITION
#define AB_POSITION GM
#endif
#ifndef C_POSITION
#define C_POSITION GM
#endif
#ifndef C_FORMAT
#define C_FORMAT ND
#endif
#ifndef SHARED
#define SHARED false
#endif
constexpr MatmulConfig kConfig = CONFIG;

using AType = MatmulType<TPosition::AB_POSITION, CubeFormat::ND, IN, true, LayoutMode::NONE, SHARED>;
using BType = MatmulType<TPosition::AB_POSITION, CubeFormat::ND, IN, true, LayoutMode::NONE, SHARED>;
using CType = MatmulType<TPosition::C_POSITION, CubeFormat::C_FORMAT, OUT>;
using BiasType = MatmulType<TPosition::AB_POSITION, CubeFormat::ND, float>;

enum Way : int32_t {
    kAll,         // IterateAll
    kLater,       // IterateAll<false>, then WaitIterateAll
    kNobodyWaits, // IterateAll<false>, and the end
    kBlocks,      // Iterate and GetTensorC, in place
    kToUb,        // ... to UB, where it becomes 2 * C
    kAhead,       // Iterate<false>, all blocks by way of the workspace
    kInWorkspace, // ... GetTensorC<false>() says where each is
    kLeaves,      // nothing: this AIV returns at once
    kTooOften,    // kAhead with one GetTensorC more than there are blocks
    kForgets,     // kLater without its wait
    kInParts,     // K in two halves, added up in L0C
    kTwice,       // the product again behind End
    kWholeInUb,   // IterateAll into UB
    kNoWorkspace  // kAhead without SetWorkspace
};

struct Part {                         // of one AIV
    int64_t a, b, bias, c, workspace; // elements from the start of each
    int32_t m, n, k, org_m, org_n, org_ka, org_kb, turn_a, turn_b, has_bias, way, atomic;
};

template <class Object> class Run {
  public:
    __aicore__ inline Run(TPipe* pipe, Object& mm, const TCubeTiling& cut, const Part& part, __gm__ OUT* workspace)
        : pipe_(pipe), mm_(mm), cut_(cut), part_(part) {
        const int32_t block = cut.baseM * cut.baseN, all = (part.m + 15) / 16 * 16 * ((part.n + 15) / 16 * 16);
        workspace_.SetGlobalBuffer(workspace + part.workspace, static_cast<uint64_t>(all));
        pipe->InitBuffer(queue_, 1, (part.way == kWholeInUb ? all : block) * sizeof(OUT));
    }
    __aicore__ inline void Blocks(const GlobalTensor<OUT>& c) {
        while (mm_.Iterate()) mm_.GetTensorC(c);
    }
    __aicore__ inline void InParts(const GlobalTensor<IN>& a, const GlobalTensor<IN>& b, const GlobalTensor<OUT>& c) {
        const int32_t half_k = part_.k / 2;
        mm_.SetSingleShape(part_.m, part_.n, half_k);
        for (int32_t i = 0; i < 2; ++i) {
            mm_.SetTensorA(a[static_cast<uint64_t>(i * half_k)]);
            mm_.SetTensorB(b[static_cast<uint64_t>(i * half_k) * part_.org_n]);
            mm_.Iterate(i > 0);
        }
        mm_.GetTensorC(c);
    }
    __aicore__ inline void ToUb(const GlobalTensor<OUT>& c) {
        int32_t block = 0;
        while (mm_.Iterate()) {
            LocalTensor<OUT> local = queue_.template AllocTensor<OUT>();
            mm_.GetTensorC(local);
            Finish(c, local, block++);
        }
    }
    __aicore__ inline void Ahead(const GlobalTensor<OUT>& c) {
        if (part_.way != kNoWorkspace) mm_.SetWorkspace(workspace_);
        mm_.template Iterate<false>();
        const int32_t blocks = Along(part_.m, cut_.baseM) * Along(part_.n, cut_.baseN) + (part_.way == kTooOften);
        for (int32_t block = 0; block < blocks; ++block) {
            LocalTensor<OUT> local = queue_.template AllocTensor<OUT>();
            if (part_.way == kInWorkspace) {
                GlobalTensor<OUT> found = mm_.template GetTensorC<false>();
                DataCopy(local, found, cut_.baseM * cut_.baseN);
            } else {
                mm_.template GetTensorC<false>(local);
            }
            queue_.EnQue(local);
            Finish(c, queue_.template DeQue<OUT>(), block);
        }
    }
    __aicore__ inline void WholeInUb(const GlobalTensor<OUT>& c) {
        LocalTensor<OUT> local = queue_.template AllocTensor<OUT>();
        mm_.IterateAll(local);
        Double(local, part_.m * part_.n);
        DataCopy(c, local, part_.m * part_.n);
        queue_.FreeTensor(local);
        PipeBarrier<PIPE_ALL>();
    }

  private:
    __aicore__ inline int32_t Along(int32_t size, int32_t base) { return (size + base - 1) / base; }
    __aicore__ inline void Double(LocalTensor<OUT>& local, int32_t elements) {
        Muls(local, local, static_cast<OUT>(2), elements);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID5);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID5);
    }
    // Blocks come along m first.
    __aicore__ inline void Finish(const GlobalTensor<OUT>& c, LocalTensor<OUT> local, int32_t block) {
        const int32_t row = block % Along(part_.m, cut_.baseM) * cut_.baseM, column = block / Along(part_.m, cut_.baseM) * cut_.baseN;
        const int32_t rows = row + cut_.baseM < part_.m ? cut_.baseM : part_.m - row;
        const int32_t columns = column + cut_.baseN < part_.n ? cut_.baseN : part_.n - column;
        Double(local, rows * cut_.baseN);
        DataCopyExtParams params(rows, columns * sizeof(OUT), (cut_.baseN - columns) * sizeof(OUT) / 32,
                                 (part_.org_n - columns) * sizeof(OUT), 0);
        DataCopyPad(c[static_cast<uint64_t>(row) * part_.org_n + column], local, params);
        queue_.FreeTensor(local);
        PipeBarrier<PIPE_ALL>();
    }
    TPipe* pipe_;
    Object& mm_;
    const TCubeTiling& cut_;
    const Part& part_;
    GlobalTensor<OUT> workspace_;
    TQue<TPosition::VECIN, 1> queue_;
};

template <typename T> __aicore__ inline LocalTensor<T> InUb(TPipe* pipe, const GlobalTensor<T>& gm, int32_t elements) {
    TBuf<TPosition::VECOUT> buffer;
    pipe->InitBuffer(buffer, elements * sizeof(T));
    LocalTensor<T> local = buffer.Get<T>();
    DataCopy(local, gm, elements);
    PipeBarrier<PIPE_ALL>();
    return local;
}

extern "C" __global__ __mix__(1, 2) void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling,
                                                  GM_ADDR parts) {
    TPipe pipe;
    TCubeTiling cut;
    auto* numbers = reinterpret_cast<int32_t*>(&cut);
    for (uint32_t i = 0; i < sizeof(cut) / 4; ++i) numbers[i] = reinterpret_cast<__gm__ int32_t*>(tiling)[i];
    Matmul<AType, BType, CType, BiasType, kConfig> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);

    const Part part = reinterpret_cast<__gm__ Part*>(parts)[GetBlockIdx()];
    if (part.way == kLeaves) return;
    GlobalTensor<IN> ga, gb;
    GlobalTensor<float> gbias;
    GlobalTensor<OUT> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ IN*>(a) + part.a);
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ IN*>(b) + part.b);
    gbias.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias) + part.bias);
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ OUT*>(c) + part.c);
    mm.SetOrgShape(part.org_m, part.org_n, part.org_ka, part.org_kb);
    mm.SetSingleShape(part.m, part.n, part.k);
#ifdef IN_UB
    mm.SetTensorA(InUb(&pipe, ga, part.m * part.k), part.turn_a);
    mm.SetTensorB(InUb(&pipe, gb, part.n * part.k), part.turn_b);
    if (part.has_bias) mm.SetBias(InUb(&pipe, gbias, part.n));
#else
    mm.SetTensorA(ga, part.turn_a);
    mm.SetTensorB(gb, part.turn_b);
    if (part.has_bias) mm.SetBias(gbias);
#endif
    switch (part.way) {
#ifdef ATOMIC
    case kAll: mm.IterateAll(gc, static_cast<uint8_t>(part.atomic)); break;
#else
    case kAll: mm.IterateAll(gc); break;
#endif
    case kLater:
        mm.template IterateAll<false>(gc, 0, false, true);
        mm.WaitIterateAll();
        break;
    case kForgets: mm.template IterateAll<false>(gc, 0, false, true); break;
    case kNobodyWaits: mm.template IterateAll<false>(gc); break;
    case kTwice:
        mm.IterateAll(gc);
        mm.End();
        mm.IterateAll(gc);
        break;
    default: {
        Run run(&pipe, mm, cut, part, reinterpret_cast<__gm__ OUT*>(workspace));
        if (part.way == kBlocks) run.Blocks(gc);
#ifndef IN_UB
        if (part.way == kInParts) run.InParts(ga, gb, gc);
#endif
#ifdef TO_UB
        if (part.way == kToUb) run.ToUb(gc);
        if (part.way == kAhead || part.way == kInWorkspace || part.way == kTooOften || part.way == kNoWorkspace) run.Ahead(gc);
        if (part.way == kWholeInUb) run.WholeInUb(gc);
#endif
    }
    }
    mm.End();
}
