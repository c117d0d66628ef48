// SPDX-License-Identifier: Apache-2.0
// Every call that sorts, gathers, transposes or converts on the way, in every shape; the rest of every_call.cpp. It is compiled, never run.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline void Sorts(LocalTensor<T>& d, LocalTensor<T>& a, LocalTensor<uint32_t>& u) {
    uint16_t lengths[4] = {1, 2, 3, 4}, n1, n2, n3, n4;
    uint32_t used[4];
    LocalTensor<T> concat;
    Sort32(d, a, u, 1);
    Sort32<T>(d, a[GetSortOffset<T>(8)], u, GetSortLen<T>(2));
    MrgSort(d, MrgSortSrcList<T>(a, a, a, a), MrgSort4Info(lengths, false, 15, 1));
    MrgSort<T>(d, {a, a, a, a}, {lengths, true, 7, 1});
    MrgSort<T, true>(d, {a, a, a, a}, lengths, used, 15, 1);
    GetMrgSortResult(n1, n2, n3, n4);
    Concat(concat, a, d, 1);
    Sort<T, true>(d, concat, u, a, n1);
    Sort<T, false>(d, concat, u, a, 1);
    Extract(d, u, a, 1);
}

template <typename T> __aicore__ inline void Moves(LocalTensor<T>& d, LocalTensor<T>& a, LocalTensor<uint32_t>& u) {
    uint64_t mask[2] = {1, 2}, kept = 0;
    Gather(d, a, u, 0, 32);
    Gather<T>(d, a, u, 0u, uint64_t{8}, 1, 8);
    Gather(d, a, u, 0, mask, 1, 8);
    Gatherb(d, a, u, 1, {1, 8});
    GatherMask(d, a, static_cast<uint8_t>(1), true, 64, {1, 1, 8, 8}, kept);
    GatherMask(d, a, 1, false, 0, GatherMaskParams(), kept);
    using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    GatherMask(d, a, u.template ReinterpretCast<Bits>(), false, 0, {1, static_cast<uint16_t>(kept), 8, 8}, kept);
    uint64_t list[NCHW_CONV_ADDR_LIST_SIZE] = {};
    LocalTensor<T> tensors[16];
    TransDataTo5HD<T>(list, list, {false, false, 1, 0, 0});
    TransDataTo5HD<T>(tensors, tensors, TransDataTo5HDParams());
    TransDataTo5HD<T>(u.template ReinterpretCast<uint64_t>(), u.template ReinterpretCast<uint64_t>(), {});
    Transpose(d, a, u.template ReinterpretCast<uint8_t>(), {1, 16, 4, 4, TransposeType::TRANSPOSE_NCHW2NHWC});
    CreateVecIndex(d, static_cast<T>(1), 32);
    CreateVecIndex(d, static_cast<T>(1), uint64_t{3}, 1, 1, 8);
    CreateVecIndex(d, static_cast<T>(1), mask, 1, 1, 8);
    ArithProgression<T>(d, static_cast<T>(0), static_cast<T>(1), 99);
    Arange(d, static_cast<T>(0), static_cast<T>(1), 99);
}

struct Tensors {
    LocalTensor<half> h, h2;
    LocalTensor<float> f, f2;
    LocalTensor<int32_t> i, i2;
    LocalTensor<int16_t> s, s2;
    LocalTensor<uint64_t> words;
};

__aicore__ inline void Converts(Tensors& t, LocalTensor<int8_t>& b) {
    uint64_t mask[2] = {1, 2};
    Transpose(t.h, t.h2);
    const LocalTensor<uint32_t> u = t.i.ReinterpretCast<uint32_t>();
    const LocalTensor<uint8_t> scratch = t.f.ReinterpretCast<uint8_t>();
    BilinearInterpolation(t.h, t.h2, u, t.h2, uint64_t{128}, 2, false, 1, 128, 2, scratch);
    BilinearInterpolation<half>(t.h, t.h2, u, t.h2, mask, 2, true, 1, 128, 2, scratch);
    SetDeqScale(half(1));
    SetDeqScale(1.0f, static_cast<int16_t>(3), true);
    SetDeqScale(t.words, VdeqInfo());
    CastDequant<int8_t, int16_t, false>(b, t.s, 64);
    CastDequant<int8_t, int16_t, true, false, false>(b, t.s, 64, 1, {1, 1, 8, 8});
    CastDeq(t.h, t.i, 64);
    CastDeq<half, int32_t>(t.h, t.i, mask, 1, {1, 1, 4, 8});
    AddDeqRelu(t.h, t.i, t.i2, 64);
    AddDeqRelu<true>(t.h, t.i, t.i2, 64, 1, {1, 1, 1, 4, 8, 8});
    MulCast(b, t.h, t.h2, 64);
    MulCast<int8_t, half, true>(b, t.h, t.h2, 64, 1, {1, 1, 1, 4, 8, 8});
    AddReluCast(b, t.s, t.s2, 64);
    AddReluCast(b, t.h, t.h2, mask, 1, {1, 1, 1, 4, 8, 8});
    SubReluCast(t.h, t.f, t.f2, 64);
    SetCtrlSpr<60, 60>(GetCtrlSpr<48, 48>());
    AscendCUtils::SetOverflow(1);
    t.f.SetValue(0, Cast(Cast(1.0f)) + static_cast<float>(Cast<float, int32_t, RoundMode::CAST_RINT>(2.5f)));
}

extern "C" __global__ __aicore__ void every_rearranging_call(GM_ADDR x) {
    TPipe pipe;
    Tensors t;
    LocalTensor<uint32_t> unsigned_words;
    LocalTensor<int8_t> bytes;
    Sorts(t.h, t.h2, unsigned_words);
    Sorts(t.f, t.f2, unsigned_words);
    Moves(t.h, t.h2, unsigned_words);
    Moves(t.f, t.f2, unsigned_words);
    Moves(t.s, t.s2, unsigned_words);
    Moves(t.i, t.i2, unsigned_words);
    Converts(t, bytes);
}
