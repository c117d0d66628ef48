// SPDX-License-Identifier: Apache-2.0
// gert::Chain: one value of a context. It is a word that points to the value, or holds one of up to 8 bytes, and the function that frees
// it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gert {
class Chain {
  public:
    using Deleter = void (*)(void*);

    Chain() = default;
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;
    Chain(Chain&& other) noexcept : word_(other.word_), deleter_(other.deleter_) { other.Forget(); }
    ~Chain() { Free(); }

    template <typename T> const T* GetPointer() const { return static_cast<const T*>(sizeof(T) <= sizeof(word_) ? &word_ : word_); }
    template <typename T> T* GetPointer() { return static_cast<T*>(sizeof(T) <= sizeof(word_) ? &word_ : word_); }
    template <typename T> T GetValue() const {
        static_assert(sizeof(T) <= sizeof(void*), "a larger value is behind GetPointer");
        T value;
        std::memcpy(&value, &word_, sizeof value);
        return value;
    }
    template <typename T> void SetValue(const T& value) {
        static_assert(sizeof(T) <= sizeof(void*), "a larger value is set by its address");
        Free();
        std::memcpy(&word_, &value, sizeof value);
    }

    // What was there is freed by its own deleter.
    void Set(void* data, Deleter deleter) {
        Free();
        word_ = data;
        deleter_ = deleter;
    }
    template <typename T> void SetWithDefaultDeleter(T* data) { Set(data, Delete<T>); }
    bool HasDeleter() const { return deleter_ != nullptr; }

    // The value and its deleter are the caller's from now on.
    void* Release(Deleter& deleter) {
        void* word = word_;
        deleter = deleter_;
        Forget();
        return word;
    }

  private:
    template <typename T> static void Delete(void* data) { delete static_cast<T*>(data); }
    void Free() {
        Deleter deleter = deleter_;
        void* word = word_;
        Forget();
        if (deleter != nullptr) deleter(word);
    }
    void Forget() noexcept {
        word_ = nullptr;
        deleter_ = nullptr;
    }

    void* word_ = nullptr;
    Deleter deleter_ = nullptr;
};
} // namespace gert
