// SPDX-License-Identifier: Apache-2.0
// gert::ExpandDimsType: which axes a format inserts. As a text it is "0110", a 1 for each axis that was not there before.
#pragma once
#include "exe_graph/runtime/shape.h"
#include "graph/error_codes.h"

namespace gert {
class ExpandDimsType {
  public:
    using AxisIndex = uint64_t;
    static constexpr size_t kMaxExpandSize = 56;

    ExpandDimsType() = default;
    ExpandDimsType(const char* mask) {
        if (mask == nullptr) return;
        size_t size = 0;
        while (mask[size] != '\0' && size <= kMax) ++size;
        if (size > kMax) return;
        for (size_t i = 0; i < size; ++i) {
            if (mask[i] == '1') SetExpandIndex(i);
        }
        size_ = size;
    }
    // As ToInt gives it: the length in the top 8 bits, then a bit for each position, the first one lowest.
    explicit ExpandDimsType(int64_t number) {
        size_ = static_cast<uint64_t>(number) >> kMax;
        mask_ = static_cast<uint64_t>(number) & ((uint64_t{1} << kMax) - 1);
    }

    bool operator==(const ExpandDimsType& other) const { return size_ == other.size_ && mask_ == other.mask_; }
    AxisIndex GetFullSize() const { return size_; }
    int64_t ToInt() const { return static_cast<int64_t>(size_ << kMax | mask_); }
    void SetExpandIndex(AxisIndex index) {
        if (index < kMax) mask_ |= uint64_t{1} << index;
    }
    bool IsExpandIndex(AxisIndex index) const { return index < kMax && (mask_ >> index & 1) != 0; }

    // The shape with its new axes, each of size 1. The mask has to keep as many axes as the shape has.
    ge::graphStatus Expand(const Shape& shape, Shape& out) const {
        if (size_ == 0) {
            out = shape;
            return ge::GRAPH_SUCCESS;
        }
        Shape made;
        size_t at = 0;
        for (AxisIndex i = 0; i < size_; ++i) {
            if (!IsExpandIndex(i) && at == shape.GetDimNum()) return ge::GRAPH_FAILED;
            made.AppendDim(IsExpandIndex(i) ? 1 : shape.GetDim(at++));
        }
        if (at != shape.GetDimNum()) return ge::GRAPH_FAILED;
        out = made;
        return ge::GRAPH_SUCCESS;
    }
    ge::graphStatus Expand(Shape& shape) const { return Expand(shape, shape); }

  private:
    enum : size_t { kMax = 56 };

    uint64_t size_ = 0;
    uint64_t mask_ = 0;
};
} // namespace gert
