// SPDX-License-Identifier: Apache-2.0
// gert::ContinuousVector: capacity, size and elements in one block of memory. Lists of attributes come as such blocks, laid out by
// Python (src/aclimb/op/native/attributes.py).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "graph/error_codes.h"

namespace gert {
class ContinuousVector {
  public:
    ContinuousVector(const ContinuousVector&) = delete;
    ContinuousVector& operator=(const ContinuousVector&) = delete;

    // A block for so many elements, all 0; its bytes come back in `total`. nullptr when there is no memory, or 64 bits do not count it.
    template <typename T> static std::unique_ptr<uint8_t[]> Create(size_t capacity, size_t& total) {
        if (__builtin_mul_overflow(capacity, sizeof(T), &total) || __builtin_add_overflow(total, sizeof(ContinuousVector), &total)) {
            return nullptr;
        }
        std::unique_ptr<uint8_t[]> block(new (std::nothrow) uint8_t[total]);
        if (block == nullptr) return nullptr;
        std::memset(block.get(), 0, total);
        reinterpret_cast<ContinuousVector*>(block.get())->Init(capacity);
        return block;
    }
    template <typename T> static std::unique_ptr<uint8_t[]> Create(size_t capacity) {
        size_t total = 0;
        return Create<T>(capacity, total);
    }

    void Init(size_t capacity) {
        capacity_ = capacity;
        size_ = 0;
    }
    size_t GetSize() const { return size_; }
    ge::graphStatus SetSize(size_t size) {
        if (size > capacity_) return ge::GRAPH_PARAM_OUT_OF_RANGE;
        size_ = size;
        return ge::GRAPH_SUCCESS;
    }
    size_t GetCapacity() const { return capacity_; }
    const void* GetData() const { return this + 1; }
    void* MutableData() { return this + 1; }

  protected:
    ContinuousVector() = default;

  private:
    size_t capacity_;
    size_t size_;
};
static_assert(sizeof(ContinuousVector) == 16, "Python lays it out like this");

template <typename T> class TypedContinuousVector : private ContinuousVector {
  public:
    using ContinuousVector::GetCapacity;
    using ContinuousVector::GetSize;
    using ContinuousVector::Init;
    using ContinuousVector::SetSize;
    const T* GetData() const { return reinterpret_cast<const T*>(ContinuousVector::GetData()); }
    T* MutableData() { return reinterpret_cast<T*>(ContinuousVector::MutableData()); }
};

// Lists in a list: how many, where each begins (in bytes from here), and then they follow.
class ContinuousVectorVector {
  public:
    ContinuousVectorVector(const ContinuousVectorVector&) = delete;
    ContinuousVectorVector& operator=(const ContinuousVectorVector&) = delete;

    size_t GetSize() const { return size_; }
    const ContinuousVector* Get(size_t index) const {
        if (index >= size_) return nullptr;
        const uint64_t* offsets = reinterpret_cast<const uint64_t*>(this + 1);
        return reinterpret_cast<const ContinuousVector*>(reinterpret_cast<const uint8_t*>(this) + offsets[index]);
    }

  private:
    ContinuousVectorVector() = default;
    uint64_t size_;
};
static_assert(sizeof(ContinuousVectorVector) == 8, "Python lays it out like this");
} // namespace gert
