// SPDX-License-Identifier: Apache-2.0
// gert::OpImplRegisterV2: registers the functions of an operator type. A library needs nothing to link with: its static initialisers fill
// a list of its own, and aclimb.op.load asks for it.
#pragma once
#include <initializer_list>
#include <new>
#include <string>
#include <vector>

#include "aclimb/op/call.h"
#include "aclimb/op/log.h"
#include "aclimb/op/registry.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/op_execute_context.h"
#include "exe_graph/runtime/op_execute_launch_context.h"
#include "exe_graph/runtime/op_execute_prepare_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/ascend_string.h"
#include "graph/types.h"

typedef struct rtExceptionInfo aclrtExceptionInfo;

namespace gert {
#ifndef UINT32 // a macro of the program stands for the same type
using UINT32 = unsigned int;
#endif
enum TilingPlacement { TILING_ON_HOST = 0, TILING_ON_AICPU = 1 };

class OpImplRegisterV2 {
  public:
    using InferShapeKernelFunc = uint32_t (*)(InferShapeContext*);
    using InferShapeRangeKernelFunc = uint32_t (*)(InferShapeRangeContext*);
    using InferDataTypeKernelFunc = uint32_t (*)(InferDataTypeContext*);
    using TilingKernelFunc = uint32_t (*)(TilingContext*);
    using GenSimplifiedKeyKernelFunc = uint32_t (*)(TilingContext*, ge::char_t*);
    using KernelFunc = uint32_t (*)(KernelContext*);
    using TilingParseFunc = uint32_t (*)(TilingParseContext*);
    using CompileInfoCreatorFunc = void* (*)();
    using CompileInfoDeleterFunc = void (*)(void*);
    using OpExecFunc = uint32_t (*)(OpExecuteContext*);
    using OpExecPrepareFunc = uint32_t (*)(OpExecutePrepareContext*);
    using OpExecLaunchFunc = uint32_t (*)(OpExecuteLaunchContext*);
    using InferFormatFunc = uint32_t (*)(InferFormatContext*);
    using OpCalcParamKernelFunc = uint32_t (*)(ExeResGenerationContext*);
    using OpGenTaskKernelFunc = uint32_t (*)(const ExeResGenerationContext*, std::vector<std::vector<uint8_t>>&);
    using OP_CHECK_FUNC_V2 = ge::graphStatus (*)(const OpCheckContext*, ge::AscendString&);
    using ExceptionDumpFunc = void (*)(aclrtExceptionInfo*, void*);

    // The type is known from now on, with nothing registered for it.
    explicit ACLIMB_OP_OWN OpImplRegisterV2(const ge::char_t* op_type) : type_(op_type != nullptr ? op_type : "") {
        aclimb::op::registry().row(type_);
    }
    // A copy registers what the builder was told: `static OpImplRegisterV2 x = OpImplRegisterV2("T").Tiling(f)` makes one.
    ACLIMB_OP_OWN OpImplRegisterV2(const OpImplRegisterV2& other) : type_(other.type_), set_(other.set_) { Commit(); }
    ACLIMB_OP_OWN OpImplRegisterV2(OpImplRegisterV2&& other) noexcept : type_(other.type_), set_(other.set_) { Commit(); }
    OpImplRegisterV2& operator=(const OpImplRegisterV2&) = delete;
    OpImplRegisterV2& operator=(OpImplRegisterV2&&) = delete;

    // --- shapes and types

    OpImplRegisterV2& InferShape(InferShapeKernelFunc function) { return Keep(set_.infer_shape, function); }
    OpImplRegisterV2& InferShapeRange(InferShapeRangeKernelFunc function) { return Keep(set_.infer_shape_range, function); }
    OpImplRegisterV2& InferDataType(InferDataTypeKernelFunc function) { return Keep(set_.infer_data_type, function); }
    // Every output has the type of input 0.
    OpImplRegisterV2& InferOutDataTypeSameWithFirstInput() { return Keep(set_.infer_data_type, &SameAsFirstInput); }
    OpImplRegisterV2& InferFormat(InferFormatFunc function) { return Keep(set_.infer_format, function); }

    // --- tiling

