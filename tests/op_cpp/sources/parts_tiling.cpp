// SPDX-License-Identifier: Apache-2.0
// Tiling of the same operator, and what else can be registered.
#include "register/device_op_impl_registry.h"
#include "register/op_impl_registry.h"

static uint32_t tile(gert::TilingContext* context) {
    *context->GetTilingData<uint32_t>() = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    context->SetBlockDim(3);
    return ge::GRAPH_SUCCESS;
}
static uint32_t other(gert::TilingContext*) { return 77; }
struct Info {
    int64_t cores, unused;
};
// As older sources have it.
static uint32_t parse(gert::KernelContext* context) {
    Info* info = *context->GetOutputPointer<Info*>(0);
    info->cores = context->GetInputNum() == 2 && context->GetOutputNum() == 1 ? 5 : 0;
    const bool is_json = context->GetInputStrPointer(0)[0] == '{' && context->GetInput(1) != nullptr && context->MutableInput(1) != nullptr;
    const bool ends = context->GetInput(2) == nullptr && context->GetOutput(1) == nullptr && context->GetInputPointer<Info>(7) == nullptr &&
                      context->GetInputValue<int>(9) == 0 && context->MutableInputPointer<Info>(8) == nullptr &&
                      context->GetContext()->compute_node_info != nullptr && context->MutableInput(5) == nullptr;
    const gert::KernelContext* seen = context;
    return is_json && ends && seen->GetOutputPointer<Info*>(0) && seen->GetOutput(0) && seen->GetContext() ? ge::GRAPH_SUCCESS
                                                                                                           : ge::GRAPH_FAILED;
}
static uint32_t range(gert::InferShapeRangeContext* context) {
    using namespace gert;
    const Range<Shape>* x = context->GetInputShapeRange(0);
    const Range<Tensor>* tensor = context->GetInputTensorRange(0);
    if (x == nullptr || tensor == nullptr || x->GetMin()->GetDim(0) != tensor->GetMax()->GetOriginShape().GetDim(0)) return 1;
    if (x != context->GetOptionalInputShapeRange(0) || x != context->GetRequiredInputShapeRange(0)) return 2;
    if (x != context->GetDynamicInputShapeRange(0, 0) || context->GetDynamicInputShapeRange(0, 1) != nullptr) return 3;
    if (tensor != context->GetOptionalInputTensorRange(0) || tensor != context->GetRequiredInputTensorRange(0)) return 4;
    if (tensor != context->GetDynamicInputTensorRange(0, 0) || context->GetInputTensorRange(1) != nullptr) return 5;
    Range<Shape>* y = context->GetOutputShapeRange(0);
    if (context->GetOutputShapeRange(1) != nullptr) return 6;
    *y->GetMin() = Shape{0};
    *y->GetMax() = *x->GetMax();
    return ge::GRAPH_SUCCESS;
}
static uint32_t simplified(gert::TilingContext*, char*) { return 0; }
static uint32_t check(const gert::OpCheckContext*, ge::AscendString&) { return 0; }
static void dump(aclrtExceptionInfo*, void*) {}

IMPL_OP(Parts).Tiling(other, 64); // replaced, with its size
IMPL_OP_OPTILING(Parts).Tiling(tile, 128).TilingParse<Info>(parse);
IMPL_OP(Everything)
    .InferShapeRange(range)
    .GenSimplifiedKey(simplified)
    .InputsDataDependency({0})
    .InputsDataDependency({2})
    .TilingInputsDataDependency({1})
    .TilingInputsDataDependency({3}, {gert::TILING_ON_HOST, gert::TILING_ON_AICPU})
    .HostInputs({1})
    .HostInputs({0, 2})
    .OutputShapeDependOnCompute({0})
    .OutputShapeDependOnCompute({2})
    .NullableOutputs({7})
    .NullableOutputs({0, 1, 4, 128, 3})
    .PrivateAttr("needed")
    .PrivateAttr("whole", int64_t{-5})
    .PrivateAttr("ints", std::vector<int64_t>{1, 2})
    .PrivateAttr("text", "a")
    .PrivateAttr("part", 0.5f)
    .PrivateAttr("flag", true)
    .PrivateAttr("floats", std::vector<float>{1.5f})
    .PrivateAttr("whole", int64_t{9})
    .PrivateAttr("")
    .CalcOpParam(nullptr)
    .GenerateTask(nullptr)
    .InferFormat(nullptr)
    .CheckSupport(check)
    .OpSelectFormat(check)
    .ExceptionDumpParseFunc(nullptr)
    .ExceptionDumpParseFunc(dump);
IMPL_OP(Nothing);
IMPL_OP_DEFAULT().Tiling(other);
DEVICE_IMPL_OP_OPTILING(OnDevice).Tiling([](gert::TilingContext* context) { return context->SetBlockDim(9); });
