// SPDX-License-Identifier: Apache-2.0
// ge::AscendString: a text that two versions of the standard library agree on. It owns its bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

namespace ge {
class AscendString {
  public:
    AscendString() = default;
    AscendString(const char* name) : AscendString(name, name ? std::strlen(name) : 0) {}
    AscendString(const char* name, size_t length) {
        if (name == nullptr) return;
        text_ = static_cast<char*>(std::malloc(length + 1));
        if (text_ == nullptr) return;
        if (length) std::memcpy(text_, name, length);
        text_[length] = '\0';
        length_ = length;
    }
    AscendString(const AscendString& other) : AscendString(other.text_, other.length_) {}
    AscendString(AscendString&& other) noexcept : text_(other.text_), length_(other.length_) {
        other.text_ = nullptr;
        other.length_ = 0;
    }
    AscendString& operator=(AscendString other) noexcept {
        std::swap(text_, other.text_);
        std::swap(length_, other.length_);
        return *this;
    }
    ~AscendString() { std::free(text_); }

    const char* GetString() const { return text_ ? text_ : ""; }
    size_t GetLength() const { return length_; }

    // Where the other text begins in this one; npos where it does not.
    size_t Find(const AscendString& other) const {
        const char* found = std::strstr(GetString(), other.GetString());
        return found ? static_cast<size_t>(found - GetString()) : static_cast<size_t>(-1);
    }

    // FNV-1a: the same for equal texts, in every library of a program.
    size_t Hash() const {
        uint64_t hash = 14695981039346656037ULL;
        for (size_t i = 0; i < length_; ++i) hash = (hash ^ static_cast<unsigned char>(text_[i])) * 1099511628211ULL;
        return static_cast<size_t>(hash);
    }

    bool operator<(const AscendString& other) const { return Compare(other) < 0; }
    bool operator>(const AscendString& other) const { return Compare(other) > 0; }
    bool operator<=(const AscendString& other) const { return Compare(other) <= 0; }
    bool operator>=(const AscendString& other) const { return Compare(other) >= 0; }
    bool operator==(const AscendString& other) const { return Compare(other) == 0; }
    bool operator!=(const AscendString& other) const { return Compare(other) != 0; }
    bool operator==(const char* other) const { return std::strcmp(GetString(), other ? other : "") == 0; }
    bool operator!=(const char* other) const { return !(*this == other); }

  private:
    int Compare(const AscendString& other) const { return std::strcmp(GetString(), other.GetString()); }

    char* text_ = nullptr;
    size_t length_ = 0;
};
} // namespace ge

namespace std {
template <> struct hash<ge::AscendString> {
    size_t operator()(const ge::AscendString& text) const { return text.Hash(); }
};
} // namespace std
