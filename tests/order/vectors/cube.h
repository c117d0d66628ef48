// SPDX-License-Identifier: Apache-2.0
// A matrix product on one AIC, in steps: `in` holds halves, A (m x k) and behind 4096 of them B (k x n), both as rows; the product is floats.
#pragma once
#include "tiles.h"

struct Cube {
    GlobalTensor<half> ga, gb;
    LocalTensor<half> a1{TPosition::A1, 0, 4096}, b1{TPosition::B1, 65536, 4096}, a2{TPosition::A2, 0, 4096}, b2{TPosition::B2, 0, 4096};
    LocalTensor<float> c{TPosition::CO1, 0, 4096};
    uint16_t m, n, k;

    __aicore__ inline Cube(GM_ADDR in, uint16_t rows, uint16_t columns, uint16_t depth) : m(rows), n(columns), k(depth) {
        InitSocState();
        ga.SetGlobalBuffer((__gm__ half*)in, m * k);
        gb.SetGlobalBuffer((__gm__ half*)in + 4096, k * n);
    }
    __aicore__ inline void Fetch() { // as columns of fractals
        DataCopy(a1, ga, Nd2NzParams(1, m, k, 0, k, m, 1, 0));
        DataCopy(b1, gb, Nd2NzParams(1, k, n, 0, n, k, 1, 0));
    }
    __aicore__ inline void Load(uint16_t step, uint16_t place) { // 16 of k
        LoadData(a2[place * m * 16], a1[step * m * 16], LoadData2DParams(0, m / 16, 1, 0, 0, false, 0));
        LoadData(b2[place * n * 16], b1[step * 256], LoadData2DParams(0, n / 16, k / 16, 0, 0, true, 0));
    }
    __aicore__ inline void Load(uint16_t step) { Load(step, step); }
    __aicore__ inline MmadParams Step(uint16_t step, uint8_t unitFlag = 0) const { return MmadParams(m, n, 16, unitFlag, false, step == 0); }
    __aicore__ inline FixpipeParamsV220 Out(uint8_t unitFlag = 0) const {
        FixpipeParamsV220 params(n, m, m, n, false);
        params.unitFlag = unitFlag;
        return params;
    }
};

__aicore__ inline GlobalTensor<float> Floats(GM_ADDR base, uint64_t at = 0) {
    GlobalTensor<float> made;
    made.SetGlobalBuffer((__gm__ float*)base + at);
    return made;
}
