// SPDX-License-Identifier: Apache-2.0
// An operator whose tiling data have a TCubeTiling between two other fields. Its kernel writes down what it was given.
#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(CutTiling)
TILING_DATA_FIELD_DEF(uint32_t, first);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF(float, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(CutMatmul, CutTiling)

static ge::graphStatus Tiling(gert::TilingContext* context) {
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    const gert::Shape& a = context->GetInputShape(0)->GetStorageShape();
    const gert::Shape& b = context->GetInputShape(1)->GetStorageShape();
    matmul_tiling::MultiCoreMatmulTiling tiler(chip);
    tiler.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    tiler.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND,
                   static_cast<matmul_tiling::DataType>(context->GetInputDesc(1)->GetDataType()));
    tiler.SetShape(a.GetDim(0), b.GetDim(1), a.GetDim(1));
    tiler.SetDim(chip.GetCoreNumAic());
    CutTiling data;
    if (tiler.GetTiling(data.cube) == -1) return ge::GRAPH_FAILED;
    data.set_first(7);
    data.set_last(2.5f);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->SetBlockDim(1);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = gert::Shape({52});
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class CutMatmul : public OpDef {
  public:
    explicit CutMatmul(const char* name) : OpDef(name) {
        this->Input("a").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("b").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(CutMatmul);
} // namespace ops
