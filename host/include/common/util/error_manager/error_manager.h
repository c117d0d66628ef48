// SPDX-License-Identifier: Apache-2.0
// The report macros of toolkits before base/err_msg.h.
#pragma once
#include <string>
#include <vector>

#include "base/err_msg.h"

namespace aclimb {
namespace op {
inline ACLIMB_OP_OWN int32_t report_pairs(const std::string& error_code, const std::vector<std::string>& keys = {},
                                          const std::vector<std::string>& values = {}) {
    const std::string text = pairs_of(keys, values, [](const std::string& word) { return word; });
    return report(error_code.c_str(), text.empty() ? error_code : text);
}
} // namespace op
} // namespace aclimb

#define REPORT_INNER_ERROR(error_code, ...) REPORT_INNER_ERR_MSG(error_code, __VA_ARGS__)
#define REPORT_CALL_ERROR(error_code, ...) REPORT_INNER_ERR_MSG(error_code, __VA_ARGS__)
#define REPORT_INPUT_ERROR(...) ::aclimb::op::report_pairs(__VA_ARGS__)
#define REPORT_ENV_ERROR(...) ::aclimb::op::report_pairs(__VA_ARGS__)
