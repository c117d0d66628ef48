#include "acl/acl.h"
#include "aclrtlaunch_fill.h"
#include "folder/tiling.h"

#include <cstdio>

int main() {
    int32_t got[8] = {};
    void* memory = nullptr;
    aclrtStream stream = nullptr;
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtCreateStream(&stream)) return 1;
    if (aclrtMalloc(&memory, sizeof got, ACL_MEM_MALLOC_HUGE_FIRST)) return 2;
    Tiling tiling{8, 10};
    const uint32_t code = ACLRT_LAUNCH_KERNEL(fill)(8, stream, memory, &tiling);
    if (code || aclrtSynchronizeStream(stream)) {
        const char* why = aclGetRecentErrMsg();
        std::fprintf(stderr, "%u %s\n", code, why ? why : "");
        return 3;
    }
    if (aclrtMemcpy(got, sizeof got, memory, sizeof got, ACL_MEMCPY_DEVICE_TO_HOST)) return 4;
    for (int32_t each : got) std::printf("%d ", each);
    std::puts("");
    return aclrtFree(memory) || aclrtDestroyStream(stream) || aclrtResetDevice(0) || aclFinalize() ? 5 : 0;
}
