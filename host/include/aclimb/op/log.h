// SPDX-License-Identifier: Apache-2.0
// Where the log macros go: to Python's log, and, errors of a callback that runs, into what the operator's error says.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>

#include "aclimb/op/door.h"

namespace aclimb {
namespace op {
inline std::string name_of(const char* name) { return name != nullptr ? name : "nullptr"; }
inline std::string name_of(const std::string& name) { return name; }
inline std::string name_of(std::nullptr_t) { return "nullptr"; }
// A context: "type:name".
template <typename Context> auto name_of(const Context* context) -> decltype(std::string(context->GetNodeType())) {
    if (context == nullptr) return "nullptr";
    return std::string(context->GetNodeType()) + ":" + context->GetNodeName();
}

// The errors of the callback that runs in this thread: Python tells them, with the operator's error or without.
struct Said {
    bool running;
    std::string text;
};
inline ACLIMB_OP_OWN Said& said() {
    static thread_local Said own = {false, ""};
    return own;
}

// The format is not checked: what a user's build says about it is the user's build's.
inline ACLIMB_OP_OWN void log(LogLevel level, const std::string& name, const char* function, const char* format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (level == kError && said().running) said().text += (said().text.empty() ? "" : "; ") + std::string(text);
    else connection().log(level, (name + " " + function + ": " + text).c_str());
}
} // namespace op
} // namespace aclimb
