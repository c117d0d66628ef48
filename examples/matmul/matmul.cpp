// SPDX-License-Identifier: Apache-2.0
// c[m, n] = a[m, k] * b[k, n] on the cube unit: half in, float out, all row major.
//
//   GM  --DataCopy-->  L1  --LoadData-->  L0A, L0B  --Mmad-->  L0C  --Fixpipe-->  GM
//        (MTE2)             (MTE1)                    (M)            (FIX)
//
// A core takes every num_blocks-th tile of c. Slices of a and b stand twice in L1 and in L0, so that each pipe can fill one copy while
// the next pipe uses the other. For every copy there are two flags: "full" goes forward along the arrows, "free" comes back.
// m, n and k need not be multiples of the tile: fractals at the border are loaded whole, and Mmad ignores what lies outside.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE_M = 128; // rows and columns of c that one core computes at a time: they fill L0C
constexpr uint32_t TILE_N = 256;
constexpr uint32_t L1_K = 256; // how much of k is in L1 and in L0 at a time
constexpr uint32_t L0_K = 64;
constexpr uint32_t SIDE = 16; // of a fractal of half
constexpr uint32_t FRACTAL = SIDE * SIDE;

struct Extent { // a part of one dimension
    uint32_t start, size;
    __aicore__ inline uint32_t Fractals() const { return (size + SIDE - 1) / SIDE; }
};

__aicore__ inline Extent Part(uint32_t start, uint32_t length, uint32_t end) {
    return {start, start + length < end ? length : end - start};
}

