// SPDX-License-Identifier: Apache-2.0
// The first half of x and the second are weighed tile by tile: y = sign * x * weights[tile % 3] + shifts[tile % 5], and +1 where flagged.
#include "register/op_def_registry.h"
#include "weigh_segments_tiling.h"

namespace optiling {
constexpr uint32_t TILE = 64;

static void Fill(SegmentTiling& segment, uint32_t begin, uint32_t length, float weight, int8_t sign) {
    const float weights[3] = {weight, weight * 2, weight * 4};
    segment.set_begin(begin);
    segment.set_tiles(static_cast<uint8_t>(length / TILE));
    segment.set_weights(weights);
    segment.tail.set_hasTail(length % TILE != 0);
    segment.tail.set_tailLength(static_cast<uint16_t>(length % TILE));
    segment.set_sign(sign);
}

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    WeighSegmentsTilingData tiling;
    const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const int16_t shifts[5] = {1, -2, 3, -4, 5};
    uint8_t flags[3] = {0, 1, 0};
    tiling.set_tileLength(TILE);
    tiling.set_shifts(shifts);
    tiling.set_total(total);
    tiling.set_flags(flags);
    Fill(tiling.first, 0, total / 2, 0.5f, 1);
    Fill(tiling.second, total / 2, total - total / 2, 0.25f, -1);
    context->SetBlockDim(2);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
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
class WeighSegments : public OpDef {
  public:
    explicit WeighSegments(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(WeighSegments);
} // namespace ops
