// SPDX-License-Identifier: Apache-2.0
// The vector kernels of a small decode step, each over rows of 64 floats; AIV i takes the rows i, i + n, ... Every kernel waits for the one
// before it in front of its first copy, and lets the next one begin behind its last: both calls only mean something in a SuperKernel.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kColumns = 64;
constexpr float kEpsilon = 1e-5f;

// What a row operation works with: its rows, and room for a reduction.
struct Row {
    LocalTensor<float> x, other, y, scratch, sum;

    // The first element of `sum`, for the scalar unit.
    __aicore__ inline float Total() {
        const auto event = GetTPipePtr()->FetchEventID<HardEvent::V_S>();
        SetFlag<HardEvent::V_S>(event);
        WaitFlag<HardEvent::V_S>(event);
        return sum.GetValue(0);
    }
};

template <typename Out, typename Operation>
__aicore__ inline void ForRows(GM_ADDR in, GM_ADDR other, GM_ADDR out, uint32_t rows, uint32_t otherStride, Operation operation) {
    GlobalTensor<float> from, beside;
    GlobalTensor<Out> to;
    from.SetGlobalBuffer((__gm__ float*)in, rows * kColumns);
    beside.SetGlobalBuffer((__gm__ float*)other);
    to.SetGlobalBuffer((__gm__ Out*)out, rows * kColumns);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inputs, others;
    TQue<TPosition::VECOUT, 1> outputs;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(inputs, 1, kColumns * sizeof(float));
    pipe.InitBuffer(others, 1, kColumns * sizeof(float));
    pipe.InitBuffer(outputs, 1, kColumns * sizeof(Out));
    pipe.InitBuffer(buffer, 3 * kColumns * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    WaitPreTaskEnd();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> x = inputs.AllocTensor<float>(), b = others.AllocTensor<float>();
        DataCopy(x, from[row * kColumns], kColumns);
        DataCopy(b, beside[row * otherStride], kColumns);
        inputs.EnQue(x);
        others.EnQue(b);
        x = inputs.DeQue<float>();
        b = others.DeQue<float>();
        LocalTensor<Out> y = outputs.AllocTensor<Out>();
        Row work{x, b, local, local[kColumns], local[2 * kColumns]};
        operation(work);
        if constexpr (sizeof(Out) == sizeof(float)) Adds(y, work.y, 0.0f, kColumns);
        else Cast(y, work.y, RoundMode::CAST_RINT, kColumns);
        outputs.EnQue(y);
        inputs.FreeTensor(x);
        others.FreeTensor(b);
        y = outputs.DeQue<Out>();
        DataCopy(to[row * kColumns], y, kColumns);
        outputs.FreeTensor(y);
    }
    SetNextTaskStart();
}

// y = x / sqrt(mean(x * x)) * gamma, as half for the multiplication that follows.
extern "C" __global__ __vector__ void rms_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows) {
    ForRows<half>(x, gamma, y, rows, 0, [](Row& row) {
        Mul(row.y, row.x, row.x, kColumns);
        ReduceSum(row.sum, row.y, row.scratch, kColumns);
        Muls(row.sum, row.sum, 1.0f / kColumns, 1);
        Adds(row.sum, row.sum, kEpsilon, 1);
        Sqrt(row.sum, row.sum, 1);
        Muls(row.y, row.x, 1.0f / row.Total(), kColumns);
        Mul(row.y, row.y, row.other, kColumns);
    });
}

extern "C" __global__ __vector__ void softmax_rows(GM_ADDR x, GM_ADDR y, uint32_t rows) {
    ForRows<float>(x, x, y, rows, kColumns, [](Row& row) {
        ReduceMax(row.sum, row.x, row.scratch, kColumns);
        Adds(row.y, row.x, -row.Total(), kColumns);
        Exp(row.y, row.y, kColumns);
        ReduceSum(row.sum, row.y, row.scratch, kColumns);
        Muls(row.y, row.y, 1.0f / row.Total(), kColumns);
    });
}

// y = x / (1 + exp(-x))
extern "C" __global__ __vector__ void silu(GM_ADDR x, GM_ADDR y, uint32_t rows) {
    ForRows<float>(x, x, y, rows, kColumns, [](Row& row) {
        Muls(row.y, row.x, -1.0f, kColumns);
        Exp(row.y, row.y, kColumns);
        Adds(row.y, row.y, 1.0f, kColumns);
        Div(row.y, row.x, row.y, kColumns);
    });
}

extern "C" __global__ __vector__ void scale(GM_ADDR x, GM_ADDR y, uint32_t rows, float factor) {
    ForRows<float>(x, x, y, rows, kColumns, [factor](Row& row) { Muls(row.y, row.x, factor, kColumns); });
}

extern "C" __global__ __vector__ void add_rows(GM_ADDR x, GM_ADDR other, GM_ADDR y, uint32_t rows) {
    ForRows<float>(x, other, y, rows, kColumns, [](Row& row) { Add(row.y, row.x, row.other, kColumns); });
}
