// SPDX-License-Identifier: Apache-2.0
// ops::OpDef and OP_ADD. This one header is enough for the op_host file of an operator project.
#pragma once
#include <iostream> // host code prints what it decided, and includes no more than this header (assumed)

#include "graph/utils/type_utils.h"
#include "register/op_aicore_def.h"
#include "register/op_def.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace ops {
class OpDef {
  public:
    explicit OpDef(const char* type) : type_(type) {}
    virtual ~OpDef() = default;

    // In the order of the prototype, of the kernel's parameters and of aclnn's.
    OpParamDef& Input(const char* name) { return Find(inputs_, name); }
    OpParamDef& Output(const char* name) { return Find(outputs_, name); }
    OpAttrDef& Attr(const char* name) { return Find(attrs_, name); }
    OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
        infer_shape_ = function;
        return *this;
    }
    OpDef& SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc function) {
        infer_shape_range_ = function;
        return *this;
    }
    OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
        infer_data_type_ = function;
        return *this;
    }
    OpAICoreDef& AICore() { return ai_core_; }
    OpCpuDef& AICPU() { return cpu_; }
    OpCpuDef& HostCPU() { return cpu_; }
    OpMC2Def& MC2() { return mc2_; }
    OpDef& FormatMatchMode(FormatCheckOption option) {
        strict_formats_ = option == FormatCheckOption::STRICT;
        return *this;
    }
    OpDef& EnableFallBack() {
        fall_back_ = true;
        return *this;
    }
    OpDef& Comment(CommentSection, const char*) { return *this; }

    // Makes the operator known to this library: OP_ADD does it.
    ACLIMB_OP_OWN int Add() const {
        gert::OpImplRegisterV2 builder(type_.c_str());
        builder.InferShape(infer_shape_).InferShapeRange(infer_shape_range_).InferDataType(infer_data_type_).Tiling(ai_core_.Tiling());
        gert::OpImplRegisterV2 registered(builder); // the copy registers
        aclimb::op::registry().row(type_).prototype = Json();
        return 0;
    }

  private:
    template <typename T> static T& Find(std::deque<T>& rows, const char* name) {
        for (T& each : rows) {
            if (each.Name() == name) return each;
        }
        rows.emplace_back(name);
        return rows.back();
    }
    std::string Json() const {
        aclimb::op::JsonObject out;
        out.add_json("inputs", aclimb::op::json_list(inputs_, [](const OpParamDef& each) { return each.Json(); }));
        out.add_json("outputs", aclimb::op::json_list(outputs_, [](const OpParamDef& each) { return each.Json(); }));
        out.add_json("attrs", aclimb::op::json_list(attrs_, [](const OpAttrDef& each) { return each.Json(); }));
        out.add_json("configs", "[" + ai_core_.Configs() + "]").add("launch_empty", ai_core_.LaunchesEmpty());
        return out.add("strict_formats", strict_formats_).add("fall_back", fall_back_).add("hccl_groups", mc2_.Groups()).text();
    }

    std::string type_;
    std::deque<OpParamDef> inputs_, outputs_;
    std::deque<OpAttrDef> attrs_;
    OpAICoreDef ai_core_;
    OpCpuDef cpu_;
    OpMC2Def mc2_;
    gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
    gert::OpImplRegisterV2::InferShapeRangeKernelFunc infer_shape_range_ = nullptr;
    gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_data_type_ = nullptr;
    bool strict_formats_ = false, fall_back_ = false;
};

// A configuration from another file.
class OpAICoreConfigRegister {
  public:
    ACLIMB_OP_OWN OpAICoreConfigRegister(const char* op_type, const char* soc, const OpAICoreConfig& config) {
        std::string& configs = aclimb::op::registry().row(op_type).configs;
        configs += (configs.empty() ? "" : ",") + config.Json(soc);
    }
};
} // namespace ops

#define OP_ADD(op_type, ...) static const int __attribute__((unused)) op_def_of_##op_type = op_type(#op_type).Add()
// `function` gives an OpAICoreConfig.
#define REGISTER_OP_AICORE_CONFIG(op_type, soc, function)                                                                                  \
    static const ::ops::OpAICoreConfigRegister __attribute__((unused)) op_config_of_##op_type##_##soc(#op_type, #soc, function())
