// SPDX-License-Identifier: Apache-2.0
// Operators that fail on demand, run in two stages or in one. Kernels are started by a function that the test hands over: its arguments are
// those of aclrtLaunchKernelWithHostArgs, without the function.
#include <stdexcept>
#include <string>

#include "log/log.h"
#include "register/op_def_registry.h"

using Launcher = int (*)(uint32_t num_blocks, void* stream, const void* args, uint64_t size);
static Launcher launcher = nullptr;
extern "C" __attribute__((visibility("default"))) void set_launcher(Launcher given) { launcher = given; }

// --- Fails: `stage` says where, `how` what happens there

static ge::graphStatus fail(const gert::RuntimeAttrs* attrs, const std::string& stage, const char* name) {
    if (stage != attrs->GetStr(0)) return ge::GRAPH_SUCCESS;
    const std::string how = attrs->GetStr(1);
    if (how == "throws") throw std::runtime_error("x is too small in " + stage);
    if (how == "throws a number") throw 7;
    if (how == "returns 5") return 5;
    OP_LOGE(name, "x has %d rows", 3);
    OP_LOGE(std::string(name), "and no columns");
    return how == "logs" ? ge::GRAPH_SUCCESS : how == "invalid" ? ge::GRAPH_PARAM_INVALID : ge::GRAPH_FAILED;
}
template <typename Context> static ge::graphStatus fail_in(Context* context, const char* stage) {
    return fail(context->GetAttrs(), stage, context->GetNodeName());
}
static ge::graphStatus fail_shape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    if (std::string(context->GetAttrs()->GetStr(1)) == "rank 30") context->GetOutputShape(0)->SetDimNum(30);
    return fail_in(context, "infer_shape");
}
static ge::graphStatus fail_type(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, std::string(context->GetAttrs()->GetStr(1)) == "hifloat8" ? ge::DT_HIFLOAT8 : ge::DT_FLOAT);
    return fail_in(context, "infer_data_type");
}
static ge::graphStatus fail_parse(gert::TilingParseContext* context) { return fail_in(context, "tiling_parse"); }
static ge::graphStatus fail_tiling(gert::TilingContext* context) {
    const std::string how = context->GetAttrs()->GetStr(1);
    if (how == "null platform") platform_ascendc::PlatformAscendC chip(nullptr);
    OP_CHECK_IF(how == "checked", OP_LOGE(context, "how is %s", how.c_str()), return ge::GRAPH_FAILED);
    if (how == "missing input") OP_CHECK_NULL_WITH_CONTEXT(context, context->GetInputShape(5));
    if (how == "missing output") OP_CHECK_NULL_WITH_CONTEXT_RET(context, context->GetOutputShape(5), 9);
    OP_LOGE_IF(how == "log if", 8, context, "it is");
    OP_LOGD(context, "to be seen by nobody");
    OP_LOGI("a", "b");
    OP_LOGW(nullptr, "a warning of %s", "tiling");
    context->SetBlockDim(how == "no blocks" ? 0 : 1);
    if (how == "large") context->GetRawTilingData()->SetDataSize(10000);
    if (how == "overrun") static_cast<char*>(context->GetRawTilingData()->GetData())[context->GetRawTilingData()->GetCapacity()] = 1;
    if (how == "schedule mode") context->SetScheduleMode(9);
    return fail_in(context, "tiling");
}

namespace ops {
class Fails : public OpDef {
  public:
    explicit Fails(const char* name) : OpDef(name) {
        this->Input("x").DataType({ge::DT_FLOAT});
        this->Output("y").DataType({ge::DT_FLOAT});
        this->Attr("stage").AttrType(REQUIRED).String();
        this->Attr("how").AttrType(REQUIRED).String();
        this->SetInferShape(fail_shape).SetInferDataType(fail_type);
        this->AICore().SetTiling(fail_tiling);
    }
};
OP_ADD(Fails);
} // namespace ops
struct Info {
    int unused;
};
IMPL_OP(Fails).TilingParse<Info>(fail_parse);

// --- SixTimes: y = 6 x in two kernels, with a workspace between them

struct Params {
    uint32_t count;
    static int made, deleted;
    explicit Params(uint32_t n) : count(n) { ++made; }
    ~Params() { ++deleted; }
};
int Params::made = 0, Params::deleted = 0;
extern "C" __attribute__((visibility("default"))) int params_made() { return Params::made; }
extern "C" __attribute__((visibility("default"))) int params_deleted() { return Params::deleted; }

static std::string said;
extern "C" __attribute__((visibility("default"))) const char* said_text() { return said.c_str(); }

static void delete_params(void* params) { delete static_cast<Params*>(params); }

