// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
inline const aclTensor* Cast(const aclTensor* self, op::DataType dstDtype, aclOpExecutor* executor) {
    return aclimb::level0::ask("Cast", executor, self, dstDtype).handle<const aclTensor>();
}
} // namespace l0op
