// SPDX-License-Identifier: Apache-2.0
// Launches `twice` of the binary that it is given: argv[1].
#include <cstdio>

#include "acl/acl.h"

int main(int, char** argv) {
    aclInit(nullptr);
    aclrtSetDevice(0);
    static float host[2048];
    for (int i = 0; i < 2048; i++) host[i] = static_cast<float>(i);
    void *args[2] = {nullptr, nullptr}, *&x = args[0], *&z = args[1];
    aclrtMalloc(&x, sizeof(host), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&z, sizeof(host), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, sizeof(host), host, sizeof(host), ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemset(z, sizeof(host), 0, sizeof(host));
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle twice = nullptr;
    aclrtBinaryLoadFromFile(argv[1], nullptr, &binary);
    aclrtBinaryGetFunction(binary, "twice", &twice);
    const int code = aclrtLaunchKernelWithHostArgs(twice, 2, stream, nullptr, args, sizeof(args), nullptr, 0);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(host, sizeof(host), z, sizeof(host), ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d %g\n", code, host[2047]);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
