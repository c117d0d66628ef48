// SPDX-License-Identifier: Apache-2.0
// Copies as tasks of an executor.
#pragma once
#include "opdev/op_executor.h"

namespace op {
// Null on failure.
inline const aclTensor* CopyToNpu(const aclTensor* src, aclOpExecutor* executor) {
    return aclimb::level0::ask("CopyToNpu", executor, src).handle<const aclTensor>();
}
inline aclnnStatus CopyNpuToNpu(const aclTensor* src, const aclTensor* dst, aclOpExecutor* executor) {
    return aclimb::level0::ask("CopyNpuToNpu", executor, src, dst).code;
}
} // namespace op
