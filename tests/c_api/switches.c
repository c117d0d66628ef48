// SPDX-License-Identifier: Apache-2.0
// A program whose second launch asks to be dumped and profiled; with a third word it ends without aclFinalize.
#include <stdio.h>

#include "acl/acl.h"

int main(int count, char** words) {
    aclrtStream stream;
    aclrtBinHandle binary;
    aclrtFuncHandle function;
    void* out;
    if (count < 3 || aclInit(words[1]) || aclrtSetDevice(0) || aclrtCreateStream(&stream)) return 1;
    if (aclrtBinaryLoadFromFile(words[2], NULL, &binary) || aclrtBinaryGetFunction(binary, "fill", &function)) return 2;
    if (aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST) || aclrtMemset(out, 64, 0, 64)) return 3;
    aclrtLaunchKernelAttr attributes[2] = {{ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, {0}}, {ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING, {0}}};
    attributes[0].value.isDataDump = 1;
    attributes[1].value.enableProfiling = 1;
    aclrtLaunchKernelCfg config = {attributes, 2};
    uint64_t arguments[4] = {(uint64_t)out, 10, 2, 16}; // fill(out, first, step, count)
    if (aclrtLaunchKernelWithHostArgs(function, 1, stream, NULL, arguments, sizeof arguments, NULL, 0)) return 4;
    if (aclrtLaunchKernelWithHostArgs(function, 1, stream, &config, arguments, sizeof arguments, NULL, 0)) return 5;
    if (aclrtSynchronizeStream(stream)) return 6;
    printf("done\n");
    return count > 3 ? 0 : aclFinalize();
}
