// SPDX-License-Identifier: Apache-2.0
// An op_host file written as public projects write theirs: a class that does the tiling step by step, macros for checks, everything with
// its log, the prototype in a namespace of its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>
#include <tuple>

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "graph/utils/type_utils.h"
#include "log/log.h"
#include "platform/platform_info.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

using namespace ge;
using gert::InferDataTypeContext;

#define OP_TILING_CHECK(cond, log_func, expr)                                                                                              \
    do {                                                                                                                                   \
        if (cond) {                                                                                                                        \
            log_func;                                                                                                                      \
            expr;                                                                                                                          \
        }                                                                                                                                  \
    } while (0)

namespace optiling {
BEGIN_TILING_DATA_DEF(QuantBaseParams)
TILING_DATA_FIELD_DEF(int64_t, batch);
TILING_DATA_FIELD_DEF(uint32_t, coreNum);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(QuantBaseParamsOp, QuantBaseParams)

BEGIN_TILING_DATA_DEF(QuantLikeTilingData)
TILING_DATA_FIELD_DEF_STRUCT(QuantBaseParams, baseParams);
TILING_DATA_FIELD_DEF_ARR(uint32_t, 48, rowsOfCore);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(QuantLike, QuantLikeTilingData)
REGISTER_TILING_DATA_CLASS(QuantLike_1001, QuantLikeTilingData)

struct QuantLikeCompileInfo {
    int64_t coreNum = 0;
    uint64_t ubSize = 0;
    platform_ascendc::SocVersion socVersion = platform_ascendc::SocVersion::ASCEND910B;
};

constexpr size_t X_INDEX = 0;
constexpr size_t SCALE_INDEX = 1;
constexpr size_t ATTR_ROUND = 0;
constexpr size_t ATTR_AXIS = 1;
static const std::map<ge::DataType, uint64_t> KEY_OF_TYPE = {{ge::DT_FLOAT16, 1}, {ge::DT_BF16, 2}, {ge::DT_FLOAT, 3}};

class QuantLikeTiling {
  public:
    explicit QuantLikeTiling(gert::TilingContext* context) : context_(context), opName_(context->GetNodeName()) {}

    ge::graphStatus DoTiling() {
        OP_CHECK_IF(GetShapeAttrsInfo() != ge::GRAPH_SUCCESS, OP_LOGE(opName_, "GetShapeAttrsInfo failed."), return ge::GRAPH_FAILED);
        OP_CHECK_IF(GetPlatformInfo() != ge::GRAPH_SUCCESS, OP_LOGE(opName_, "GetPlatformInfo failed."), return ge::GRAPH_FAILED);
        Split();
        return PostTiling();
    }

  private:
    ge::graphStatus GetShapeAttrsInfo() {
        auto xShapePtr = context_->GetInputShape(X_INDEX);
        OP_CHECK_NULL_WITH_CONTEXT(context_, xShapePtr);
        const auto& xShape = xShapePtr->GetStorageShape();
        auto xDesc = context_->GetInputDesc(X_INDEX);
        OP_CHECK_NULL_WITH_CONTEXT(context_, xDesc);
        xType_ = xDesc->GetDataType();
        OP_TILING_CHECK(KEY_OF_TYPE.count(xType_) == 0,
                        OP_LOGE(opName_, "x has type %s.", ge::TypeUtils::DataTypeToSerialString(xType_).c_str()), return ge::GRAPH_FAILED);
        OP_TILING_CHECK(static_cast<ge::Format>(ge::GetPrimaryFormat(xDesc->GetStorageFormat())) != ge::FORMAT_ND,
                        OP_LOGE(opName_, "x has format %s.", ge::TypeUtils::FormatToSerialString(xDesc->GetStorageFormat()).c_str()),
                        return ge::GRAPH_FAILED);
        auto attrs = context_->GetAttrs();
        OP_CHECK_NULL_WITH_CONTEXT(context_, attrs);
        const char* round = attrs->GetAttrPointer<char>(ATTR_ROUND);
        const int64_t* axis = attrs->GetAttrPointer<int64_t>(ATTR_AXIS);
        axis_ = axis == nullptr ? -1 : *axis;
        isRint_ = round != nullptr && std::string(round) == "rint";
        auto scaleTensor = context_->GetOptionalInputTensor(SCALE_INDEX);
        hasScale_ = scaleTensor != nullptr && context_->GetOptionalInputDesc(SCALE_INDEX) != nullptr;
        rows_ = 1;
        for (size_t i = 0; i + 1 < xShape.GetDimNum(); ++i) rows_ *= xShape.GetDim(i);
        return ge::GRAPH_SUCCESS;
    }
    ge::graphStatus GetPlatformInfo() {
        auto compileInfo = reinterpret_cast<const QuantLikeCompileInfo*>(context_->GetCompileInfo());
        OP_CHECK_NULL_WITH_CONTEXT(context_, compileInfo);
        coreNum_ = compileInfo->coreNum;
        auto platformInfo = context_->GetPlatformInfo();
        if (platformInfo != nullptr) {
            auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
            coreNum_ = ascendcPlatform.GetCoreNumAiv();
            workspace_ = ascendcPlatform.GetLibApiWorkSpaceSize();
        }
        OP_TILING_CHECK(coreNum_ <= 0, OP_LOGE(opName_, "coreNum is %ld.", coreNum_), return ge::GRAPH_FAILED);
        return ge::GRAPH_SUCCESS;
    }
    void Split() {
        usedCoreNum_ = std::min(rows_, coreNum_);
        uint32_t rowsOfCore[48] = {0};
        for (int64_t i = 0; i < usedCoreNum_; ++i)
            rowsOfCore[i] = static_cast<uint32_t>(rows_ / usedCoreNum_ + (i < rows_ % usedCoreNum_ ? 1 : 0));
        tilingData_.set_rowsOfCore(rowsOfCore);
        tilingData_.baseParams.set_batch(rows_);
        tilingData_.baseParams.set_coreNum(static_cast<uint32_t>(usedCoreNum_));
        tilingData_.baseParams.set_scale(hasScale_ ? 0.5f : 1.0f);
    }
    ge::graphStatus PostTiling() {
        const uint64_t tilingKey = 1000 + KEY_OF_TYPE.at(xType_) + (isRint_ ? 10 : 0);
        context_->SetTilingKey(tilingKey);
        context_->SetBlockDim(static_cast<uint32_t>(usedCoreNum_));
        context_->SetScheduleMode(1);
        size_t* workspaces = context_->GetWorkspaceSizes(1);
        OP_CHECK_NULL_WITH_CONTEXT(context_, workspaces);
        workspaces[0] = workspace_;
        if (tilingData_.GetDataSize() > context_->GetRawTilingData()->GetCapacity()) return ge::GRAPH_FAILED;
        tilingData_.SaveToBuffer(context_->GetRawTilingData()->GetData(), context_->GetRawTilingData()->GetCapacity());
        context_->GetRawTilingData()->SetDataSize(tilingData_.GetDataSize());
        OP_LOGI(opName_, "tilingKey %lu, coreNum %u.", tilingKey, tilingData_.baseParams.get_coreNum());
        return ge::GRAPH_SUCCESS;
    }

