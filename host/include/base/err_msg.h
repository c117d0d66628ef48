// SPDX-License-Identifier: Apache-2.0
// What host code reports to the user: a part of the operator's error while a callback runs, otherwise a line of aclGetRecentErrMsg.
#pragma once
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "aclimb/op/log.h"

namespace aclimb {
namespace op {
inline ACLIMB_OP_OWN int32_t report(const char* error_code, const std::string& text) {
    if (said().running) add_report(text);
    else connection().log(kReport, ((error_code != nullptr ? error_code : "nullptr") + (": " + text)).c_str());
    return 0;
}
// "key value, key value" of a predefined message, whose wording the real toolkit keeps in a table.
template <typename Text, typename Words>
std::string pairs_of(const std::vector<Text>& keys, const std::vector<Text>& values, const Words& words_of) {
    std::string text;
    for (size_t i = 0; i < keys.size() || i < values.size(); ++i) {
        if (i != 0) text += ", ";
        text += (i < keys.size() ? words_of(keys[i]) : "?") + " " + (i < values.size() ? words_of(values[i]) : "?");
    }
    return text;
}
} // namespace op
} // namespace aclimb

namespace error_message {
// The place is the log's in the real toolkit; here the sentence alone is shown. 0: reported.
inline ACLIMB_OP_OWN int32_t ReportInnerErrMsg(const char*, const char*, uint32_t, const char* error_code, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const std::string text = aclimb::op::formatted(format, values);
    va_end(values);
    return aclimb::op::report(error_code, text);
}
inline ACLIMB_OP_OWN int32_t ReportUserDefinedErrMsg(const char* error_code, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const std::string text = aclimb::op::formatted(format, values);
    va_end(values);
    return aclimb::op::report(error_code, text);
}
inline ACLIMB_OP_OWN int32_t ReportPredefinedErrMsg(const char* error_code, const std::vector<const char*>& key = {},
                                                    const std::vector<const char*>& value = {}) {
    const auto words_of = [](const char* word) { return std::string(word != nullptr ? word : "nullptr"); };
    const std::string text = aclimb::op::pairs_of(key, value, words_of);
    return aclimb::op::report(error_code, text.empty() ? words_of(error_code) : text);
}
} // namespace error_message

namespace ge {
using error_message::ReportInnerErrMsg;
using error_message::ReportPredefinedErrMsg;
using error_message::ReportUserDefinedErrMsg;
} // namespace ge

#define REPORT_INNER_ERR_MSG(error_code, ...)                                                                                              \
    (void)::error_message::ReportInnerErrMsg(__FILE__, __func__, __LINE__, error_code, __VA_ARGS__)
#define REPORT_USER_DEFINED_ERR_MSG(error_code, ...) (void)::error_message::ReportUserDefinedErrMsg(error_code, __VA_ARGS__)
#define REPORT_PREDEFINED_ERR_MSG(...) ::error_message::ReportPredefinedErrMsg(__VA_ARGS__)
