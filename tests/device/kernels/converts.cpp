// SPDX-License-Identifier: Apache-2.0
// Calls that convert on the way, and the mode registers around them.
#include "rows.h"

constexpr uint32_t SCRATCH = 8192;
template <typename T> __aicore__ inline LocalTensor<T> Scratch(uint32_t bytes, uint32_t at) {
    return LocalTensor<T>(TPosition::VECCALC, SCRATCH + at, bytes / sizeof(T));
}

extern "C" __global__ __aicore__ void dequantises(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<int16_t> small = Scratch<int16_t>(512, 0);
    LocalTensor<int32_t> whole = Scratch<int32_t>(1024, 512);
    Cast(small, rows.a, RoundMode::CAST_RINT, 256);
    Cast(whole, rows.a, RoundMode::CAST_RINT, 256);
    SetDeqScale(0.37f, static_cast<int16_t>(-9), true);
    CastDequant<int8_t, int16_t, false>(rows.Next().ReinterpretCast<int8_t>(), small, 200);
    CastDeq<int8_t, int16_t, true, false, false>(rows.Next().ReinterpretCast<int8_t>(), small, 100, 2, {1, 1, 8, 8});
    VdeqInfo info;
    for (int i = 0; i < 16; i++) {
        info.vdeqScale[i] = 0.25f * static_cast<float>(i);
        info.vdeqOffset[i] = static_cast<int16_t>(i - 3);
        info.vdeqSignMode[i] = false;
    }
    SetDeqScale(Scratch<uint64_t>(128, 2048), info);
    CastDequant(rows.Next().ReinterpretCast<uint8_t>(), small, 256);
    SetDeqScale(half(0.5f));
    CastDequant(rows.Next().ReinterpretCast<half>(), whole, 256);
    AddDeqRelu(rows.Next().ReinterpretCast<half>(), whole, whole, 256);
    AddDeqRelu<true>(rows.Next().ReinterpretCast<half>(), whole, whole, static_cast<uint64_t>(10), 4, {1, 1, 1, 4, 8, 8});
}

extern "C" __global__ __aicore__ void casts_after(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<half> p = Scratch<half>(512, 0), q = Scratch<half>(512, 512);
    LocalTensor<int16_t> i = Scratch<int16_t>(512, 1024), j = Scratch<int16_t>(512, 1536);
    Cast(p, rows.a, RoundMode::CAST_RINT, 256);
    Cast(q, rows.b, RoundMode::CAST_RINT, 256);
    Cast(i, rows.a, RoundMode::CAST_RINT, 256);
    Cast(j, rows.b, RoundMode::CAST_RINT, 256);
    MulCast(rows.Next().ReinterpretCast<int8_t>(), p, q, 256);
    MulCast<uint8_t, half>(rows.Next().ReinterpretCast<uint8_t>(), p, q, static_cast<uint64_t>(128), 2, {1, 1, 1, 4, 8, 8});
    AddReluCast(rows.Next().ReinterpretCast<int8_t>(), i, j, 256);
    SubReluCast(rows.Next().ReinterpretCast<half>(), rows.a, rows.b, 256);
    AddReluCast(rows.Next().ReinterpretCast<int8_t>(), p, q, 256);
}

extern "C" __global__ __aicore__ void modes(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<half> large = Scratch<half>(512, 0);
    LocalTensor<float> row = rows.Next();
    Duplicate(large, half(60000), 128);
    row.SetValue(0, static_cast<float>(GetCtrlSpr<48, 48>()));
    SetCtrlSpr<48, 48>(0);
    row.SetValue(1, static_cast<float>(GetCtrlSpr<48, 48>()));
    Add(large, large, large, 128);
    row.SetValue(2, static_cast<float>(large.GetValue(0)));
    SetCtrlSpr<60, 60>(1);
    row.SetValue(3, static_cast<float>(GetCtrlSpr<60, 60>()));
    AscendCUtils::SetOverflow(1);
    row.SetValue(4, static_cast<float>(GetCtrlSpr<47, 48>()));
    Add(large, large, large, 128);
    row.SetValue(5, static_cast<float>(large.GetValue(0)));
    row.SetValue(6, Cast(Cast(1.00390625f)));
    row.SetValue(7, static_cast<float>(Cast<float, int32_t, RoundMode::CAST_ROUND>(-2.5f)));
    row.SetValue(8, static_cast<float>(Cast<float, int32_t, RoundMode::CAST_RINT>(-2.5f)));
    row.SetValue(9, static_cast<float>(ScalarGetCountOfValue<1>(0xf0f1)));
    row.SetValue(10, static_cast<float>(GetBitCount<0>(0xf0f1)));
    row.SetValue(11, static_cast<float>(ScalarCountLeadingZero(0) + CountLeadingZero(1)));
    row.SetValue(12, static_cast<float>(ScalarGetSFFValue<1>(0x50) * 100 + GetSFFValue<0>(~0ull)));
    row.SetValue(13, static_cast<float>(CountBitsCntSameAsSignBit(-8) * 100 + CountBitsCntSameAsSignBit(0)));
    WriteGmByPassDCache((__gm__ float*)x, 1234.5f);
    row.SetValue(14, ReadGmByPassDCache((__gm__ float*)x));
}

// Select without a mask argument: what SetCmpMask put into the compare-mask register is the scalar, or the address of the bits.
extern "C" __global__ __aicore__ void selects(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    const BinaryRepeatParams plain{1, 1, 1, 8, 8, 8};
    LocalTensor<uint8_t> bits = Scratch<uint8_t>(32, 0);
    LocalTensor<float> scalar = Scratch<float>(32, 32), row = rows.Next();
    CompareScalar(bits, rows.a, 0.0f, CMPMODE::GT, 256);
    Duplicate(scalar, -2.5f, 8);
    SetCmpMask(scalar);
    SetVectorMask<float>(64);
    Select(row, bits, rows.a, 4, plain);
    row = rows.Next();
    Duplicate(scalar.ReinterpretCast<uint32_t>(), static_cast<uint32_t>(bits.GetPhyAddr()), 8);
    SetCmpMask(scalar.ReinterpretCast<int64_t>());
    SetVectorMask<float>(64);
    Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(row, rows.a, rows.b, 4, plain);
    row = rows.Next();
    SetCmpMask(bits);
    SetVectorMask<float>(64);
    Select<float, SELMODE::VSEL_CMPMASK_SPR>(row, rows.a, rows.b, 4, plain);
    GetCmpMask(scalar.ReinterpretCast<uint8_t>());
    row = rows.Next();
    DataCopy(row, scalar, 8);
}
