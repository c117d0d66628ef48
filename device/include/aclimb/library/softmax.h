// SPDX-License-Identifier: Apache-2.0
// SoftMax, SimpleSoftMax, LogSoftMax: e^(x - max) / sum, row by row.
#pragma once
#include "aclimb/library/softmax_types.h"

namespace aclimb {
namespace library {

enum class Last { quotient, logarithm };

// x of a pass: as it is, or as floats in the scratch, where the result is made too.
template <bool nz, typename T> struct Pass {
    Floats in, out;
    ACLIMB_API Pass(Scratch& scratch, const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t first, const Rows& rows,
                    uint32_t all) {
        if constexpr (kAsItIs<T, nz>) {
            in = src[first * rows.pitch];
            out = dst[first * rows.pitch];
        } else {
            in = out = scratch.take<float>(static_cast<uint64_t>(rows.floats()));
            load_rows<nz>(in, src, first, rows, all);
        }
    }
    ACLIMB_API void store(const LocalTensor<T>& dst, uint32_t first, const Rows& rows, uint32_t all) const {
        if constexpr (!kAsItIs<T, nz>) store_rows<nz>(dst, out, first, rows, all);
    }
};

// out = e^(in - blocks)
ACLIMB_API void exponentials(const Floats& out, const Floats& in, const Floats& blocks, const Rows& rows) {
    with_blocks<Op::vsub>(out, in, blocks, rows);
    if (rows.columns == rows.pitch) return AscendC::Exp(out, out, rows.floats());
    for (uint32_t r = 0; r < rows.count; r++) AscendC::Exp(out[r * rows.pitch], out[r * rows.pitch], static_cast<int32_t>(rows.columns));
}

// `sum` and `max`: null where nobody asks for them.
template <Last last, bool nz, bool dense, typename T, typename S>
ACLIMB_SHARED void softmax(const RowVectors& need, const LocalTensor<T>& dst, const LocalTensor<S>* sum, const LocalTensor<S>* max,
                           const LocalTensor<T>& src, const Bytes* tmp, const Matrix& matrix) {
    const OnBehalf line(__builtin_return_address(0));
    in_passes(
        need, tmp, matrix,
        [&](uint32_t first, const Rows& rows, Scratch& scratch) {
            const Pass<nz, T> pass(scratch, dst, src, first, rows, matrix.all);
            const Folder folder(scratch, rows);
            const Floats blocks = scratch.take<float>(room_of_blocks(rows)), room = scratch.take<float>(room_of_blocks(rows));
            folder.fold<Op::vmax>(blocks, pass.in, rows);
            if (max) store_numbers<dense>(*max, blocks, first, rows.count, room);
            exponentials(pass.out, pass.in, blocks, rows);
            folder.fold<Op::vadd>(blocks, pass.out, rows);
            if (sum) store_numbers<dense>(*sum, blocks, first, rows.count, room);
            with_blocks<Op::vdiv>(pass.out, pass.out, blocks, rows);
            if constexpr (last == Last::logarithm) {
                Ln(pass.out, pass.out, rows.floats());
                Muls(pass.out, pass.out, 0.43429448190325183f, rows.floats()); // to base 10
            }
            pass.store(dst, first, rows, matrix.all);
        },
        dst, src);
}

template <bool nz, bool dense, typename T, typename S>
ACLIMB_SHARED void simple_softmax(const LocalTensor<T>& dst, const LocalTensor<S>& sum, const LocalTensor<S>& max,
                                  const LocalTensor<T>& src, const Bytes* tmp, const Matrix& matrix) {
    const OnBehalf line(__builtin_return_address(0));
    in_passes(
        needs::SimpleSoftMax, tmp, matrix,
        [&](uint32_t first, const Rows& rows, Scratch& scratch) {
            const Pass<nz, T> pass(scratch, dst, src, first, rows, matrix.all);
            const Floats room = scratch.take<float>(room_of_blocks(rows));
            exponentials(pass.out, pass.in, load_numbers<dense>(room, max, first, rows.count), rows);
            with_blocks<Op::vdiv>(pass.out, pass.out, load_numbers<dense>(room, sum, first, rows.count), rows);
            pass.store(dst, first, rows, matrix.all);
        },
        dst, src);
}

} // namespace library
} // namespace aclimb

#define ACLIMB_SOFTMAX_TEMPLATE                                                                                                            \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,                              \
              const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename S>
