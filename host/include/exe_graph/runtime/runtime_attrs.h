// SPDX-License-Identifier: Apache-2.0
// gert::RuntimeAttrs: the attributes of a call, in the order of the prototype, private ones behind.
#pragma once
#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/runtime_tensor.h"

namespace gert {
// One block that Python lays out: how many, where each begins (in bytes from here; 0 when it has no value), and then they follow. An int
// has 8 bytes, a float 4, a bool 1, a text ends with 0, a list is a ContinuousVector.
class RuntimeAttrs {
  public:
    RuntimeAttrs(const RuntimeAttrs&) = delete;
    RuntimeAttrs& operator=(const RuntimeAttrs&) = delete;

    size_t GetAttrNum() const { return count_; }
    template <typename T> const T* GetAttrPointer(size_t index) const { return reinterpret_cast<const T*>(GetPointerByIndex(index)); }

    const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
    const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
    const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
    const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
    const TypedContinuousVector<int64_t>* GetListInt(size_t index) const { return GetAttrPointer<TypedContinuousVector<int64_t>>(index); }
    const TypedContinuousVector<float>* GetListFloat(size_t index) const { return GetAttrPointer<TypedContinuousVector<float>>(index); }
    const ContinuousVectorVector* GetListListInt(size_t index) const { return GetAttrPointer<ContinuousVectorVector>(index); }
    const ContinuousVectorVector* GetListListFloat(size_t index) const { return GetAttrPointer<ContinuousVectorVector>(index); }
    const Tensor* GetTensor(size_t index) const { return GetAttrPointer<Tensor>(index); }

  private:
    RuntimeAttrs() = default;
    const void* GetPointerByIndex(size_t index) const {
        if (index >= count_) return nullptr;
        const uint64_t offset = reinterpret_cast<const uint64_t*>(this + 1)[index];
        return offset ? reinterpret_cast<const uint8_t*>(this) + offset : nullptr;
    }

    uint64_t count_;
};
static_assert(sizeof(RuntimeAttrs) == 8, "Python lays it out like this");
} // namespace gert
