// SPDX-License-Identifier: Apache-2.0
// What each call shape selects, and what a call leaves in the mask register. Every kernel takes two rows of 256 floats and writes
// rows of 256; a row starts as zeros, so that an element a call did not touch shows.
#include "rows.h"

extern "C" __global__ __aicore__ void mask_shapes(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    const BinaryRepeatParams plain{1, 1, 1, 8, 8, 8};
    // 0: the first 7 of each of 3 repeats
    Add(rows.Next(), rows.a, rows.b, static_cast<uint64_t>(7), 3, plain);
    // 1: every second element of 2 repeats
    uint64_t bits[2] = {0x5555555555555555ull, 0};
    Add(rows.Next(), rows.a, rows.b, bits, 2, plain);
    // 2: the register left by the call above
    LocalTensor<float> row = rows.Next(); // its Duplicate with a count leaves the register full
    SetVectorMask<float>(0, 0xff);
    Add<float, false>(row, rows.a, rows.b, MASK_PLACEHOLDER, 1, plain);
    // 3: a counted call leaves the register NORMAL and full
    Add<float, false>(rows.Next(), rows.a, rows.b, MASK_PLACEHOLDER, 2, plain);
    // 4: COUNTER: 100 elements, whatever repeat says
    row = rows.Next();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(100);
    Add<float, false>(row, rows.a, rows.b, MASK_PLACEHOLDER, 1, plain);
    // 5: COUNTER, the mask argument is the count
    SetMaskNorm();
    row = rows.Next();
    SetMaskCount();
    Adds(row, rows.a, 1.0f, static_cast<uint64_t>(130), 1, {1, 1, 8, 8});
    SetMaskNorm();
    // 6: strides: two repeats of the same source, side by side at 128 elements
    Muls(rows.Next(), rows.a, 2.0f, static_cast<uint64_t>(64), 2, {1, 1, 16, 0});
    // 7: COUNTER with strides: 80 elements, the second repeat 128 elements on
    row = rows.Next();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(80);
    Muls<float, false>(row, rows.a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 16, 8});
    SetMaskNorm();
    ResetMask();
}

extern "C" __global__ __aicore__ void whole_tensors(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<float> row = rows.Next(), a = rows.a, b = rows.b;
    row.SetSize(100);
    row = a + b;
    row = rows.Next();
    row = a - b;
    row = rows.Next();
    row = a * b;
    row = rows.Next();
    row = a / b;
    row = rows.Next();
    LocalTensor<uint8_t> chosen(TPosition::VECCALC, 16 * ROW_BYTES, 64);
    chosen = a < b;
    Select(row, chosen, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, ROW); // the smaller
    row = rows.Next();
    Compares(chosen, a, 0.0f, CMPMODE::GT, ROW);
    Select(row, chosen, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, ROW); // relu
    row = rows.Next();
    chosen = a == b;
    Select(row, chosen, a, -1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, ROW);
}

extern "C" __global__ __aicore__ void reductions(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<float> tmp(TPosition::VECCALC, 16 * ROW_BYTES, ROW);
    ReduceSum(rows.Next(), rows.a, tmp, 200);
    ReduceMax(rows.Next(), rows.a, tmp, 200, true);
    ReduceMin(rows.Next(), rows.a, tmp, 200, true);
    WholeReduceSum(rows.Next(), rows.a, 64, 4, 1, 1, 8);
    WholeReduceMax(rows.Next(), rows.a, 10, 4, 1, 1, 8);
    WholeReduceMin(rows.Next(), rows.a, 64, 4, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    BlockReduceSum(rows.Next(), rows.a, 4, 64, 1, 1, 8);
    BlockReduceMax(rows.Next(), rows.a, 4, 64, 1, 1, 8);
    PairReduceSum(rows.Next(), rows.a, 4, 64, 1, 1, 8);
    RepeatReduceSum(rows.Next(), rows.a, 4, 64, 0, 1, 1, 8);
    ReduceRepeat<ReduceType::MIN>(rows.Next(), rows.a, 64, 4, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    LocalTensor<float> row = rows.Next();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(256);
    WholeReduceSum<float, false>(row, rows.a, MASK_PLACEHOLDER, 1, 1, 1, 8); // four repeats by the count
    SetMaskNorm();
    ResetMask();
}

extern "C" __global__ __aicore__ void casts(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<half> h(TPosition::VECCALC, 16 * ROW_BYTES, ROW);
    LocalTensor<int32_t> i(TPosition::VECCALC, 17 * ROW_BYTES, ROW);
    LocalTensor<bfloat16_t> w(TPosition::VECCALC, 18 * ROW_BYTES, ROW);
    LocalTensor<int16_t> s(TPosition::VECCALC, 19 * ROW_BYTES, ROW);
    Cast(h, rows.a, RoundMode::CAST_RINT, ROW);
    Cast(rows.Next(), h, RoundMode::CAST_NONE, ROW); // through half
    Cast(w, rows.a, RoundMode::CAST_RINT, ROW);
    Cast(rows.Next(), w, RoundMode::CAST_NONE, ROW); // through bfloat16_t
    Cast(i, rows.a, RoundMode::CAST_FLOOR, ROW);
    Cast(rows.Next(), i, RoundMode::CAST_NONE, ROW); // floor
    Cast(s, rows.a, RoundMode::CAST_TRUNC, ROW);
    Cast(rows.Next(), s, RoundMode::CAST_NONE, ROW); // towards zero
    Cast(h, rows.a, RoundMode::CAST_CEIL, static_cast<uint64_t>(64), 4, {1, 1, 4, 8});
    Cast(rows.Next(), h, RoundMode::CAST_NONE, static_cast<uint64_t>(64), 4, {1, 1, 8, 4}); // half, rounded up
    SetDeqScale(static_cast<half>(0.5));
    Cast(i, rows.a, RoundMode::CAST_RINT, ROW);
    Cast(h, i, RoundMode::CAST_NONE, ROW);
    Cast(rows.Next(), h, RoundMode::CAST_NONE, ROW); // int32 to half, scaled by a half
}

extern "C" __global__ __aicore__ void fills(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    Brcb(rows.Next(), rows.a, 4, {1, 8});                                   // 32 elements, eight times each
    Copy(rows.Next(), rows.a, static_cast<uint64_t>(64), 2, {1, 1, 8, 16}); // repeats 0 and 2 of the source
    LocalTensor<float> row = rows.Next();
    Duplicate(row, 3.5f, static_cast<uint64_t>(8), 4, 1, 8);
    row = rows.Next();
    Axpy(row, rows.a, 2.0f, ROW);
    Axpy(row, rows.b, -1.0f, ROW); // 2a - b
    row = rows.Next();
    Duplicate(row, 1.0f, ROW);
    MulAddDst(row, rows.a, rows.b, ROW); // ab + 1
    row = rows.Next();
    Duplicate(row, 2.0f, ROW);
    FusedMulAdd(row, rows.a, rows.b, ROW); // 2a + b
}
