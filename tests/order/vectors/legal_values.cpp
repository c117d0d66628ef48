// SPDX-License-Identifier: Apache-2.0
// Bytes that nobody wrote and nobody needs: T11, T13 to T15, T32, T35.
#include "tiles.h"

using Floats = LocalTensor<float>;
using Halves = LocalTensor<half>;

// Five words, 20 bytes, of a block of 32.
extern "C" __global__ __vector__ void t11_part_of_a_block(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, 4, 5);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopyPad(a.gz, a.z, DataCopyExtParams(1, 20, 0, 0, 0));
}

// 100 halves: 200 bytes, which is no whole number of blocks.
__aicore__ inline GlobalTensor<half> Hundred(GM_ADDR base) {
    GlobalTensor<half> made;
    made.SetGlobalBuffer((__gm__ half*)base, 100);
    return made;
}
__aicore__ inline void Fetch(Halves& x, GM_ADDR in) {
    DataCopyPad(x, Hundred(in), DataCopyExtParams(1, 200, 0, 0, 0), DataCopyPadExtParams<half>());
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
}
__aicore__ inline void Store(GM_ADDR out, Halves& z) {
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopyPad(Hundred(out), z, DataCopyExtParams(1, 200, 0, 0, 0));
}

extern "C" __global__ __vector__ void t13_counted(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Halves x(TPosition::VECCALC, 0, 128), z(TPosition::VECCALC, 256, 128);
    Fetch(x, in);
    Add(z, x, x, 100);
    Store(out, z);
}

extern "C" __global__ __vector__ void t14_whole_repeat(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Halves x(TPosition::VECCALC, 0, 128), z(TPosition::VECCALC, 256, 128);
    Fetch(x, in);
    Add(z, x, x, 128);
    Store(out, z);
}

// Lanes 16 to 63 of both tensors are garbage; what becomes of them is not stored.
extern "C" __global__ __vector__ void t15_select(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Floats x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 256, 64), z(TPosition::VECCALC, 512, 64);
    LocalTensor<uint8_t> bits(TPosition::VECCALC, 1024, 32);
    Duplicate(x, 1.0f, 16);
    Duplicate(y, 2.0f, 16);
    Duplicate(bits.ReinterpretCast<uint16_t>(), static_cast<uint16_t>(0x5555), 16);
    Select(z, bits, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)out, 16);
    DataCopy(to, z, 16);
}

extern "C" __global__ __vector__ void t32_dump(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    Duplicate(a.z, 6, 8);
    PipeBarrier<PIPE_ALL>();
    DumpTensor(a.z, 1, kTile);
    DataCopy(a.gz, a.z, 8);
}

// Both keep their mask in the same 8 KiB at the top of the UB.
extern "C" __global__ __vector__ void t35_two_selects(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Floats x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 256, 64), z(TPosition::VECCALC, 512, 64), w(TPosition::VECCALC, 768, 64);
    LocalTensor<uint8_t> bits(TPosition::VECCALC, 1024, 32);
    Duplicate(x, 1.0f, 64);
    Duplicate(y, 2.0f, 64);
    Duplicate(bits.ReinterpretCast<uint16_t>(), static_cast<uint16_t>(0x5555), 16);
    Select(z, bits, x, 3.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    Select(w, bits, z, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)out, 64);
    DataCopy(to, w, 64);
}