static ge::graphStatus prepare(gert::OpExecutePrepareContext* context) {
    const std::string how = context->GetAttrs()->GetStr(1);
    const gert::Tensor* x = context->GetInputTensor(0);
    const uint32_t count = static_cast<uint32_t>(x->GetShapeSize());
    said = std::to_string(context->GetDeterministic()) + " " + std::to_string(context->GetPrecisionMode()) + " " +
           (context->GetAllowHf32() ? context->GetAllowHf32() : "null");
    if (how == "nothing") return ge::GRAPH_SUCCESS;
    if (how == "device work") { // refused: prepare has nothing to do with the device
        return launcher(1, nullptr, nullptr, 0) == 0 ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
    }
    if (context->SetOpApiParams(nullptr, nullptr) != ge::GRAPH_FAILED) return 11;
    context->SetOpApiParamsWithDefaultDeleter(new Params(1)); // replaced: deleted at once
    if (how == "too many") {
        context->SetOpApiParamsWithDefaultDeleter(new Params(count));
        return context->SetWorkspaceSizes(std::vector<uint64_t>(17, 8));
    }
    context->SetOpApiParams(new Params(count), delete_params);
    if (context->SetWorkspaceSizes({8, uint64_t{4} * count}) != ge::GRAPH_SUCCESS) return 12;
    if (context->SetWorkspaceSizes({1, 2, 3}) != ge::GRAPH_FAILED) return 13; // more than the first time
    if (context->SetWorkspaceSizes({uint64_t{4} * count}) != ge::GRAPH_SUCCESS) return 14;
    return fail(context->GetAttrs(), "prepare", context->GetNodeName());
}

static int scale(void* stream, const void* from, const void* to, uint32_t count, float factor) {
    struct {
        const void *from, *to;
        alignas(8) uint32_t count; // each parameter at a multiple of 8
        alignas(8) float factor;
    } args = {from, to, count, factor};
    return launcher(4, stream, &args, sizeof args);
}

static ge::graphStatus launch(gert::OpExecuteLaunchContext* context) {
    const ge::graphStatus status = fail(context->GetAttrs(), "launch", context->GetNodeName());
    if (status != ge::GRAPH_SUCCESS) return status;
    const Params* params = static_cast<Params*>(context->GetOpApiParams());
    const auto* sizes = context->GetWorkspaceSizes();
    const auto* addresses = context->GetWorkspaceAddrs();
    if (sizes->GetSize() != 1 || sizes->GetData()[0] != params->count * 4 || addresses->GetSize() != 1) return 21;
    const gert::TensorData* workspace = addresses->GetData()[0];
    if (workspace->GetSize() != params->count * 4 || workspace->GetPlacement() != gert::kOnDeviceHbm) return 22;
    const gert::Tensor *x = context->GetRequiredInputTensor(0), *y = context->GetRequiredOutputTensor(0);
    if (x != context->GetDynamicInputTensor(0, 0) || x != context->GetOptionalInputTensor(0) || y != context->GetDynamicOutputTensor(0, 0))
        return 23;
    if (y != context->GetOutputTensor(0) || context->GetOutputTensor(1) != nullptr || x->GetPlacement() != gert::kOnDeviceHbm) return 24;
    if (scale(context->GetStream(), x->GetAddr(), workspace->GetAddr(), params->count, 2) != 0) return 25;
    return scale(context->GetStream(), workspace->GetAddr(), y->GetAddr(), params->count, 3) != 0 ? 26 : ge::GRAPH_SUCCESS;
}

// --- Single: y = 3 x in one stage

static ge::graphStatus execute(gert::OpExecuteContext* context) {
    const gert::Tensor *x = context->GetInputTensor(0), *y = context->GetOutputTensor(0);
    const uint32_t count = static_cast<uint32_t>(x->GetShapeSize());
    said = std::to_string(context->GetDeterministic()) + " " + std::to_string(context->GetPrecisionMode()) + " " +
           (context->GetAllowHf32() ? context->GetAllowHf32() : "null");
    if (context->GetOpExecuteFunc() != reinterpret_cast<void*>(execute)) return 31;
    if (context->MallocWorkspace(uint64_t{1} << 62) != nullptr) return 32;
    void* workspace = context->MallocWorkspace(count * 4);
    if (workspace == nullptr || context->MallocWorkspace(64) == workspace) return 33;
    if (scale(context->GetStream(), x->GetAddr(), workspace, count, 1.5f) != 0) return 34;
    if (scale(context->GetStream(), workspace, y->GetAddr(), count, 2) != 0) return 35;
    if (std::string(context->GetAttrs()->GetStr(1)) != "keep") context->FreeWorkspace();
    return fail(context->GetAttrs(), "execute", context->GetNodeName());
}

namespace ops {
class TwoStages : public OpDef {
  public:
    explicit TwoStages(const char* name) : OpDef(name) {
        this->Input("x").DataType({ge::DT_FLOAT});
        this->Output("y").Follow("x");
        this->Attr("stage").AttrType(OPTIONAL).String("");
        this->Attr("how").AttrType(OPTIONAL).String("");
    }
};
class SixTimes : public TwoStages {
  public:
    using TwoStages::TwoStages;
};
class Single : public TwoStages {
  public:
    using TwoStages::TwoStages;
};
OP_ADD(SixTimes);
OP_ADD(Single);
} // namespace ops
IMPL_OP(SixTimes).Op2StageExecuteFuncs(prepare, launch);
IMPL_OP(Single).Op2StageExecuteFuncs(prepare, launch).OpExecuteFunc(execute); // the single stage wins
IMPL_OP(Half).Op2StageExecuteFuncs(prepare, nullptr);                         // half of a pair is none
