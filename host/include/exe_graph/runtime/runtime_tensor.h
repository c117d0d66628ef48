// SPDX-License-Identifier: Apache-2.0
// gert::Tensor: shape, format, type and data. A context shows one; it does not own the data.
#pragma once
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor_data.h"
#include "graph/types.h"

namespace gert {
enum TensorVersion { kTensorV1 = 0, kTensorV2 = 1 };

class Tensor {
  public:
    Tensor() = default;
    Tensor(const StorageShape& shape, const StorageFormat& format, TensorPlacement placement, ge::DataType type, TensorAddress addr,
           TensorAddrManager manager = nullptr)
        : shape_(shape), format_(format), type_(type), data_(addr, manager, 0, placement) {}
    Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type) : shape_(shape), format_(format), type_(type) {}

    int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
    template <class T> const T* GetData() const { return static_cast<const T*>(GetAddr()); }
    template <class T> T* GetData() { return static_cast<T*>(const_cast<void*>(GetAddr())); }
    void SetData(TensorData&& data) { data_ = std::move(data); }
    const void* GetAddr() const { return data_.GetPlacement() == kFollowing ? static_cast<const void*>(this + 1) : data_.GetAddr(); }
    void* GetAddr() { return const_cast<void*>(static_cast<const Tensor*>(this)->GetAddr()); }
    size_t GetSize() const { return data_.GetSize(); }
    void SetSize(size_t size) { data_.SetSize(size); }

    ge::DataType GetDataType() const { return type_; }
    void SetDataType(ge::DataType type) { type_ = type; }

    const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
    Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
    const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
    Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
    const StorageShape& GetShape() const { return shape_; }
    StorageShape& GetShape() { return shape_; }

    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
    const StorageFormat& GetFormat() const { return format_; }
    StorageFormat& MutableFormat() { return format_; }
    ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
    void SetExpandDimsType(const ExpandDimsType& expand) { format_.SetExpandDimsType(expand); }

    TensorPlacement GetPlacement() const { return data_.GetPlacement(); }
    void SetPlacement(TensorPlacement placement) { data_.SetPlacement(placement); }
    const TensorData& GetTensorData() const { return data_; }
    TensorData& MutableTensorData() { return data_; }
    TensorVersion GetVersion() const { return version_; }

    // A tensor whose data lie directly behind it, in one block; its size comes back in `total`. Destroy it before the block goes.
    static std::unique_ptr<uint8_t[]> CreateFollowing(ge::DataType type, size_t bytes, size_t& total) {
        if (__builtin_add_overflow(sizeof(Tensor), bytes, &total)) return nullptr;
        std::unique_ptr<uint8_t[]> block(new (std::nothrow) uint8_t[total]);
        if (block == nullptr) return nullptr;
        std::memset(block.get(), 0, total);
        Tensor* tensor = new (block.get()) Tensor(StorageShape(), StorageFormat(), kFollowing, type, nullptr);
        tensor->SetSize(bytes);
        return block;
    }
    static std::unique_ptr<uint8_t[]> CreateFollowing(int64_t elements, ge::DataType type, size_t& total) {
        const int64_t bytes = ge::GetSizeInBytes(elements, type);
        return bytes < 0 ? nullptr : CreateFollowing(type, static_cast<size_t>(bytes), total);
    }

  protected:
    void SetVersion(TensorVersion version) { version_ = version; }

  private:
    StorageShape shape_; // first: a pointer to a Tensor is one to its StorageShape, too
    StorageFormat format_;
    ge::DataType type_ = ge::DT_UNDEFINED;
    TensorVersion version_ = kTensorV1;
    TensorData data_;
};

// A view of a part of another tensor: elements lie `stride` apart, from `offset` on.
class TensorV2 : public Tensor {
  public:
    TensorV2(const StorageShape& shape, const StorageFormat& format, TensorPlacement placement, ge::DataType type, TensorAddress addr,
             TensorAddrManager manager, const Stride& stride, int64_t offset)
        : Tensor(shape, format, placement, type, addr, manager), stride_(stride), offset_(offset) {
        SetVersion(kTensorV2);
    }

    const Stride& GetStride() const { return stride_; }
    Stride& MutableStride() { return stride_; }
    int64_t GetOffset() const { return offset_; }
    void SetOffset(int64_t offset) { offset_ = offset; }

  private:
    Stride stride_;
    int64_t offset_;
};
} // namespace gert
