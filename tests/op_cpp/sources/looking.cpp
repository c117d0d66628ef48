// SPDX-License-Identifier: Apache-2.0
// An operator whose functions write down all that they see. test_contexts.py has the same one in Python.
#include <string>

#include "register/op_def_registry.h"

using namespace gert;

static std::string seen;
extern "C" __attribute__((visibility("default"))) const char* seen_text() { return seen.c_str(); }

static void note(const std::string& name, const std::string& value) { seen += name + " " + value + "\n"; }
static std::string text(const Shape* shape) {
    if (shape == nullptr) return "null";
    std::string made = "[";
    for (size_t i = 0; i < shape->GetDimNum(); ++i) made += (i ? ", " : "") + std::to_string(shape->GetDim(i));
    return made + "]";
}
static std::string text(const StorageShape* shape) {
    return shape == nullptr ? "null" : text(&shape->GetOriginShape()) + "/" + text(&shape->GetStorageShape());
}
static std::string text(const CompileTimeTensorDesc* desc) {
    if (desc == nullptr) return "null";
    return std::to_string(desc->GetDataType()) + " " + std::to_string(desc->GetOriginFormat()) + " " +
           std::to_string(desc->GetStorageFormat());
}
// The values of int32 tensors that may be read.
static std::string text(const Tensor* tensor) {
    if (tensor == nullptr) return "null";
    std::string made = text(&tensor->GetShape()) + " " + std::to_string(tensor->GetDataType()) + " " + std::to_string(tensor->GetSize());
    const int32_t* values = tensor->GetData<int32_t>();
    if (values == nullptr) return made + " no data";
    for (int64_t i = 0; i < tensor->GetShapeSize(); ++i) made += " " + std::to_string(values[i]);
    return made;
}
template <typename T> static std::string text(const TypedContinuousVector<T>* list) {
    if (list == nullptr) return "null";
    std::string made = "[";
    for (size_t i = 0; i < list->GetSize(); ++i) made += (i ? ", " : "") + std::to_string(list->GetData()[i]);
    return made + "]";
}

// What every context has.
template <typename Context> static void look_at_node(Context* context) {
    note("type", context->GetNodeType());
    note("kernel", std::string(context->GetKernelType()) + " " + (context->GetKernelName() == context->GetNodeName() ? "name" : "other"));
    note("counts", std::to_string(context->GetComputeNodeInputNum()) + " " + std::to_string(context->GetComputeNodeOutputNum()));
    for (size_t ir = 0; ir < 5; ++ir) {
        const AnchorInstanceInfo* info = context->GetIrInputInstanceInfo(ir);
        note("ir input", info ? std::to_string(info->GetInstanceStart()) + " " + std::to_string(info->GetInstanceNum()) : "null");
        note("optional desc", text(context->GetOptionalInputDesc(ir)));
        note("required desc", text(context->GetRequiredInputDesc(ir)));
        note("dynamic desc", text(context->GetDynamicInputDesc(ir, 1)));
    }
    for (size_t i = 0; i < 6; ++i) note("desc", text(context->GetInputDesc(i)));
    const AnchorInstanceInfo* output = context->GetIrOutputInstanceInfo(0);
    note("ir output", std::to_string(output->GetInstanceStart()) + " " + std::to_string(output->GetInstanceNum()));
    const ComputeNodeInfo* info = context->GetComputeNodeInfo();
    note("node", std::string(info->GetNodeType()) + " " + std::to_string(info->GetIrInputsNum()) + std::to_string(info->GetIrOutputsNum()) +
                     std::to_string(info->GetInputsNum()) + std::to_string(info->GetOutputsNum()));
    note("node parts", info->GetInputInstanceInfo(0) && info->GetOutputInstanceInfo(0) && info->GetInputTdInfo(0) &&
                               info->GetOutputTdInfo(0) && !info->GetInputInstanceInfo(9) && !info->GetOutputInstanceInfo(9) &&
                               !info->GetInputTdInfo(9) && !info->GetOutputTdInfo(9) && info->GetAttrs() == context->GetAttrs() &&
                               info->GetNodeName() && !context->GetExtendInfo()
                           ? "fine"
                           : "wrong");
}

