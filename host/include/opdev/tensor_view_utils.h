// SPDX-License-Identifier: Apache-2.0
// How tensors lie in memory.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "opdev/op_log.h"
#include "opdev/shape_utils.h"

namespace op {
inline bool IsContiguous(const aclTensor* tensor) {
    if (tensor == nullptr) {
        OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "check tensor != nullptr failed");
        return true; // as documented
    }
    const Shape shape = tensor->GetViewShape();
    const Strides strides = tensor->GetViewStrides();
    Strides plain;
    ToContiguousStrides(shape, plain);
    if (shape.GetShapeSize() == 0) return true;
    for (size_t i = 0; i < plain.size(); ++i)
        if (shape.GetDim(i) > 1 && strides[i] != plain[i]) return false;
    return true;
}
// Contiguous, or the transposed view of something contiguous.
inline bool CanPickViewAsContiguous(const aclTensor* tensor) {
    const Shape shape = tensor->GetViewShape();
    const Strides strides = tensor->GetViewStrides();
    std::vector<std::pair<int64_t, int64_t>> sides; // stride and dim
    for (size_t i = 0; i < strides.size(); ++i)
        if (shape.GetDim(i) != 1) sides.emplace_back(strides[i], shape.GetDim(i));
    std::sort(sides.begin(), sides.end());
    int64_t expected = 1;
    for (const auto& side : sides) {
        if (side.first != expected) return false;
        expected *= side.second;
    }
    return true;
}
inline bool CanPickViewAsContiguous(std::initializer_list<const aclTensor*> tensors) {
    for (const aclTensor* each : tensors)
        if (!CanPickViewAsContiguous(each)) return false;
    return true;
}
// Whether shape, strides and offset stay within the storage.
inline bool Validate(const aclTensor* tensor) {
    const Shape shape = tensor->GetViewShape();
    const Strides strides = tensor->GetViewStrides();
    if (shape.GetShapeSize() == 0) return true;
    int64_t last = tensor->GetViewOffset();
    for (size_t i = 0; i < strides.size(); ++i) last += (shape.GetDim(i) - 1) * strides[i];
    return last < tensor->GetStorageShape().GetShapeSize();
}
} // namespace op
