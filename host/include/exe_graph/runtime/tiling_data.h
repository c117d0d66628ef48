// SPDX-License-Identifier: Apache-2.0
// gert::TilingData: a buffer of a fixed capacity, filled from the front; what is in it goes to the kernel.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "exe_graph/runtime/runtime_attrs.h"
#include "graph/error_codes.h"

namespace gert {
enum class AttrDataType : int32_t {
    kBool = 0,
    kString,
    kInt32,
    kInt64,
    kUint32,
    kFloat32,
    kFloat16,
    kListBool,
    kListString,
    kListInt32,
    kListInt64,
    kListUint32,
    kListFloat32,
    kListFloat16,
    kListListInt32,
    kListListInt64,
    kBfloat16,
    kInt8,
    kInt16,
    kListInt8,
    kListInt16,
    kListListBool,
    kListListFloat16,
    kListBfloat16,
    kListListBfloat16,
    kListListFloat32,
    kListListInt8,
    kListListInt16,
    kUint8,
    kListUint8,
    kListListUint8,
    kUint16,
    kListUint16,
    kListListUint16,
    kListListUint32,
    kUint64,
    kListUint64,
    kListListUint64,
    kTypeEnd
};

class TilingData {
  public:
    TilingData() = default;
    TilingData(const TilingData&) = delete;
    TilingData& operator=(const TilingData&) = delete;

    size_t GetCapacity() const { return capacity_; }
    size_t GetDataSize() const { return data_size_; }
    void SetDataSize(size_t size) { data_size_ = size; }
    void* GetData() { return data_; }
    const void* GetData() const { return data_; }
    void Init(size_t capacity, void* data) {
        capacity_ = capacity;
        data_size_ = 0;
        data_ = data;
    }

    // Nothing changes when it does not fit.
    template <typename T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
    ge::graphStatus Append(const T& value) {
        return Append(&value, 1);
    }
    template <typename T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
    ge::graphStatus Append(const T* values, size_t count) {
        size_t bytes = 0, end = 0;
        if (__builtin_mul_overflow(sizeof(T), count, &bytes)) return ge::GRAPH_MUL_OVERFLOW;
        if (__builtin_add_overflow(data_size_, bytes, &end)) return ge::GRAPH_ADD_OVERFLOW;
        if (end > capacity_) return ge::GRAPH_FAILED;
        if (bytes) std::memcpy(static_cast<uint8_t*>(data_) + data_size_, values, bytes);
        data_size_ = end;
        return ge::GRAPH_SUCCESS;
    }

    // Reserves so many bytes and gives where they begin; nullptr when they do not fit.
    void* Expand(size_t size) {
        size_t end = 0;
        if (__builtin_add_overflow(data_size_, size, &end) || end > capacity_) return nullptr;
        void* at = static_cast<uint8_t*>(data_) + data_size_;
        data_size_ = end;
        return at;
    }

    // An attribute, or each element of a list of them, appended as another type.
    ge::graphStatus AppendConvertedAttrVal(const RuntimeAttrs* attrs, size_t index, AttrDataType src_type, AttrDataType dst_type) {
        const void* value = attrs == nullptr ? nullptr : attrs->GetAttrPointer<uint8_t>(index);
        if (value == nullptr) return ge::GRAPH_FAILED;
        const size_t before = data_size_;
        const ge::graphStatus status = AppendValue(value, src_type, dst_type);
        if (status != ge::GRAPH_SUCCESS) data_size_ = before;
        return status;
    }

    // A block with room for so many bytes behind the object.
    static std::unique_ptr<uint8_t[]> CreateCap(size_t capacity) {
        size_t total = 0;
        if (__builtin_add_overflow(sizeof(TilingData), capacity, &total)) return nullptr;
        std::unique_ptr<uint8_t[]> block(new (std::nothrow) uint8_t[total]);
        if (block == nullptr) return nullptr;
        std::memset(block.get(), 0, total);
        TilingData* made = new (block.get()) TilingData;
        made->Init(capacity, block.get() + sizeof(TilingData));
        return block;
    }

