// SPDX-License-Identifier: Apache-2.0
// ops::OpAICoreDef: where an operator runs: its tiling, and what differs between chips.
#pragma once
#include <map>

#include "register/op_def.h"
#include "register/op_impl_registry.h"

namespace ops {
class OpAICoreConfig {
  public:
    OpAICoreConfig() = default;
    explicit OpAICoreConfig(const char* soc) : soc_(soc != nullptr ? soc : "") {}

    // Types and formats of this chip, in place of the common ones.
    OpParamDef& Input(const char* name) { return Find(inputs_, name); }
    OpParamDef& Output(const char* name) { return Find(outputs_, name); }
    OpAICoreConfig& DynamicCompileStaticFlag(bool flag) { return Set("dynamicCompileStatic.flag", flag); }
    OpAICoreConfig& DynamicFormatFlag(bool flag) { return Set("dynamicFormat.flag", flag); }
    OpAICoreConfig& DynamicRankSupportFlag(bool flag) { return Set("dynamicRankSupport.flag", flag); }
    OpAICoreConfig& DynamicShapeSupportFlag(bool flag) { return Set("dynamicShapeSupport.flag", flag); }
    OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return Set("needCheckSupport.flag", flag); }
    OpAICoreConfig& PrecisionReduceFlag(bool flag) { return Set("precision_reduce.flag", flag); }
    OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
        settings_[key] = value;
        return *this;
    }

    std::string Json(const std::string& soc) const {
        aclimb::op::JsonObject out, settings;
        for (const auto& each : settings_) settings.add(each.first.c_str(), each.second);
        out.add("soc", soc).add_json("settings", settings.text());
        out.add_json("inputs", aclimb::op::json_list(inputs_, [](const OpParamDef& each) { return each.Json(); }));
        out.add_json("outputs", aclimb::op::json_list(outputs_, [](const OpParamDef& each) { return each.Json(); }));
        return out.text();
    }
    const std::string& Soc() const { return soc_; }

  private:
    OpAICoreConfig& Set(const char* key, bool flag) { return ExtendCfgInfo(key, flag ? "true" : "false"); }
    static OpParamDef& Find(std::deque<OpParamDef>& params, const char* name) {
        for (OpParamDef& each : params) {
            if (each.Name() == name) return each;
        }
        params.emplace_back(name);
        return params.back();
    }

    std::string soc_;
    std::deque<OpParamDef> inputs_, outputs_;
    std::map<std::string, std::string> settings_;
};

class OpAICoreDef {
  public:
    using CheckFunc = gert::OpImplRegisterV2::OP_CHECK_FUNC_V2;

    OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
        tiling_ = function;
        return *this;
    }
    // They belong to compiling graphs, which nobody does here.
    template <typename F> OpAICoreDef& SetCheckSupport(F) { return *this; }
    template <typename F> OpAICoreDef& SetOpSelectFormat(F) { return *this; }
    template <typename F> OpAICoreDef& SetOpSupportInfo(F) { return *this; }
    template <typename F> OpAICoreDef& SetOpSpecInfo(F) { return *this; }
    template <typename F> OpAICoreDef& SetParamGeneralize(F) { return *this; }
    OpAICoreDef& AddConfig(const char* soc) { return AddConfig(soc, OpAICoreConfig()); }
    OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config) {
        configs_ += (configs_.empty() ? "" : ",") + config.Json(soc);
        return *this;
    }
    OpAICoreDef& LaunchWithZeroEleOutputTensors(bool launch) {
        launch_empty_ = launch;
        return *this;
    }

    gert::OpImplRegisterV2::TilingKernelFunc Tiling() const { return tiling_; }
    const std::string& Configs() const { return configs_; }
    bool LaunchesEmpty() const { return launch_empty_; }

  private:
    gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
    std::string configs_;
    bool launch_empty_ = false;
};

// Operators for other processors, and operators that communicate: declared, not run.
class OpCpuDef {
  public:
    OpCpuDef& OpKernelLib(const char*) { return *this; }
    template <typename T> OpCpuDef& ExtendCfgInfo(const char*, T) { return *this; }
};
class OpMC2Def {
  public:
    OpMC2Def& HcclGroup(const char* name) { return HcclGroup(std::vector<const char*>{name}); }
    OpMC2Def& HcclGroup(std::vector<const char*> names) {
        for (const char* each : names) groups_.push_back(each);
        return *this;
    }
    OpMC2Def& HcclServerType(enum HcclServerType, const char* = nullptr) { return *this; }
    const std::vector<std::string>& Groups() const { return groups_; }

  private:
    std::vector<std::string> groups_;
};
} // namespace ops
