// SPDX-License-Identifier: Apache-2.0
// matmul_tiling::BatchMatmulTiling: several matrices on one core.
#pragma once
#include "lib/matmul/matmul_tiling.h"

namespace matmul_tiling {
class BatchMatmulTiling : public MatmulApiTilingBase {
  public:
    BatchMatmulTiling() : MatmulApiTilingBase(kBatch, "BatchMatmulTiling") {}
    explicit BatchMatmulTiling(const platform_ascendc::PlatformAscendC& chip) : MatmulApiTilingBase(kBatch, "BatchMatmulTiling", chip) {}
    explicit BatchMatmulTiling(const PlatformInfo& chip) : MatmulApiTilingBase(kBatch, "BatchMatmulTiling", chip) {}

    int32_t GetCoreNum(int32_t& dim, int32_t& m_dim, int32_t& n_dim, int32_t& batch_core_m, int32_t& batch_core_n) {
        int32_t found[5];
        if (Ask("GetCoreNum", {}, found) != 0) return -1;
        dim = found[0], m_dim = found[1], n_dim = found[2], batch_core_m = found[3], batch_core_n = found[4];
        return 0;
    }
};
} // namespace matmul_tiling

inline int32_t BatchMatmulGetTmpBufSize(optiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {
    return aclimb::op::tmp_buf_size("BatchMatmulGetTmpBufSize", tiling, size);
}
inline int32_t BatchMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {
    return aclimb::op::tmp_buf_size("BatchMatmulGetTmpBufSizeV2", tiling, size);
}