    OpImplRegisterV2& Tiling(TilingKernelFunc function, size_t max_tiling_data_size = 2048) {
        set_.max_tiling_data_size = max_tiling_data_size;
        return Keep(set_.tiling, function);
    }
    template <typename T> OpImplRegisterV2& TilingParse(TilingParseFunc function) {
        set_.old_tiling_parse = nullptr;
        return Parse<T>().Keep(set_.tiling_parse, function);
    }
    template <typename T> OpImplRegisterV2& TilingParse(KernelFunc function) {
        set_.tiling_parse = nullptr;
        return Parse<T>().Keep(set_.old_tiling_parse, function);
    }
    OpImplRegisterV2& GenSimplifiedKey(GenSimplifiedKeyKernelFunc function) { return Keep(set_.gen_simplified_key, function); }
    // Inputs whose values shape inference and tiling read. Adds to what was said.
    OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t> inputs) {
        return Mark("InputsDataDependency", set_.inputs_data_dependency, inputs);
    }
    OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
        return TilingInputsDataDependency(inputs, {TILING_ON_HOST});
    }
    OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs, std::initializer_list<TilingPlacement> placements) {
        for (TilingPlacement each : placements) set_.tiling_placements |= uint64_t{1} << (each & 7);
        return Mark("TilingInputsDataDependency", set_.tiling_inputs_data_dependency, inputs);
    }

    // --- execution

    // One function that does it all. It is preferred to the pair.
    OpImplRegisterV2& OpExecuteFunc(OpExecFunc function) { return Keep(set_.execute, function); }
    OpImplRegisterV2& Op2StageExecuteFuncs(OpExecPrepareFunc prepare, OpExecLaunchFunc launch) {
        set_.prepare = prepare;
        set_.null_stages = (prepare == nullptr ? 1 : 0) | (launch == nullptr ? 2 : 0);
        return Keep(set_.launch, launch);
    }
    // Inputs that the execution callbacks want in host memory. Replaces what was said.
    OpImplRegisterV2& HostInputs(std::initializer_list<int32_t> inputs) {
        set_.host_inputs = 0;
        return Mark("HostInputs", set_.host_inputs, inputs);
    }
    OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t> outputs) {
        return Mark("OutputShapeDependOnCompute", set_.output_shape_depend_on_compute, outputs);
    }
    OpImplRegisterV2& NullableOutputs(std::initializer_list<int32_t> outputs) {
        set_.nullable_outputs = 0;
        return Mark("NullableOutputs", set_.nullable_outputs, outputs);
    }

    // --- the rest

    // Without a default it is required.
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name) { return AddAttr(name, ""); }
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name, int64_t value) { return AddAttr(name, aclimb::op::json(value)); }
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name, const std::vector<int64_t>& value) {
        return AddAttr(name, aclimb::op::json(value));
    }
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name, const ge::char_t* value) { return AddAttr(name, aclimb::op::json(value)); }
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name, ge::float32_t value) { return AddAttr(name, aclimb::op::json(value)); }
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name, bool value) { return AddAttr(name, aclimb::op::json(value)); }
    OpImplRegisterV2& PrivateAttr(const ge::char_t* name, const std::vector<ge::float32_t>& value) {
        return AddAttr(name, aclimb::op::json(value));
    }
    OpImplRegisterV2& CalcOpParam(OpCalcParamKernelFunc function) { return Keep(set_.calc_op_param, function); }
    OpImplRegisterV2& GenerateTask(OpGenTaskKernelFunc function) { return Keep(set_.generate_task, function); }
    OpImplRegisterV2& CheckSupport(OP_CHECK_FUNC_V2 function) { return Keep(set_.check_support, function); }
    OpImplRegisterV2& OpSelectFormat(OP_CHECK_FUNC_V2 function) { return Keep(set_.op_select_format, function); }
    OpImplRegisterV2& ExceptionDumpParseFunc(ExceptionDumpFunc function) {
        if (function == nullptr) Warn("no exception dump function is given; ignored");
        return function != nullptr ? Keep(set_.exception_dump, function) : *this;
    }

  private:
    template <typename F> OpImplRegisterV2& Keep(F& slot, F function) {
        slot = function;
        return *this;
    }
    template <typename T> OpImplRegisterV2& Parse() {
        set_.make_compile_info = []() -> void* { return new (std::nothrow) T(); };
        set_.delete_compile_info = [](void* info) { delete static_cast<T*>(info); };
        return *this;
    }
    // An index that no mask holds ends the list: those before it stay.
    OpImplRegisterV2& Mark(const char* what, uint64_t& mask, std::initializer_list<int32_t> indices) {
        for (int32_t index : indices) {
            if (index < 0 || index >= 64) {
                Warn((std::string(what) + " has index " + std::to_string(index) + "; it takes 0 to 63, and the list ends here").c_str());
                break;
            }
            mask |= uint64_t{1} << index;
        }
        return *this;
    }
    OpImplRegisterV2& AddAttr(const ge::char_t* name, const std::string& value) {
        if (name == nullptr || *name == '\0') {
            Warn("a private attribute without a name is ignored");
            return *this;
        }
        for (const auto& each : set_.private_attrs) {
            if (each.name == name) {
                Warn((std::string("private attribute ") + name + " is there already; the first one counts").c_str());
                return *this;
            }
        }
        set_.private_attrs.push_back({name, value});
        return *this;
    }
    static uint32_t SameAsFirstInput(InferDataTypeContext* context) {
        const ge::DataType type = context->GetInputDataType(0);
        if (type == ge::DT_UNDEFINED) return ge::GRAPH_FAILED;
        for (size_t i = 0; i < context->GetComputeNodeOutputNum(); ++i) context->SetOutputDataType(i, type);
        return ge::GRAPH_SUCCESS;
    }
    ACLIMB_OP_OWN void Warn(const char* text) const { aclimb::op::log(aclimb::op::kWarning, type_, "OpImplRegisterV2", "%s", text); }
    ACLIMB_OP_OWN void Commit() const { aclimb::op::registry().row(type_).functions.merge(set_); }

    std::string type_;
    aclimb::op::Functions set_;
};
} // namespace gert

#define ACLIMB_OP_JOIN_(a, b) a##b
#define ACLIMB_OP_JOIN(a, b) ACLIMB_OP_JOIN_(a, b)
#define ACLIMB_IMPL_OP(type, name) gert::OpImplRegisterV2 __attribute__((unused)) name = gert::OpImplRegisterV2(type)

#define IMPL_OP(op_type) static ACLIMB_IMPL_OP(#op_type, ACLIMB_OP_JOIN(op_impl_register_##op_type, __COUNTER__))
#define IMPL_OP_DEFAULT() static ACLIMB_IMPL_OP("DefaultImpl", ACLIMB_OP_JOIN(op_impl_register_default, __COUNTER__))
// One of each in a library: the second is an error of the linker.
#define IMPL_OP_INFERSHAPE(op_type) ACLIMB_IMPL_OP(#op_type, op_impl_register_infershape_##op_type)
#define IMPL_OP_OPTILING(op_type) ACLIMB_IMPL_OP(#op_type, op_impl_register_optiling_##op_type)
