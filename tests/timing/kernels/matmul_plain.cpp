// SPDX-License-Identifier: Apache-2.0
// c = a * b^T on half matrices with plain instructions: base blocks of 128 x 256 x 64, two buffers in L1 and in L0, eight blocks of a and
// four of b in one copy, results that leave L0C by the unit flag. Each core makes single_m x single_n of c, `rounds` times, further down.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kM = 128, kN = 256, kK = 64, kStepA = 8, kStepB = 4;

class Multiplication {
  public:
    __aicore__ inline Multiplication(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t n, uint32_t k) : n_(n), k_(k) {
        a_.SetGlobalBuffer((__gm__ half*)a);
        b_.SetGlobalBuffer((__gm__ half*)b);
        c_.SetGlobalBuffer((__gm__ half*)c);
    }

    __aicore__ inline void Process(uint32_t row, uint32_t column, uint32_t m, uint32_t n) {
        for (int32_t i = 0; i < 4; ++i) SetFlag<HardEvent::MTE1_MTE2>(i);
        for (int32_t i = 0; i < 2; ++i) SetFlag<HardEvent::M_MTE1>(i);
        for (uint32_t j = column; j < column + n; j += kN)
            for (uint32_t i = row; i < row + m; i += kM) Block(i, j);
        for (int32_t i = 0; i < 4; ++i) WaitFlag<HardEvent::MTE1_MTE2>(i);
        for (int32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::M_MTE1>(i);
    }

  private:
    // `rows` rows of `wide` columns into buffer `which` of a (0, 1) or of b (2, 3).
    __aicore__ inline void CopyIn(GlobalTensor<half>& from, uint32_t row, uint32_t column, uint32_t rows, uint32_t wide, int32_t which) {
        WaitFlag<HardEvent::MTE1_MTE2>(which);
        DataCopy(L1(which), from[static_cast<uint64_t>(row) * k_ + column], Nd2NzParams(1, rows, wide, 0, k_, rows, 1, 0));
        SetFlag<HardEvent::MTE2_MTE1>(which);
    }

    __aicore__ inline LocalTensor<half> L1(int32_t which) const { return LocalTensor<half>(TPosition::A1, which * 128 * 1024, 64 * 1024); }

    __aicore__ inline void Block(uint32_t row, uint32_t column) {
        const uint32_t steps = k_ / kK;
        CopyIn(a_, row, 0, kM, kStepA * kK, 0);
        CopyIn(b_, column, 0, kN, kStepB * kK, 2);
        uint32_t next_a = kStepA, next_b = kStepB;
        for (uint32_t i = 0; i < steps; ++i) {
            Step(i, steps);
            if ((i == 0 || (i + 1) % kStepB == 0) && next_b < steps) {
                CopyIn(b_, column, next_b * kK, kN, kStepB * kK, 2 + next_b / kStepB % 2);
                next_b += kStepB;
            }
            if ((i == 0 || (i + 1) % kStepA == 0) && next_a < steps) {
                CopyIn(a_, row, next_a * kK, kM, kStepA * kK, next_a / kStepA % 2);
                next_a += kStepA;
            }
        }
        FixpipeParamsV220 out;
        out.nSize = kN;
        out.mSize = kM;
        out.srcStride = kM;
        out.dstStride = n_;
        out.quantPre = QuantMode_t::F322F16;
        out.ndNum = 1;
        out.unitFlag = 3;
        Fixpipe(c_[static_cast<uint64_t>(row) * n_ + column], LocalTensor<float>(TPosition::CO1, 0, kM * kN), out);
    }

    __aicore__ inline void Step(uint32_t i, uint32_t steps) {
        LocalTensor<half> a(TPosition::A2, half_ * 32 * 1024, kM * kK), b(TPosition::B2, half_ * 32 * 1024, kN * kK);
        const int32_t in_a = i / kStepA % 2, in_b = 2 + i / kStepB % 2;
        WaitFlag<HardEvent::M_MTE1>(half_);
        if (i % kStepA == 0) WaitFlag<HardEvent::MTE2_MTE1>(in_a);
        if (i % kStepB == 0) WaitFlag<HardEvent::MTE2_MTE1>(in_b);
        LoadData3DParamsV2<half> left;
        left.l1H = 1;
        left.l1W = kM;
        left.channelSize = kK;
        left.kExtension = kK;
        left.mExtension = kM;
        LoadData(a, L1(in_a)[i % kStepA * kM * kK], left);
        for (uint32_t j = 0; j < kK / 16; ++j)
            LoadData(b[j * kN * 16], L1(in_b)[(i % kStepB * kK / 16 + j) * kN * 16], LoadData2DParams(0, kN / 16, 1, 0, 0, false, 0));
        if ((i + 1) % kStepA == 0) SetFlag<HardEvent::MTE1_MTE2>(in_a);
        if ((i + 1) % kStepB == 0) SetFlag<HardEvent::MTE1_MTE2>(in_b);
        SetFlag<HardEvent::MTE1_M>(half_);
        WaitFlag<HardEvent::MTE1_M>(half_);
        MmadParams product;
        product.m = kM;
        product.n = kN;
        product.k = kK;
        product.cmatrixInitVal = i == 0;
        product.unitFlag = i + 1 == steps ? 3 : 2;
        Mmad(LocalTensor<float>(TPosition::CO1, 0, kM * kN), a, b, product);
        SetFlag<HardEvent::M_MTE1>(half_);
        half_ ^= 1;
    }

    GlobalTensor<half> a_, b_, c_;
    uint32_t n_, k_;
    int32_t half_ = 0;
};

extern "C" __global__ __aicore__ void matmul_plain(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k, uint32_t single_m,
                                                   uint32_t single_n, uint32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    InitSocState();
    const uint32_t down = m / single_m / rounds;
    for (uint32_t round = 0; round < rounds; ++round)
        Multiplication(a, b, c, n, k)
            .Process((GetBlockIdx() % down + round * down) * single_m, GetBlockIdx() / down * single_n, single_m,
                     n - GetBlockIdx() / down * single_n < single_n ? n - GetBlockIdx() / down * single_n : single_n);
    PipeBarrier<PIPE_ALL>();
}
