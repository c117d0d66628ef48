// SPDX-License-Identifier: Apache-2.0
// What the soft-max family is told: shapes, modes, and how an operand is cut into passes.
#pragma once
#include "aclimb/library/matrix.h"
#include "aclimb/library/softmax_sizes.h"

namespace AscendC {

struct SoftMaxShapeInfo {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
};
struct SoftMaxParams {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    uint32_t loopCnt = 1;
    uint32_t splitMeanCnt = 8;
    float alpha = 0;
};
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
    bool isCheckTiling = true; // a tiling that does not fit the shape changes nothing: passes are cut by the scratch that is there
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

} // namespace AscendC

namespace aclimb {
namespace library {

using AscendC::SoftmaxConfig;
using AscendC::SoftmaxMode;
using AscendC::SoftMaxShapeInfo;

constexpr bool is_dense(const SoftmaxConfig& config) { return config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC; }

// The rows of a call: constants, or the shape it was given, or that of the tiling. Pads take no part in maxima and sums.
struct Matrix {
    Rows rows;
    uint32_t all; // rows with pads
    ACLIMB_API Matrix(const SoftmaxConfig& config, const SoftMaxShapeInfo& shape, uint32_t tiling_m, uint32_t tiling_k) {
        const uint32_t m = config.oriSrcM ? config.oriSrcM : shape.oriSrcM ? shape.oriSrcM : shape.srcM ? shape.srcM : tiling_m;
        const uint32_t pitch = shape.srcK ? shape.srcK : tiling_k;
        const uint32_t k = config.oriSrcK ? config.oriSrcK : shape.oriSrcK ? shape.oriSrcK : pitch;
        rows = {m, k, pitch};
        all = shape.srcM > m ? shape.srcM : tiling_m > m && !shape.srcM ? tiling_m : m;
        require_range("oriSrcK (up to srcK)", k, 1, pitch);
        if (__builtin_expect(pitch % 8, 0)) misuse(MisuseKind::misaligned, "srcK of the soft-max, in elements", pitch, 8);
    }
};

template <typename T, typename S> constexpr bool check_softmax() {
    static_assert(is_one_of<T, half, float>, "aclimb: the soft-max family takes half and float on Atlas A2 and A3. Cast to float first");
    static_assert(std::is_same_v<T, S> || (std::is_same_v<T, half> && std::is_same_v<S, float>),
                  "aclimb: sums and maxima of a soft-max have the type of its source, or are float beside half");
    return is_one_of<T, half, float>;
}

// The passes of a call over a matrix: `work(first row, rows of the pass, scratch)`. `operands`: those as large as the matrix.
template <class Work, typename... T> ACLIMB_API void in_passes(const RowVectors& need, const Bytes* tmp, const Matrix& matrix,
                                                               const Work& work, const LocalTensor<T>&... operands) {
    reset_mask();
    if (!matrix.rows.count) return;
    const Scratch scratch(need.call, tmp, need.sizes(matrix.rows.count, matrix.rows.pitch));
    (scratch.apart_from(operands.place, uint64_t{matrix.all} * matrix.rows.pitch * sizeof(T)), ...);
    const uint32_t most = need.rows_of(scratch.bytes(), matrix.rows.count, matrix.rows.pitch);
    for (uint32_t first = 0; first < matrix.rows.count; first += most) {
        Scratch pieces = scratch;
        work(first, Rows{static_cast<uint32_t>(smaller(most, matrix.rows.count - first)), matrix.rows.columns, matrix.rows.pitch}, pieces);
    }
    reset_mask();
}

constexpr uint64_t room_of_fold(const Rows& rows) {
    return rows.count * 64 > rows.pitch / 64 + 8 ? rows.count * 64 : rounded_up(rows.pitch / 64 + 8, 8);
}
constexpr uint64_t room_of_blocks(const Rows& rows) { return rounded_up(rows.count + 15, 16) * 8; }
constexpr uint64_t room_of_singles(const Rows& rows) { return rounded_up(rows.count + 15, 16); }

// A row's number as a block.
struct Folder {
    Floats sums, packed;
    ACLIMB_API Folder(Scratch& scratch, const Rows& rows)
        : sums(scratch.take<float>(room_of_fold(rows))), packed(scratch.take<float>(room_of_singles(rows))) {}
    template <Op op> ACLIMB_API void fold(const Floats& blocks, const Floats& src, const Rows& rows) const {
        fold_rows<op>(packed, src, rows, sums);
        spread(blocks, packed, rows.count);
    }
};

} // namespace library
} // namespace aclimb
