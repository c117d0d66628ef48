// SPDX-License-Identifier: Apache-2.0
// aclOpExecutor: what an aclnn function collects in its first phase, and runs in the second.
#pragma once
#include "acl/acl_rt.h"
#include "opdev/common_types.h"

struct aclOpExecutor {
    // Tensors of the device. They lie in the workspace.
    aclTensor* AllocTensor(const op::Shape& shape, op::DataType dataType, op::Format format = op::Format::FORMAT_ND) {
        return AllocTensor(shape, shape, dataType, format, format);
    }
    aclTensor* AllocTensor(const op::Shape& storageShape, const op::Shape& originShape, op::DataType dataType, op::Format storageFormat,
                           op::Format originFormat) {
        aclimb::level0::Values given = aclimb::level0::values(this, dataType, storageFormat, originFormat);
        return aclimb::level0::call("allocate", given.counted(storageShape).counted(originShape)).handle<aclTensor>();
    }
    // Of a shape that INFER_SHAPE sets.
    aclTensor* AllocTensor(op::DataType dataType, op::Format storageFormat, op::Format originFormat) {
        return AllocTensor(op::Shape(), op::Shape(), dataType, storageFormat, originFormat);
    }

    // Tensors of the host, whose values a kernel's tiling may read.
    aclTensor* AllocHostTensor(const op::Shape& shape, op::DataType dataType, op::Format = op::Format::FORMAT_ND) {
        return aclimb::level0::ask("allocate_host", this, dataType, shape).handle<aclTensor>();
    }
    aclTensor* AllocHostTensor(const op::Shape&, const op::Shape& originShape, op::DataType dataType, op::Format, op::Format) {
        return AllocHostTensor(originShape, dataType);
    }
    template <typename T> aclTensor* AllocHostTensor(const T* value, uint64_t size, op::DataType dataType) {
        return host_values(static_cast<const void*>(value), size, op::TypeOf<T>::value(), dataType);
    }
    template <typename T> aclTensor* ConvertToTensor(const T* value, uint64_t size, op::DataType dataType) {
        return AllocHostTensor(value, size, dataType);
    }
    aclTensor* ConvertToTensor(const aclIntArray* value, op::DataType dataType) { return of_array(value, dataType); }
    aclTensor* ConvertToTensor(const aclFloatArray* value, op::DataType dataType) { return of_array(value, dataType); }
    aclTensor* ConvertToTensor(const aclBoolArray* value, op::DataType dataType) { return of_array(value, dataType); }
    aclTensor* ConvertToTensor(const aclScalar* value, op::DataType dataType) {
        return aclimb::level0::ask("scalar_tensor", this, dataType, value).handle<aclTensor>();
    }

    // The same memory from an offset on, in elements, seen in another shape.
    aclTensor* CreateView(const aclTensor* tensor, const op::Shape& shape, int64_t offset) {
        return aclimb::level0::ask("view", this, tensor, offset, shape).handle<aclTensor>();
    }

    aclIntArray* AllocIntArray(const int64_t* value, uint64_t size) { return array<aclIntArray>(value, size); }
    aclFloatArray* AllocFloatArray(const float* value, uint64_t size) { return array<aclFloatArray>(value, size); }
    aclBoolArray* AllocBoolArray(const bool* value, uint64_t size) { return array<aclBoolArray>(value, size); }
    aclTensorList* AllocTensorList(const aclTensor* const* tensors, uint64_t size) { return list<aclTensorList>(tensors, size); }
    aclScalarList* AllocScalarList(const aclScalar* const* scalars, uint64_t size) { return list<aclScalarList>(scalars, size); }
    aclScalar* AllocScalar(const void* data, op::DataType dataType) {
        return aclimb::level0::ask("scalar", this, dataType, data).handle<aclScalar>();
    }
    template <typename T> typename std::enable_if<!std::is_pointer<T>::value, aclScalar*>::type AllocScalar(T value) {
        return AllocScalar(&value, op::TypeOf<T>::value());
    }

    uint64_t GetWorkspaceSize() const { return static_cast<uint64_t>(aclimb::level0::ask("workspace_size", this).number()); }
    void SetRepeatable() { aclimb::level0::ask("repeatable", this); }
    void AbandonCache(bool = false) {} // the first phase always runs here
    void AddTensorRelation(const aclTensor*, const aclTensor*) {}

  private:
    aclTensor* host_values(const void* value, uint64_t size, op::DataType given, op::DataType dataType) {
        return aclimb::level0::ask("host_values", this, dataType, given, value, size).handle<aclTensor>();
    }
    template <typename Array> aclTensor* of_array(const Array* value, op::DataType dataType) {
        return AllocHostTensor(value->GetData(), value->Size(), dataType);
    }
    template <typename Array, typename T> Array* array(const T* value, uint64_t size) {
        return aclimb::level0::ask("array", this, Array::kind(), op::TypeOf<T>::value(), static_cast<const void*>(value), size)
            .template handle<Array>();
    }
    template <typename List, typename T> List* list(const T* const* items, uint64_t size) {
        aclimb::level0::Values given = aclimb::level0::values(this, List::kind());
        for (uint64_t i = 0; i < size; ++i) given.add(items[i]);
        return aclimb::level0::call("list_of", given).template handle<List>();
    }
};

// The second phase: queues on the stream what the first phase collected.
inline aclnnStatus CommonOpExecutorRun(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
    if (executor == nullptr) return ACLNN_ERR_INNER_NULLPTR;
    return aclimb::level0::ask("run", workspace, workspaceSize, executor, stream).code;
}
