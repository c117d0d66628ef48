// SPDX-License-Identifier: Apache-2.0
// ops::OpDef: what an operator declares, in the words of a project's op_host: inputs, outputs, attributes, the chips it is for.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "aclimb/op/text.h"
#include "graph/types.h"

namespace ops {
enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FormatCheckOption : uint32_t { DEFAULT = 0, STRICT = 1, MAX };
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };
enum class HcclServerType : uint32_t { AICPU = 0, AICORE = 1, CCU = 2, MAX };
enum class CommentSection : uint32_t {
    CATEGORY = 0,
    BRIEF = 1,
    CONSTRAINTS = 2,
    RESTRICTIONS = 3,
    SEE = 4,
    THIRDPARTYFWKCOMPAT = 5,
    SECTION_MAX
};
enum class ScalarType : uint32_t {
    UINT64 = 0,
    INT64 = 1,
    UINT32 = 2,
    INT32 = 3,
    UINT16 = 4,
    INT16 = 5,
    UINT8 = 6,
    INT8 = 7,
    FLOAT32 = 8,
    FLOAT16 = 9,
    INVALID_DTYPE = UINT32_MAX
};

// A number with its type.
struct ScalarVar {
    ScalarVar() = default;
    ScalarVar(ScalarType type, uint64_t value) : type_(type), json_(aclimb::op::json(value)) {}
    ScalarVar(ScalarType type, int64_t value) : type_(type), json_(aclimb::op::json(value)) {}
    ScalarVar(ScalarType type, int value) : type_(type), json_(aclimb::op::json(value)) {}
    ScalarVar(ScalarType type, unsigned int value) : type_(type), json_(aclimb::op::json(value)) {}
    ScalarVar(ScalarType type, float value) : type_(type), json_(aclimb::op::json(value)) {}
    ScalarVar(ScalarType type, double value) : type_(type), json_(aclimb::op::json(static_cast<float>(value))) {}

    ScalarType type_ = ScalarType::INVALID_DTYPE;
    std::string json_ = "0";
};

class OpParamDef {
  public:
    explicit OpParamDef(const char* name) : name_(name) {}

    OpParamDef& ParamType(Option param_type) { return Keep(param_type_, param_type); }
    OpParamDef& DataType(std::vector<ge::DataType> types) { return Keep(types_, types); }
    OpParamDef& DataTypeList(std::vector<ge::DataType> types) { return Keep(type_list_, types); }
    OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; } // of precompiled binaries
    OpParamDef& Format(std::vector<ge::Format> formats) { return Keep(formats_, formats); }
    OpParamDef& FormatList(std::vector<ge::Format> formats) { return Keep(format_list_, formats); }
    OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }
    OpParamDef& UnknownShapeFormat(std::vector<ge::Format>) { return *this; } // of older versions
    OpParamDef& ValueDepend(Option value_depend) { return ValueDepend(value_depend, DependScope::ALL); }
    OpParamDef& ValueDepend(Option value_depend, DependScope scope) {
        value_depend_ = value_depend == REQUIRED || value_depend == OPTIONAL;
        return Keep(depend_scope_, scope);
    }
    OpParamDef& IgnoreContiguous() { return Keep(ignore_contiguous_, true); }
    OpParamDef& AutoContiguous() { return Keep(auto_contiguous_, true); }
    OpParamDef& Scalar() { return Keep(scalar_, true); }
    OpParamDef& ScalarList() { return Keep(scalar_list_, true); }
    OpParamDef& To(ge::DataType type) { return Keep(to_, aclimb::op::json(static_cast<int>(type))); }
    OpParamDef& To(const char* name) { return Keep(to_, aclimb::op::json(name)); }
    OpParamDef& Version(uint32_t version) { return Keep(version_, version); }
    OpParamDef& InitValue(uint64_t value) { return Keep(init_values_, std::vector<std::string>{aclimb::op::json(value)}); }
    OpParamDef& InitValue(const ScalarVar& value) { return Keep(init_values_, std::vector<std::string>{value.json_}); }
    OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
        init_values_.clear();
        for (const ScalarVar& each : values) init_values_.push_back(each.json_);
        return *this;
    }
    OpParamDef& OutputShapeDependOnCompute() { return Keep(shape_from_kernel_, true); }
    OpParamDef& Follow(const char* name) { return Follow(name, FollowType::ALL); }
    OpParamDef& Follow(const char* name, FollowType type) {
        follow_ = name;
        return Keep(follow_type_, type);
    }
    OpParamDef& Comment(const char*) { return *this; }

    const std::string& Name() const { return name_; }
    std::string Json() const {
        aclimb::op::JsonObject out;
        out.add("name", name_).add("kind", param_type_).add("types", types_).add("type_list", type_list_).add("formats", formats_);
        out.add("format_list", format_list_).add("follow", follow_).add("follow_type", follow_type_).add("value_depend", value_depend_);
        out.add("depend_scope", depend_scope_).add("scalar", scalar_).add("scalar_list", scalar_list_).add("version", version_);
        out.add("shape_from_kernel", shape_from_kernel_).add("ignore_contiguous", ignore_contiguous_);
        out.add("auto_contiguous", auto_contiguous_).add_json("to", to_);
        out.add_json("init_values", aclimb::op::json_list(init_values_, [](const std::string& each) { return each; }));
        return out.text();
    }

  private:
    template <typename T, typename V> OpParamDef& Keep(T& slot, V value) {
        slot = std::move(value);
        return *this;
    }

    std::string name_, follow_, to_ = "null";
    Option param_type_ = REQUIRED;
    std::vector<ge::DataType> types_, type_list_;
    std::vector<ge::Format> formats_, format_list_;
    std::vector<std::string> init_values_;
    DependScope depend_scope_ = DependScope::ALL;
    FollowType follow_type_ = FollowType::ALL;
    uint32_t version_ = 0;
    bool value_depend_ = false, ignore_contiguous_ = false, auto_contiguous_ = false, scalar_ = false, scalar_list_ = false,
         shape_from_kernel_ = false;
};

