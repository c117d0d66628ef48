// SPDX-License-Identifier: Apache-2.0
// The operator itself: float32, contiguous. What else aclnnAffine takes is op_api's.
#include "../op_kernel/affine_tiling.h"
#include "register/op_def_registry.h"

namespace {
ge::graphStatus Tiling(gert::TilingContext* context) {
    auto* data = context->GetTilingData<AffineTiling>();
    data->count = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    data->has_bias = context->GetOptionalInputShape(1) != nullptr;
    data->alpha = *context->GetAttrs()->GetFloat(0);
    context->SetBlockDim(8);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus Same(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace

namespace ops {
class Affine : public OpDef {
  public:
    explicit Affine(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("alpha").AttrType(OPTIONAL).Float(1.0f);
        this->SetInferShape(Same);
        this->AICore().SetTiling(Tiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(Affine);
} // namespace ops