static void look_at_attrs(const RuntimeAttrs* attrs) {
    note("attrs", std::to_string(attrs->GetAttrNum()));
    note("int", std::to_string(*attrs->GetInt(0)) + " " + std::to_string(*attrs->GetAttrPointer<int64_t>(0)) + " " +
                    std::to_string(*attrs->GetAttrPointer<int32_t>(0)) + " " + std::to_string(*attrs->GetAttrPointer<int>(0)) + " " +
                    std::to_string(*attrs->GetAttrPointer<uint32_t>(0)));
    note("float", std::to_string(*attrs->GetFloat(1)) + " " + std::to_string(*attrs->GetAttrPointer<float>(1)));
    note("bool", std::string(*attrs->GetBool(2) ? "1" : "0") + (*attrs->GetAttrPointer<bool>(2) ? "1" : "0"));
    note("str", std::string(attrs->GetStr(3)) + " " + attrs->GetAttrPointer<char>(3));
    note("ints", text(attrs->GetListInt(4)));
    note("as vector", std::to_string(attrs->GetAttrPointer<ContinuousVector>(4)->GetSize()));
    note("floats", text(attrs->GetListFloat(5)));
    const ContinuousVectorVector* lists = attrs->GetListListInt(6);
    for (size_t i = 0; i < lists->GetSize(); ++i)
        note("list", text(reinterpret_cast<const TypedContinuousVector<int64_t>*>(lists->Get(i))));
    note("beyond", attrs->GetInt(9) == nullptr && lists->Get(lists->GetSize()) == nullptr ? "null" : "there");
    const auto* bools = attrs->GetAttrPointer<TypedContinuousVector<bool>>(7);
    for (size_t i = 0; i < bools->GetSize(); ++i) note("a bool", bools->GetData()[i] ? "1" : "0");
    note("private", std::to_string(*attrs->GetInt(8)));
}

template <typename Context> static void look_at_tensors(Context* context) {
    for (size_t i = 0; i < 6; ++i) note("tensor", text(context->GetInputTensor(i)));
    for (size_t ir = 0; ir < 5; ++ir) {
        note("optional tensor", text(context->GetOptionalInputTensor(ir)));
        note("required tensor", text(context->GetRequiredInputTensor(ir)));
        note("dynamic tensor", text(context->GetDynamicInputTensor(ir, 1)));
    }
}
template <typename Context> static void look_at_shapes(Context* context) {
    for (size_t i = 0; i < 6; ++i) note("shape", text(context->GetInputShape(i)));
    for (size_t ir = 0; ir < 5; ++ir) {
        note("optional shape", text(context->GetOptionalInputShape(ir)));
        note("required shape", text(context->GetRequiredInputShape(ir)));
        note("dynamic shape", text(context->GetDynamicInputShape(ir, 1)));
    }
}

static ge::graphStatus infer_data_type(InferDataTypeContext* context) {
    seen.clear();
    note("stage", "infer_data_type");
    look_at_node(context);
    for (size_t i = 0; i < 6; ++i) note("dtype", std::to_string(context->GetInputDataType(i)));
    for (size_t ir = 0; ir < 5; ++ir) {
        note("by ir", std::to_string(context->GetOptionalInputDataType(ir)) + " " + std::to_string(context->GetRequiredInputDataType(ir)) +
                          " " + std::to_string(context->GetDynamicInputDataType(ir, 1)));
    }
    note("beyond",
         std::to_string(context->SetOutputDataType(7, ge::DT_INT8) == ge::GRAPH_FAILED) + std::to_string(context->GetOutputDataType(7)));
    const ge::graphStatus status = context->SetOutputDataType(0, context->GetInputDataType(0));
    note("set", std::to_string(context->GetOutputDataType(0)));
    return status;
}