class OpAttrDef {
  public:
    explicit OpAttrDef(const char* name) : name_(name) {}

    OpAttrDef& AttrType(Option attr_type) {
        attr_type_ = attr_type;
        return *this;
    }
    OpAttrDef& Bool() { return Keep("bool"); }
    OpAttrDef& Bool(bool value) { return Keep("bool", aclimb::op::json(value)); }
    OpAttrDef& Float() { return Keep("float"); }
    OpAttrDef& Float(float value) { return Keep("float", aclimb::op::json(value)); }
    OpAttrDef& Int() { return Keep("int"); }
    OpAttrDef& Int(int64_t value) { return Keep("int", aclimb::op::json(value)); }
    OpAttrDef& String() { return Keep("str"); }
    OpAttrDef& String(const char* value) { return Keep("str", aclimb::op::json(value)); }
    OpAttrDef& ListBool() { return Keep("list[bool]"); }
    OpAttrDef& ListBool(std::vector<bool> value) { return Keep("list[bool]", aclimb::op::json(value)); }
    OpAttrDef& ListFloat() { return Keep("list[float]"); }
    OpAttrDef& ListFloat(std::vector<float> value) { return Keep("list[float]", aclimb::op::json(value)); }
    OpAttrDef& ListInt() { return Keep("list[int]"); }
    OpAttrDef& ListInt(std::vector<int64_t> value) { return Keep("list[int]", aclimb::op::json(value)); }
    OpAttrDef& ListListInt() { return Keep("list[list[int]]"); }
    OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> value) { return Keep("list[list[int]]", aclimb::op::json(value)); }
    OpAttrDef& Version(uint32_t version) {
        version_ = version;
        return *this;
    }
    OpAttrDef& Comment(const char*) { return *this; }

    const std::string& Name() const { return name_; }
    std::string Json() const {
        aclimb::op::JsonObject out;
        out.add("name", name_).add("kind", kind_).add("required", attr_type_ == REQUIRED).add("version", version_);
        return out.add_json("default", default_).text();
    }

  private:
    OpAttrDef& Keep(const char* kind, const std::string& value = "null") {
        kind_ = kind;
        default_ = value;
        return *this;
    }

    std::string name_, kind_, default_ = "null";
    Option attr_type_ = REQUIRED;
    uint32_t version_ = 0;
};
} // namespace ops
