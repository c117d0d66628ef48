// SPDX-License-Identifier: Apache-2.0
// What is left of the headers: attributes appended as another type, and the words of an OpDef that change nothing here.
#include "platform/platform_info.h"
#include "register/op_def_registry.h"

namespace optiling {
// `what` says which attribute is appended, from which type to which; the key says whether that went well.
static ge::graphStatus Tiling(gert::TilingContext* context) {
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    const int64_t* what = attrs->GetListInt(6)->GetData();
    gert::TilingData* data = context->GetRawTilingData();
    data->Append(uint8_t{0xee});
    const ge::graphStatus status = data->AppendConvertedAttrVal(attrs, static_cast<size_t>(what[0]), static_cast<gert::AttrDataType>(what[1]),
                                                                static_cast<gert::AttrDataType>(what[2]));
    context->SetTilingKey(status == ge::GRAPH_SUCCESS ? 0 : 1);
    context->SetBlockDim(1);
    context->SetLocalMemorySize(4096);
    context->SetAicpuBlockDim(3);
    const bool as_declared = context->GetOutputDesc(0)->GetDataType() == ge::DT_FLOAT && attrs->GetTensor(99) == nullptr &&
                             attrs->GetListListFloat(99) == nullptr;
    return as_declared ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}

static ge::graphStatus Unused(gert::TilingContext*) { return ge::GRAPH_FAILED; }
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
static graphStatus InferShapeRange(gert::InferShapeRangeContext* context) {
    *context->GetOutputShapeRange(0)->GetMin() = *context->GetInputShapeRange(0)->GetMin();
    *context->GetOutputShapeRange(0)->GetMax() = *context->GetInputShapeRange(0)->GetMax();
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class Converted : public OpDef {
  public:
    explicit Converted(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).DataTypeForBinQuery({ge::DT_FLOAT}).FormatForBinQuery({ge::FORMAT_ND});
        this->Input("factor").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Scalar().To(ge::DT_FLOAT).Version(1);
        this->Input("list").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).ScalarList().To("x");
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Attr("whole").AttrType(OPTIONAL).Int(0).Version(1);
        this->Attr("part").AttrType(OPTIONAL).Float(0);
        this->Attr("flag").AttrType(OPTIONAL).Bool(false);
        this->Attr("wholes").AttrType(OPTIONAL).ListInt({});
        this->Attr("parts").AttrType(OPTIONAL).ListFloat({});
        this->Attr("lists").AttrType(OPTIONAL).ListListInt({});
        this->Attr("what").AttrType(OPTIONAL).ListInt({0, 0, 0});
        this->SetInferShape(ge::InferShape).SetInferShapeRange(ge::InferShapeRange);
        this->AICore().SetTiling(optiling::Tiling).SetCheckSupport(optiling::Unused).SetOpSelectFormat(optiling::Unused);
        this->AICore().SetOpSupportInfo(optiling::Unused).SetOpSpecInfo(optiling::Unused).SetParamGeneralize(optiling::Unused);
        this->AICore().AddConfig("ascend910_93");
        this->HostCPU().OpKernelLib("none");
    }
};
OP_ADD(Converted);
} // namespace ops

extern "C" __attribute__((visibility("default"))) const char* manager_says() {
    static std::string text;
    fe::OptionalInfos infos;
    infos.SetSocVersion("Ascend910B1");
    text = infos.GetSocVersion() + " " + std::to_string(fe::PlatformInfoManager::Instance().Finalize());
    return text.c_str();
}