    gert::TilingContext* context_ = nullptr;
    const char* opName_ = "";
    ge::DataType xType_ = ge::DT_UNDEFINED;
    int64_t rows_ = 0, axis_ = -1, coreNum_ = 0, usedCoreNum_ = 0;
    size_t workspace_ = 0;
    bool isRint_ = false, hasScale_ = false;
    QuantLikeTilingData tilingData_;
};

static ge::graphStatus TilingForQuantLike(gert::TilingContext* context) {
    OP_LOGD(context, "TilingForQuantLike begins");
    QuantLikeTiling tiling(context);
    return tiling.DoTiling();
}

static ge::graphStatus TilingPrepareForQuantLike(gert::TilingParseContext* context) {
    auto compileInfo = context->GetCompiledInfo<QuantLikeCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    fe::PlatFormInfos* platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
    compileInfo->coreNum = ascendcPlatform.GetCoreNumAiv();
    compileInfo->socVersion = ascendcPlatform.GetSocVersion();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfo->ubSize);
    std::string cores;
    (void)platformInfo->GetPlatformResWithLock("SoCInfo", "vector_core_cnt", cores);
    return cores == std::to_string(compileInfo->coreNum) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}

IMPL_OP_OPTILING(QuantLike).Tiling(TilingForQuantLike).TilingParse<QuantLikeCompileInfo>(TilingPrepareForQuantLike);
} // namespace optiling

namespace ops {
static ge::graphStatus InferShapeForQuantLike(gert::InferShapeContext* context) {
    const gert::Shape* xShape = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, xShape);
    gert::Shape* yShape = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, yShape);
    *yShape = *xShape;
    return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataTypeForQuantLike(InferDataTypeContext* context) {
    context->SetOutputDataType(0, ge::DT_INT8);
    return GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(QuantLike).InferShape(InferShapeForQuantLike).InferDataType(InferDataTypeForQuantLike);

class QuantLike : public OpDef {
  public:
    explicit QuantLike(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .AutoContiguous();
        this->Input("scale")
            .ParamType(OPTIONAL)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
            .AutoContiguous();
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_INT8, ge::DT_INT8, ge::DT_INT8})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("round_mode").AttrType(OPTIONAL).String("rint");
        this->Attr("axis").AttrType(OPTIONAL).Int(-1);
        OpAICoreConfig aicoreConfig;
        aicoreConfig.DynamicCompileStaticFlag(true)
            .DynamicFormatFlag(true)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .NeedCheckSupportFlag(false)
            .PrecisionReduceFlag(true)
            .ExtendCfgInfo("aclnnSupport.value", "support_aclnn")
            .ExtendCfgInfo("jitCompile.flag", "static_false,dynamic_false")
            .ExtendCfgInfo("multiKernelSupportDynamicGraph.value", "multi_kernel");
        this->AICore().AddConfig("ascend910b", aicoreConfig);
        this->AICore().AddConfig("ascend910_93", aicoreConfig);
    }
};
OP_ADD(QuantLike);
} // namespace ops
