// SPDX-License-Identifier: Apache-2.0
// Batches of products that AIVs ask for, and results that are not summed along k. Layouts come from the build.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef LAYOUT
#define LAYOUT NORMAL
#endif
#ifndef C_POSITION
#define C_POSITION GM
#endif

using In = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::LAYOUT>;
using Out = MatmulType<TPosition::C_POSITION, CubeFormat::ND, float, false, LayoutMode::LAYOUT>;
using Row = MatmulType<TPosition::GM, CubeFormat::ND, float>;
constexpr MatmulConfig kMany = GetNormalConfig(false, true);

struct Asked {
    int32_t batch_a, batch_b, loops, has_bias,
        way;          // way: 0 to global memory, 1 later, 2 to UB, 3 several batches by the workspace, 4 too many
    int32_t elements; // of C in a batch
};

// The first AIV does the work, the second one adds nothing.
extern "C" __global__ __mix__(1, 2) void batches(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR room, TCubeTiling tiling,
                                                 Asked asked) {
    TPipe pipe;
    Matmul<In, In, Out, Row, kMany> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    if (GetBlockIdx() > 0) return;
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gbias, gc, groom;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
    gbias.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
    groom.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(room), asked.loops * asked.elements);
    mm.SetTensorA(ga);
    mm.SetTensorB(gb);
    if (asked.has_bias) mm.SetBias(gbias);
    if (asked.way == 0) mm.IterateBatch(gc, asked.batch_a, asked.batch_b, false);
    if (asked.way == 1) {
        mm.IterateBatch<false, true>(gc, asked.batch_a, asked.batch_b, false);
        mm.WaitIterateBatch();
    }
    TBuf<TPosition::VECIN> buffer;
    pipe.InitBuffer(buffer, asked.elements * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
#ifdef TO_UB
    if (asked.way == 2) {
        mm.IterateBatch(local, asked.batch_a, asked.batch_b, true);
        DataCopy(gc, local, asked.elements);
    }
#endif
    if (asked.way >= 3) {
        mm.SetWorkspace(groom);
        mm.IterateNBatch(asked.loops, asked.batch_a, asked.batch_b, false);
        for (int32_t i = 0; i < asked.loops + (asked.way == 4); ++i) {
            if (i % 2) {
                GlobalTensor<float> found = mm.GetBatchTensorC<false>(asked.batch_a, asked.batch_b);
                DataCopy(local, found, asked.elements);
            } else {
                mm.GetBatchTensorC<false>(local, asked.batch_a, asked.batch_b);
            }
            PipeBarrier<PIPE_ALL>();
            DataCopy(gc[i * asked.elements], local, asked.elements);
            PipeBarrier<PIPE_ALL>();
        }
    }
    mm.End();
}

constexpr MatmulConfig Parts() {
    MatmulConfig config = CFG_MDL;
    config.isPartialOutput = true;
    return config;
}
constexpr MatmulConfig kParts = Parts();
using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
extern "C" __global__ __mix__(1, 2) void parts(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR room, TCubeTiling tiling,
                                               Asked asked) {
    TPipe pipe;
    Matmul<Half, Half, Row, Row, kParts> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    if (GetBlockIdx() > 0) return;
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
    mm.SetTensorA(ga);
    mm.SetTensorB(gb);
    for (int32_t i = 0; mm.Iterate(); ++i) mm.GetTensorC(gc[i * asked.elements], 0, true);
    mm.End();
}
