// SPDX-License-Identifier: Apache-2.0
// The log of host code by module and level: it goes where aclimb's own log goes, and errors of a callback into the operator's error.
#pragma once
#ifndef __cplusplus
#error "base/dlog_pub.h is for C++ host code here; a C program logs with aclAppLog of acl/acl.h"
#endif
#include <cstdarg>
#include <cstdint>
#include <string>

#include "aclimb/op/log.h"
#include "base/log_types.h"

namespace aclimb {
namespace op {
inline std::string module_name(int32_t module_id) {
    switch (module_id & 0xFFFF) {
#define ACLIMB_LOG_MODULE(name, number)                                                                                                    \
    case number: return #name;
        ACLIMB_LOG_MODULES(ACLIMB_LOG_MODULE)
#undef ACLIMB_LOG_MODULE
    default: return "module " + std::to_string(module_id & 0xFFFF);
    }
}
inline LogLevel level_of(int32_t dlog_level) {
    switch (dlog_level) {
    case DLOG_DEBUG: return kDebug;
    case DLOG_WARN: return kWarning;
    case DLOG_ERROR: return kError;
    default: return kInfo;
    }
}
// `place` is said in a log, and not in an operator's error.
inline ACLIMB_OP_OWN void dlog_at(int32_t module_id, int32_t level, const std::string& place, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const std::string text = formatted(format, values);
    va_end(values);
    if (level != DLOG_NULL) write(level_of(level), module_name(module_id) + " " + place, text);
}
inline std::string place_of(const char* file, int line) { return std::string("[") + file + ":" + std::to_string(line) + "] "; }
inline std::string place_of(const char* file, int line, const char* part) {
    return place_of(file, line) + "[" + (part != nullptr ? part : "nullptr") + "] ";
}
} // namespace op
} // namespace aclimb

// 1: what is logged at that level is shown, by the level of Python's logger `aclimb`; one level for all modules.
inline ACLIMB_OP_OWN int32_t CheckLogLevel(int32_t, int32_t logLevel) {
    return logLevel != DLOG_NULL && aclimb::op::logs(aclimb::op::level_of(logLevel)) ? 1 : 0;
}
// The lowest level that is shown.
inline ACLIMB_OP_OWN int32_t dlog_getlevel(int32_t moduleId, int32_t* enableEvent) {
    if (enableEvent != nullptr) *enableEvent = CheckLogLevel(moduleId, DLOG_EVENT);
    int32_t level = DLOG_DEBUG;
    while (level < DLOG_NULL && CheckLogLevel(moduleId, level) == 0) ++level;
    return level;
}
inline ACLIMB_OP_OWN void DlogVaList(int32_t moduleId, int32_t level, const char* fmt, va_list list) {
    aclimb::op::dlog_at(moduleId, level, "", "%s", aclimb::op::formatted(fmt, list).c_str());
}
inline ACLIMB_OP_OWN void DlogRecord(int32_t moduleId, int32_t level, const char* fmt, ...) {
    va_list list;
    va_start(list, fmt);
    DlogVaList(moduleId, level, fmt, list);
    va_end(list);
}

#define Dlog(moduleId, level, ...) ::aclimb::op::dlog_at(moduleId, level, ::aclimb::op::place_of(__FILE__, __LINE__), __VA_ARGS__)
#define DlogSub(moduleId, submodule, level, ...)                                                                                           \
    ::aclimb::op::dlog_at(moduleId, level, ::aclimb::op::place_of(__FILE__, __LINE__, submodule), __VA_ARGS__)
#define dlog_error(moduleId, ...) Dlog(moduleId, DLOG_ERROR, __VA_ARGS__)
#define dlog_warn(moduleId, ...) Dlog(moduleId, DLOG_WARN, __VA_ARGS__)
#define dlog_info(moduleId, ...) Dlog(moduleId, DLOG_INFO, __VA_ARGS__)
#define dlog_debug(moduleId, ...) Dlog(moduleId, DLOG_DEBUG, __VA_ARGS__)
#define dlog_event(moduleId, ...) Dlog(moduleId, DLOG_EVENT, __VA_ARGS__)
