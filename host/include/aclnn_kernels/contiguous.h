// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
inline const aclTensor* Contiguous(const aclTensor* x, aclOpExecutor* executor) {
    return aclimb::level0::ask("Contiguous", executor, x).handle<const aclTensor>();
}
// x into y, which need not be contiguous.
inline const aclTensor* ViewCopy(const aclTensor* x, const aclTensor* y, aclOpExecutor* executor) {
    return aclimb::level0::ask("ViewCopy", executor, x, y).handle<const aclTensor>();
}
} // namespace l0op
