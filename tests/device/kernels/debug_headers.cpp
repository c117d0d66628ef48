// SPDX-License-Identifier: Apache-2.0
// The debug headers, whose calls need no namespace, beside the host's own headers of the same names.
#include <cstdio>
#include <ctime>

#include "utils/debug/asc_assert.h"
#include "utils/debug/asc_dump.h"
#include "utils/debug/asc_printf.h"
#include "utils/debug/asc_time.h"

extern "C" __global__ __aicore__ void prints(GM_ADDR x, GM_ADDR y) {
    printf("a text alone\n");
    printf("%d and %s\n", 7, "words");
    assert(x != nullptr);
    asc_prof_start();
    asc_time_stamp(70000);
    const uint64_t start = clock();
    ((__gm__ int32_t*)y)[0] = clock() >= start;
    asc_prof_stop();
    AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 512, 8);
    for (int i = 0; i < 8; i++) local.SetValue(i, i + 1);
    asc_dump_gm((__gm__ int32_t*)x, 1, 8);
    asc_dump_ubuf((__ubuf__ int32_t*)local.GetPhyAddr(), 2, 8);
}

extern "C" __global__ __aicore__ void traps(GM_ADDR x) { __trap(); }

// As generated code begins with printing on: a memory for the text, and the versions.
extern "C" __global__ __aicore__ void announces(GM_ADDR dump_addr) {
    AscendC::InitDump(false, dump_addr, 1048576);
    uint64_t timestamp = 0, version = 0;
    __gm__ char* version_str = nullptr;
    GetCannVersion(version_str, version, timestamp);
    if (timestamp != 0) AscendC::printf("version %s %u\n", (__gm__ const char*)version_str, version);
}
