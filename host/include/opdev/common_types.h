// SPDX-License-Identifier: Apache-2.0
// aclTensor and its kind as hand-written aclnn functions see them: what they point to is a number of aclimb's, and no memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "aclimb/level0.h"
#include "graph/types.h"
#include "opdev/bfloat16.h"
#include "opdev/fast_vector.h"
#include "opdev/fp16_t.h"
#include "opdev/op_errno.h"

namespace op {
using ge::DataType;
using ge::Format;
using gert::Shape;

// The type that a C++ type is in a tensor.
template <typename T> struct TypeOf;
#define ACLIMB_TYPE_OF(type, name)                                                                                                         \
    template <> struct TypeOf<type> {                                                                                                      \
        static constexpr DataType value() { return DataType::DT_##name; }                                                                  \
    };
ACLIMB_TYPE_OF(float, FLOAT)
ACLIMB_TYPE_OF(double, DOUBLE)
ACLIMB_TYPE_OF(bool, BOOL)
ACLIMB_TYPE_OF(char, INT8)
ACLIMB_TYPE_OF(int8_t, INT8)
ACLIMB_TYPE_OF(uint8_t, UINT8)
ACLIMB_TYPE_OF(int16_t, INT16)
ACLIMB_TYPE_OF(uint16_t, UINT16)
ACLIMB_TYPE_OF(int32_t, INT32)
ACLIMB_TYPE_OF(uint32_t, UINT32)
ACLIMB_TYPE_OF(int64_t, INT64)
ACLIMB_TYPE_OF(uint64_t, UINT64)
ACLIMB_TYPE_OF(fp16_t, FLOAT16)
ACLIMB_TYPE_OF(bfloat16, BF16)
#undef ACLIMB_TYPE_OF

// The numbers that a type holds.
template <typename T> struct Range {
    static double lowest() { return static_cast<double>(std::numeric_limits<T>::lowest()); }
    static double highest() { return static_cast<double>(std::numeric_limits<T>::max()); }
};
template <> struct Range<fp16_t> {
    static double lowest() { return -65504; }
    static double highest() { return 65504; }
};
template <> struct Range<bfloat16> {
    static double lowest() { return bfloat16::lowest(); }
    static double highest() { return bfloat16::highest(); }
};
} // namespace op

// Setters take const objects, as the documents call them.
struct aclTensor {
    gert::Shape GetViewShape() const { return shape("view_shape"); }
    gert::Shape GetStorageShape() const { return shape("storage_shape"); }
    gert::Shape GetOriginalShape() const { return shape("origin_shape"); }
    void SetViewShape(const op::Shape& shape) const { write("view_shape", shape); }
    void SetStorageShape(const op::Shape& shape) const { write("storage_shape", shape); }
    void SetOriginalShape(const op::Shape& shape) const { write("origin_shape", shape); }

    op::Format GetStorageFormat() const { return static_cast<op::Format>(number("format")); }
    op::Format GetViewFormat() const { return GetOriginalFormat(); }
    op::Format GetOriginalFormat() const { return static_cast<op::Format>(number("origin_format")); }
    void SetStorageFormat(op::Format format) const { write("format", format); }
    void SetViewFormat(op::Format format) const { write("origin_format", format); }
    void SetOriginalFormat(op::Format format) const { write("origin_format", format); }

    op::Strides GetViewStrides() const {
        const gert::Shape found = shape("strides");
        op::Strides made;
        for (size_t i = 0; i < found.GetDimNum(); ++i) made.push_back(found.GetDim(i));
        return made;
    }
    void SetViewStrides(const op::Strides& strides) const { write("strides", strides); }
    int64_t GetViewOffset() const { return number("offset"); }
    void SetViewOffset(int64_t offset) const { write("offset", offset); }

    op::DataType GetDataType() const { return static_cast<op::DataType>(number("dtype")); }
    void SetDataType(op::DataType type) const { write("dtype", type); }
    int64_t Numel() const { return GetViewShape().GetShapeSize(); }
    int64_t Size() const { return Numel(); }
    bool IsEmpty() const { return Numel() == 0; }

    // Of a tensor in host memory its values; null for one of the device.
    void* GetData() const { return reinterpret_cast<void*>(static_cast<uintptr_t>(number("host"))); }
    void* GetStorageAddr() const { return reinterpret_cast<void*>(static_cast<uintptr_t>(number("address"))); }

