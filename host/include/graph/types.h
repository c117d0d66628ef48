// SPDX-License-Identifier: Apache-2.0
// Data types and formats of tensors, and what is known of them.
#pragma once
#include <cstddef>
#include <cstdint>

#include "aclimb/op/type_names.h"
#include "graph/c_types.h"
#include "graph/error_codes.h"

namespace ge {
const int64_t UNKNOWN_DIM = -1;
const int64_t UNKNOWN_DIM_NUM = -2;

enum DataType {
#define ACLIMB_ROW(name, number) DT_##name = number,
    ACLIMB_DATA_TYPES(ACLIMB_ROW)
#undef ACLIMB_ROW
        DT_MAX = 43
};

enum Format {
#define ACLIMB_ROW(name, number) FORMAT_##name = number,
    ACLIMB_FORMATS(ACLIMB_ROW)
#undef ACLIMB_ROW
        FORMAT_END = 55,
    FORMAT_MAX = 0xff
};

// Below one byte an element the size is 1000 and its bits.
const int kDataTypeSizeBitOffset = 1000;

// Bytes of an element; -1 where it has no fixed size.
inline int GetSizeByDataType(DataType type) {
    switch (type) {
    case DT_INT8:
    case DT_UINT8:
    case DT_BOOL:
    case DT_DUAL_SUB_INT8:
    case DT_DUAL_SUB_UINT8:
    case DT_QINT8:
    case DT_QUINT8:
    case DT_HIFLOAT8:
    case DT_FLOAT8_E5M2:
    case DT_FLOAT8_E4M3FN:
    case DT_FLOAT8_E8M0: return 1;
    case DT_FLOAT16:
    case DT_BF16:
    case DT_INT16:
    case DT_UINT16:
    case DT_QINT16:
    case DT_QUINT16: return 2;
    case DT_FLOAT:
    case DT_INT32:
    case DT_UINT32:
    case DT_QINT32:
    case DT_COMPLEX32: return 4;
    case DT_DUAL: return 5;
    case DT_INT64:
    case DT_UINT64:
    case DT_DOUBLE:
    case DT_COMPLEX64:
    case DT_RESOURCE:
    case DT_VARIANT: return 8;
    case DT_COMPLEX128: return 16;
    case DT_UINT1: return kDataTypeSizeBitOffset + 1;
    case DT_INT2:
    case DT_UINT2: return kDataTypeSizeBitOffset + 2;
    case DT_INT4:
    case DT_FLOAT4_E2M1:
    case DT_FLOAT4_E1M2:
    case DT_HIFLOAT4: return kDataTypeSizeBitOffset + 4;
    case DT_FLOAT6_E3M2:
    case DT_FLOAT6_E2M3: return kDataTypeSizeBitOffset + 6;
    default: return -1;
    }
}

// Bytes of so many elements, rounded up to whole bytes; -1 for a count below 0, a type without a size, or more than 64 bits hold.
inline int64_t GetSizeInBytes(int64_t element_count, DataType type) {
    const int size = GetSizeByDataType(type);
    if (element_count < 0 || size < 0) return -1;
    const int64_t bits = size > kDataTypeSizeBitOffset ? size - kDataTypeSizeBitOffset : 0;
    int64_t total = 0;
    if (__builtin_mul_overflow(element_count, bits ? bits : static_cast<int64_t>(size), &total)) return -1;
    return bits ? total / 8 + (total % 8 ? 1 : 0) : total;
}

// A format is one number: the format itself in bits 0 to 7, the sub-format in 8 to 23, the size of C0 in 24 to 27.
inline int32_t GetPrimaryFormat(int32_t format) { return static_cast<int32_t>(static_cast<uint32_t>(format) & 0xffU); }
inline int32_t GetSubFormat(int32_t format) { return static_cast<int32_t>((static_cast<uint32_t>(format) >> 8) & 0xffffU); }
inline bool HasSubFormat(int32_t format) { return GetSubFormat(format) > 0; }
inline int32_t GetC0Format(int32_t format) { return static_cast<int32_t>((static_cast<uint32_t>(format) >> 24) & 0xfU); }
inline bool HasC0Format(int32_t format) { return GetC0Format(format) > 0; }
inline int64_t GetC0Value(int32_t format) { return HasC0Format(format) ? int64_t{1} << (GetC0Format(format) - 1) : -1; }
inline int32_t GetFormatFromSub(int32_t primary, int32_t sub) {
    return static_cast<int32_t>((static_cast<uint32_t>(primary) & 0xffU) | ((static_cast<uint32_t>(sub) & 0xffffU) << 8));
}
inline int32_t GetFormatFromC0(int32_t format, int32_t c0) {
    return static_cast<int32_t>((static_cast<uint32_t>(format) & 0xffffffU) | ((static_cast<uint32_t>(c0) & 0xfU) << 24));
}
inline int32_t GetFormatFromSubAndC0(int32_t primary, int32_t sub, int32_t c0) {
    return GetFormatFromC0(GetFormatFromSub(primary, sub), c0);
}

// The name of a format; "RESERVED" for a number that has none (assumed).
inline const char* GetFormatName(Format format) {
    switch (GetPrimaryFormat(format)) {
#define ACLIMB_ROW(name, number)                                                                                                           \
    case number: return #name;
        ACLIMB_FORMATS(ACLIMB_ROW)
#undef ACLIMB_ROW
    default: return "RESERVED";
    }
}
} // namespace ge
