// SPDX-License-Identifier: Apache-2.0
// JSON, as far as a library needs it to tell Python what it declares.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace aclimb {
namespace op {
inline std::string json(const std::string& text) {
    std::string made = "\"";
    for (char each : text) {
        char escaped[8];
        const unsigned char code = static_cast<unsigned char>(each);
        if (each == '"' || each == '\\') {
            made += '\\';
            made += each;
        } else if (code < 0x20) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
            made += escaped;
        } else {
            made += each;
        }
    }
    return made + "\"";
}
inline std::string json(const char* text) { return json(std::string(text != nullptr ? text : "")); }
inline std::string json(bool value) { return value ? "true" : "false"; }
inline std::string json(float value) {
    if (std::isnan(value)) return "NaN"; // Python reads these three
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
    return std::string(text).find_first_of(".en") == std::string::npos ? std::string(text) + ".0" : text;
}
template <typename T> typename std::enable_if<std::is_integral<T>::value, std::string>::type json(T value) { return std::to_string(value); }
template <typename T> typename std::enable_if<std::is_enum<T>::value, std::string>::type json(T value) {
    return std::to_string(static_cast<int64_t>(value));
}
template <typename T> std::string json(const std::vector<T>& values) {
    std::string made = "[";
    for (size_t i = 0; i < values.size(); ++i) made += (i ? "," : "") + json(static_cast<const T&>(values[i]));
    return made + "]";
}
inline std::string json(const std::vector<bool>& values) {
    std::string made = "[";
    for (size_t i = 0; i < values.size(); ++i) made += (i ? "," : "") + json(static_cast<bool>(values[i]));
    return made + "]";
}

// {"name": value, ...}; a value is JSON already with add_json.
class JsonObject {
  public:
    template <typename T> JsonObject& add(const char* name, const T& value) { return add_json(name, json(value)); }
    JsonObject& add_json(const char* name, const std::string& value) {
        text_ += (text_.empty() ? "" : ",") + json(name) + ":" + value;
        return *this;
    }
    std::string text() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

template <typename Rows, typename Write> std::string json_list(const Rows& rows, Write write) {
    std::string made;
    for (const auto& row : rows) made += (made.empty() ? "" : ",") + write(row);
    return "[" + made + "]";
}
} // namespace op
} // namespace aclimb
