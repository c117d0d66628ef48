// SPDX-License-Identifier: Apache-2.0
// The host code of ScaleBy: types and shapes, and how the work is cut.
#include <algorithm>

#include "../op_kernel/scale_by_tiling.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus Tiling(gert::TilingContext* context) {
    const uint32_t count = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    const uint32_t blocks = std::max(1u, std::min(chip.GetCoreNumAiv(), (count + 1023) / 1024));
    auto* tiling = context->GetTilingData<ScaleByTiling>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    *tiling = {count, (count + blocks - 1) / blocks, *context->GetAttrs()->GetFloat(0)};
    context->SetBlockDim(blocks);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class ScaleBy : public OpDef {
  public:
    explicit ScaleBy(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("scale").AttrType(OPTIONAL).Float(2.0f);
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(ScaleBy);
} // namespace ops
