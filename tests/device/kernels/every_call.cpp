// SPDX-License-Identifier: Apache-2.0
// Every API of the device headers, in every call shape and with the spellings kernels use. It is compiled, never run.
#include "kernel_operator.h"
using namespace AscendC;

struct Tensors {
    GlobalTensor<half> gm_half;
    GlobalTensor<float> gm_float;
    GlobalTensor<int32_t> gm_int;
    LocalTensor<half> h, h2, h3;
    LocalTensor<float> f, f2, f3;
    LocalTensor<int32_t> i, i2, i3;
    LocalTensor<int16_t> s, s2, s3;
    LocalTensor<uint8_t> bits;
    LocalTensor<uint64_t> words;
};

template <typename T> __aicore__ inline void EveryShape(LocalTensor<T>& d, LocalTensor<T>& a, LocalTensor<T>& b) {
    uint64_t mask[2] = {~0ull, ~0ull};
    const uint64_t first = 64;
    const BinaryRepeatParams two{1, 1, 1, 8, 8, 8};
    const UnaryRepeatParams one(1, 1, 8, 8);
    const T scalar = static_cast<T>(2);
#define BINARY(api)                                                                                                                        \
    api(d, a, b, 128);                                                                                                                     \
    api(d, a[16], b[16], first, 1, two);                                                                                                   \
    api(d, a, b, mask, 1, {1, 1, 1, 8, 8, 8});                                                                                             \
    api<T, false>(d, a, b, MASK_PLACEHOLDER, 1, two);
#define SCALAR(api)                                                                                                                        \
    api(d, a, scalar, 128);                                                                                                                \
    api(d, a, scalar, first, 1, one);                                                                                                      \
    api(d, a, scalar, mask, 1, {1, 1, 8, 8});                                                                                              \
    api<T, false>(d, a, scalar, 128);                                                                                                      \
    api<T, false>(d, a, scalar, MASK_PLACEHOLDER, 1, one);
#define UNARY(api)                                                                                                                         \
    api(d, a, 128);                                                                                                                        \
    api(d, a, first, 1, one);                                                                                                              \
    api(d, a, mask, 1, {1, 1, 8, 8});                                                                                                      \
    api<T, false>(d, a, MASK_PLACEHOLDER, 1, one);
    if constexpr (Std::is_one_of_v<T, half, float, int16_t, int32_t>) {
        BINARY(Add) BINARY(Sub) BINARY(Mul) BINARY(Max) BINARY(Min) SCALAR(Adds) SCALAR(Muls) SCALAR(Maxs) SCALAR(Mins)
    }
    if constexpr (IsSameType<T, half>::value || IsSameType<T, float>::value) {
        BINARY(Div) BINARY(AddRelu) BINARY(SubRelu) BINARY(FusedMulAdd) BINARY(MulAddRelu) BINARY(FusedMulAddRelu) MulAddDst(d, a, b, 128);
        MulAddDst(d, a, b, first, 1, two);
        MulAddDst<T, T, false>(d, a, b, mask, 1, two);
        SCALAR(LeakyRelu)
        UNARY(Exp) UNARY(Ln) UNARY(Abs) UNARY(Sqrt) UNARY(Rsqrt) UNARY(Reciprocal) UNARY(Relu) Axpy(d, a, scalar, 128);
        Axpy(d, a, scalar, first, 1, one);
        WholeReduceSum(d, a, 64, 1, 1, 1, 8);
        WholeReduceSum<T, false>(d, a, MASK_PLACEHOLDER, 1, 1, 1, 8);
        WholeReduceMax(d, a, mask, 1, 1, 1, 8);
        WholeReduceMin(d, a, first, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        BlockReduceSum(d, a, 1, first, 1, 1, 8);
        BlockReduceMax(d, a, 1, mask, 1, 1, 8);
        BlockReduceMin<T, false>(d, a, 1, MASK_PLACEHOLDER, 1, 1, 8);
        PairReduceSum(d, a, 1, first, 1, 1, 8);
        RepeatReduceSum(d, a, 1, 64, 0, 1, 1, 8);
        ReduceRepeat<ReduceType::MAX>(d, a, first, 1, 1, 1, 8);
        ReduceDataBlock<ReduceType::SUM>(d, a, first, 1, 1, 1, 8);
        ReducePairElem<ReduceType::SUM>(d, a, mask, 1, 1, 1, 8);
        ReduceSum(d, a, b, 128);
        ReduceSum<T>(d, a, b, first, 2, 8);
        ReduceMax(d, a, b, 128, true);
        ReduceMin(d, a, b, mask, 2, 8, false);
        T value = GetReduceRepeatSumSpr<T>(), index = GetAccVal<T>();
        GetReduceMaxMinCount<T>(value, index);
        a.SetValue(0, value);
    }
    if constexpr (IsSameType<T, int16_t>::value) {
        BINARY(And) BINARY(Or) UNARY(Not)
    }
    if constexpr (std::is_integral_v<T>) {
        SCALAR(ShiftLeft) SCALAR(ShiftRight) ShiftRight(d, a, scalar, 128, true);
    }
    Duplicate(d, scalar, 128);
    Duplicate(d, scalar, first, 1, 1, 8);
    Duplicate<T, false>(d, scalar, MASK_PLACEHOLDER, 1, 1, 8);
    Duplicate(d, scalar, mask, 1, 1, 8);
    Copy(d, a, first, 1, {1, 1, 8, 8});
    Copy(d, a, mask, 1, CopyRepeatParams(1, 1, 8, 8));
    Brcb(d, a, 1, {1, 8});
}

template <typename T>
__aicore__ inline void CompareAndSelect(LocalTensor<T>& d, LocalTensor<T>& a, LocalTensor<T>& b, LocalTensor<uint8_t>& bits) {
    uint64_t mask[2] = {~0ull, ~0ull};
    const BinaryRepeatParams two;
    Compare(bits, a, b, CMPMODE::LT, 128);
    Compare(bits, a, b, CMPMODE::GE, mask, 1, two);
    Compare(a, b, CMPMODE::NE, mask, two);
    CompareScalar(bits, a, static_cast<T>(0), CMPMODE::EQ, 128);
    Compares(bits, a, static_cast<T>(0), CMPMODE::GT, 64, 1, {1, 1, 8, 8});
    Select(d, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
    Select(d, bits, a, static_cast<T>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
    Select(d, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, mask, 1, two);
    Select(d, bits, a, static_cast<T>(1), SELMODE::VSEL_TENSOR_SCALAR_MODE, 64, 1, two);
    Select<T, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 1, two);
    GetCmpMask(bits);
    SetCmpMask(bits);
    d = a + b;
    d = a - b;
    d = a * b;
    d = a / b;
    bits = a < b;
    bits = a >= b;
    bits = a == b;
    Select(d, bits, a, 1, {1, 1, 1, 8, 8, 8});
    Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(d, a, b, 1, {1, 1, 1, 8, 8, 8});
}

__aicore__ inline void Casts(Tensors& t) {
    uint64_t mask[2] = {~0ull, 0};
    Cast(t.f, t.h, RoundMode::CAST_NONE, 128);
    Cast(t.h, t.f, RoundMode::CAST_ODD, 64, 1, {1, 1, 4, 8});
    Cast<int32_t, float>(t.i, t.f, RoundMode::CAST_RINT, mask, 1, {1, 1, 8, 8});
    Cast<half, float, false>(t.h, t.f, RoundMode::CAST_NONE, MASK_PLACEHOLDER, 1, {1, 1, 4, 8});
    SetDeqScale(static_cast<half>(1.0));
    Cast(t.h, t.i, RoundMode::CAST_NONE, 64);
    Cast(t.f, t.h.ReinterpretCast<bfloat16_t>(), RoundMode::CAST_NONE, 64);
    Cast(t.h.ReinterpretCast<bfloat16_t>(), t.f, RoundMode::CAST_RINT, 64);
    Cast(t.h, t.bits.ReinterpretCast<int4b_t>(), RoundMode::CAST_NONE, 64);
    Cast(t.h, t.bits, RoundMode::CAST_NONE, 64);
    And(t.bits, t.bits, t.bits, 16);
    Or<uint8_t, false>(t.bits, t.bits, t.bits, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    Not(t.bits, t.bits, mask, 1, {1, 1, 8, 8});
    Axpy(t.f, t.h, half(2), 64);
    MulAddDst(t.f, t.h, t.h2, 64);
}

__aicore__ inline void Movement(Tensors& t) {
    DataCopy(t.h, t.gm_half, 128);
    DataCopy(t.gm_half[32], t.h[32], 128);
    DataCopy(t.h, t.gm_half, {2, 4, 0, 0});
    DataCopy(t.gm_half, t.h, DataCopyParams(2, 4, 0, 0));
    DataCopy(t.h, t.h2, 128);
    DataCopy(t.h, t.h2, DataCopyParams(2, 4, 0, 0));
    DataCopyParams params;
    params.blockCount = 1;
    params.srcStride = params.dstGap = 0;
    DataCopy(t.h, t.gm_half, params, DataCopyEnhancedParams());
    DataCopyPad(t.h, t.gm_half, {1, 100, 0, 0, 0}, {false, 0, 0, 0});
    SliceInfo slice[] = {{0, 15, 0, 1, 16}, {0, 1, 0, 1, 2}};
    DataCopy(t.h, t.gm_half, slice, slice, 2);
    DataCopy(t.gm_half, t.h, slice, slice, 2);
    DataCopy(t.gm_half, t.h, Nz2NdParamsFull{1, 16, 16, 1, 16, 16, 1});
    DataCopyExtParams ext{1, static_cast<uint32_t>(10 * sizeof(half)), 0, 0, 0};
    DataCopyPadExtParams<half> pad{true, 0, 6, 0};
    DataCopyPad(t.h, t.gm_half, ext, pad);
    DataCopyPad(t.gm_half, t.h, ext);
    DataCopyPadParams old_pad;
    DataCopyPad(t.h, t.gm_half, params, old_pad);
    DataCopyPad(t.gm_half, t.h, params);
    InitGlobalMemory(t.gm_half, 100, static_cast<half>(0));
    InitOutput<float>(t.gm_float, 100, 0);
    PopStackBuffer<float, TPosition::LCM>(t.f);
    Fill(t.gm_int, 100, 7);
    SetAtomicAdd<float>();
    SetAtomicMax<int32_t>();
    SetAtomicMin<half>();
    SetAtomicType<bfloat16_t>();
    SetAtomicNone();
    DisableDmaAtomic();
    t.gm_half.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    t.gm_half.SetL2CacheHint<CacheRwMode::READ>(CacheMode::CACHE_MODE_NORMAL);
}

__aicore__ inline void Scalars(Tensors& t) {
    t.f(0) = t.f(1) + 1.0f;
    t.f(0) += 2;
    t.h(0) = t.h(1);
    float from_gm = t.gm_float(0);
    t.f.SetValue(0, from_gm);
    t.gm_float.SetValue(3, t.f.GetValue(0));
    uint64_t where = (uint64_t)t.h.GetPhyAddr();
    auto* pointer = (__ubuf__ half*)t.h.GetPhyAddr(16);
    t.h.SetUserTag(3);
    t.h.SetSize(64);
    t.h.SetBufferLen(64);
    uint32_t shape[2] = {8, 8};
    t.h.SetShapeInfo(ShapeInfo(2, shape, DataFormat::ND));
    const ShapeInfo info = t.h.GetShapeInfo();
    printf("%d %u %f %s %p %lld\n", 1, 2u, 3.0f, "text", pointer, static_cast<long long>(where));
    PRINTF("%f %d\n", half(1), GetBlockIdx());
    DumpTensor(t.h, 5, 64);
    DumpTensor(t.gm_float, 6, 64, info);
    DumpAccChkPoint(t.h, 7, 16, 32);
    InitDump(false, (GM_ADDR)t.gm_int.GetPhyAddr(), 1024);
    __gm__ char* version_str = nullptr;
    uint64_t version = 0, timestamp = 0;
    ::GetCannVersion(version_str, version, timestamp);
    assert(where < 1000000);
    assert(where < 1000000, "where is %llu\n", static_cast<unsigned long long>(where));
    ascendc_assert(t.h.GetSize() == 64, "size %u", t.h.GetSize());
    ASCENDC_ASSERT((t.h.GetLength() == 128), { PRINTF("length %u", t.h.GetLength()); });
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t.gm_float);
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(t.gm_float);
    WriteGmByPassDCache(t.gm_int.GetPhyAddr(), 1);
    int32_t bypassed = ReadGmByPassDCache(t.gm_int.GetPhyAddr(2));
    bypassed += static_cast<int32_t>(ScalarGetSFFValue<0>(3) + ScalarGetCountOfValue<1>(7) + ScalarCountLeadingZero(1) +
                                     CountBitsCntSameAsSignBit(-1));
    bypassed += ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(2.5f) + static_cast<int32_t>(ToFloat(ToBfloat16(3.0f)));
    bypassed += static_cast<int32_t>(Ceil(5u, int64_t{2})) + CeilDivision(5, 2) + static_cast<int32_t>(AlignUp(5, 32) + DivCeil(5, 2)) +
                Std::min(1, 2) + Std::max(1, 2) + min(1, 2) + max(1u, 2) + abs(-2) + static_cast<int32_t>(abs(-2.0f));
    bypassed += static_cast<int32_t>(GetSystemCycle()) + static_cast<int32_t>(sqrt(2.0f)) +
                static_cast<int32_t>(block_idx + block_num + GetProgramCounter());
    bypassed += AscendC::Max(1, 2) + Min(1, 2) + static_cast<int32_t>(AscendC::Max(half(1), half(2)));
    bypassed += static_cast<int32_t>(bcnt0(1) + bcnt1(1) + sff0(1) + sff1(1) + clz(1) + sflbits(1));
    set_ctrl(sbitset1(sbitset0(get_ctrl(), 48), 48));
    dcci(t.gm_int.GetPhyAddr(), SINGLE_CACHE_LINE);
    dcci((__gm__ void*)0, cache_line_t::ENTIRE_DATA_CACHE, dcci_dst_t::CACHELINE_OUT);
    PRELOAD(4);
    t.i.SetValue(0, bypassed);
    if (bypassed == 77) Trap();
    if (bypassed == 78) SetHcclContext<HCCL_GROUP_ID_1>(GetHcclContext<HCCL_GROUP_ID_0>());
}

__aicore__ inline void Collectives(GM_ADDR x) {
    static constexpr HcclServerConfig config = {CoreType::ON_AIV, 1};
    Mc2InitTiling init;
    uint64_t lists[2] = {};
    Hccl<HcclServerType::HCCL_SERVER_TYPE_AICPU, config> hccl;
    hccl.InitV2(GetHcclContext<0>(), &init);
    hccl.SetCcTilingV2(sizeof(Mc2InitTiling));
    HcclHandle handle = hccl.AllReduce(x, x, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    hccl.AllGather<true>(x, x, 8, HCCL_DATA_TYPE_FP32, 0);
    hccl.ReduceScatter(x, x, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_MAX, 0);
    hccl.AlltoAll(x, x, 8, HCCL_DATA_TYPE_FP32);
    hccl.AlltoAllV(x, lists, lists, HCCL_DATA_TYPE_FP32, x, lists, lists, HCCL_DATA_TYPE_FP32);
    hccl.Commit(handle);
    if (hccl.Query(handle) < 1 && hccl.Wait(handle) != HCCL_SUCCESS) return;
    hccl.Finalize();
    hccl.Init(hccl.GetWindowsInAddr(hccl.GetRankId()), nullptr);
    hccl.SetCcTiling(hccl.GetWindowsOutAddr(hccl.GetRankDim()));
}

__aicore__ inline void Modes() {
    SetMaskNorm();
    SetMaskCount();
    SetVectorMask<half>(~0ull, ~0ull);
    SetVectorMask<half, MaskMode::COUNTER>(100);
    SetVectorMask<float, MaskMode::NORMAL>(32);
    ResetMask();
    AscendCUtils::SetMask<half>(64);
    AscendCUtils::ResetMask();
    SetSaturationFlag<SaturationMode::FLOAT>(true);
    SetSaturationFlag<SaturationMode::CAST>(GetSaturationFlag<SaturationMode::CAST>());
    SetHF32Mode(true);
    SetHF32TransMode(false);
    SetMMLayoutTransform(true);
    SetPadValue(0);
    InitSocState();
}

__aicore__ inline void Order(Tensors& t, TPipe& pipe) {
#define EVENT(src, dst)                                                                                                                    \
    SetFlag<HardEvent::src##_##dst>(EVENT_ID0);                                                                                            \
    WaitFlag<HardEvent::src##_##dst>(EVENT_ID0);
    ACLIMB_EVENTS(EVENT)
    event_t id = static_cast<event_t>(pipe.FetchEventID(HardEvent::MTE2_V));
    TEventID taken = GetTPipePtr()->AllocEventID<HardEvent::V_MTE3>();
    SetFlag<HardEvent::MTE2_V>(id);
    GetTPipePtr()->ReleaseEventID<HardEvent::V_MTE3>(taken);
    PipeBarrier<PIPE_V>();
    PipeBarrier<PIPE_MTE1>();
    PipeBarrier<PIPE_MTE2>();
    PipeBarrier<PIPE_MTE3>();
    PipeBarrier<PIPE_M>();
    PipeBarrier<PIPE_FIX>();
    PipeBarrier<PIPE_ALL>();
    TQueSync<PIPE_V, PIPE_MTE3> sync;
    sync.SetFlag(0);
    sync.WaitFlag(0);
    DataSyncBarrier<MemDsbT::DDR>();
    SyncAll();
    SyncAll<true>();
    SyncAll<false>();
    SyncAll(t.gm_int, t.i);
    SyncAll(t.gm_int, t.i, 8);
    IBSet(t.gm_int, t.i, 0, 0);
    IBWait<true>(t.gm_int, t.i, 0, 0);
    InitDetermineComputeWorkspace(t.gm_int, t.i);
    WaitPreBlock(t.gm_int, t.i);
    NotifyNextBlock(t.gm_int, t.i);
    GroupBarrier<PipeMode::MTE3_MODE> group(nullptr, 2, 2);
    group.Arrive(static_cast<uint32_t>(group.GetWorkspaceLen()));
    group.Wait(0);
    if ASCEND_IS_AIV {
        CrossCoreSetFlag<2, PIPE_MTE3>(3);
        CrossCoreWaitFlag(4);
    }
    if ASCEND_IS_AIC {
        CrossCoreSetFlag<0x2, PIPE_FIX>(4);
        CrossCoreWaitFlag<0x2, PIPE_FIX>(3);
    }
    SetNextTaskStart();
    SetNextTaskStart<PIPE_V, PIPE_M>();
    WaitPreTaskEnd();
    SetSyncBaseAddr(0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    pipe_barrier(PIPE_ALL);
    set_mask_count();
    set_vector_mask(0, 64);
    set_mask_norm();
    set_atomic_none();
    ffts_cross_core_sync(PIPE_MTE3, 1 | (2 << 4) | (5 << 8));
    wait_flag_dev(5);
    AscendC::GetTPipePtr()->Reset();
}

__aicore__ inline void Cube(Tensors& t) {
    LocalTensor<half> a1(TPosition::A1, 0, 4096), a2(TPosition::A2, 0, 4096), b2(TPosition::B2, 0, 4096);
    LocalTensor<float> c(TPosition::CO1, 0, 4096), bias(TPosition::C2, 0, 64), l1(TPosition::C1, 0, 64);
    Nd2NzParams nz{1, 16, 16, 0, 16, 16, 1, 0};
    DataCopy(a1, t.gm_half, nz);
    DataCopy(bias, l1, DataCopyParams(1, 1, 0, 0));
    LoadData(a2, a1, LoadData2DParams{0, 4, 1, 0, 0, false, 0});
    LoadData(b2, t.gm_half, LoadData2DParams(0, 4, 1, 0, 0, true, 0));
    InitConstValue(a1, InitConstValueParams<half>{1, 4, 0, half(0)});
    Fill(a2, InitConstValueParams<half>(1, half(0)));
    LoadData3DParamsV2<half> map;
    LoadData(a2, a1, map);
    LoadData<half>(b2, a1, map);
    static constexpr IsResetLoad3dConfig kept = {false, false};
    LoadData<half, kept>(a2, a1, map);
    LoadData(a2, a1, LoadData3DParamsV2Pro());
    const uint8_t pads[PAD_SIZE] = {0, 0, 0, 0};
    SetFmatrix(1, 1, pads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue(half(0));
    SetLoadDataRepeat({0, 1, 0});
    SetLoadDataBoundary(0);
    LoadDataWithTranspose(b2, a1, LoadData2dTransposeParams(0, 1, 1, 0, 0, 0));
    LocalTensor<int8_t> s1(TPosition::B1, 0, 1024), s2(TPosition::B2, 0, 1024), sa(TPosition::A2, 0, 1024);
    LocalTensor<uint8_t> index(TPosition::B1, 1024, 256);
    LocalTensor<int4b_t> a4(TPosition::A2, 0, 1024), b4(TPosition::B2, 0, 1024);
    LocalTensor<int32_t> sc(TPosition::CO1, 0, 1024);
    LoadDataWithSparse(s2, s1, index, LoadData2dParams());
    MmadWithSparse(sc, sa, s2, MmadParams());
    Mmad(sc, a4, b4, MmadParams());
    MmadParams mm;
    mm.m = mm.n = mm.k = 16;
    mm.cmatrixInitVal = false;
    Mmad(c, a2, b2, mm);
    Mmad(c, a2, b2, bias, MmadParams(16, 16, 16, 0, false, true));
    FixpipeParamsV220 fix(16, 16, 16, 16, false);
    fix.quantPre = QuantMode_t::F322F16;
    Fixpipe(t.gm_half, c, fix);
    Fixpipe<float, float, CFG_ROW_MAJOR>(t.gm_float, c, FixpipeParamsV220{16, 16, 16, 16, 0});
    Fixpipe<half, float, CFG_NZ>(a1, c, fix);
    LocalTensor<int32_t> ci(TPosition::CO1, 0, 4096);
    Fixpipe<half, int32_t, CFG_ROW_MAJOR>(t.gm_half, ci, t.words, fix);
    FixpipeParams<float> bursts(1, 32, 0, 16);
    bursts.quantParams = {QuantMode_t::F322F16, 0};
    bursts.nz2ndParams = Nz2NdParams{true, 1, 0, 0, 16};
    Fixpipe(t.gm_half, c, bursts);
    Fixpipe<half, float>(a1, c, FixpipeParams<float>());
    Fixpipe(t.gm_half, ci, t.words, FixpipeParams<int32_t>());
    Fixpipe(a1, ci, t.words, FixpipeParams<int32_t>());
    SetFixpipeNz2ndFlag(1, 0, 0);
    SetFixpipePreQuantFlag(0);
    SetFixPipeConfig(t.words);
    SetFixPipeConfig(t.words, t.words, true);
    SetFixPipeConfig<uint64_t, false>(t.words, true);
    DataCopy(t.gm_float, c, DataCopyCO12DstParams(16, 16, 16, 16, QuantMode_t::NoQuant, 0, false, true));
}

class OwnPool {
  public:
    template <class Buffer, class... Num> __aicore__ inline bool InitBuffer(Buffer& buffer, Num... num) {
        TBufHandle handle = GetBufHandle(GetCurBufSize());
        buffer.InitStartBufHandle(handle, 1, 64);
        buffer.InitBufHandle(this, 0, handle, GetCurAddr(), 64);
        SetCurAddr(GetCurAddr() + 64);
        SetCurBufSize(GetCurBufSize() + 1);
        return true;
    }
    EXTERN_IMPL_BUFPOOL(OwnPool, TPosition::VECCALC, 4)
};

__aicore__ inline void Queues(TPipe& pipe) {
    TQue<QuePosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 1, 0> out;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
    TQue<TPosition::VECIN, 0> in_place;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 1> b1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co1;
    TQue<TPosition::C1, 1> c1;
    TQue<TPosition::C2, 1> c2;
    TSCM<TPosition::GM, 1> scm;
    TBuf<> plain;
    TBuf<TPosition::VECCALC> calc;
    TBufPool<TPosition::VECCALC> pool, over;
    TQue<TPosition::VECIN, 1> more_in;
    TBuf<TPosition::VECCALC> more_calc;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(plain, 256);
    pipe.InitBufPool(pool, 1024);
    pipe.InitBufPool(over, 1024, pool);
    pool.InitBuffer(out, 1, 256);
    OwnPool own;
    pool.InitBufPool(own, 256);
    own.InitBuffer(more_in, 1, 64);
    own.InitBuffer(more_calc, 64);
    own.Reset();
    pool.InitBuffer(calc, 256);
    pipe.InitBuffer(bind, 1, 256);
    pipe.InitBuffer(in_place, 2, 256);
    pipe.InitBuffer(a1, 1, 512);
    pipe.InitBuffer(b1, 1, 512);
    pipe.InitBuffer(a2, 1, 512);
    pipe.InitBuffer(b2, 1, 512);
    pipe.InitBuffer(co1, 1, 1024);
    pipe.InitBuffer(c1, 1, 512);
    pipe.InitBuffer(c2, 1, 64);
    pipe.InitBuffer(scm, 1, 64);
    LocalTensor<half> x = in.AllocTensor<half>();
    in.EnQue(x);
    x = in.DeQue<half>();
    in.EnQue<TPosition::VECIN, TPosition::GM>(x);
    x = in.DeQue<TPosition::VECIN, TPosition::GM, half>();
    in.FreeTensor(x);
    in.FreeAllEvent();
    LocalTensor<half> y;
    in_place.AllocTensor<half>(y);
    in_place.EnQue(y);
    in_place.DeQue<half>(y);
    in_place.FreeTensor(y);
    auto moved = bind.AllocTensor<float>();
    bind.EnQue(moved);
    moved = bind.DeQue<float>();
    bind.FreeTensor(moved);
    auto acc = co1.AllocTensor<float>();
    co1.EnQue<float>(acc);
    acc = co1.DeQue<float>();
    co1.FreeTensor(acc);
    if (in.HasTensorInQue() || in.VacantInQue() || in.HasIdleBuffer() || in.GetTensorCountInQue() > 0) in.EnQue(x);
    Adds(calc.Get<half>(), plain.Get<half>(64), half(1), 64);
    Adds(calc.GetWithOffset<float>(16, 64), calc.Get<float>(), 1.0f, 16);
    pool.Reset();
    LocalMemAllocator<Hardware::UB> ub;
    auto fixed = ub.Alloc<half, 64>();
    auto more = ub.Alloc<TPosition::VECIN, half>(64);
    Add(fixed, more, ub.Alloc<half>(ub.GetCurAddr()), 64);
    pipe.Reset();
    pipe.Destroy();
}

extern "C" __global__ __aicore__ void every_call(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
    TPipe pipe;
    Tensors t;
    t.gm_half.SetGlobalBuffer((__gm__ half*)x);
    t.gm_float.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), 1024);
    t.gm_int.SetGlobalBuffer((__gm__ int32_t*)GetUserWorkspace(workspace) + GetBlockIdx() * GetBlockNum());
    SetSysWorkspace(GetSysWorkSpacePtr());
    if (GetSubBlockIdx() < GetSubBlockNum() * GetTaskRatio()) EveryShape(t.h, t.h2, t.h3);
    EveryShape(t.f, t.f2, t.f3);
    EveryShape(t.i, t.i2, t.i3);
    EveryShape(t.s, t.s2, t.s3);
    CompareAndSelect(t.h, t.h2, t.h3, t.bits);
    CompareAndSelect(t.f, t.f2, t.f3, t.bits);
    Casts(t);
    Movement(t);
    Scalars(t);
    Modes();
    Collectives(x);
    Order(t, pipe);
    Cube(t);
    Queues(pipe);
}
