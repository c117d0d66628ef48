// SPDX-License-Identifier: Apache-2.0
// What is known of formats.
#pragma once
#include "graph/ascend_string.h"
#include "graph/utils/type_utils.h"
#include "opdev/common_types.h"

namespace op {
inline Format ToOpFormat(aclFormat format) {
    return format == ACL_FORMAT_UNDEFINED ? Format::FORMAT_RESERVED : static_cast<Format>(format);
}
inline aclFormat ToAclFormat(Format format) {
    return format == Format::FORMAT_RESERVED ? ACL_FORMAT_UNDEFINED : static_cast<aclFormat>(format);
}
inline ge::AscendString ToString(Format format) { return ge::TypeUtils::FormatToAscendString(format); }
inline Format ToFormat(const std::string& text) { return ge::TypeUtils::SerialStringToFormat(text); }
inline Format GetPrimaryFormat(Format format) { return static_cast<Format>(ge::GetPrimaryFormat(format)); }
using ge::GetC0Format;
using ge::GetFormatFromSub;
using ge::GetPrimaryFormat;
using ge::GetSubFormat;
using ge::HasC0Format;
using ge::HasSubFormat;
// Whether elements lie in another order than the dims say.
inline bool IsPrivateFormat(Format format) {
    switch (GetPrimaryFormat(format)) {
    case Format::FORMAT_ND:
    case Format::FORMAT_NCHW:
    case Format::FORMAT_NHWC:
    case Format::FORMAT_HWCN:
    case Format::FORMAT_NCDHW:
    case Format::FORMAT_NDHWC:
    case Format::FORMAT_DHWCN:
    case Format::FORMAT_NCL: return false;
    default: return true;
    }
}
} // namespace op
