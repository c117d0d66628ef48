// SPDX-License-Identifier: Apache-2.0
// Batches of products by a Matmul object of the AIC alone. Types, layout and configuration come from the build.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef CONFIG
#define CONFIG CFG_NORM
#endif
#ifndef A_FORMAT
#define A_FORMAT ND
#endif
#ifndef C_FORMAT
#define C_FORMAT ND
#endif
#ifndef C_LAYOUT
#define C_LAYOUT LAYOUT
#endif
constexpr MatmulConfig kConfig = CONFIG;

using InA = MatmulType<TPosition::GM, CubeFormat::A_FORMAT, IN, true, LayoutMode::LAYOUT>;
using InB = MatmulType<TPosition::GM, CubeFormat::ND, IN, true, LayoutMode::LAYOUT>;
using Out = MatmulType<TPosition::GM, CubeFormat::C_FORMAT, OUT, false, LayoutMode::C_LAYOUT>;
using BiasType = MatmulType<TPosition::GM, CubeFormat::ND, SUM>;

struct Asked { // of one launch
    int32_t batch_a, batch_b, turn_a, turn_b, has_bias;
    int32_t stride_a, stride_b, stride_c;
    int32_t calls, step_a, step_b, step_c; // several calls, each so many elements further
    int32_t adds, follows;
};

extern "C" __global__ __cube__ void batches(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, TCubeTiling tiling, Asked asked) {
    TPipe pipe;
    GlobalTensor<IN> ga, gb;
    GlobalTensor<SUM> gbias;
    GlobalTensor<OUT> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ IN*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ IN*>(b));
    gbias.SetGlobalBuffer(reinterpret_cast<__gm__ SUM*>(bias));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ OUT*>(c));
    Matmul<InA, InB, Out, BiasType, kConfig> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    mm.SetBatchNum(asked.batch_a, asked.batch_b);
    if (asked.has_bias) mm.SetBias(gbias);
    for (int32_t i = 0; i < asked.calls; ++i) {
        mm.SetTensorA(ga[static_cast<uint64_t>(i * asked.step_a)], asked.turn_a);
        mm.SetTensorB(gb[static_cast<uint64_t>(i * asked.step_b)], asked.turn_b);
#ifdef ATOMIC
        constexpr uint8_t atomic = ATOMIC;
#else
        constexpr uint8_t atomic = 0;
#endif
        mm.IterateBatch(gc[static_cast<uint64_t>(i * asked.step_c)], asked.adds, atomic, asked.follows, asked.stride_a, asked.stride_b,
                        asked.stride_c);
    }
    mm.End();
}
