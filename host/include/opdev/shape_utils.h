// SPDX-License-Identifier: Apache-2.0
// Shapes, strides, and the shape of two that are broadcast.
#pragma once
#include <algorithm>
#include <string>

#include "graph/ascend_string.h"
#include "opdev/common_types.h"

namespace op {
inline ge::AscendString ToString(const Shape& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.GetDimNum(); ++i) text += (i != 0 ? "," : "") + std::to_string(shape.GetDim(i));
    return ge::AscendString((text + "]").c_str());
}
inline ge::AscendString ToString(const Strides& strides) {
    Shape shape;
    for (int64_t each : strides) shape.AppendDim(each);
    return ToString(shape);
}
inline void ToShape(const int64_t* dims, uint64_t count, Shape& shape) {
    shape.SetDimNum(0);
    for (uint64_t i = 0; i < count; ++i) shape.AppendDim(dims[i]);
}
inline void ToShape(const ShapeVector& dims, Shape& shape) { ToShape(dims.data(), dims.size(), shape); }
inline ShapeVector ToShapeVector(const Shape& shape) {
    ShapeVector made;
    for (size_t i = 0; i < shape.GetDimNum(); ++i) made.push_back(shape.GetDim(i));
    return made;
}
inline void ToContiguousStrides(const Shape& shape, Strides& strides) {
    strides.assign(shape.GetDimNum(), 1);
    for (size_t i = shape.GetDimNum(); i > 1; --i) strides[i - 2] = strides[i - 1] * shape.GetDim(i - 1);
}
// By the rules of NumPy; false where they do not fit.
inline bool BroadcastInferShape(const Shape& self, const Shape& other, Shape& broadcastShape) {
    const size_t rank = std::max(self.GetDimNum(), other.GetDimNum());
    Shape made;
    for (size_t i = 0; i < rank; ++i) {
        const size_t from_end = rank - i;
        const int64_t a = from_end <= self.GetDimNum() ? self.GetDim(self.GetDimNum() - from_end) : 1;
        const int64_t b = from_end <= other.GetDimNum() ? other.GetDim(other.GetDimNum() - from_end) : 1;
        if (a != b && a != 1 && b != 1) return false;
        made.AppendDim(a == 1 ? b : a);
    }
    broadcastShape = made;
    return true;
}
inline bool CheckBroadcastShape(const Shape& self, const Shape& other) {
    Shape made;
    return BroadcastInferShape(self, other, made);
}
} // namespace op
