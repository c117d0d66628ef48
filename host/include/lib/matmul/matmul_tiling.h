// SPDX-License-Identifier: Apache-2.0
// matmul_tiling: tiling for one core and for several, and what a Matmul object takes of local memory.
#pragma once
#include "lib/matmul/matmul_tiling_base.h"

namespace matmul_tiling {
class MatmulApiTiling : public MatmulApiTilingBase {
  public:
    MatmulApiTiling() : MatmulApiTilingBase(kOne, "MatmulApiTiling") {}
    explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC& chip) : MatmulApiTilingBase(kOne, "MatmulApiTiling", chip) {}
    explicit MatmulApiTiling(const PlatformInfo& chip) : MatmulApiTilingBase(kOne, "MatmulApiTiling", chip) {}
};

class MultiCoreMatmulTiling : public MatmulApiTilingBase {
  public:
    MultiCoreMatmulTiling() : MatmulApiTilingBase(kMulti, "MultiCoreMatmulTiling") {}
    explicit MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC& chip)
        : MatmulApiTilingBase(kMulti, "MultiCoreMatmulTiling", chip) {}
    explicit MultiCoreMatmulTiling(const PlatformInfo& chip) : MatmulApiTilingBase(kMulti, "MultiCoreMatmulTiling", chip) {}

    int32_t SetDim(int32_t dim) { return Ask("SetDim", {dim}); }
    int32_t SetSingleShape(int32_t m = -1, int32_t n = -1, int32_t k = -1) { return Ask("SetSingleShape", {m, n, k}); }
    int32_t SetSingleRange(int32_t max_m = -1, int32_t max_n = -1, int32_t max_k = -1, int32_t min_m = -1, int32_t min_n = -1,
                           int32_t min_k = -1) {
        return Ask("SetSingleRange", {max_m, max_n, max_k, min_m, min_n, min_k});
    }
    int32_t SetAlignSplit(int32_t m, int32_t n, int32_t k) { return Ask("SetAlignSplit", {m, n, k}); }
    void SetSplitK(bool enable) { Ask("SetSplitK", {enable}); }
    void EnableMultiCoreSplitK(bool enable) { Ask("EnableMultiCoreSplitK", {enable}); }

    int32_t GetCoreNum(int32_t& dim, int32_t& m_dim, int32_t& n_dim) {
        int32_t found[3];
        if (Ask("GetCoreNum", {}, found) != 0) return -1;
        dim = found[0], m_dim = found[1], n_dim = found[2];
        return 0;
    }
    int32_t GetSingleShape(int32_t& m, int32_t& n, int32_t& k) {
        int32_t found[3];
        if (Ask("GetSingleShape", {}, found) != 0) return -1;
        m = found[0], n = found[1], k = found[2];
        return 0;
    }
};
} // namespace matmul_tiling

namespace aclimb {
namespace op {
// 0, or -1 for a tiling that nobody filled.
inline int32_t tmp_buf_size(const char* function, const AscendC::tiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {
#define ACLIMB_WORD(name) tiling.name,
    const int64_t words[] = {ACLIMB_TCUBE_TILING(ACLIMB_WORD)};
#undef ACLIMB_WORD
    int32_t found[3] = {};
    TilingCall call = {"TmpBufSize", nullptr, 0, words, sizeof words / sizeof *words, found, ""};
    if (connection().tiling(&call) != 0) {
        log(kError, function, "", "%s", call.said);
        return -1;
    }
    size.ubSize = found[0], size.l1Size = found[1], size.l0cSize = found[2];
    return 0;
}
inline int32_t tmp_buf_size(const char* function, const optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {
    AscendC::tiling::TCubeTiling plain;
    optiling::AclimbAssign(plain, tiling);
    return tmp_buf_size(function, plain, size);
}
} // namespace op
} // namespace aclimb

// What the object takes of UB, L1 and L0C, of a tiling that GetTiling filled.
#define ACLIMB_TMP_BUF_SIZE(function)                                                                                                      \
    inline int32_t function(optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {                                    \
        return aclimb::op::tmp_buf_size(#function, tiling, size);                                                                          \
    }                                                                                                                                      \
    inline int32_t function##V2(AscendC::tiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {                         \
        return aclimb::op::tmp_buf_size(#function "V2", tiling, size);                                                                     \
    }
ACLIMB_TMP_BUF_SIZE(MatmulGetTmpBufSize)
ACLIMB_TMP_BUF_SIZE(MultiCoreMatmulGetTmpBufSize)
#undef ACLIMB_TMP_BUF_SIZE
