// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
inline const aclTensor* Transpose(const aclTensor* x, const aclIntArray* perm, aclOpExecutor* executor) {
    return aclimb::level0::ask("Transpose", executor, x, nullptr, perm).handle<const aclTensor>();
}
// Into y. The order of the dims is a tensor of the host.
inline const aclTensor* Transpose(const aclTensor* x, const aclTensor* y, const aclTensor* perm, aclOpExecutor* executor) {
    return aclimb::level0::ask("Transpose", executor, x, y, perm).handle<const aclTensor>();
}
} // namespace l0op
