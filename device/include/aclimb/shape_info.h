// SPDX-License-Identifier: Apache-2.0
// ShapeInfo: the shape a kernel may note on a tensor. DumpTensor prints by it; nothing else reads it.
#pragma once
#include "aclimb/types.h"

namespace AscendC {

constexpr int32_t K_MAX_SHAPE_DIM = 8;

struct ShapeInfo {
    uint8_t shapeDim = 0;
    uint8_t originalShapeDim = 0;
    uint32_t shape[K_MAX_SHAPE_DIM];
    uint32_t originalShape[K_MAX_SHAPE_DIM];
    DataFormat dataFormat = DataFormat::ND;

    ACLIMB_API ShapeInfo() {}
    ACLIMB_API ShapeInfo(const ShapeInfo& other) { *this = other; }
    ACLIMB_API ShapeInfo(uint8_t dim, const uint32_t extent[]) : ShapeInfo(dim, extent, dim, extent, DataFormat::ND) {}
    ACLIMB_API ShapeInfo(uint8_t dim, const uint32_t extent[], DataFormat format) : ShapeInfo(dim, extent, dim, extent, format) {}
    ACLIMB_API ShapeInfo(uint8_t dim, const uint32_t extent[], uint8_t originalDim, const uint32_t originalExtent[], DataFormat format)
        : shapeDim(dim), originalShapeDim(originalDim), dataFormat(format) {
        for (int i = 0; i < dim && i < K_MAX_SHAPE_DIM; ++i) shape[i] = extent[i];
        for (int i = 0; i < originalDim && i < K_MAX_SHAPE_DIM; ++i) originalShape[i] = originalExtent[i];
    }
    // Tensors are copied all the time and hardly ever have a shape: the arrays travel only when they are in use.
    ACLIMB_API ShapeInfo& operator=(const ShapeInfo& other) {
        shapeDim = other.shapeDim;
        originalShapeDim = other.originalShapeDim;
        dataFormat = other.dataFormat;
        for (int i = 0; i < shapeDim && i < K_MAX_SHAPE_DIM; ++i) shape[i] = other.shape[i];
        for (int i = 0; i < originalShapeDim && i < K_MAX_SHAPE_DIM; ++i) originalShape[i] = other.originalShape[i];
        return *this;
    }
};

} // namespace AscendC
