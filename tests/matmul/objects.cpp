// SPDX-License-Identifier: Apache-2.0
// Matmul objects in the other ways that kernels make them: tilings known to the compiler, functions of their own for a copy, results that
// stay in L0C, triangles, several objects. All: half * half -> float.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using AType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using CType = MatmulType<TPosition::GM, CubeFormat::ND, float>;

struct Tensors {
    GlobalTensor<half> a, b;
    GlobalTensor<float> c;
    TCubeTiling tiling;
    __aicore__ inline Tensors(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR cut) {
        a.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x));
        b.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y));
        c.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(z));
        for (uint32_t i = 0; i < sizeof(tiling) / 4; ++i)
            reinterpret_cast<int32_t*>(&tiling)[i] = reinterpret_cast<__gm__ int32_t*>(cut)[i];
    }
};

template <class Object> __aicore__ inline void Multiply(Object& mm, Tensors& tensors) {
    mm.SetTensorA(tensors.a);
    mm.SetTensorB(tensors.b);
    mm.IterateAll(tensors.c);
    mm.End();
}

// --- tilings that the compiler knows

constexpr MatmulConfig kAll = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(MatmulShapeParams{10000, 10000, 10000, 32, 32, 64});
constexpr MatmulApiStaticTiling kWhole = GetMatmulApiTiling<AType, AType, CType, CType>(kAll);
constexpr MatmulConfig kBases = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{0, 0, 0, 32, 64, 32});
constexpr MatmulApiStaticTiling kPartly = GetMatmulApiTiling<AType, AType, CType, CType>(kBases);

extern "C" __global__ __cube__ void known_wholly(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t m, int32_t n, int32_t k) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType, CType, kWhole> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling*)nullptr);
    mm.SetOrgShape(m, n, k);
    mm.SetTail(m, n, k);
    Multiply(mm, tensors);
}

extern "C" __global__ __cube__ void known_partly(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType, CType, kPartly> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    Multiply(mm, tensors);
}

extern "C" __global__ __cube__ void given_by_init(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm);
    mm.Init(&tensors.tiling);
    Multiply(mm, tensors);
}

// --- a copy of one's own: rows and columns of the call are printed

__aicore__ inline void CopyA(const LocalTensor<int8_t>& block, const __gm__ void* gm, int row, int col, int useM, int useK, uint64_t info,
                             uint64_t data) {
    GlobalTensor<half> a;
    a.SetGlobalBuffer((__gm__ half*)gm);
    const uint32_t pitch = static_cast<uint32_t>(info), base = static_cast<uint32_t>(data);
    Nd2NzParams params;
    params.ndNum = 1;
    params.nValue = static_cast<uint16_t>(useM);
    params.dValue = static_cast<uint16_t>(useK);
    params.srcDValue = static_cast<uint16_t>(pitch);
    params.dstNzC0Stride = static_cast<uint16_t>((useM + 15) / 16 * 16);
    params.dstNzNStride = 1;
    DataCopy(block.ReinterpretCast<half>(), a[static_cast<uint64_t>(row) * base * pitch + col * base], params);
    PRINTF("%d %d %d %d\n", row, col, useM, useK);
}

extern "C" __global__ __cube__ void copied_by_the_kernel(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType, CType, CFG_NORM, MatmulCallBackFunc<nullptr, CopyA, nullptr>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetUserDefInfo(static_cast<uint64_t>(tensors.tiling.Ka));
    mm.SetSelfDefineData(static_cast<uint64_t>(tensors.tiling.baseM));
    Multiply(mm, tensors);
}

// --- and a way out of one's own

__aicore__ inline void CopyC(const __gm__ void* gm, const LocalTensor<int8_t>& l0c, const void* given, uint64_t info, uint64_t data) {
    const auto* block = reinterpret_cast<const DataCopyOutParams*>(given);
    GlobalTensor<float> c;
    c.SetGlobalBuffer((__gm__ float*)gm);
    const auto rows = static_cast<uint16_t>(block->burstLen / 2); // of 32 bytes: two for each row of a fractal
    Fixpipe(c, l0c.ReinterpretCast<float>(),
            FixpipeParamsV220(block->oriNSize, rows, static_cast<uint16_t>((rows + 15) / 16 * 16), block->dstStride, true));
    PRINTF("%d %d %d %d\n", block->cBurstNum, block->burstLen, static_cast<int>(info), static_cast<int>(data));
}

