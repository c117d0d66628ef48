// SPDX-License-Identifier: Apache-2.0
// Functions of neighbouring libraries that need no Python: reports to a profiler that is not there, clocks, and the printing of a
// workspace that has nothing to print.
#include "profiling/prof_api.h"

#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

namespace {

uint64_t nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

} // namespace

// --- libprofapi, libmsprofiler

extern "C" {

EXPORTED uint64_t MsprofSysCycleTime(void) { return nanoseconds(); }

// A number that is the same for the same text (FNV-1a).
EXPORTED uint64_t MsprofGetHashId(const char* hashInfo, size_t length) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; hashInfo && i < length; ++i) hash = (hash ^ uint8_t(hashInfo[i])) * 1099511628211u;
    return hash;
}

EXPORTED int32_t MsprofRegisterCallback(uint32_t, ProfCommandHandle) { return 0; }
EXPORTED int32_t MsprofReportApi(uint32_t, const MsprofApi*) { return 0; }
EXPORTED int32_t MsprofReportCompactInfo(uint32_t, const VOID_PTR, uint32_t) { return 0; }
EXPORTED int32_t MsprofReportAdditionalInfo(uint32_t, const VOID_PTR, uint32_t) { return 0; }
}

// --- libhccl: what is set concerns communication between chips, of which there is none

extern "C" EXPORTED int32_t HcclSetConfig(int32_t /*config*/, int32_t /*value*/) { return 0; }

// --- libascend_dump: what a kernel prints has been printed when this is called

namespace Adx {
EXPORTED void AdumpPrintWorkSpace(const void*, const size_t, void*, const char*) {}
} // namespace Adx

// --- libruntime_camodel

namespace tm_engine {
EXPORTED uint64_t tm_time() { return nanoseconds(); }
} // namespace tm_engine
