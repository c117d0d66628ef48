// SPDX-License-Identifier: Apache-2.0
// Mixed kernels with more than one object, a static tiling, a callback, quantised results, and a Matmul object that both cores drive alone.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Float = MatmulType<TPosition::GM, CubeFormat::ND, float>;
constexpr int32_t kSide = 64;

__aicore__ inline TCubeTiling Cut(GM_ADDR tiling) {
    TCubeTiling cut;
    auto* numbers = reinterpret_cast<int32_t*>(&cut);
    for (uint32_t i = 0; i < sizeof(cut) / 4; ++i) numbers[i] = reinterpret_cast<__gm__ int32_t*>(tiling)[i];
    return cut;
}
template <typename T> __aicore__ inline GlobalTensor<T> Matrix(GM_ADDR address, int32_t number = 0) {
    GlobalTensor<T> matrix;
    matrix.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address) + number * kSide * kSide);
    return matrix;
}

// D = (A * B) * B, the second product by another object. The AIV that waits for both in the other order gets both.
extern "C" __global__ __mix__(1, 2) void two_objects(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR d, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Half> first;
    Matmul<Half, Half, Float> second;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), first, &cut, second, &cut);
    const int32_t aiv = GetBlockIdx();
    first.SetTensorA(Matrix<half>(a, aiv));
    first.SetTensorB(Matrix<half>(b));
    first.IterateAll(Matrix<half>(c, aiv));
    second.SetTensorA(Matrix<half>(c, aiv));
    second.SetTensorB(Matrix<half>(b));
    second.IterateAll<false>(Matrix<float>(d, aiv), 0, false, true);
    first.IterateAll<false>(Matrix<half>(c, aiv), 0, false, true);
    first.WaitIterateAll();
    second.WaitIterateAll();
    first.End();
    second.End();
}

// Both AIVs give the same matrices: one product for both.
using Shared = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NONE, true>;
extern "C" __global__ __mix__(1, 2) void shared(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR seen, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Shared, Shared, Float, Float, CFG_NORM> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetTensorA(Matrix<half>(a));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c), 1); // adds: twice would show
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kSide * kSide * 4);
    LocalTensor<float> local = buffer.Get<float>();
    DataCopy(local, Matrix<float>(c), kSide * kSide);
    PipeBarrier<PIPE_ALL>();
    DataCopy(Matrix<float>(seen, GetBlockIdx()), local, kSide * kSide);
    mm.End();
}

constexpr MatmulConfig kWhole = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{kSide, kSide, kSide, 32, 32, 32});
constexpr MatmulApiStaticTiling kStatic = GetMatmulApiTiling<Half, Half, Float, Float>(kWhole);
extern "C" __global__ __mix__(1, 2) void static_tiling(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
    TPipe pipe;
    Matmul<Half, Half, Float, Float, kStatic> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling*)nullptr);
    mm.SetOrgShape(kSide, kSide, kSide);
    mm.SetTensorA(Matrix<half>(a, GetBlockIdx()));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c, GetBlockIdx()));
    mm.End();
}

// On the AIC: the rows of A in reverse order of blocks, as dataPtr says how many there are.
__aicore__ inline void CopyA(const LocalTensor<int8_t>& to, const __gm__ void* gm, int row, int col, int useM, int useK, uint64_t,
                             uint64_t rows) {
    GlobalTensor<half> a;
    a.SetGlobalBuffer(static_cast<const __gm__ half*>(gm));
    Nd2NzParams params;
    params.ndNum = 1;
    params.nValue = useM;
    params.dValue = useK;
    params.srcDValue = kSide;
    params.dstNzC0Stride = (useM + 15) / 16 * 16;
    params.dstNzNStride = 1;
    DataCopy(to.ReinterpretCast<half>(), a[(rows - 1 - row) * 32 * kSide + col * 32], params);
}
extern "C" __global__ __mix__(1, 2) void callback(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float, Float, CFG_NORM, MatmulCallBackFunc<nullptr, CopyA, nullptr>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetSelfDefineData(2);
    mm.SetTensorA(Matrix<half>(a, GetBlockIdx()));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c, GetBlockIdx()));
    mm.End();
}

