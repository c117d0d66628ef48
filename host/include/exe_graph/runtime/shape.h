// SPDX-License-Identifier: Apache-2.0
// gert::Shape: a rank and up to 25 dims.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {
class Shape {
  public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

    Shape() : dim_num_(0), dims_() {}
    // More than 25 dims leave a scalar.
    Shape(const std::initializer_list<int64_t>& dims) : dim_num_(0), dims_() {
        if (dims.size() > kMax) return;
        for (int64_t dim : dims) dims_[dim_num_++] = dim;
    }

    bool operator==(const Shape& other) const {
        if (dim_num_ != other.dim_num_) return false;
        for (size_t i = 0; i < dim_num_ && i < kMax; ++i) {
            if (dims_[i] != other.dims_[i]) return false;
        }
        return true;
    }
    bool operator!=(const Shape& other) const { return !(*this == other); }

    // Elements; 1 for a scalar, kInvalidDimValue where 64 bits do not hold it.
    int64_t GetShapeSize() const {
        int64_t size = 1;
        for (size_t i = 0; i < dim_num_ && i < kMax; ++i) {
            if (__builtin_mul_overflow(size, dims_[i], &size)) return std::numeric_limits<int64_t>::min();
        }
        return size;
    }

    bool IsScalar() const { return dim_num_ == 0; }
    void SetScalar() { dim_num_ = 0; }
    size_t GetDimNum() const { return dim_num_; }
    void SetDimNum(size_t dim_num) { dim_num_ = dim_num; }

    // Between the rank and 25 it is what is stored there.
    int64_t GetDim(size_t index) const { return index < kMax ? dims_[index] : std::numeric_limits<int64_t>::min(); }
    const int64_t& operator[](size_t index) const { return dims_[index]; }
    int64_t& operator[](size_t index) { return dims_[index]; }

    // An index above the rank raises it to the index, not to the one behind: set the rank first.
    void SetDim(size_t index, int64_t dim) {
        if (index >= kMax) return;
        dims_[index] = dim;
        dim_num_ = dim_num_ < index ? index : dim_num_;
    }

    // The 26th is ignored.
    Shape& AppendDim(int64_t dim) {
        if (dim_num_ < kMax) dims_[dim_num_++] = dim;
        return *this;
    }

  private:
    enum : size_t { kMax = 25 }; // C++11 has no definition of kMaxDimNum that std::min could refer to

    size_t dim_num_;
    int64_t dims_[kMax];
};

// The distance between elements of each axis: the same container.
using Stride = Shape;
} // namespace gert
