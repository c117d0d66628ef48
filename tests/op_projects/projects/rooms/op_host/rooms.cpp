// SPDX-License-Identifier: Apache-2.0
// y = 3 * x. Tiling does not speak of a workspace, asks for 0 bytes, or for the system's part and room for 2 * x.
#include "register/op_def_registry.h"
#include "rooms_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static void Fill(gert::TilingContext* context) {
    RoomsTilingData tiling;
    tiling.set_total(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_tile(64);
    context->SetBlockDim(2);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
}
static ge::graphStatus TileNone(gert::TilingContext* context) {
    Fill(context);
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus TileEmpty(gert::TilingContext* context) {
    Fill(context);
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus TileOwn(gert::TilingContext* context) {
    Fill(context);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const size_t own = context->GetInputShape(0)->GetStorageShape().GetShapeSize() * sizeof(float);
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = ascendcPlatform.GetLibApiWorkSpaceSize() + own;
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class NoRoom : public OpDef {
  public:
    explicit NoRoom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TileNone);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(NoRoom);

class EmptyRoom : public OpDef {
  public:
    explicit EmptyRoom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TileEmpty);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(EmptyRoom);

class OwnRoom : public OpDef {
  public:
    explicit OwnRoom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TileOwn);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(OwnRoom);
} // namespace ops