#define ACLIMB_IF_SOFTMAX if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb::library::check_softmax<T, S>())
#define ACLIMB_SOFTMAX_MATRIX aclimb::library::Matrix(config, softmaxShapeInfo, tiling.srcM, tiling.srcK)

namespace AscendC {

ACLIMB_SOFTMAX_TEMPLATE ACLIMB_API void SoftMax(const LocalTensor<T>& dst, const LocalTensor<S>& sumTensor, const LocalTensor<S>& maxTensor,
                                                const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                                                const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    ACLIMB_IF_SOFTMAX
    aclimb::library::softmax<aclimb::library::Last::quotient, isDataFormatNZ, aclimb::library::is_dense(config)>(
        aclimb::library::needs::SoftMax, dst, &sumTensor, &maxTensor, src, &sharedTmpBuffer, ACLIMB_SOFTMAX_MATRIX);
}
ACLIMB_SOFTMAX_TEMPLATE ACLIMB_API void SoftMax(const LocalTensor<T>& dst, const LocalTensor<S>& sumTensor, const LocalTensor<S>& maxTensor,
                                                const LocalTensor<T>& src, const SoftMaxTiling& tiling,
                                                const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    ACLIMB_IF_SOFTMAX
    aclimb::library::softmax<aclimb::library::Last::quotient, isDataFormatNZ, aclimb::library::is_dense(config)>(
        aclimb::library::needs::SoftMax, dst, &sumTensor, &maxTensor, src, nullptr, ACLIMB_SOFTMAX_MATRIX);
}

// Without sums and maxima.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
ACLIMB_API void SoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    using S = T;
    ACLIMB_IF_SOFTMAX
    aclimb::library::softmax<aclimb::library::Last::quotient, false, false, T, T>(aclimb::library::needs::SoftMax, dst, nullptr, nullptr,
                                                                                  src, &sharedTmpBuffer, ACLIMB_SOFTMAX_MATRIX);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
ACLIMB_API void SoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const SoftMaxTiling& tiling,
                        const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    using S = T;
    ACLIMB_IF_SOFTMAX
    aclimb::library::softmax<aclimb::library::Last::quotient, false, false, T, T>(aclimb::library::needs::SoftMax, dst, nullptr, nullptr,
                                                                                  src, nullptr, ACLIMB_SOFTMAX_MATRIX);
}

// With sums and maxima that are known.
ACLIMB_SOFTMAX_TEMPLATE ACLIMB_API void SimpleSoftMax(const LocalTensor<T>& dst, const LocalTensor<S>& inSumTensor,
                                                      const LocalTensor<S>& inMaxTensor, const LocalTensor<T>& src,
                                                      const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                                                      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    ACLIMB_IF_SOFTMAX
    aclimb::library::simple_softmax<isDataFormatNZ, aclimb::library::is_dense(config)>(dst, inSumTensor, inMaxTensor, src, &sharedTmpBuffer,
                                                                                       ACLIMB_SOFTMAX_MATRIX);
}
ACLIMB_SOFTMAX_TEMPLATE ACLIMB_API void SimpleSoftMax(const LocalTensor<T>& dst, const LocalTensor<S>& inSumTensor,
                                                      const LocalTensor<S>& inMaxTensor, const LocalTensor<T>& src,
                                                      const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    ACLIMB_IF_SOFTMAX
    aclimb::library::simple_softmax<isDataFormatNZ, aclimb::library::is_dense(config)>(dst, inSumTensor, inMaxTensor, src, nullptr,
                                                                                       ACLIMB_SOFTMAX_MATRIX);
}

// The logarithm to base 10 of a soft-max.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
ACLIMB_API void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max, const LocalTensor<T>& src,
                           const LocalTensor<uint8_t>& sharedTmpBuffer, const LogSoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    using S = T;
    constexpr SoftmaxConfig config = SOFTMAX_DEFAULT_CFG;
    ACLIMB_IF_SOFTMAX {
        const aclimb::library::Matrix matrix = ACLIMB_SOFTMAX_MATRIX;
        const uint64_t bytes = uint64_t{matrix.all} * matrix.rows.pitch * sizeof(T);
        aclimb::library::require_apart("dst and src of LogSoftMax", dst.place, bytes, src.place, bytes);
        aclimb::library::softmax<aclimb::library::Last::logarithm, isDataFormatNZ, false>(aclimb::library::needs::LogSoftMax, dst, &sum,
                                                                                          &max, src, &sharedTmpBuffer, matrix);
    }
}

} // namespace AscendC
