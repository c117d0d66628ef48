// SPDX-License-Identifier: Apache-2.0
// Data types and formats as texts, and back.
#pragma once
#include <cstring>
#include <string>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {
class TypeUtils {
  public:
    static std::string DataTypeToSerialString(DataType type) { return DataTypeText(type); }
    static AscendString DataTypeToAscendString(DataType type) { return DataTypeText(type); }
    static std::string FormatToSerialString(Format format) { return GetFormatName(format); }
    static AscendString FormatToAscendString(Format format) { return GetFormatName(format); }

    // DT_UNDEFINED for a text that no type has.
    static DataType SerialStringToDataType(const std::string& text) { return DataTypeOf(text.c_str()); }
    static DataType AscendStringToDataType(const AscendString& text) { return DataTypeOf(text.GetString()); }
    // FORMAT_RESERVED for a text that no format has.
    static Format SerialStringToFormat(const std::string& text) { return FormatOf(text.c_str()); }
    static Format AscendStringToFormat(const AscendString& text) { return FormatOf(text.GetString()); }

    // Bytes of an element; false where it has no size in whole bytes.
    static bool GetDataTypeLength(DataType type, uint32_t& length) {
        const int size = GetSizeByDataType(type);
        if (size <= 0 || size > kDataTypeSizeBitOffset) return false;
        length = static_cast<uint32_t>(size);
        return true;
    }

  private:
    static const char* DataTypeText(DataType type) {
        switch (static_cast<int>(type)) {
#define ACLIMB_ROW(name, number)                                                                                                           \
    case number: return "DT_" #name;
            ACLIMB_DATA_TYPES(ACLIMB_ROW)
#undef ACLIMB_ROW
        default: return "UNDEFINED";
        }
    }
    static DataType DataTypeOf(const char* text) {
#define ACLIMB_ROW(name, number)                                                                                                           \
    if (std::strcmp(text, "DT_" #name) == 0) return DT_##name;
        ACLIMB_DATA_TYPES(ACLIMB_ROW)
#undef ACLIMB_ROW
        return DT_UNDEFINED;
    }
    static Format FormatOf(const char* text) {
#define ACLIMB_ROW(name, number)                                                                                                           \
    if (std::strcmp(text, #name) == 0) return FORMAT_##name;
        ACLIMB_FORMATS(ACLIMB_ROW)
#undef ACLIMB_ROW
        return FORMAT_RESERVED;
    }
};
} // namespace ge
