// SPDX-License-Identifier: Apache-2.0
// What a Matmul object is told about its operands in its type.
#pragma once
#include "kernel_operator.h"

enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, COLUMN_MAJOR, ROW_MAJOR = ND };
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class BatchMode { NONE = 0, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum class BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum class IterateMode : uint8_t {
    ITERATE_MODE_NORMAL = 1,
    ITERATE_MODE_ALL = 2,
    ITERATE_MODE_BATCH = 4,
    ITERATE_MODE_N_BATCH = 8,
    ITERATE_MODE_DEFAULT = 255
};
enum class MatmulConfigMode { CONFIG_NORM = 0, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };

namespace AscendC {
using ::BatchMode;
using ::BatchOutMode;
using ::CubeFormat;
using ::IterateMode;
using ::IterateOrder;
using ::LayoutMode;
using ::MatmulConfigMode;
using ::ScheduleType;

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE,
          bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct MatmulType {
    static_assert(FORMAT != CubeFormat::COLUMN_MAJOR,
                  "aclimb: CubeFormat::COLUMN_MAJOR does not exist on Atlas A2 and A3; nearest: CubeFormat::ND with ISTRANS");
    static constexpr TPosition pos = POSITION;
    static constexpr CubeFormat format = FORMAT;
    using T = TYPE;
    static constexpr bool isTrans = ISTRANS;
    static constexpr LayoutMode layout = LAYOUT;
    static constexpr bool ibShare = IBSHARE;
    static constexpr TPosition srcPos = SRCPOS;
};

// B of which two of every four elements along k are kept: [N, K / 2], and their positions in two bits each.
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
    static_assert(POSITION == TPosition::GM && INDEX_POSITION == TPosition::GM && std::is_same_v<TYPE, int8_t> && ISTRANS &&
                      (FORMAT == CubeFormat::ND || FORMAT == CubeFormat::NZ) && LAYOUT == LayoutMode::NONE && !IBSHARE,
                  "aclimb: a SparseMatmulType is <TPosition::GM, TPosition::GM, CubeFormat::ND or NZ, int8_t, true> on Atlas A2 and A3");
    static constexpr TPosition indexPos = INDEX_POSITION;
};

// The type in which products are summed: what L0C holds.
template <typename A> struct GetMmDstType {
    using Type = std::conditional_t<aclimb::is_one_of<A, int8_t, int4b_t>, int32_t, float>;
};

// What moves while a product is made, and which blocks of C are made at all. Upper: none below the diagonal of blocks; lower: none above.
namespace Impl::Detail {
template <const auto& MM_CFG, typename...> struct MatmulPolicy {
    static constexpr bool skips(int32_t, int32_t) { return false; }
};
template <const auto& MM_CFG, typename...> struct TrianUpperMatmulPolicy {
    static constexpr bool skips(int32_t m, int32_t n) { return m > n; }
};
template <const auto& MM_CFG, typename...> struct TrianLowerMatmulPolicy {
    static constexpr bool skips(int32_t m, int32_t n) { return m < n; }
};
// Three by three blocks of A stay in L1. That is a matter of depth here: the tiling has it.
template <const auto& MM_CFG, typename...> struct NBuffer33MatmulPolicy : MatmulPolicy<MM_CFG> {};
template <const auto& MM_CFG, typename...> struct SplitMMatmulPolicy {
    static_assert(aclimb::never<decltype(MM_CFG)>, "aclimb: SplitMMatmulPolicy does not exist on Atlas A2 and A3; nearest: MatmulPolicy");
};
template <const auto& MM_CFG, typename...> struct SplitNMatmulPolicy {
    static_assert(aclimb::never<decltype(MM_CFG)>, "aclimb: SplitNMatmulPolicy does not exist on Atlas A2 and A3; nearest: MatmulPolicy");
};
} // namespace Impl::Detail
namespace Impl {
constexpr int32_t QUEUE_DEPTH = 1;
}

// Three functions that replace the copy of one base block: out of L0C, of A into L1, of B into L1. nullptr: the object's own.
template <auto DataCopyOut = nullptr, auto CopyA1 = nullptr, auto CopyB1 = nullptr> struct MatmulCallBackFunc {
    static constexpr auto copy_out = DataCopyOut;
    static constexpr auto copy_a1 = CopyA1;
    static constexpr auto copy_b1 = CopyB1;
};
struct DataCopyOutParams {
    uint16_t cBurstNum = 1, burstLen = 1, srcStride = 0;
    uint32_t dstStride = 0;
    uint16_t oriNSize = 0;
    bool enUnitFlag = false;
    uint64_t quantScalar = 0, cbufWorkspaceAddr = 0;
};
struct MatrixOffset {
    int32_t offset, row, col, height, width;
};

} // namespace AscendC

namespace aclimb {
template <class Type> constexpr bool is_sparse = false;
template <AscendC::TPosition position, AscendC::TPosition index, CubeFormat format, typename T, bool turned, LayoutMode layout, bool shared>
constexpr bool is_sparse<AscendC::SparseMatmulType<position, index, format, T, turned, layout, shared>> = true;
} // namespace aclimb
