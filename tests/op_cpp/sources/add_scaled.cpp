// SPDX-License-Identifier: Apache-2.0
// z = x + alpha * y in the style of a generated operator project: one header, tiling, inference and OpDef in one file.
#include "register/op_def_registry.h"

namespace optiling {
struct CompileInfo {
    uint32_t cores;
    uint64_t ub;
    static int alive, parsed;
    CompileInfo() : cores(0), ub(0) { ++alive; }
    ~CompileInfo() { --alive; }
};
int CompileInfo::alive = 0, CompileInfo::parsed = 0;

BEGIN_TILING_DATA_DEF(AddTiling)
TILING_DATA_FIELD_DEF(uint32_t, count);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddScaled, AddTiling)

static ge::graphStatus Parse(gert::TilingParseContext* context) {
    auto* info = context->GetCompiledInfo<CompileInfo>();
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    info->cores = chip.GetCoreNumAiv();
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, info->ub);
    ++CompileInfo::parsed;
    return std::string(context->GetCompiledJson()) == "{}" ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const auto* info = context->GetCompileInfo<CompileInfo>();
    const int64_t count = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    AddTiling data;
    data.set_count(static_cast<uint32_t>(count));
    data.set_alpha(*context->GetAttrs()->GetFloat(0));
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    const int64_t wanted = (count + 63) / 64;
    context->SetBlockDim(static_cast<uint32_t>(wanted < 1 ? 1 : wanted < info->cores ? wanted : info->cores));
    context->GetWorkspaceSizes(1)[0] = static_cast<size_t>(count) * 4 + info->ub / 256;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    const gert::Shape* x = context->GetInputShape(0);
    gert::Shape* z = context->GetOutputShape(0);
    z->SetDimNum(x->GetDimNum());
    for (size_t i = 0; i < x->GetDimNum(); ++i) z->SetDim(i, x->GetDim(i));
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class AddScaled : public OpDef {
  public:
    explicit AddScaled(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT})
            .Format({ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND})
            .AutoContiguous();
        this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND});
        this->Attr("alpha").AttrType(OPTIONAL).Float(1.0);
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
        OpAICoreConfig a3("ascend910_93");
        a3.DynamicCompileStaticFlag(true).DynamicFormatFlag(true).DynamicRankSupportFlag(true).DynamicShapeSupportFlag(true);
        a3.NeedCheckSupportFlag(false).PrecisionReduceFlag(true).ExtendCfgInfo("opFile.value", "arithmetic");
        this->AICore().AddConfig("ascend910_93", a3);
    }
};
OP_ADD(AddScaled);
} // namespace ops
IMPL_OP_OPTILING(AddScaled).TilingParse<optiling::CompileInfo>(optiling::Parse);

extern "C" __attribute__((visibility("default"))) int infos_alive() { return optiling::CompileInfo::alive; }
extern "C" __attribute__((visibility("default"))) int infos_parsed() { return optiling::CompileInfo::parsed; }
