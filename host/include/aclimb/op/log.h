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

// What was said in a format, whatever its length. The format is not checked: what a user's build says about it is the user's build's.
inline ACLIMB_OP_OWN std::string formatted(const char* format, va_list values) {
    if (format == nullptr) return "nullptr";
    va_list again;
    va_copy(again, values);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (length < 0) return format;
    std::string text(static_cast<size_t>(length) + 1, '\0');
    std::vsnprintf(&text[0], text.size(), format, values);
    text.pop_back();
    while (!text.empty() && text.back() == '\n') text.pop_back(); // a log ends its lines itself
    return text;
}

// The errors of the callback that runs in this thread: Python tells them, with the operator's error or without.
struct Said {
    bool running;
    std::string text;
    size_t last; // where in the text the newest one begins
};
inline ACLIMB_OP_OWN Said& said() {
    static thread_local Said own = {false, "", 0};
    return own;
}
inline ACLIMB_OP_OWN void add_error(const std::string& text) {
    Said& own = said();
    if (!own.text.empty() && own.text.compare(own.last, std::string::npos, text) == 0) return;
    if (!own.text.empty()) own.text += "; ";
    own.last = own.text.size();
    own.text += text;
}
// Host code logs an error first, with more around it, and then reports it: of the two this one is the sentence.
inline ACLIMB_OP_OWN void add_report(const std::string& text) {
    Said& own = said();
    if (own.text.find(text, own.last) != std::string::npos) own.text.erase(own.last).append(text);
    else add_error(text);
}

// `text` is what an operator's error shows; in a log `before` says where it comes from.
inline ACLIMB_OP_OWN void write(LogLevel level, const std::string& before, const std::string& text) {
    if (level == kError && said().running) add_error(text);
    else connection().log(level, (before + text).c_str());
}
inline ACLIMB_OP_OWN void log(LogLevel level, const std::string& name, const char* function, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const std::string text = formatted(format, values);
    va_end(values);
    write(level, name + " " + function + ": ", text);
}
inline ACLIMB_OP_OWN bool logs(LogLevel level) { return connection().log(level, nullptr) == 1; }
} // namespace op
} // namespace aclimb
