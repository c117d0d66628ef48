// SPDX-License-Identifier: Apache-2.0
// A base block of A or B from L1 to L0: as it lies, or with k and the other side exchanged.
#pragma once
#include "aclimb/matmul/geometry.h"

namespace aclimb {

// A block of what lies in L1: all of it, its padded rows, where the block begins.
template <typename T> struct WindowOfL1 {
    AscendC::LocalTensor<T> l1;
    AscendC::LocalTensor<uint8_t> positions; // of kept elements, where it is sparse
    int32_t rows, outer, k;
};

template <class Type, bool kLeft> class ToL0 {
  public:
    using T = typename Type::T;

    ACLIMB_API static void plain(const AscendC::LocalTensor<T>& l0, const WindowOfL1<T>& from, int32_t outer, int32_t k) {
        if constexpr (kLeft) load_plain_a(l0, from, outer, k);
        else load_plain_b(l0, from, outer, k);
    }
    ACLIMB_API static void turned(const AscendC::LocalTensor<T>& l0, const WindowOfL1<T>& from, int32_t outer, int32_t k) {
        if constexpr (kBits<T> > 8) {
            const int32_t columns = up_to(outer, 16);
            auto params = map_of(from, from.outer + columns, from.k, up_to(k, 16), from.outer, columns);
            params.enTranspose = kLeft;
            AscendC::LoadData(l0, from.l1, params);
        } else {
            turn_squares(l0, from, outer, k);
        }
    }

  private:
    ACLIMB_API static AscendC::LoadData3DParamsV2<T> map_of(const WindowOfL1<T>& from, int32_t columns, int32_t m_start, int32_t m,
                                                            int32_t k_start, int32_t k) {
        AscendC::LoadData3DParamsV2<T> params;
        params.l1H = 1;
        params.l1W = static_cast<uint16_t>(from.rows);
        params.channelSize = static_cast<uint16_t>(columns);
        params.mStartPt = static_cast<uint16_t>(m_start);
        params.mExtension = static_cast<uint16_t>(m);
        params.kStartPt = static_cast<uint16_t>(k_start);
        params.kExtension = static_cast<uint16_t>(k);
        return params;
    }
    ACLIMB_API static void load_plain_a(const AscendC::LocalTensor<T>& l0, const WindowOfL1<T>& from, int32_t m, int32_t k) {
        const int32_t ks = up_to(k, kC0<T> < 16 ? 16 : kC0<T>);
        AscendC::LoadData(l0, from.l1, map_of(from, from.k + ks, from.outer, up_to(m, 16), from.k, ks));
    }
    // The fractals of B stand in L1 as L0B has them, n below each other.
    ACLIMB_API static void load_plain_b(const AscendC::LocalTensor<T>& l0, const WindowOfL1<T>& from, int32_t n, int32_t k) {
        const int32_t fractals = parts_of(n, 16), in_k = parts_of(k, kC0<T>);
        constexpr uint32_t fractal = 16 * kC0<T>;
        AscendC::LoadData2DParams params;
        params.srcStride = 1;
        params.repeatTimes = static_cast<uint8_t>(fractals);
        for (int32_t i = 0; i < in_k; ++i) {
            const int32_t column = from.k / kC0<T> + i;
            const uint32_t start = static_cast<uint32_t>(column * from.rows + from.outer) * kC0<T>;
            const auto to = l0[static_cast<uint32_t>(i * fractals) * fractal];
            if constexpr (is_sparse<Type>) AscendC::LoadDataWithSparse(to, from.l1[start], from.positions[start / 4], params);
            else AscendC::LoadData(to, from.l1[start], params);
        }
    }
    // Types of 8 and 4 bits are turned in squares of as many elements as 32 bytes have.
    ACLIMB_API static void turn_squares(const AscendC::LocalTensor<T>& l0, const WindowOfL1<T>& from, int32_t outer, int32_t k) {
        constexpr int32_t side = kC0<T>, fractals = side / 16; // of a square
        constexpr uint32_t fractal = 16 * side;
        const int32_t squares = parts_of(outer, side), in_k = parts_of(k, side);
        AscendC::LoadData2dTransposeParams params;
        params.srcStride = static_cast<uint16_t>(kLeft ? 1 : from.rows / side);
        params.repeatTimes = static_cast<uint8_t>(kLeft ? in_k : squares);
        params.dstGap = kLeft ? 0 : fractals - 1;
        params.dstFracGap = static_cast<uint16_t>(kLeft ? in_k - 1 : 0);
        for (int32_t i = 0; i < (kLeft ? squares : in_k); ++i) {
            const int32_t column = from.outer / side + (kLeft ? i : 0), row = from.k + (kLeft ? 0 : i * side);
            const uint32_t to = static_cast<uint32_t>(kLeft ? i * fractals * in_k : i * parts_of(outer, 16)) * fractal;
            AscendC::LoadDataWithTranspose(l0[to], from.l1[static_cast<uint32_t>(column * from.rows + row) * side], params);
        }
    }
};

} // namespace aclimb
