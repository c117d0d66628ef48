// SPDX-License-Identifier: Apache-2.0
// execute_mul_add: z = a * x + y of whole numbers, compared on the host.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_mul_add_custom.h"

static aclTensor* Create(const std::vector<float>& values, void** memory) {
    const int64_t shape[] = {static_cast<int64_t>(values.size())};
    const size_t bytes = values.size() * sizeof(float);
    aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(*memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    return aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, *memory);
}

int main() {
    const size_t count = 3001;
    std::vector<float> x(count), y(count), z(count);
    for (size_t i = 0; i < count; ++i) {
        x[i] = static_cast<float>(i);
        y[i] = static_cast<float>(i % 7);
    }
    aclrtStream stream = nullptr;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    void* memory[3] = {};
    aclTensor* tensors[3] = {Create(x, &memory[0]), Create(y, &memory[1]), Create(z, &memory[2])};
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    aclnnStatus status = aclnnMulAddCustomGetWorkspaceSize(tensors[0], tensors[1], 2.0, tensors[2], &size, &executor);
    if (status == 0) status = aclnnMulAddCustom(nullptr, size, executor, stream);
    if (status != 0) std::printf("%d %s\n", status, aclGetRecentErrMsg());
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(z.data(), count * sizeof(float), memory[2], count * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST);
    size_t equal = 0;
    for (size_t i = 0; i < count; ++i) equal += z[i] == 2 * x[i] + y[i];
    std::printf("%zu of %zu equal\n", equal, count);
    for (int i = 0; i < 3; ++i) {
        aclDestroyTensor(tensors[i]);
        aclrtFree(memory[i]);
    }
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
