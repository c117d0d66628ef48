// SPDX-License-Identifier: Apache-2.0
// Structs of tiling data as the compiler lays them out. Each kernel writes sizeof and every field to z, as 64-bit words.
#include "kernel_operator.h"

using namespace AscendC;

struct Padded {
    uint8_t byte;
    uint32_t word;
    uint16_t three[3];
    uint64_t wide;
    float number;
};

struct Inner {
    int8_t small;
    int64_t large;
};
struct Nested {
    uint16_t before;
    Inner inner;
    uint8_t after;
};

// What a macro class makes of {uint8 flag; Part{uint32 count} part; uint16 last}: parts and the whole are multiples of 8.
struct alignas(8) Part {
    uint32_t count;
};
struct alignas(8) Whole {
    uint8_t flag;
    Part part;
    uint16_t last;
};

__aicore__ inline void Write(GM_ADDR z, const uint64_t* words, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) ((__gm__ uint64_t*)z)[i] = words[i];
}

extern "C" __global__ __vector__ void padded(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Padded, t, tiling);
    const uint64_t words[] = {sizeof(Padded), t.byte, t.word, t.three[0], t.three[1], t.three[2], t.wide, static_cast<uint64_t>(t.number)};
    Write(z, words, 8);
}

extern "C" __global__ __vector__ void nested(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Nested, t, tiling);
    const uint64_t words[] = {sizeof(Nested), t.before, static_cast<uint64_t>(t.inner.small), static_cast<uint64_t>(t.inner.large), t.after,
                              0, 0, 0};
    Write(z, words, 8);
}

extern "C" __global__ __vector__ void whole(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Whole, t, tiling);
    const uint64_t words[] = {sizeof(Whole), t.flag, t.part.count, t.last, 0, 0, 0, 0};
    Write(z, words, 8);
}
