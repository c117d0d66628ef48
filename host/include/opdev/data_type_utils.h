// SPDX-License-Identifier: Apache-2.0
// What is known of data types.
#pragma once
#include <algorithm>
#include <initializer_list>

#include "graph/ascend_string.h"
#include "graph/utils/type_utils.h"
#include "opdev/common_types.h"

namespace op {
inline DataType ToOpDataType(aclDataType type) { return type == ACL_DT_UNDEFINED ? DataType::DT_UNDEFINED : static_cast<DataType>(type); }
inline aclDataType ToAclDataType(DataType type) {
    return type == DataType::DT_UNDEFINED ? ACL_DT_UNDEFINED : static_cast<aclDataType>(type);
}
inline ge::AscendString ToString(DataType type) { return ge::TypeUtils::DataTypeToAscendString(type); }
inline size_t TypeSize(DataType type) { return static_cast<size_t>(ge::GetSizeByDataType(type)); }

inline bool IsComplexType(DataType type) {
    return type == DataType::DT_COMPLEX128 || type == DataType::DT_COMPLEX64 || type == DataType::DT_COMPLEX32;
}
inline bool IsFloatingType(DataType type) {
    return type == DataType::DT_DOUBLE || type == DataType::DT_FLOAT || type == DataType::DT_BF16 || type == DataType::DT_FLOAT16;
}
inline bool IsIntegralType(DataType type) {
    switch (type) {
    case DataType::DT_INT8:
    case DataType::DT_INT16:
    case DataType::DT_INT32:
    case DataType::DT_INT64:
    case DataType::DT_UINT8:
    case DataType::DT_UINT16:
    case DataType::DT_UINT32:
    case DataType::DT_UINT64: return true;
    default: return false;
    }
}
inline bool IsIntegralType(DataType type, bool include_bool) { return IsIntegralType(type) || (include_bool && type == DataType::DT_BOOL); }
inline bool IsRealNumberType(DataType type) { return IsFloatingType(type) || IsIntegralType(type); }
// Whether a type is one of a list.
template <typename Types> bool CheckType(DataType type, const Types& supported) {
    return std::find(supported.begin(), supported.end(), type) != supported.end();
}

// Of the documents' table: not from numbers with a fraction to whole ones, not to bool, not out of the complex ones.
inline bool CanCast(DataType from, DataType to) {
    if (from == to) return true;
    if (IsComplexType(from) || IsComplexType(to)) return IsComplexType(from) && IsComplexType(to);
    if (to == DataType::DT_BOOL) return false;
    if (IsFloatingType(from)) return IsFloatingType(to);
    return (IsIntegralType(from, true)) && IsRealNumberType(to);
}
// The type that both are computed in, as in PyTorch; DT_UNDEFINED where there is none.
inline DataType PromoteType(DataType a, DataType b) {
    if (a == b) return a;
    const auto rank = [](DataType type) {
        return IsComplexType(type) ? 4 : IsFloatingType(type) ? 3 : IsIntegralType(type) ? 2 : type == DataType::DT_BOOL ? 1 : 0;
    };
    if (rank(a) == 0 || rank(b) == 0) return DataType::DT_UNDEFINED;
    if (rank(a) != rank(b)) return rank(a) > rank(b) ? a : b;
    if (rank(a) == 3 && TypeSize(a) == TypeSize(b)) return DataType::DT_FLOAT; // half and bfloat16
    const DataType wide = TypeSize(a) >= TypeSize(b) ? a : b, narrow = wide == a ? b : a;
    if (rank(a) != 2) return wide;
    const auto is_signed = [](DataType type) {
        return type == DataType::DT_INT8 || type == DataType::DT_INT16 || type == DataType::DT_INT32 || type == DataType::DT_INT64;
    };
    if (is_signed(wide) == is_signed(narrow) || (is_signed(wide) && TypeSize(wide) > TypeSize(narrow))) return wide;
    switch (TypeSize(wide)) { // the next type with a sign
    case 1: return DataType::DT_INT16;
    case 2: return DataType::DT_INT32;
    case 4: return DataType::DT_INT64;
    default: return DataType::DT_UNDEFINED;
    }
}
} // namespace op
