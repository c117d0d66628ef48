// SPDX-License-Identifier: Apache-2.0
// Calls aclnnAffine with every second column of a float32 tensor, alpha 0.5 and no bias.
#include <cstdio>

#include "acl/acl.h"
#include "aclnn_affine.h"

int main() {
    const int64_t dims[] = {2, 3}, strides[] = {6, 2}, storage[] = {2, 6}, plain[] = {3, 1};
    float values[12], found[6], half = 0.5f;
    for (int i = 0; i < 12; i++) values[i] = static_cast<float>(i);
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream;
    aclrtCreateStream(&stream);
    void *x, *y, *workspace = nullptr;
    aclrtMalloc(&x, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&y, sizeof found, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE);
    aclTensor* self = aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, storage, 2, x);
    aclTensor* out = aclCreateTensor(dims, 2, ACL_FLOAT, plain, 0, ACL_FORMAT_ND, dims, 2, y);
    aclScalar* alpha = aclCreateScalar(&half, ACL_FLOAT);

    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    aclnnStatus status = aclnnAffineGetWorkspaceSize(self, nullptr, alpha, out, &size, &executor);
    if (status == 0 && size != 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    if (status == 0) status = aclnnAffine(workspace, size, executor, stream);
    if (status != 0) std::printf("%d: %s\n", status, aclGetRecentErrMsg());
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(found, sizeof found, y, sizeof found, ACL_MEMCPY_DEVICE_TO_HOST);
    for (float each : found) std::printf("%g ", each);
    std::printf("\n");
    return status;
}
