// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "opdev/op_executor.h"

namespace l0op {
const aclTensor* Affine(const aclTensor* x, const aclTensor* bias, float alpha, aclOpExecutor* executor);
} // namespace l0op