using Byte = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
extern "C" __global__ __mix__(1, 2) void quantised(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR words, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Byte, Byte, Half, MatmulType<TPosition::GM, CubeFormat::ND, int32_t>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetTensorA(Matrix<int8_t>(a, GetBlockIdx()));
    mm.SetTensorB(Matrix<int8_t>(b));
    GlobalTensor<uint64_t> scales;
    scales.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(words), kSide);
    if (GetBlockIdx() == 0) mm.SetQuantVector(scales);
    else mm.SetQuantScalar(0x3f000000); // 0.5f
    mm.IterateAll(Matrix<half>(c, GetBlockIdx()));
    mm.End();
}

// The AIC runs the calls itself; the AIVs do something else meanwhile.
constexpr MatmulConfig kDual =
    GetNormalConfig(false, false, false, BatchMode::BATCH_LESS_THAN_L1, true, IterateOrder::UNDEF, ScheduleType::INNER_PRODUCT, true, true);
extern "C" __global__ __mix__(1, 1) void dual_master(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR d, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float, Float, kDual> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetTensorA(Matrix<half>(a, GetBlockIdx()));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c, GetBlockIdx()));
    mm.End();
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kSide * kSide * 4);
    LocalTensor<float> local = buffer.Get<float>();
    Duplicate(local, 7.0f, kSide * kSide);
    PipeBarrier<PIPE_ALL>();
    DataCopy(Matrix<float>(d, GetBlockIdx()), local, kSide * kSide);
}

// The macro lies in a function that has ended when the object is used.
template <class Object> __aicore__ inline void Regist(TPipe& pipe, Object& mm, TCubeTiling& cut) {
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
}
extern "C" __global__ __mix__(1, 2) void too_late(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float> mm;
    Regist(pipe, mm, cut);
    if ASCEND_IS_AIC
        return;
    mm.SetTensorA(Matrix<half>(a));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c));
}

// A is made on the AIV. Its copy to global memory is waited for, or not: the message does not wait by itself.
template <bool waits> __aicore__ inline void MakeA(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kSide * kSide * sizeof(half));
    LocalTensor<half> made = buffer.Get<half>();
    Duplicate(made, half(3), kSide * kSide);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(Matrix<half>(a, GetBlockIdx()), made, kSide * kSide);
    if constexpr (waits) {
        SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
    }
    mm.SetTensorA(Matrix<half>(a, GetBlockIdx()));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c, GetBlockIdx()));
    mm.End();
}
extern "C" __global__ __mix__(1, 2) void make_a(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) { MakeA<true>(a, b, c, tiling); }
extern "C" __global__ __mix__(1, 2) void make_a_too_late(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) { MakeA<false>(a, b, c, tiling); }

// Which cores come behind the macro: AIV 0, AIV 1, AIC.
extern "C" __global__ __mix__(1, 2) void behind(GM_ADDR a, GM_ADDR b, GM_ADDR seen, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    GlobalTensor<int32_t> marks;
    marks.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(seen));
    int32_t core = 2;
    if ASCEND_IS_AIV
        core = GetBlockIdx();
    marks.SetValue(core * 16, 1);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(marks[core * 16]);
}

// A call that is waited for behind one whose wait comes later: it waits for its own answer.
extern "C" __global__ __mix__(1, 2) void own_answer(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR seen, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    if (GetBlockIdx() > 0) return;
    mm.SetTensorA(Matrix<half>(a, 0));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll<false>(Matrix<float>(c, 0), 0, false, true);
    mm.SetTensorA(Matrix<half>(a, 1));
    mm.IterateAll(Matrix<float>(c, 1));
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kSide * kSide * 4);
    LocalTensor<float> local = buffer.Get<float>();
    DataCopy(local, Matrix<float>(c, 1), kSide * kSide);
    PipeBarrier<PIPE_ALL>();
    DataCopy(Matrix<float>(seen), local, kSide * kSide);
    mm.WaitIterateAll();
    mm.End();
}

// No AIC to ask.
extern "C" __global__ __vector__ void alone(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut = Cut(tiling);
    Matmul<Half, Half, Float> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetTensorA(Matrix<half>(a));
    mm.SetTensorB(Matrix<half>(b));
    mm.IterateAll(Matrix<float>(c));
}
