// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
// Between ND and FRACTAL_NZ.
inline const aclTensor* TransData(const aclTensor* x, op::Format dstPrimaryFormat, int64_t groups, aclOpExecutor* executor) {
    return aclimb::level0::ask("TransData", executor, x, dstPrimaryFormat, groups).handle<const aclTensor>();
}
inline const aclTensor* TransDataSpecial(const aclTensor* x, op::Format dstPrimaryFormat, int64_t groups, aclOpExecutor* executor) {
    return aclimb::level0::ask("TransDataSpecial", executor, x, dstPrimaryFormat, groups).handle<const aclTensor>();
}
} // namespace l0op