static ge::graphStatus infer_shape(InferShapeContext* context) {
    note("stage", "infer_shape");
    look_at_node(context);
    look_at_attrs(context->GetAttrs());
    look_at_shapes(context);
    look_at_tensors(context);
    note("beyond", text(context->GetOutputShape(7)));
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus tile(TilingContext* context) {
    note("stage", "tiling");
    look_at_node(context);
    look_at_attrs(context->GetAttrs());
    look_at_shapes(context);
    look_at_tensors(context);
    note("output shape", text(context->GetOutputShape(0)) + " " + text(context->GetOutputShape(1)));
    note("deterministic", std::to_string(context->GetDeterministic()) + " " + std::to_string(context->GetDeterministicLevel()));
    note("before", std::to_string(context->GetTilingKey()) + " " + std::to_string(context->GetBlockDim()) + " " +
                       std::to_string(context->NeedAtomic()) + " " + std::to_string(context->GetTilingCond()) + " " +
                       std::to_string(context->GetScheduleMode()) + " " + std::to_string(context->GetWorkspaceNum()) + " " +
                       std::to_string(context->GetRawTilingData()->GetCapacity()) + " " +
                       std::to_string(context->GetRawTilingData()->GetDataSize()));
    note("views",
         context->InputIsView(0) || context->GetInputStride(0) || context->GetInputOffset(0) != -1 || context->OptionalInputIsView(0) ||
                 context->GetOptionalInputStride(0) || context->GetOptionalInputOffset(0) != -1 || context->RequiredInputIsView(0) ||
                 context->GetRequiredInputStride(0) || context->GetRequiredInputOffset(0) != -1 || context->DynamicInputIsView(2, 0) ||
                 context->GetDynamicInputStride(2, 0) || context->GetDynamicInputOffset(2, 0) != -1 || context->OutputIsView(0) ||
                 context->GetOutputStride(0) || context->GetOutputOffset(0) != -1
             ? "some"
             : "none");
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    uint64_t ub = 0;
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    note("chip", std::to_string(chip.GetCoreNumAic()) + " " + std::to_string(chip.GetCoreNumAiv()) + " " + std::to_string(ub + 256));
    context->SetTilingKey(uint64_t{1} << 63);
    context->SetSimdNumBlocks(7);
    context->SetNeedAtomic(false);
    context->SetTilingCond(-5);
    context->SetScheduleMode(1);
    context->SetDynUBufSize(64);
    context->SetAicpuNumBlocks(3);
    context->SetSimtBlockDim(Dim3(4, 5, 6));
    context->SetSimtGridDim(7);
    note("after", std::to_string(context->GetTilingKey()) + " " + std::to_string(context->GetSimdNumBlocks()) + " " +
                      std::to_string(context->GetLocalMemorySize()) + std::to_string(context->GetDynUBufSize()) +
                      std::to_string(context->GetAicpuBlockDim()) + std::to_string(context->GetAicpuNumBlocks()) +
                      std::to_string(context->GetSimtBlockDim()->y) + std::to_string(context->GetSimtGridDim()->z));
    note("too many", context->GetWorkspaceSizes(17) == nullptr ? "null" : "there");
    size_t* sizes = context->GetWorkspaceSizes(2);
    sizes[0] = 100;
    sizes[1] = 0;
    struct Large {
        char bytes[4096];
    };
    note("too large", context->GetTilingData<Large>() == nullptr ? "null" : "there");
    *context->GetTilingData<uint64_t>() = 0x0123456789abcdefULL;
    context->GetRawTilingData()->Append(uint16_t{5});
    return ge::GRAPH_SUCCESS;
}

namespace ops {
class Looking : public OpDef {
  public:
    explicit Looking(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ});
        this->Input("maybe").ParamType(OPTIONAL).DataTypeList({ge::DT_INT64, ge::DT_FLOAT8_E5M2}).FormatList({ge::FORMAT_ND});
        this->Input("several").ParamType(DYNAMIC).DataTypeList({ge::DT_INT8}).FormatList({ge::FORMAT_ND});
        this->Input("value").ParamType(REQUIRED).DataTypeList({ge::DT_INT32}).FormatList({ge::FORMAT_ND}).ValueDepend(REQUIRED);
        this->Output("y").ParamType(REQUIRED).Follow("x");
        this->Attr("whole").AttrType(REQUIRED).Int();
        this->Attr("part").AttrType(OPTIONAL).Float(0.25f);
        this->Attr("flag").AttrType(OPTIONAL).Bool(true);
        this->Attr("mode").AttrType(OPTIONAL).String("a \"mode\"");
        this->Attr("ints").AttrType(OPTIONAL).ListInt({1, -2});
        this->Attr("floats").AttrType(OPTIONAL).ListFloat({0.5f, 2.0f});
        this->Attr("lists").AttrType(OPTIONAL).ListListInt({{1}, {}, {2, 3}});
        this->Attr("bools").AttrType(OPTIONAL).ListBool({true, false});
        this->SetInferShape(infer_shape).SetInferDataType(infer_data_type);
        this->AICore().SetTiling(tile).AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(Looking, "ignored");
} // namespace ops
IMPL_OP(Looking).PrivateAttr("hidden", int64_t{12});
