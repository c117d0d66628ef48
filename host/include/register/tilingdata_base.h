// SPDX-License-Identifier: Apache-2.0
// Tiling data as classes: BEGIN_TILING_DATA_DEF and its fields make a class whose bytes are those of the kernel's plain struct. A field
// starts at a multiple of its element's size, a struct and the whole at multiples of 8.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
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
        if (capacity < data_size_) {
            aclimb::op::log(aclimb::op::kError, class_name_, "SaveToBuffer", "%zu bytes of tiling data do not fit into %zu", data_size_,
                            capacity);
            return;
        }
        std::memcpy(data, data_, data_size_);
    }
    // From now on fields are kept there. The data so far are not copied.
    void SetDataPtr(void* data) {
        owns_ = false;
        AclimbPoint(static_cast<uint8_t*>(data));
    }
    size_t GetDataSize() const { return data_size_; }
    const char* GetTilingClassName() const { return class_name_; }
    std::vector<FieldInfo> GetFieldInfo() const { return fields_; }

  protected:
    explicit TilingDef(const char* class_name) : class_name_(class_name) {}

    // Of fields, in their order: where each begins.
    size_t AclimbPlace(const char* dtype, const char* name, size_t element, size_t count, bool is_array) {
        const size_t at = AclimbAlign(element);
        fields_.push_back(is_array ? FieldInfo(dtype, name, count) : FieldInfo(dtype, name));
        data_size_ += element * count;
        return at;
    }
    size_t AclimbPlaceStruct(const char* name, TilingDef& part) {
        const size_t at = AclimbAlign(8);
        fields_.push_back(FieldInfo("struct", name, part.class_name_, part.data_size_));
        data_size_ += part.data_size_;
        parts_.push_back({&part, at});
        return at;
    }
    // All fields are placed.
    void AclimbEnd(bool own, void* data) {
        AclimbAlign(8);
        owns_ = own;
        if (own) buffer_.assign(data_size_ / 8, 0);
        AclimbPoint(own ? reinterpret_cast<uint8_t*>(buffer_.data()) : static_cast<uint8_t*>(data));
    }
    uint8_t* AclimbAt(size_t offset) const { return data_ + offset; }

  private:
    struct AclimbPart {
        TilingDef* part;
        size_t offset;
    };
    void AclimbPoint(uint8_t* data) {
        data_ = data;
        for (const AclimbPart& each : parts_) each.part->SetDataPtr(data != nullptr ? data + each.offset : nullptr);
    }
    size_t AclimbAlign(size_t size) {
        const size_t gap = (size - data_size_ % size) % size;
        if (gap != 0) fields_.push_back(FieldInfo("uint8_t", "padding", gap));
        data_size_ += gap;
        return data_size_;
    }

    const char* class_name_;
    std::vector<FieldInfo> fields_;
    std::vector<AclimbPart> parts_;
    std::vector<uint64_t> buffer_; // its own, aligned to 8
    uint8_t* data_ = nullptr;
    size_t data_size_ = 0;
    bool owns_ = true;
};

// What REGISTER_TILING_DATA_CLASS leaves behind: the class of an operator, with its layout.
class TilingDataRegister {
  public:
    ACLIMB_OP_OWN TilingDataRegister(const char* op_type, const TilingDef& made) {
        aclimb::op::JsonObject row;
        row.add("op", op_type).add("class", made.GetTilingClassName()).add("size", made.GetDataSize());
        row.add_json("fields", aclimb::op::json_list(made.GetFieldInfo(), [](const FieldInfo& each) {
                         aclimb::op::JsonObject field;
                         field.add("type", each.dtype_).add("name", each.name_).add("count", each.arrSize_);
                         return field.add("struct", each.structType_).add("struct_size", each.structSize_).text();
                     }));
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
    const size_t offset_of_##field_name##_ = AclimbPlace(#data_type, #field_name, sizeof(data_type), 1, false);                            \
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
    const size_t offset_of_##field_name##_ = AclimbPlace(#arr_type, #field_name, sizeof(arr_type), arr_size, true);                        \
                                                                                                                                           \
  public:

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name)                                                                              \
  public:                                                                                                                                  \
    struct_type field_name{static_cast<void*>(nullptr)};                                                                                   \
                                                                                                                                           \
  private:                                                                                                                                 \
    const size_t offset_of_##field_name##_ = AclimbPlaceStruct(#field_name, field_name);                                                   \
                                                                                                                                           \
  public:

#define END_TILING_DATA_DEF                                                                                                                \
    }                                                                                                                                      \
    ;

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                                                                    \
    static const ::optiling::TilingDataRegister __attribute__((unused)) tiling_data_of_##op_type##_##class_name(#op_type, class_name());
