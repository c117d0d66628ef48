/* SPDX-License-Identifier: Apache-2.0 */
/* An operator project's own tests of its kernels, as they are written for the vendor's CPU twin. Here the memory is device memory, which
   host code of the same process can read and write, and a run is a launch that is waited for. */
#pragma once
#include "acl/acl.h"
#include "aclimb/host.h"

#include <cstdio>

#ifndef GM_ADDR
#define GM_ADDR uint8_t*
#endif
#ifndef __global__
#define __global__
#define __aicore__
#define __gm__
#endif

/* aclimb knows from its code which cores a kernel runs on. */
enum class KernelMode { MIX_MODE = 0, AIC_MODE = 1, AIV_MODE = 2 };

namespace aclimb_host {

/* Such programs neither initialise acl nor choose a device. */
inline int use_device() {
    int32_t device = 0;
    if (aclrtGetDevice(&device) == 0) return 0;
    (void)aclInit(nullptr); /* the program may have done it */
    return aclrtSetDevice(0);
}

inline void tell(const char* what, int code) {
    const char* why = aclGetRecentErrMsg();
    std::fprintf(stderr, "%s failed with %d\n%s\n", what, code, why ? why : "");
}

template <typename Call> void run_and_wait(const char* kernel, const char* file, uint32_t line, uint32_t num_blocks, Call call) {
    int code = use_device();
    if (code == 0) {
        Launch with(file, line, num_blocks);
        call();
        code = aclimb_configuration()->code;
    }
    if (code == 0) code = aclrtSynchronizeStream(nullptr);
    if (code != 0) tell(kernel, code);
}

} // namespace aclimb_host

namespace AscendC {

using ::KernelMode;

inline void* GmAlloc(size_t size) {
    void* memory = nullptr;
    int code = aclimb_host::use_device();
    if (code == 0) code = aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST);
    if (code != 0) aclimb_host::tell("GmAlloc", code);
    return memory;
}
inline void GmFree(void* memory) {
    const int code = memory ? static_cast<int>(aclrtFree(memory)) : 0;
    if (code != 0) aclimb_host::tell("GmFree", code);
}
inline void SetKernelMode(KernelMode) {}

} // namespace AscendC

#define ICPU_SET_TILING_KEY(key) (aclimb_configuration()->tiling_key = static_cast<int64_t>(key))
#define ICPU_RUN_KF(func, numBlocks, ...) ::aclimb_host::run_and_wait(#func, __FILE__, __LINE__, numBlocks, [&] { func(__VA_ARGS__); })