  private:
    ge::graphStatus AppendValue(const void* value, AttrDataType src, AttrDataType dst) {
        using A = AttrDataType;
        switch (src) {
        case A::kBool: return AppendAs(*static_cast<const bool*>(value) ? 1 : 0, dst);
        case A::kInt32:
        case A::kInt64: return AppendAs(*static_cast<const int64_t*>(value), dst);
        case A::kFloat32: return AppendAs(*static_cast<const float*>(value), dst);
        case A::kListBool: return AppendList<bool>(value, dst);
        case A::kListInt32:
        case A::kListInt64: return AppendList<int64_t>(value, dst);
        case A::kListFloat32: return AppendList<float>(value, dst);
        case A::kListListInt32:
        case A::kListListInt64: return AppendLists<int64_t>(value, dst);
        case A::kListListFloat32: return AppendLists<float>(value, dst);
        default: return ge::GRAPH_FAILED;
        }
    }
    template <typename T> ge::graphStatus AppendList(const void* value, AttrDataType dst) {
        const TypedContinuousVector<T>* list = static_cast<const TypedContinuousVector<T>*>(value);
        for (size_t i = 0; i < list->GetSize(); ++i) {
            const ge::graphStatus status = AppendAs(list->GetData()[i], dst);
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        return ge::GRAPH_SUCCESS;
    }
    template <typename T> ge::graphStatus AppendLists(const void* value, AttrDataType dst) {
        const ContinuousVectorVector* lists = static_cast<const ContinuousVectorVector*>(value);
        for (size_t i = 0; i < lists->GetSize(); ++i) {
            const ge::graphStatus status = AppendList<T>(lists->Get(i), dst);
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        return ge::GRAPH_SUCCESS;
    }
    // Whole numbers keep their low bits, as C does; a float goes to a whole number through int64_t.
    template <typename T> ge::graphStatus AppendAs(T value, AttrDataType dst) {
        using A = AttrDataType;
        switch (dst) {
        case A::kBool:
        case A::kListBool:
        case A::kListListBool: return Append(static_cast<uint8_t>(value != 0));
        case A::kInt8:
        case A::kListInt8:
        case A::kListListInt8:
        case A::kUint8:
        case A::kListUint8:
        case A::kListListUint8: return Append(static_cast<uint8_t>(Whole(value)));
        case A::kInt16:
        case A::kListInt16:
        case A::kListListInt16:
        case A::kUint16:
        case A::kListUint16:
        case A::kListListUint16: return Append(static_cast<uint16_t>(Whole(value)));
        case A::kInt32:
        case A::kListInt32:
        case A::kListListInt32:
        case A::kUint32:
        case A::kListUint32:
        case A::kListListUint32: return Append(static_cast<uint32_t>(Whole(value)));
        case A::kInt64:
        case A::kListInt64:
        case A::kListListInt64:
        case A::kUint64:
        case A::kListUint64:
        case A::kListListUint64: return Append(Whole(value));
        case A::kFloat32:
        case A::kListFloat32:
        case A::kListListFloat32: return Append(static_cast<float>(value));
        case A::kFloat16:
        case A::kListFloat16:
        case A::kListListFloat16: return Append(Half(static_cast<float>(value)));
        case A::kBfloat16:
        case A::kListBfloat16:
        case A::kListListBfloat16: return Append(Bfloat(static_cast<float>(value)));
        default: return ge::GRAPH_FAILED;
        }
    }
    template <typename T> static uint64_t Whole(T value) { return static_cast<uint64_t>(static_cast<int64_t>(value)); }
    static uint32_t Bits(float value) {
        uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    // Both round to nearest, ties to even.
    static uint16_t Bfloat(float value) {
        const uint32_t bits = Bits(value);
        if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<uint16_t>(bits >> 16 | 0x40U);
        return static_cast<uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
    }
    static uint16_t Half(float value) {
        const uint32_t bits = Bits(value), sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
        if (magnitude > 0x7f800000U) return static_cast<uint16_t>(sign | 0x7e00U);
        if (magnitude >= 0x47800000U) return static_cast<uint16_t>(sign | 0x7c00U);
        if (magnitude >= 0x38800000U) { // a normal half; the carry of the rounding may reach infinity
            const uint32_t rounded = magnitude + 0xfffU + (magnitude >> 13 & 1U);
            return static_cast<uint16_t>(sign | (rounded - 0x38000000U) >> 13);
        }
        const uint32_t exponent = magnitude >> 23, shift = 126 - exponent; // of a mantissa with its leading 1 to units of 2^-24
        if (shift > 24) return static_cast<uint16_t>(sign);
        const uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U, kept = mantissa >> shift, rest = mantissa & ((1U << shift) - 1U);
        const uint32_t middle = 1U << (shift - 1), up = rest > middle || (rest == middle && (kept & 1U)) ? 1U : 0U;
        return static_cast<uint16_t>(sign | (kept + up));
    }

    size_t capacity_ = 0;
    size_t data_size_ = 0;
    void* data_ = nullptr;
};

// What does not fit is left out.
template <typename T> TilingData& operator<<(TilingData& out, const T& value) {
    out.Append(value);
    return out;
}
} // namespace gert
