// SPDX-License-Identifier: Apache-2.0
// What operator host code asks Python for while it runs. op.load hands the functions over; before that, and in programs that no Python
// loads operators in, they answer "nothing".
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>

// What knows a library's own state is its own, whatever its flags: another library that is loaded must not answer in its place.
#define ACLIMB_OP_OWN __attribute__((visibility("hidden")))

// The facts of a chip as text (platform/platform_infos_def.h); of the current device for a null soc. In programs libascendcl answers; the
// name is weak, because a library of operators does without it.
extern "C" const char* aclimb_platform(const char* soc) __attribute__((weak));

// Calls a tiling object in Python (lib/matmul/matmul_tiling.h), with an aclimb::op::TilingCall. 0, or anything else and a sentence in it.
extern "C" int aclimb_tiling(void* call) __attribute__((weak));

// Writes to Python's log, in programs; 0 where it could. Without a text: 1 where that level is shown.
extern "C" int aclimb_log(int level, const char* text) __attribute__((weak));

namespace aclimb {
namespace op {
// kReport is an error that aclGetRecentErrMsg gives as well.
enum LogLevel { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kReport = 4 };

// Plain C: the two sides may be built with different standard libraries.
struct Door {
    const char* (*platform)(const char* soc);
    void* (*malloc_workspace)(uint64_t size);
    void (*free_workspace)();
    int32_t (*log)(int32_t level, const char* text); // as aclimb_log
    int32_t (*tiling)(void* call);
};

// One call of a tiling object, whose state is plain numbers in the object itself. Python's side is src/aclimb/tiling/door.py.
struct TilingCall {
    const char* method; // as C++ calls it
    int32_t* state;
    uint64_t words; // of the state
    const int64_t* arguments;
    uint64_t count;
    int32_t* results; // as many as the method has
    char said[1024];  // what was wrong
};

namespace alone {
inline const char* platform(const char* soc) {
    if (&aclimb_platform != nullptr) return aclimb_platform(soc);
    std::fprintf(stderr, "aclimb: libascendcl knows the chips, and this program has none; link it with -Wl,--no-as-needed -lascendcl\n");
    return nullptr;
}
inline int32_t tiling(void* call) {
    if (&aclimb_tiling != nullptr) return aclimb_tiling(call);
    std::snprintf(static_cast<TilingCall*>(call)->said, sizeof(TilingCall::said), "%s",
                  "libascendcl has the tiler, and this program has none; link it with -Wl,--no-as-needed -lascendcl");
    return -1;
}
inline void* malloc_workspace(uint64_t) { return nullptr; }
inline void free_workspace() {}
inline int32_t log(int32_t level, const char* text) {
    if (&aclimb_log != nullptr) {
        const int answer = aclimb_log(level, text);
        if (text == nullptr || answer == 0) return answer;
    }
    if (text == nullptr) return level >= kWarning ? 1 : 0;
    if (level >= kWarning) std::fprintf(stderr, "%s\n", text);
    return 0;
}
} // namespace alone

inline ACLIMB_OP_OWN Door& connection() {
    static Door door = {alone::platform, alone::malloc_workspace, alone::free_workspace, alone::log, alone::tiling};
    return door;
}
} // namespace op
} // namespace aclimb
