// SPDX-License-Identifier: Apache-2.0
// y = activation(alpha * x + offsets[0] + offsets[1]) + bias, which may be missing; the activation is "none" or "relu".
#include "maybe_bias_tiling.h"
#include "register/op_def_registry.h"
#include <cstring>

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    MaybeBiasTilingData tiling;
    const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
    const gert::StorageShape* bias = context->GetOptionalInputShape(1);
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    const uint32_t columns = x.GetDim(x.GetDimNum() - 1);
    if (bias != nullptr && bias->GetStorageShape().GetShapeSize() != columns) return ge::GRAPH_FAILED;
    const auto* offsets = attrs->GetListInt(2);
    const int64_t both[2] = {offsets->GetData()[0], offsets->GetData()[1]};
    tiling.set_rows(x.GetShapeSize() / columns);
    tiling.set_columns(columns);
    tiling.set_hasBias(bias != nullptr);
    tiling.set_alpha(*attrs->GetFloat(0));
    tiling.set_isRelu(std::strcmp(attrs->GetStr(1), "relu") == 0);
    tiling.set_offsets(both);
    context->SetBlockDim(tiling.get_rows() < 3 ? tiling.get_rows() : 3);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class MaybeBias : public OpDef {
  public:
    explicit MaybeBias(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("alpha").AttrType(OPTIONAL).Float(2.0);
        this->Attr("activation").AttrType(OPTIONAL).String("none");
        this->Attr("offsets").AttrType(OPTIONAL).ListInt({3, -5});
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(MaybeBias);
} // namespace ops
