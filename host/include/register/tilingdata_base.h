// SPDX-License-Identifier: Apache-2.0
// Tiling data as classes: BEGIN_TILING_DATA_DEF and its fields make a class whose bytes are those of the kernel's plain struct. A field
// starts at a multiple of its element's size, a struct and the whole at multiples of 8. A class that derives from one adds its fields
// behind those of its base.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "aclimb/op/log.h"
#include "aclimb/op/registry.h"
#include "graph/ascend_string.h"
#include "securec.h" // host code of tilings copies them with memcpy_s, and includes no more than this

namespace optiling {
// A field, or the bytes between two of them.
struct FieldInfo {
    FieldInfo(const char* dtype, const char* name) : FieldInfo(dtype, name, 0) {}
    FieldInfo(const char* dtype, const char* name, size_t arr_size) : dtype_(dtype), name_(name), arrSize_(arr_size) {}
    FieldInfo(const char* dtype, const char* name, const char* struct_type, size_t struct_size)
        : dtype_(dtype), name_(name), structType_(struct_type), structSize_(struct_size) {}

    const char* dtype_;
    const char* name_;
    size_t arrSize_ = 0;
    const char* structType_ = "";
    size_t structSize_ = 0;
};

class TilingDef {
  public:
    TilingDef(const TilingDef&) = delete; // its structs write into its buffer
    TilingDef& operator=(const TilingDef&) = delete;
    virtual ~TilingDef() = default;

    // Copies the data, unless they are written to their place already. What does not fit is not copied at all.
    void SaveToBuffer(void* data, size_t capacity) const {
        if (!owns_) return;
        if (capacity < GetDataSize()) {
            aclimb::op::log(aclimb::op::kError, class_name_, "SaveToBuffer", "%zu bytes of tiling data do not fit into %zu", GetDataSize(),
                            capacity);
            return;
        }
        std::memcpy(data, data_, GetDataSize());
    }
    // From now on fields are kept there. The data so far are not copied.
    void SetDataPtr(void* data) {
        owns_ = false;
        AclimbPoint(static_cast<uint8_t*>(data));
    }
    size_t GetDataSize() const { return (data_size_ + 7) / 8 * 8; }
    const char* GetTilingClassName() const { return class_name_; }
    std::vector<FieldInfo> GetFieldInfo() const {
        std::vector<FieldInfo> found = fields_;
        if (GetDataSize() != data_size_) found.push_back(FieldInfo("uint8_t", "padding", GetDataSize() - data_size_));
        return found;
    }

    // As JSON: its fields in their order, with the type that a kernel knows, and those of the structs inside.
    std::string AclimbFields() const {
        size_t number = 0, part = 0;
        return aclimb::op::json_list(GetFieldInfo(), [&](const FieldInfo& each) {
            aclimb::op::JsonObject field;
            field.add("type", each.dtype_).add("plain", number < plain_types_.size() ? plain_types_[number] : "uint8_t");
            field.add("name", each.name_).add("count", each.arrSize_).add("struct", each.structType_).add("struct_size", each.structSize_);
            if (each.structSize_ != 0) field.add_json("fields", parts_[part++].part->AclimbFields());
            ++number;
            return field.text();
        });
    }

  protected:
    explicit TilingDef(const char* class_name) : class_name_(class_name) {}

    // Of fields, in their order: where each begins.
    template <typename T> size_t AclimbPlace(const char* dtype, const char* name, size_t count, bool is_array) {
        const size_t at = AclimbAlign(sizeof(T));
        fields_.push_back(is_array ? FieldInfo(dtype, name, count) : FieldInfo(dtype, name));
        plain_types_.push_back(AclimbPlainType<T>());
        AclimbGrow(sizeof(T) * count);
        return at;
    }
    size_t AclimbPlaceStruct(const char* struct_type, const char* name, TilingDef& part) {
        const size_t at = AclimbAlign(8);
        fields_.push_back(FieldInfo("struct", name, struct_type, part.GetDataSize()));
        plain_types_.push_back("");
        parts_.push_back({&part, at});
        AclimbGrow(part.GetDataSize());
        return at;
    }
    // The fields of this class are placed; those of a class that derives from it may follow.
    void AclimbEnd(bool own, void* data) {
        is_placed_ = true;
        owns_ = own;
        data_ = static_cast<uint8_t*>(data);
        AclimbGrow(0);
    }
    uint8_t* AclimbAt(size_t offset) const { return data_ + offset; }

