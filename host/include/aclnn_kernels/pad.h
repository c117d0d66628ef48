// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
// With zeros; two numbers for each dim.
inline const aclTensor* Pad(const aclTensor* self, const aclTensor* paddings, aclOpExecutor* executor) {
    return aclimb::level0::ask("Pad", executor, self, paddings).handle<const aclTensor>();
}
} // namespace l0op
