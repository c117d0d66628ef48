// SPDX-License-Identifier: Apache-2.0
#include "acl/acl.h"
#include "square.h"

#include <cstdio>
#include <vector>

int main() {
    constexpr uint32_t blocks = 4;
    std::vector<float> x(blocks * kLength), result(x.size());
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) / 8;
    const size_t bytes = x.size() * sizeof(float);

    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    void* memory = nullptr;
    aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory, bytes, x.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    square(blocks, stream, static_cast<float*>(memory));
    const aclError code = aclrtSynchronizeStream(stream);
    if (code != ACL_SUCCESS) std::fprintf(stderr, "%s\n", aclGetRecentErrMsg());
    aclrtMemcpy(result.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(memory);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();

    size_t equal = 0;
    for (size_t i = 0; i < x.size(); ++i) equal += result[i] == x[i] * x[i];
    std::printf("square_kernel      %zu of %zu equal\n", equal, x.size());
    return equal == x.size() ? 0 : 1;
}
