// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif
// out = alpha * self + bias: float types, any strides; bias may be NULL.
__attribute__((visibility("default"))) aclnnStatus aclnnAffineGetWorkspaceSize(const aclTensor* self, const aclTensor* bias,
                                                                               const aclScalar* alpha, aclTensor* out,
                                                                               uint64_t* workspaceSize, aclOpExecutor** executor);
__attribute__((visibility("default"))) aclnnStatus aclnnAffine(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                                               aclrtStream stream);
#ifdef __cplusplus
}
#endif
