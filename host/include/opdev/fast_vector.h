// SPDX-License-Identifier: Apache-2.0
// op::FVector: a vector.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace op {
template <typename T, size_t capacity = 25> using FVector = std::vector<T>;
template <typename T, size_t capacity = 25> using FastVector = std::vector<T>;
using Strides = FVector<int64_t>;
using ShapeVector = FVector<int64_t>;
} // namespace op
