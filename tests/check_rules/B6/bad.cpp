// SPDX-License-Identifier: Apache-2.0
// 100 floats are no whole number of repeats: hardware compares 64 of them.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 100, kRoom = 128; // floats that matter, and floats of whole repeats

extern "C" __global__ __aicore__ void positive(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from;
    GlobalTensor<uint8_t> to;
    from.SetGlobalBuffer((__gm__ float*)x, kRoom);
    to.SetGlobalBuffer((__gm__ uint8_t*)z, 32);
    LocalTensor<float> in(TPosition::VECIN, 0, kRoom), zero(TPosition::VECCALC, 512, kRoom);
    LocalTensor<uint8_t> bits(TPosition::VECOUT, 1024, 32);
    LocalTensor<uint16_t> words = bits.ReinterpretCast<uint16_t>();
    Duplicate(words, uint16_t(0), 16);
    Duplicate(zero, 0.0f, kRoom);
    DataCopy(in, from, kRoom);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Compare(bits, in, zero, CMPMODE::GT, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, bits, 32);
}
