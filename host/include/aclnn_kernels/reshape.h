// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
inline const aclTensor* Reshape(const aclTensor* x, const op::Shape& shape, aclOpExecutor* executor) {
    return aclimb::level0::ask("Reshape", executor, x, shape).handle<const aclTensor>();
}
inline const aclTensor* Reshape(const aclTensor* x, const aclIntArray* shape, aclOpExecutor* executor) {
    op::Shape made;
    for (uint64_t i = 0; i < shape->Size(); ++i) made.AppendDim((*shape)[i]);
    return Reshape(x, made, executor);
}
} // namespace l0op
