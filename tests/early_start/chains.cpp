// SPDX-License-Identifier: Apache-2.0
// Members of chains with early start: rows of 256 floats, one a block. Each sets when it has ended and waits before it begins: right, and
// neither as early nor as late as it could be.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 256;

struct Row {
    __aicore__ inline Row(GM_ADDR from, uint32_t row) { gm.SetGlobalBuffer((__gm__ float*)from + row * N, N); }
    GlobalTensor<float> gm;
};
template <HardEvent event> __aicore__ inline void Order() {
    SetFlag<event>(EVENT_ID0);
    WaitFlag<event>(EVENT_ID0);
}
__aicore__ inline uint32_t Neighbour() { return (GetBlockIdx() + 1) % GetBlockNum(); }

#define BUFFERS                                                                                                                            \
    TPipe pipe;                                                                                                                            \
    TBuf<TPosition::VECCALC> buffer;                                                                                                       \
    pipe.InitBuffer(buffer, 8 * N * sizeof(float));                                                                                        \
    LocalTensor<float> l = buffer.Get<float>(), w = l[N], m = l[2 * N]

// The copy out, then work that nobody waits for.
extern "C" __global__ __vector__ void work_behind(GM_ADDR x, GM_ADDR y) {
    BUFFERS;
    WaitPreTaskEnd();
    DataCopy(l, Row(x, Neighbour()).gm, N);
    Order<HardEvent::MTE2_V>();
    Adds(l, l, 1.0f, N);
    Order<HardEvent::V_MTE3>();
    DataCopy(Row(y, GetBlockIdx()).gm, l, N);
    Duplicate(m, 0.0f, N);
    for (int i = 0; i < 6; i++) Adds(m, m, 1.0f, N);
    SetNextTaskStart();
}

// Work of its own first.
extern "C" __global__ __vector__ void work_first(GM_ADDR x, GM_ADDR y) {
    BUFFERS;
    WaitPreTaskEnd();
    Duplicate(w, 0.0f, N);
    for (int i = 0; i < 5; i++) Adds(w, w, 1.0f, N);
    DataCopy(l, Row(x, Neighbour()).gm, N);
    Order<HardEvent::MTE2_V>();
    Add(l, l, w, N);
    Order<HardEvent::V_MTE3>();
    DataCopy(Row(y, GetBlockIdx()).gm, l, N);
    SetNextTaskStart();
}

// Two halves of a row, one behind the other.
extern "C" __global__ __vector__ void two_halves(GM_ADDR x, GM_ADDR y) {
    BUFFERS;
    WaitPreTaskEnd();
    for (uint32_t half = 0; half < 2; half++) {
        LocalTensor<float> t = l[half * N / 2];
        DataCopy(t, Row(x, Neighbour()).gm[half * N / 2], N / 2);
        Order<HardEvent::MTE2_V>();
        Muls(t, t, 2.0f, N / 2);
        Order<HardEvent::V_MTE3>();
        DataCopy(Row(y, GetBlockIdx()).gm[half * N / 2], t, N / 2);
    }
    Duplicate(m, 0.0f, N);
    SetNextTaskStart();
}

// Through queues, whose flags are the framework's.
extern "C" __global__ __vector__ void through_queues(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(out, 1, N * sizeof(float));
    pipe.InitBuffer(buffer, N * sizeof(float));
    LocalTensor<float> m = buffer.Get<float>();
    WaitPreTaskEnd();
    Duplicate(m, 3.0f, N);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, Row(x, Neighbour()).gm, N);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Add(b, a, m, N);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(Row(y, GetBlockIdx()).gm, b, N);
    out.FreeTensor(b);
    for (int i = 0; i < 4; i++) Adds(m, m, 1.0f, N);
    SetNextTaskStart();
}

// Weights of its own before what the neighbour made.
extern "C" __global__ __vector__ void own_row(GM_ADDR x, GM_ADDR y) {
    BUFFERS;
    WaitPreTaskEnd();
    Duplicate(w, 4.0f, N);
    Duplicate(m, 1.0f, N);
    Add(w, w, m, N);
    DataCopy(l, Row(x, GetBlockIdx()).gm, N);
    Order<HardEvent::MTE2_V>();
    Add(l, l, w, N);
    Order<HardEvent::V_MTE3>();
    DataCopy(Row(y, GetBlockIdx()).gm, l, N);
    Adds(w, w, 1.0f, N);
    SetNextTaskStart();
}
