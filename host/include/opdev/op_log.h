// SPDX-License-Identifier: Apache-2.0
// The log of hand-written aclnn functions. OP_LOGE(code, format, ...) is what aclGetRecentErrMsg gives, too.
#pragma once
#include "aclimb/level0.h"
#include "log/log.h"
#include "opdev/op_errno.h"

namespace aclimb {
namespace level0 {
inline ACLIMB_OP_OWN void report(aclnnStatus code, const char* where, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const std::string text = op::formatted(format, values);
    va_end(values);
    const std::string& name = function().empty() ? where : function();
    op::connection().log(op::kReport, (name + ": " + text + " (" + std::to_string(code) + ")").c_str());
}
} // namespace level0
} // namespace aclimb

// In op_host code the first argument of these names an operator (log/log.h); here it is a code, or there is none.
#undef OP_LOGD
#undef OP_LOGI
#undef OP_LOGW
#undef OP_LOGE
#define OP_LOGD(...) ::aclimb::op::log(::aclimb::op::kDebug, ::aclimb::level0::function(), __func__, __VA_ARGS__)
#define OP_LOGI(...) ::aclimb::op::log(::aclimb::op::kInfo, ::aclimb::level0::function(), __func__, __VA_ARGS__)
#define OP_LOGW(...) ::aclimb::op::log(::aclimb::op::kWarning, ::aclimb::level0::function(), __func__, __VA_ARGS__)
#define OP_LOGE(code, ...) ::aclimb::level0::report(code, __func__, __VA_ARGS__)
