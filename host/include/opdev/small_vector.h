// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/fast_vector.h"

namespace op {
template <typename T, size_t capacity = 25> using SmallVector = std::vector<T>;
} // namespace op
