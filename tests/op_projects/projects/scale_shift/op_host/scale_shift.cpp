// SPDX-License-Identifier: Apache-2.0
// y = x * scale + shift
#include "register/op_def_registry.h"
#include "scale_shift_tiling.h"

namespace optiling {
const uint32_t TILE_LENGTH = 128;

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    ScaleShiftTilingData tiling;
    const uint32_t total = context->GetInputShape(0)->GetOriginShape().GetShapeSize();
    const uint32_t tiles = (total + TILE_LENGTH - 1) / TILE_LENGTH;
    context->SetBlockDim(tiles < 4 ? tiles : 4);
    tiling.set_totalLength(total);
    tiling.set_tileLength(TILE_LENGTH);
    tiling.set_scale(static_cast<int32_t>(*context->GetAttrs()->GetInt(0)));
    tiling.set_shift(static_cast<int32_t>(*context->GetAttrs()->GetInt(1)));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    const gert::Shape* x1_shape = context->GetInputShape(0);
    gert::Shape* y_shape = context->GetOutputShape(0);
    *y_shape = *x1_shape;
    return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return ge::GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class ScaleShift : public OpDef {
  public:
    explicit ScaleShift(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("scale").AttrType(OPTIONAL).Int(2);
        this->Attr("shift").AttrType(OPTIONAL).Int(-1);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(ScaleShift);
} // namespace ops