class MatmulKernel {
  public:
    __aicore__ inline MatmulKernel(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k) : m_(m), n_(n), k_(k) {
        a_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a), static_cast<uint64_t>(m) * k);
        b_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b), static_cast<uint64_t>(k) * n);
        c_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c), static_cast<uint64_t>(m) * n);
        constexpr uint32_t a1 = TILE_M * L1_K, b1 = TILE_N * L1_K, a0 = TILE_M * L0_K, b0 = TILE_N * L0_K, bytes = sizeof(half);
        for (uint32_t i = 0; i < 2; ++i) {
            a1_[i] = LocalTensor<half>(TPosition::A1, i * a1 * bytes, a1);
            b1_[i] = LocalTensor<half>(TPosition::B1, (2 * a1 + i * b1) * bytes, b1);
            a0_[i] = LocalTensor<half>(TPosition::A2, i * a0 * bytes, a0);
            b0_[i] = LocalTensor<half>(TPosition::B2, i * b0 * bytes, b0);
        }
        c0_ = LocalTensor<float>(TPosition::CO1, 0, TILE_M * TILE_N);
    }

    __aicore__ inline void Process() {
        for (int i = 0; i < 2; ++i) { // everything is free
            SetFlag<HardEvent::MTE1_MTE2>(i);
            SetFlag<HardEvent::M_MTE1>(i);
        }
        SetFlag<HardEvent::FIX_M>(0);
        const uint32_t columns = (n_ + TILE_N - 1) / TILE_N, rows = (m_ + TILE_M - 1) / TILE_M;
        for (uint32_t tile = GetBlockIdx(); tile < rows * columns; tile += GetBlockNum())
            ComputeTile(Part(tile / columns * TILE_M, TILE_M, m_), Part(tile % columns * TILE_N, TILE_N, n_));
        for (int i = 0; i < 2; ++i) { // everything is free again
            WaitFlag<HardEvent::MTE1_MTE2>(i);
            WaitFlag<HardEvent::M_MTE1>(i);
        }
        WaitFlag<HardEvent::FIX_M>(0);
    }

  private:
    __aicore__ inline void ComputeTile(Extent rows, Extent columns) {
        WaitFlag<HardEvent::FIX_M>(0);
        for (uint32_t start = 0; start < k_; start += L1_K, l1_ ^= 1) {
            const Extent depth = Part(start, L1_K, k_);
            WaitFlag<HardEvent::MTE1_MTE2>(l1_);
            CopyIn(rows, columns, depth);
            SetFlag<HardEvent::MTE2_MTE1>(l1_);
            WaitFlag<HardEvent::MTE2_MTE1>(l1_);
            for (uint32_t inner = 0; inner < depth.size; inner += L0_K, l0_ ^= 1)
                MultiplySlice(rows, columns, depth, Part(inner, L0_K, depth.size));
            SetFlag<HardEvent::MTE1_MTE2>(l1_);
        }
        SetFlag<HardEvent::M_FIX>(0);
        WaitFlag<HardEvent::M_FIX>(0);
        CopyOut(rows, columns);
        SetFlag<HardEvent::FIX_M>(0);
    }

    // Row-major rows to columns of fractals (Nz).
    __aicore__ inline void CopyIn(Extent rows, Extent columns, Extent depth) {
        Nd2NzParams a;
        a.ndNum = 1;
        a.nValue = rows.size;
        a.dValue = depth.size;
        a.srcDValue = k_;
        a.dstNzC0Stride = rows.Fractals() * SIDE;
        a.dstNzNStride = 1;
        DataCopy(a1_[l1_], a_[static_cast<uint64_t>(rows.start) * k_ + depth.start], a);
        Nd2NzParams b;
        b.ndNum = 1;
        b.nValue = depth.size;
        b.dValue = columns.size;
        b.srcDValue = n_;
        b.dstNzC0Stride = depth.Fractals() * SIDE;
        b.dstNzNStride = 1;
        DataCopy(b1_[l1_], b_[static_cast<uint64_t>(depth.start) * n_ + columns.start], b);
    }

    __aicore__ inline void MultiplySlice(Extent rows, Extent columns, Extent depth, Extent slice) {
        WaitFlag<HardEvent::M_MTE1>(l0_);
        Load(rows, columns, depth, slice);
        SetFlag<HardEvent::MTE1_M>(l0_);
        WaitFlag<HardEvent::MTE1_M>(l0_);
        MmadParams params;
        params.m = rows.size > 1 ? rows.size : SIDE; // m = 1 would make Mmad read a plain row instead of fractals
        params.n = columns.size;
        params.k = slice.size;
        params.cmatrixInitVal = depth.start + slice.start == 0;
        Mmad(c0_, a0_[l0_], b0_[l0_], params);
        PipeBarrier<PIPE_M>(); // the next Mmad adds to the same c
        SetFlag<HardEvent::M_MTE1>(l0_);
    }

    // a: fractals one row after the other. b: the same, and every fractal transposed, because L0B wants k innermost.
    __aicore__ inline void Load(Extent rows, Extent columns, Extent depth, Extent slice) {
        LoadData2DParams a;
        a.repeatTimes = slice.Fractals();
        a.srcStride = rows.Fractals();
        for (uint32_t row = 0; row < rows.Fractals(); ++row)
            LoadData(a0_[l0_][row * slice.Fractals() * FRACTAL], a1_[l1_][(slice.start / SIDE * rows.Fractals() + row) * FRACTAL], a);
        LoadData2DParams b;
        b.repeatTimes = columns.Fractals();
        b.srcStride = depth.Fractals();
        b.ifTranspose = true;
        for (uint32_t k = 0; k < slice.Fractals(); ++k)
            LoadData(b0_[l0_][k * columns.Fractals() * FRACTAL], b1_[l1_][(slice.start / SIDE + k) * FRACTAL], b);
    }

    __aicore__ inline void CopyOut(Extent rows, Extent columns) {
        FixpipeParamsV220 params;
        params.nSize = columns.size;
        params.mSize = rows.size;
        params.srcStride = rows.Fractals() * SIDE;
        params.dstStride = n_;
        Fixpipe(c_[static_cast<uint64_t>(rows.start) * n_ + columns.start], c0_, params);
    }

    GlobalTensor<half> a_, b_;
    GlobalTensor<float> c_;
    LocalTensor<half> a1_[2], b1_[2], a0_[2], b0_[2];
    LocalTensor<float> c0_;
    uint32_t m_, n_, k_;
    int32_t l1_ = 0, l0_ = 0; // which copy comes next
};

extern "C" __global__ __aicore__ void matmul_custom(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k) {
    MatmulKernel(a, b, c, m, n, k).Process();
}
