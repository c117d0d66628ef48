// SPDX-License-Identifier: Apache-2.0
// ge::Shape: the dims of a tensor, as the library's host functions take them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ge {
class Shape {
  public:
    Shape() = default;
    explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
    bool SetDim(size_t index, int64_t value) {
        if (index >= dims_.size()) return false;
        dims_[index] = value;
        return true;
    }
    const std::vector<int64_t>& GetDims() const { return dims_; }
    // Elements; 0 for a shape without dims.
    int64_t GetShapeSize() const {
        if (dims_.empty()) return 0;
        int64_t size = 1;
        for (const int64_t dim : dims_) size *= dim;
        return size;
    }

  private:
    std::vector<int64_t> dims_;
};
} // namespace ge