extern "C" __global__ __cube__ void written_by_the_kernel(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType, CType, CFG_NORM, MatmulCallBackFunc<CopyC, nullptr, nullptr>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetUserDefInfo(7);
    mm.SetSelfDefineData(8);
    Multiply(mm, tensors);
}

// --- results that stay in L0C

extern "C" __global__ __cube__ void kept_in_l0c(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    using InL0C = MatmulType<TPosition::CO1, CubeFormat::NZ, float>;
    Matmul<AType, AType, InL0C, CType> mm;
    TQue<TPosition::CO1, 1> results;
    const TCubeTiling& tiling = tensors.tiling;
    pipe.InitBuffer(results, 2, static_cast<uint32_t>(tiling.baseM * tiling.baseN * 4));
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetTensorA(tensors.a);
    mm.SetTensorB(tensors.b);
    const int32_t rows = tiling.singleCoreM / tiling.baseM, columns = tiling.singleCoreN / tiling.baseN;
    for (int32_t i = 0; i < rows * columns; ++i) {
        LocalTensor<float> block = results.AllocTensor<float>();
        mm.Iterate(false, block);
        results.EnQue(block);
        block = results.DeQue<float>();
        const uint64_t at = static_cast<uint64_t>(i % rows) * tiling.baseM * tiling.N + i / rows * tiling.baseN;
        Fixpipe(tensors.c[at], block,
                FixpipeParamsV220(static_cast<uint16_t>(tiling.baseN), static_cast<uint16_t>(tiling.baseM),
                                  static_cast<uint16_t>(tiling.baseM), static_cast<uint32_t>(tiling.N), false));
        results.FreeTensor(block);
    }
    mm.End();
}

// --- triangles

extern "C" __global__ __cube__ void triangles(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t is_upper) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    using None = MatmulCallBackFunc<nullptr, nullptr, nullptr>;
    Matmul<AType, AType, CType, CType, CFG_NORM, None, AscendC::Impl::Detail::TrianUpperMatmulPolicy> upper;
    Matmul<AType, AType, CType, CType, CFG_NORM, None, AscendC::Impl::Detail::TrianLowerMatmulPolicy> lower;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), upper, &tensors.tiling, lower, &tensors.tiling);
    if (is_upper) Multiply(upper, tensors);
    else Multiply(lower, tensors);
}

// --- two objects in turn

extern "C" __global__ __cube__ void in_turn(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t ends) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType> one;
    Matmul<AType, AType, CType, CType, CFG_MDL> other;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, &tensors.tiling, other, &tensors.tiling);
    const uint64_t size = static_cast<uint64_t>(tensors.tiling.M) * tensors.tiling.N;
    for (uint64_t i = 0; i < 2; ++i) {
        one.SetTensorA(tensors.a);
        one.SetTensorB(tensors.b);
        one.IterateAll(tensors.c[2 * i * size]);
        if (ends) one.End();
        other.SetTensorA(tensors.a);
        other.SetTensorB(tensors.b);
        other.IterateAll(tensors.c[(2 * i + 1) * size]);
        if (ends) other.End();
    }
}

// --- sums over several products

extern "C" __global__ __cube__ void summed(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t times) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    for (int32_t i = 0; i < times; ++i) {
        mm.SetTensorA(tensors.a);
        mm.SetTensorB(tensors.b);
        mm.Iterate(i != 0);
    }
    mm.GetTensorC(tensors.c);
    mm.End();
}

extern "C" __global__ __cube__ void taken_too_soon(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t made) {
    TPipe pipe;
    Tensors tensors(a, b, c, cut);
    Matmul<AType, AType, CType> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetTensorA(tensors.a);
    mm.SetTensorB(tensors.b);
    for (int32_t i = 0; i < made; ++i) mm.Iterate();
    if (made == 0) mm.GetTensorC(tensors.c);
    mm.End();
}