    // Values of any type into a tensor in host memory, as values of its own.
    template <typename T>
    typename std::enable_if<!std::is_pointer<T>::value>::type SetData(int64_t index, const T value, op::DataType type) const {
        fill(index, &value, 1, type);
    }
    template <typename T> void SetData(const T* value, uint64_t size, op::DataType type) const { fill(0, value, size, type); }
    void SetIntData(const int64_t* value, uint64_t size, op::DataType type) const { fill(0, value, size, type); }
    void SetBoolData(const bool* value, uint64_t size, op::DataType type) const { fill(0, value, size, type); }
    void SetFloatData(const float* value, uint64_t size, op::DataType type) const { fill(0, value, size, type); }
    void SetFp16Data(const op::fp16_t* value, uint64_t size, op::DataType type) const { fill(0, value, size, type); }
    void SetBf16Data(const op::bfloat16* value, uint64_t size, op::DataType type) const { fill(0, value, size, type); }

  private:
    gert::Shape shape(const char* what) const { return aclimb::level0::ask("read", this, what).shape(); }
    int64_t number(const char* what) const { return aclimb::level0::ask("read", this, what).number(); }
    template <typename T> void write(const char* what, const T& value) const { aclimb::level0::ask("write", this, what, value); }
    template <typename T> void fill(int64_t first, const T* value, uint64_t size, op::DataType type) const {
        aclimb::level0::ask("fill", this, first, type, op::TypeOf<T>::value(), static_cast<const void*>(value), size);
    }
};

struct aclScalar {
    op::DataType GetDataType() const { return static_cast<op::DataType>(aclimb::level0::ask("scalar_type", this).number()); }
    double ToDouble() const {
        const int64_t bits = aclimb::level0::ask("scalar_value", this).numbers[0];
        double made;
        std::memcpy(&made, &bits, sizeof made);
        return made;
    }
    int64_t ToInt64() const { return aclimb::level0::ask("scalar_value", this).numbers[1]; }
    float ToFloat() const { return static_cast<float>(ToDouble()); }
    bool ToBool() const { return ToDouble() != 0; }
    int32_t ToInt32() const { return static_cast<int32_t>(ToInt64()); }
    int16_t ToInt16() const { return static_cast<int16_t>(ToInt64()); }
    int8_t ToInt8() const { return static_cast<int8_t>(ToInt64()); }
    uint64_t ToUint64() const { return static_cast<uint64_t>(ToInt64()); }
    uint32_t ToUint32() const { return static_cast<uint32_t>(ToInt64()); }
    uint16_t ToUint16() const { return static_cast<uint16_t>(ToInt64()); }
    uint8_t ToUint8() const { return static_cast<uint8_t>(ToInt64()); }
    op::fp16_t ToFp16() const { return op::fp16_t(ToFloat()); }
    op::bfloat16 ToBf16() const { return op::bfloat16(ToFloat()); }
    // Whether the value is beyond what the type holds.
    template <typename T> bool CheckOverflows() const {
        const double value = ToDouble();
        return value < op::Range<T>::lowest() || value > op::Range<T>::highest();
    }
};

namespace aclimb {
namespace level0 {
template <typename Own, typename T> struct ArrayOf {
    uint64_t Size() const { return static_cast<uint64_t>(ask("data", Own::kind(), this).numbers[1]); }
    const T* GetData() const { return ask("data", Own::kind(), this).template handle<const T>(); }
    const T& operator[](size_t index) const { return GetData()[index]; }
};
template <typename Own, typename T> struct ListOf {
    uint64_t Size() const { return static_cast<uint64_t>(ask("size", Own::kind(), this).number()); }
    const T* operator[](size_t index) const { return ask("item", Own::kind(), this, index).template handle<const T>(); }
};
} // namespace level0
} // namespace aclimb

struct aclIntArray : aclimb::level0::ArrayOf<aclIntArray, int64_t> {
    static const char* kind() { return "aclIntArray"; }
};
struct aclFloatArray : aclimb::level0::ArrayOf<aclFloatArray, float> {
    static const char* kind() { return "aclFloatArray"; }
};
struct aclBoolArray : aclimb::level0::ArrayOf<aclBoolArray, bool> {
    static const char* kind() { return "aclBoolArray"; }
};
struct aclTensorList : aclimb::level0::ListOf<aclTensorList, aclTensor> {
    static const char* kind() { return "aclTensorList"; }
};
struct aclScalarList : aclimb::level0::ListOf<aclScalarList, aclScalar> {
    static const char* kind() { return "aclScalarList"; }
};
