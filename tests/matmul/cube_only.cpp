// SPDX-License-Identifier: Apache-2.0
// C = A * B (+ bias) by a Matmul object of the AIC alone. Types and configuration come from the build.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef CONFIG
#define CONFIG CFG_NORM
#endif
#ifndef C_FORMAT
#define C_FORMAT ND
#endif
#ifndef A_FORMAT
#define A_FORMAT ND
#endif
#ifndef B_FORMAT
#define B_FORMAT ND
#endif
#ifndef MAY_TURN
#define MAY_TURN true
#endif
constexpr MatmulConfig kConfig = CONFIG;

using AType = MatmulType<TPosition::GM, CubeFormat::A_FORMAT, IN, MAY_TURN>;
using BType = MatmulType<TPosition::GM, CubeFormat::B_FORMAT, IN, MAY_TURN>;
using CType = MatmulType<TPosition::GM, CubeFormat::C_FORMAT, OUT>;
using BiasType = MatmulType<TPosition::GM, CubeFormat::ND, BIAS>;

struct How {         // what the test asks for beside the tiling
    int32_t m, n, k; // SetTail, where not zero
    int32_t turn_a, turn_b;
    int32_t org_m, org_n, org_ka, org_kb, org_kc; // SetOrgShape, where not zero
    int32_t has_bias, by_iterate;                 // by_iterate: 1 in place, 2 one block after the other
    int32_t atomic, quantises;                    // quantises: 1 scalar, 2 vector
    int32_t block_bytes;                          // of one block, by_iterate 2
    uint64_t quant;
};

extern "C" __global__ __cube__ void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR words, GM_ADDR tiling, GM_ADDR how) {
    TPipe pipe;
    TCubeTiling cut;
    auto* numbers = reinterpret_cast<int32_t*>(&cut);
    for (uint32_t i = 0; i < sizeof(cut) / 4; ++i) numbers[i] = reinterpret_cast<__gm__ int32_t*>(tiling)[i];
    const How asked = *reinterpret_cast<__gm__ How*>(how);
    GlobalTensor<IN> ga, gb;
    GlobalTensor<BIAS> gbias;
    GlobalTensor<OUT> gc;
    GlobalTensor<uint64_t> gwords;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ IN*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ IN*>(b));
    gbias.SetGlobalBuffer(reinterpret_cast<__gm__ BIAS*>(bias));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ OUT*>(c));
    gwords.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(words));

    Matmul<AType, BType, CType, BiasType, kConfig> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    if (asked.org_m) mm.SetOrgShape(asked.org_m, asked.org_n, asked.org_ka, asked.org_kb, asked.org_kc);
    if (asked.m) mm.SetTail(asked.m, asked.n, asked.k);
    mm.SetTensorA(ga, asked.turn_a);
    mm.SetTensorB(gb, asked.turn_b);
    if (asked.has_bias) mm.SetBias(gbias);
    if (asked.quantises == 1) mm.SetQuantScalar(asked.quant);
    if (asked.quantises == 2) mm.SetQuantVector(gwords);
    if (asked.by_iterate == 0) {
#ifdef ATOMIC
        mm.IterateAll(gc, static_cast<uint8_t>(asked.atomic));
#else
        mm.IterateAll(gc);
#endif
    } else {
        uint64_t at = 0;
        while (mm.Iterate()) {
            if (asked.by_iterate == 1) mm.GetTensorC(gc);
            else mm.GetTensorC(gc[at], 0, true);
            if (asked.by_iterate == 2) at += asked.block_bytes / sizeof(OUT);
        }
    }
    mm.End();
}
