// SPDX-License-Identifier: Apache-2.0
// Two rows of 256 floats in, rows of 256 out; a row starts as zeros, so that an element a call did not touch shows.
#pragma once
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROW = 256;
constexpr uint32_t ROW_BYTES = ROW * sizeof(float);

class Rows {
  public:
    __aicore__ inline Rows(GM_ADDR x, GM_ADDR y, GM_ADDR z) : a(TPosition::VECIN, 0, ROW), b(TPosition::VECIN, ROW_BYTES, ROW) {
        GlobalTensor<float> from;
        from.SetGlobalBuffer((__gm__ float*)x, ROW);
        DataCopy(a, from, ROW);
        from.SetGlobalBuffer((__gm__ float*)y, ROW);
        DataCopy(b, from, ROW);
        to.SetGlobalBuffer((__gm__ float*)z);
        PipeBarrier<PIPE_ALL>();
    }
    __aicore__ inline LocalTensor<float> Next() {
        Store();
        current = LocalTensor<float>(TPosition::VECOUT, 2 * ROW_BYTES, ROW);
        Duplicate(current, 0.0f, ROW);
        return current;
    }
    __aicore__ inline ~Rows() { Store(); }
    LocalTensor<float> a, b;

  private:
    __aicore__ inline void Store() {
        PipeBarrier<PIPE_ALL>();
        if (current.GetSize()) DataCopy(to[ROW * count++], current, ROW);
        PipeBarrier<PIPE_ALL>();
    }
    GlobalTensor<float> to;
    LocalTensor<float> current;
    uint32_t count = 0;
};
