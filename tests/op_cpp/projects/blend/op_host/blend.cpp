// SPDX-License-Identifier: Apache-2.0
// Blend: every kind of input and attribute that a generated aclnn function has a parameter for.
#include "../op_kernel/blend_tiling.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace {
bool Flag(const gert::RuntimeAttrs* attrs, size_t index, size_t k) {
    const auto* flags = attrs->GetAttrPointer<gert::ContinuousVector>(index);
    return static_cast<const bool*>(flags->GetData())[k];
}

ge::graphStatus Tiling(gert::TilingContext* context) {
    auto* data = context->GetTilingData<BlendTiling>();
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    const gert::TypedContinuousVector<float>* weights = attrs->GetListFloat(4);
    const gert::TypedContinuousVector<int64_t>* order = attrs->GetListInt(5);
    const size_t parts = context->GetIrInputInstanceInfo(2)->GetInstanceNum();
    OP_CHECK_IF(weights->GetSize() < parts, OP_LOGE(context, "%zu weights are too few for %zu parts", weights->GetSize(), parts),
                return ge::GRAPH_FAILED);
    data->count = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    data->has_bias = context->GetOptionalInputShape(1) != nullptr;
    data->shift = static_cast<float>(*attrs->GetInt(0));
    data->alpha = *attrs->GetFloat(1);
    data->sign = *attrs->GetBool(2) ? -1.0f : 1.0f;
    data->multiply = std::string(attrs->GetStr(3)) == "mul";
    data->parts = 0;
    for (size_t k = 0; k < parts; ++k) {
        if (!Flag(attrs, 6, k)) continue;
        data->order[data->parts] = static_cast<uint32_t>(order->GetData()[k]);
        data->weights[data->parts++] = weights->GetData()[k];
    }
    context->SetBlockDim(2);
    context->GetWorkspaceSizes(1)[0] = data->count * sizeof(float);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus Same(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace

namespace ops {
class Blend : public OpDef {
  public:
    explicit Blend(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("parts").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("shift").AttrType(REQUIRED).Int();
        this->Attr("alpha").AttrType(OPTIONAL).Float(1.0f);
        this->Attr("negate").AttrType(OPTIONAL).Bool(false);
        this->Attr("mode").AttrType(OPTIONAL).String("add");
        this->Attr("weights").AttrType(OPTIONAL).ListFloat({1.0f, 2.0f, 3.0f});
        this->Attr("order").AttrType(OPTIONAL).ListInt({0, 1, 2});
        this->Attr("used_parts").AttrType(OPTIONAL).ListBool({true, true, true});
        this->SetInferShape(Same);
        this->AICore().SetTiling(Tiling);
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(Blend);
} // namespace ops
