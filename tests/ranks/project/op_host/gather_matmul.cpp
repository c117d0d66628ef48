// SPDX-License-Identifier: Apache-2.0
#include "../op_kernel/gather_matmul_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/hccl/hccl_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {
static ge::graphStatus GatherMatmulTiling(gert::TilingContext* context) {
    auto* tiling = context->GetTilingData<GatherMatmulTilingData>();
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const gert::Shape& a = context->GetInputShape(0)->GetStorageShape();
    const gert::Shape& b = context->GetInputShape(1)->GetStorageShape();
    matmul_tiling::MultiCoreMatmulTiling cube(platform);
    cube.SetDim(1);
    cube.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cube.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cube.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    cube.SetShape(a.GetDim(0), b.GetDim(1), a.GetDim(1));
    cube.SetOrgShape(a.GetDim(0), b.GetDim(1), a.GetDim(1));
    cube.SetBias(false);
    cube.SetBufferSpace(-1, -1, -1);
    optiling::TCubeTiling found;
    if (cube.GetTiling(found) == -1) return ge::GRAPH_FAILED;
    found.SaveToBuffer(&tiling->cube, sizeof(tiling->cube));
    tiling->rankSize = *context->GetAttrs()->GetInt(1);

    const char* group = context->GetAttrs()->GetAttrPointer<char>(0);
    const uint32_t opType = HCCL_CMD_ALLGATHER;
    AscendC::Mc2CcTilingConfig config(group, opType, "AllGather=level0:doublering");
    config.SetSkipLocalRankCopy(0);
    config.SetSkipBufferWindowCopy(1);
    if (config.GetTiling(tiling->mc2InitTiling) != 0 || config.GetTiling(tiling->mc2CcTiling) != 0) return ge::GRAPH_FAILED;
    context->SetBlockDim(2);
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus GatherMatmulShape(gert::InferShapeContext* context) {
    const int64_t rows = context->GetInputShape(0)->GetDim(0) * *context->GetAttrs()->GetInt(1);
    *context->GetOutputShape(0) = {rows, context->GetInputShape(1)->GetDim(1)};
    *context->GetOutputShape(1) = {rows, context->GetInputShape(0)->GetDim(1)};
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class GatherMatmul : public OpDef {
  public:
    explicit GatherMatmul(const char* name) : OpDef(name) {
        this->Input("a").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Input("b").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Output("c").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("gather_out").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Attr("group").AttrType(REQUIRED).String();
        this->Attr("rank_size").AttrType(OPTIONAL).Int(2);
        this->SetInferShape(optiling::GatherMatmulShape);
        this->AICore().SetTiling(optiling::GatherMatmulTiling);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
        this->MC2().HcclGroup("group");
    }
};
OP_ADD(GatherMatmul);
} // namespace ops