  private:
    // The same bits under a name that host and kernel share; "" where there is none.
    template <typename T> static const char* AclimbPlainType() {
        using Plain = typename std::conditional<std::is_enum<T>::value, std::underlying_type<T>, std::enable_if<true, T>>::type::type;
        if (std::is_same<Plain, bool>::value) return "bool";
        if (std::is_floating_point<Plain>::value) return sizeof(T) == 4 ? "float" : sizeof(T) == 8 ? "double" : "";
        if (!std::is_integral<Plain>::value) return "";
        static const char* const signed_names[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
        static const char* const unsigned_names[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
        const int place = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return std::is_signed<Plain>::value ? signed_names[place] : unsigned_names[place];
    }
    struct AclimbPart {
        TilingDef* part;
        size_t offset;
    };
    void AclimbGrow(size_t size) {
        data_size_ += size;
        if (!is_placed_) return;
        if (owns_) buffer_.resize(GetDataSize() / 8, 0);
        AclimbPoint(owns_ ? reinterpret_cast<uint8_t*>(buffer_.data()) : data_);
    }
    void AclimbPoint(uint8_t* data) {
        data_ = data;
        for (const AclimbPart& each : parts_) each.part->SetDataPtr(data != nullptr ? data + each.offset : nullptr);
    }
    size_t AclimbAlign(size_t size) {
        const size_t gap = (size - data_size_ % size) % size;
        if (gap != 0) {
            fields_.push_back(FieldInfo("uint8_t", "padding", gap));
            plain_types_.push_back("uint8_t");
        }
        data_size_ += gap;
        return data_size_;
    }

    const char* class_name_;
    std::vector<FieldInfo> fields_;
    std::vector<const char*> plain_types_; // of each field
    std::vector<AclimbPart> parts_;
    std::vector<uint64_t> buffer_; // its own, aligned to 8
    uint8_t* data_ = nullptr;
    size_t data_size_ = 0;
    bool owns_ = true;
    bool is_placed_ = false;
};

// What REGISTER_TILING_DATA_CLASS leaves behind: the class of an operator, with its layout.
class TilingDataRegister {
  public:
    ACLIMB_OP_OWN TilingDataRegister(const char* op_type, const char* class_name, const TilingDef& made) {
        aclimb::op::JsonObject row;
        row.add("op", op_type).add("class", class_name).add("size", made.GetDataSize());
        row.add_json("fields", made.AclimbFields());
        std::string& rows = aclimb::op::registry().tiling_classes;
        rows += (rows.empty() ? "" : ",") + row.text();
    }
};
} // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name)                                                                                                  \
    class class_name : public ::optiling::TilingDef {                                                                                      \
      public:                                                                                                                              \
        class_name() : ::optiling::TilingDef(#class_name) { AclimbEnd(true, nullptr); }                                                    \
        explicit class_name(void* data) : ::optiling::TilingDef(#class_name) { AclimbEnd(false, data); }

#define TILING_DATA_FIELD_DEF(data_type, field_name)                                                                                       \
  public:                                                                                                                                  \
    void set_##field_name(data_type value) { std::memcpy(AclimbAt(offset_of_##field_name##_), &value, sizeof value); }                     \
    data_type get_##field_name() const {                                                                                                   \
        data_type value;                                                                                                                   \
        std::memcpy(&value, AclimbAt(offset_of_##field_name##_), sizeof value);                                                            \
        return value;                                                                                                                      \
    }                                                                                                                                      \
                                                                                                                                           \
  private:                                                                                                                                 \
    const size_t offset_of_##field_name##_ = AclimbPlace<data_type>(#data_type, #field_name, 1, false);                                    \
                                                                                                                                           \
  public:

#define TILING_DATA_FIELD_DEF_ARR(arr_type, arr_size, field_name)                                                                          \
  public:                                                                                                                                  \
    void set_##field_name(const arr_type* values) {                                                                                        \
        std::memcpy(AclimbAt(offset_of_##field_name##_), values, (arr_size) * sizeof(arr_type));                                           \
    }                                                                                                                                      \
    arr_type* get_##field_name() const { return reinterpret_cast<arr_type*>(AclimbAt(offset_of_##field_name##_)); }                        \
                                                                                                                                           \
  private:                                                                                                                                 \
    const size_t offset_of_##field_name##_ = AclimbPlace<arr_type>(#arr_type, #field_name, arr_size, true);                                \
                                                                                                                                           \
  public:

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name)                                                                              \
  public:                                                                                                                                  \
    struct_type field_name{static_cast<void*>(nullptr)};                                                                                   \
                                                                                                                                           \
  private:                                                                                                                                 \
    const size_t offset_of_##field_name##_ = AclimbPlaceStruct(#struct_type, #field_name, field_name);                                     \
                                                                                                                                           \
  public:

#define END_TILING_DATA_DEF                                                                                                                \
    }                                                                                                                                      \
    ;

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                                                                    \
    static const ::optiling::TilingDataRegister                                                                                            \
        __attribute__((unused)) tiling_data_of_##op_type##_##class_name(#op_type, #class_name, class_name());
