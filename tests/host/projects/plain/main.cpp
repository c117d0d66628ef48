#include "acl/acl.h"

#include <cstdio>

int main() {
    void* memory = nullptr;
    char text[] = "through the device", back[sizeof text] = {};
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtMalloc(&memory, sizeof text, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    if (aclrtMemcpy(memory, sizeof text, text, sizeof text, ACL_MEMCPY_HOST_TO_DEVICE)) return 2;
    if (aclrtMemcpy(back, sizeof back, memory, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST)) return 3;
    std::puts(back);
    return aclrtFree(memory) || aclrtResetDevice(0) || aclFinalize() ? 4 : 0;
}
