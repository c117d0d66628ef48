// SPDX-License-Identifier: Apache-2.0
// libascendcl.so: every function of the acl headers as a stub over one table, which Python fills (door.cpp); and the list of the
// kernels that programs and libraries bring along. It links to nothing but the C library, so that any C or C++ program can.
#include "table.h"

#include <atomic>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

std::atomic<const Function*> installed{nullptr};
pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;
aclimb_unit* units = nullptr;

const Function* table() {
    const Function* found = installed.load(std::memory_order_acquire);
    if (__builtin_expect(found == nullptr, 0)) {
        aclimb_boot();
        found = installed.load(std::memory_order_acquire);
    }
    return found;
}

} // namespace

extern "C" int aclimb_install_here(const Function* functions, uint32_t places) {
    if (places != kPlaces) return -1;
    installed.store(functions, std::memory_order_release);
    return 0;
}

EXPORTED int aclimb_install(const Function* functions, uint32_t places) { return aclimb_install_here(functions, places); }

#define FUNCTION(returns, name, declarations, names, ins, outs)                                                                            \
    EXPORTED returns name declarations { return reinterpret_cast<returns(*) declarations>(table()[k_##name]) names; }
#include "c_api.inc"
#undef FUNCTION

// --- what is not passed on as it is

// Variable arguments end here: Python gets the text.
EXPORTED void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line, const char* fmt, ...) {
    static const char kMark[] = "...[truncated]";
    char text[1024];
    int length = 0;
    if (fmt) {
        va_list values;
        va_start(values, fmt);
        length = vsnprintf(text, sizeof text, fmt, values);
        va_end(values);
    }
    if (length < 0) text[0] = 0;
    if (length >= int(sizeof text)) memcpy(text + sizeof text - sizeof kMark, kMark, sizeof kMark);
    using Log = void (*)(aclLogLevel, const char*, const char*, uint32_t, const char*);
    reinterpret_cast<Log>(table()[k_aclAppLog])(logLevel, func, file, line, fmt ? text : nullptr);
}

// Halves as the real library converts them: the exponent of infinities and NaN counts on like any other, and what is too large for a
// half, or is no number, becomes the largest one.
EXPORTED float aclFloat16ToFloat(aclFloat16 value) {
    uint32_t exponent = value >> 10 & 0x1F, fraction = value & 0x3FF;
    uint32_t bits = (exponent ? exponent + 102 : 103) << 23; // 2 to the power of the fraction's last bit
    float step;
    memcpy(&step, &bits, sizeof step);
    float size = step * float(exponent ? fraction | 0x400 : fraction);
    return value & 0x8000 ? -size : size;
}

EXPORTED aclFloat16 aclFloatToFloat16(float value) {
    constexpr unsigned kLargest = 0x7BFF;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xFF;
    uint64_t fraction = exponent ? (bits & 0x7FFFFF) | 0x800000 : 0; // what is subnormal as a float is 0 as a half
    if (exponent >= 0x90) return aclFloat16(sign | kLargest);
    // As a half it has 10 bits behind the point, fewer below 2^-14; ties go to the even one.
    unsigned dropped = exponent > 112 ? 13 : 126 - exponent;
    if (dropped > 40) return aclFloat16(sign);
    uint64_t kept = fraction >> dropped, rest = fraction & ((uint64_t(1) << dropped) - 1), half = uint64_t(1) << (dropped - 1);
    kept += rest > half || (rest == half && (kept & 1));
    if (exponent > 112) kept += uint64_t(exponent - 113) << 10; // the leading one counts as the first step of the exponent
    return aclFloat16(sign | (kept > kLargest ? kLargest : unsigned(kept)));
}

EXPORTED int aclimb_launch(const void* self, uint32_t num_blocks, void* stream, const void* args, size_t size) {
    using Launch = int (*)(const void*, uint32_t, void*, const void*, size_t);
    return reinterpret_cast<Launch>(table()[k_aclimb_launch])(self, num_blocks, stream, args, size);
}

// For tiling in programs and in libraries of operators: see aclimb/op/door.h.
EXPORTED const char* aclimb_platform(const char* soc) {
    return reinterpret_cast<const char* (*)(const char*)>(table()[k_aclimb_platform])(soc);
}

EXPORTED int aclimb_log(int level, const char* text) {
    return reinterpret_cast<int (*)(int, const char*)>(table()[k_aclimb_log])(level, text);
}

EXPORTED int aclimb_tiling(void* call) { return reinterpret_cast<int (*)(void*)>(table()[k_aclimb_tiling])(call); }

EXPORTED aclnnStatus aclimb_aclnn_plan(const void* inside, const char* function, const struct aclimb_value* values, uint32_t count,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
    return reinterpret_cast<decltype(&aclimb_aclnn_plan)>(table()[k_aclimb_aclnn_plan])(inside, function, values, count, workspaceSize,
                                                                                        executor);
}

EXPORTED aclnnStatus aclimb_aclnn_run(const void* inside, const char* function, void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
    return reinterpret_cast<decltype(&aclimb_aclnn_run)>(table()[k_aclimb_aclnn_run])(inside, function, workspace, workspaceSize, executor,
                                                                                      stream);
}

EXPORTED aclnnStatus aclimb_level0(const void* inside, const char* function, const char* method, const struct aclimb_value* values,
                                   uint32_t count, int64_t* results) {
    return reinterpret_cast<decltype(&aclimb_level0)>(table()[k_aclimb_level0])(inside, function, method, values, count, results);
}

EXPORTED struct aclimb_configuration* aclimb_configuration(void) {
    static thread_local struct aclimb_configuration value{0, 0, nullptr, nullptr, -1, 0};
    return &value;
}

extern "C" {
__attribute__((visibility("default"))) uint64_t aclimb_units_changes = 0;
}

EXPORTED void aclimb_register(aclimb_unit* unit) {
    pthread_mutex_lock(&units_lock);
    unit->next = units;
    units = unit;
    ++aclimb_units_changes;
    pthread_mutex_unlock(&units_lock);
}

EXPORTED void aclimb_unregister(aclimb_unit* unit) {
    pthread_mutex_lock(&units_lock);
    for (aclimb_unit** at = &units; *at; at = &(*at)->next) {
        if (*at == unit) {
            *at = unit->next;
            ++aclimb_units_changes;
            break;
        }
    }
    pthread_mutex_unlock(&units_lock);
}

EXPORTED aclimb_unit* aclimb_units(void) { return units; }
