// SPDX-License-Identifier: Apache-2.0
// Mixed kernels with a Matmul object in line: their AIC serves inside REGIST_MATMUL_OBJ and leaves the kernel there, so it never comes to
// the calls of early start that stand behind. Block i makes rows 16 i to 16 i + 15 of `out`: those of `in` that begin `shift` rows further,
// of `rows`, times a matrix that permutes columns, plus `step`, which its AIVs add. Vector kernels that do the same without the product.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
constexpr int32_t kSide = 16, kTile = kSide * kSide;
constexpr MatmulConfig kConfig = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{kSide, kSide, kSide, kSide, kSide, kSide});
constexpr MatmulApiStaticTiling kTiling = GetMatmulApiTiling<Half, Half, Half, Half>(kConfig);
enum Place { never, before, behind, late }; // WaitPreTaskEnd: before the macro, behind it, behind a product that needs no other kernel

__aicore__ inline GlobalTensor<half> Tile(GM_ADDR address, int64_t row) {
    GlobalTensor<half> tile;
    tile.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(address) + row * kSide);
    return tile;
}

// to = from + step, `count` of them, on an AIV; `to` is written when the call of early start behind it is issued.
__aicore__ inline void Add(const GlobalTensor<half>& to, const GlobalTensor<half>& from, int32_t step, int32_t count) {
    LocalTensor<half> local(TPosition::VECCALC, 0, kTile);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0); // the kernel before may still copy from there
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    DataCopy(local, from, count);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(local, local, static_cast<half>(step), count);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, local, count);
}

template <uint32_t aivs, Place waits, bool sets>
__aicore__ inline void Product(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step, uint32_t shift, uint32_t rows) {
    TPipe pipe;
    if constexpr (waits == before) WaitPreTaskEnd();
    Matmul<Half, Half, Half, Half, kTiling> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling*)nullptr);
    if constexpr (waits == behind) WaitPreTaskEnd();
    const int64_t block = GetBlockIdx() / GetTaskRatio(), sub = GetBlockIdx() % GetTaskRatio();
    const int64_t own = block * kSide, from = (own + shift) % rows;
    mm.SetOrgShape(kSide, kSide, kSide);
    if constexpr (waits == late) { // of the matrix by itself, into what nobody else uses
        mm.SetTensorA(Tile(by, 0));
        mm.SetTensorB(Tile(by, 0));
        mm.IterateAll(Tile(middle, 2 * rows + GetBlockIdx() * kSide));
        WaitPreTaskEnd();
    }
    const GlobalTensor<half> product = Tile(middle, GetBlockIdx() * kSide); // each AIV asks for all of it, and takes its share
    mm.SetTensorA(Tile(in, from));
    mm.SetTensorB(Tile(by, 0));
    mm.IterateAll(product);
    constexpr int32_t share = kTile / aivs;
    Add(Tile(out, own)[sub * share], product[sub * share], step, share);
    if constexpr (sets) SetNextTaskStart();
}

#define PRODUCT(name, aivs, waits, sets)                                                                                                   \
    extern "C" __global__ __mix__(1, aivs) void name(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step, uint32_t shift,    \
                                                     uint32_t rows) {                                                                      \
        Product<aivs, waits, sets>(in, out, by, middle, step, shift, rows);                                                                \
    }
#define PRODUCTS(name, waits)                                                                                                              \
    PRODUCT(m1##name, 1, waits, false)                                                                                                     \
    PRODUCT(m1##name##_set, 1, waits, true)                                                                                                \
    PRODUCT(m2##name, 2, waits, false)                                                                                                     \
    PRODUCT(m2##name##_set, 2, waits, true)
PRODUCTS(, never)
PRODUCTS(_before, before)
PRODUCTS(_behind, behind)
PRODUCTS(_late, late)

template <Place waits, bool sets> __aicore__ inline void Shift(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows) {
    const int64_t own = GetBlockIdx() * kSide;
    TPipe pipe;
    if constexpr (waits != never) WaitPreTaskEnd();
    Add(Tile(out, own), Tile(in, (own + shift) % rows), step, kTile);
    if constexpr (sets) SetNextTaskStart();
}
#define SHIFT(name, waits, sets)                                                                                                           \
    extern "C" __global__ __vector__ void name(GM_ADDR in, GM_ADDR out, GM_ADDR, GM_ADDR, int32_t step, uint32_t shift, uint32_t rows) {   \
        Shift<waits, sets>(in, out, step, shift, rows);                                                                                    \
    }
SHIFT(v, never, false)
SHIFT(v_set, never, true)
SHIFT(v_before, before, false)
SHIFT(v_before_set, before, true)

// In line as well: the call is there, and AIV 1 leaves without it.
extern "C" __global__ __mix__(1, 2) void m2_set_forgotten(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step, uint32_t shift,
                                                          uint32_t rows) {
    TPipe pipe;
    Matmul<Half, Half, Half, Half, kTiling> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling*)nullptr);
    mm.SetOrgShape(kSide, kSide, kSide);
    mm.SetTensorA(Tile(in, shift % rows));
    mm.SetTensorB(Tile(by, 0));
    mm.IterateAll(Tile(middle, GetBlockIdx() * kSide));
    Add(Tile(out, GetBlockIdx() * kSide), Tile(middle, GetBlockIdx() * kSide), step, kTile);
    if (GetBlockIdx() == 1) return;
    SetNextTaskStart();
}
// The same for the wait.
extern "C" __global__ __mix__(1, 2) void m2_wait_forgotten(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step,
                                                           uint32_t shift, uint32_t rows) {
    if (GetBlockIdx() == 1) rows = 0; // asks for nothing, and leaves
    TPipe pipe;
    Matmul<Half, Half, Half, Half, kTiling> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling*)nullptr);
    if (!rows) return;
    WaitPreTaskEnd();
    mm.SetOrgShape(kSide, kSide, kSide);
    mm.SetTensorA(Tile(in, 0));
    mm.SetTensorB(Tile(by, 0));
    mm.IterateAll(Tile(middle, 0));
    Add(Tile(out, 0), Tile(middle, 0), step + shift, kTile);
}
// The AIC does not come to the macro: it has to call for itself, and does not.
extern "C" __global__ __mix__(1, 2) void m2_left_early(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step, uint32_t shift,
                                                       uint32_t rows) {
    if ASCEND_IS_AIC
        return;
    Add(Tile(out, GetBlockIdx() * kSide), Tile(in, 0), step + shift, rows ? kTile : kSide);
    SetNextTaskStart();
}
// The macro in a function: the AIC leaves that one, and calls for itself.
extern "C" __global__ __mix__(1, 2) void m2_in_a_function(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step, uint32_t shift,
                                                          uint32_t rows) {
    WaitPreTaskEnd();
    Product<2, never, false>(in, out, by, middle, step, shift, rows);
    SetNextTaskStart();
}
extern "C" __global__ __mix__(1, 2) void m2_set_twice(GM_ADDR in, GM_ADDR out, GM_ADDR by, GM_ADDR middle, int32_t step, uint32_t shift,
                                                      uint32_t rows) {
    Product<2, never, true>(in, out, by, middle, step, shift, rows);
    if ASCEND_IS_AIV
        SetNextTaskStart();
}
