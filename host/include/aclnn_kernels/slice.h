// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
inline const aclTensor* Slice(const aclTensor* x, const aclIntArray* offsets, const aclIntArray* size, aclOpExecutor* executor) {
    return aclimb::level0::ask("Slice", executor, x, nullptr, offsets, size).handle<const aclTensor>();
}
// Into y. Offsets and sizes are tensors of the host.
inline const aclTensor* Slice(const aclTensor* x, const aclTensor* y, const aclTensor* offset, const aclTensor* size,
                              aclOpExecutor* executor) {
    return aclimb::level0::ask("Slice", executor, x, y, offset, size).handle<const aclTensor>();
}
} // namespace l0op
