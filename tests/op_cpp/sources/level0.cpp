// SPDX-License-Identifier: Apache-2.0
// Each function of the toolkit's L0 library by its name, and what the objects of hand-written aclnn functions say of themselves.
#include <cstdio>
#include <string>

#include "aclnn_kernels/cast.h"
#include "aclnn_kernels/common/op_error_check.h"
#include "aclnn_kernels/contiguous.h"
#include "aclnn_kernels/pad.h"
#include "aclnn_kernels/reshape.h"
#include "aclnn_kernels/slice.h"
#include "aclnn_kernels/transdata.h"
#include "aclnn_kernels/transpose.h"
#include "opdev/framework_op.h"
#include "opdev/make_op_executor.h"
#include "opdev/platform.h"
#include "opdev/small_vector.h"
#include "opdev/tensor_view_utils.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

using namespace op;

static const aclTensor* computed(const std::string& name, const aclTensor* x, const aclTensor* out, const aclIntArray* a,
                                 const aclIntArray* b, aclOpExecutor* executor) {
    const auto host = [&](const aclIntArray* values) { return executor->ConvertToTensor(values, DataType::DT_INT64); };
    if (name == "Cast") return l0op::Cast(x, static_cast<DataType>((*a)[0]), executor);
    if (name == "Contiguous") return l0op::Contiguous(x, executor);
    if (name == "Reshape") return l0op::Reshape(x, a, executor);
    if (name == "Slice") return l0op::Slice(x, a, b, executor);
    if (name == "Slice into") return l0op::Slice(x, out, host(a), host(b), executor);
    if (name == "Transpose") return l0op::Transpose(x, a, executor);
    if (name == "Transpose into") return l0op::Transpose(x, out, host(a), executor);
    if (name == "Pad") return l0op::Pad(x, host(a), executor);
    if (name == "Pad by a device tensor") return l0op::Pad(x, x, executor);
    if (name == "TransData") return l0op::TransData(x, static_cast<Format>((*a)[0]), (*a)[1], executor);
    if (name == "TransData and back") {
        const aclTensor* fractal = l0op::TransData(x, Format::FORMAT_FRACTAL_NZ, 0, executor);
        return l0op::TransData(fractal, Format::FORMAT_ND, 0, executor);
    }
    if (name == "TransDataSpecial and back") {
        const aclTensor* fractal = l0op::TransDataSpecial(x, Format::FORMAT_FRACTAL_NZ, 0, executor);
        return l0op::TransDataSpecial(fractal, Format::FORMAT_ND, 0, executor);
    }
    if (name == "CopyToNpu") return CopyToNpu(executor->ConvertToTensor(a, x->GetDataType()), executor);
    if (name == "CopyToNpu of the device") return CopyToNpu(x, executor);
    if (name == "CopyNpuToNpu") return CopyNpuToNpu(x, out, executor) == ACLNN_SUCCESS ? out : nullptr;
    if (name == "CreateView")
        return executor->CreateView(x, ToShapeVector(out->GetViewShape()).size() ? out->GetViewShape() : Shape(), (*a)[0]);
    if (name == "ViewCopy of another shape") return l0op::ViewCopy(x, l0op::Reshape(x, a, executor), executor);
    return nullptr;
}

EXPORTED aclnnStatus plan(const char* name, const aclTensor* x, const aclTensor* out, const aclIntArray* a, const aclIntArray* b,
                          uint64_t* size, aclOpExecutor** executor) {
    L2_DFX_PHASE_1(plan, DFX_IN(x), DFX_OUT(out));
    auto unique = CREATE_EXECUTOR();
    const aclTensor* y = computed(name, x, out, a, b, unique.get());
    CHECK_RET(y != nullptr, ACLNN_ERR_INNER_NULLPTR);
    CHECK_RET(l0op::ViewCopy(y, out, unique.get()) != nullptr, ACLNN_ERR_INNER_NULLPTR);
    *size = unique->GetWorkspaceSize();
    unique.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

// The blocks of FRACTAL_NZ as they lie in memory.
EXPORTED aclnnStatus plan_fractal(int special, const aclTensor* x, const aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
    L2_DFX_PHASE_1(plan_fractal, DFX_IN(x), DFX_OUT(out));
    auto unique = CREATE_EXECUTOR();
    const aclTensor* y = special ? l0op::TransDataSpecial(x, Format::FORMAT_FRACTAL_NZ, 0, unique.get())
                                 : l0op::TransData(x, Format::FORMAT_FRACTAL_NZ, 0, unique.get());
    CHECK_RET(y != nullptr, ACLNN_ERR_INNER_NULLPTR);
    const Shape storage = y->GetStorageShape();
    CHECK_RET(y->GetStorageFormat() == Format::FORMAT_FRACTAL_NZ && y->GetViewFormat() == Format::FORMAT_ND, ACLNN_ERR_INNER);
    CHECK_RET(y->GetViewShape() == x->GetViewShape() && storage == out->GetViewShape(), ACLNN_ERR_INNER);
    y->SetStorageFormat(Format::FORMAT_ND);
    CHECK_RET(l0op::ViewCopy(unique->CreateView(y, storage, 0), out, unique.get()) != nullptr, ACLNN_ERR_INNER_NULLPTR);
    *size = unique->GetWorkspaceSize();
    unique.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

EXPORTED aclnnStatus run(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) {
    L2_DFX_PHASE_2(run);
    return CommonOpExecutorRun(workspace, size, executor, stream);
}

static std::string said;
static void note(const std::string& name, const std::string& value) { said += name + " " + value + "\n"; }
static void note(const std::string& name, double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", value);
    note(name, std::string(text));
}
template <typename T> static void note_text(const std::string& name, const T& value) {
    note(name, std::string(ToString(value).GetString()));
}

static void look_at_tensor(const aclTensor* x) {
    note_text("view", x->GetViewShape());
    note_text("storage", x->GetStorageShape());
    note_text("origin", x->GetOriginalShape());
    note_text("strides", x->GetViewStrides());
    note("offset", x->GetViewOffset());
    note_text("type", x->GetDataType());
    note_text("format", x->GetStorageFormat());
    note("count", x->Numel());
    note("empty", x->IsEmpty());
    note("contiguous", IsContiguous(x));
    note("picked", CanPickViewAsContiguous(x));
    note("valid", Validate(x));
}

EXPORTED const char* look(const aclTensor* x, const aclTensorList* list, const aclScalar* scalar, const aclFloatArray* floats,
                          const aclBoolArray* bools) {
    said.clear();
    auto unique = CREATE_EXECUTOR();
    aclOpExecutor* executor = unique.get();
    look_at_tensor(x);
    note("list", static_cast<double>(list->Size()));
    note_text("second", (*list)[1]->GetViewShape());
    note_text("scalar type", scalar->GetDataType());
    note("float", scalar->ToFloat());
    note("whole", static_cast<double>(scalar->ToInt64()));
    note("byte", static_cast<double>(scalar->ToUint8()));
    note("bool", scalar->ToBool());
    note("half", scalar->ToFp16().toFloat());
    note("bf16", scalar->ToBf16());
    note("beyond int8", scalar->CheckOverflows<int8_t>());
    note("beyond half", scalar->CheckOverflows<fp16_t>());
    note("beyond uint16", scalar->CheckOverflows<uint16_t>());
    note("floats", static_cast<double>(floats->Size()));
    note("last", (*floats)[floats->Size() - 1]);
    note("flags", (*bools)[0] * 10 + (*bools)[1]);

    const int64_t numbers[] = {7, -8, 9};
    const aclIntArray* made = executor->AllocIntArray(numbers, 3);
    note("made", static_cast<double>((*made)[1]));
    const aclTensor* host = executor->ConvertToTensor(made, DataType::DT_FLOAT);
    note("host", static_cast<const float*>(host->GetData())[1]);
    note("on the device", x->GetData() == nullptr);
    host->SetData(int64_t{2}, int32_t{40}, DataType::DT_FLOAT);
    const bool flags[] = {true, false};
    host->SetBoolData(flags, 2, DataType::DT_FLOAT);
    for (int i = 0; i < 3; ++i) note("filled", static_cast<const float*>(host->GetData())[i]);
    const aclTensor* zeros = executor->AllocHostTensor(Shape{2, 2}, DataType::DT_INT32);
    note("zero", static_cast<const int32_t*>(zeros->GetData())[3]);
    const aclTensor* of_scalar = executor->ConvertToTensor(scalar, DataType::DT_INT32);
    note("of a scalar", static_cast<const int32_t*>(of_scalar->GetData())[0]);
    note("made scalar", executor->AllocScalar(2.5f)->ToFloat());
    const aclTensor* both[] = {x, host};
    note_text("made list", (*executor->AllocTensorList(both, 2))[1]->GetViewShape());

    aclTensor* room = executor->AllocTensor(Shape{3, 5}, DataType::DT_FLOAT16);
    note("workspace", static_cast<double>(executor->GetWorkspaceSize()));
    room->SetViewShape(Shape{5, 3});
    room->SetStorageFormat(Format::FORMAT_FRACTAL_NZ);
    look_at_tensor(room);
    executor->AllocTensor(Shape{1000}, DataType::DT_FLOAT);
    note("workspace", static_cast<double>(executor->GetWorkspaceSize()));

    Shape shape;
    note("broadcast", BroadcastInferShape(Shape{1, 10}, Shape{2, 1}, shape));
    note_text("broadcast", shape);
    note("not broadcast", BroadcastInferShape(Shape{3}, Shape{2}, shape));
    Strides strides;
    ToContiguousStrides(Shape{10, 20, 30}, strides);
    note_text("strides", strides);
    note_text("promoted", PromoteType(DataType::DT_FLOAT16, DataType::DT_BF16));
    note_text("promoted", PromoteType(DataType::DT_UINT8, DataType::DT_INT8));
    note_text("promoted", PromoteType(DataType::DT_INT64, DataType::DT_FLOAT16));
    note("can cast", CanCast(DataType::DT_INT32, DataType::DT_FLOAT) * 100 + CanCast(DataType::DT_FLOAT, DataType::DT_INT32) * 10 +
                         CanCast(DataType::DT_FLOAT, DataType::DT_BOOL));
    note("size of int4", static_cast<double>(TypeSize(DataType::DT_INT4)));
    note("private", IsPrivateFormat(Format::FORMAT_FRACTAL_NZ) * 10 + IsPrivateFormat(Format::FORMAT_ND));
    note("block", static_cast<double>(GetCurrentPlatformInfo().GetBlockSize()));
    note("a3", GetCurrentPlatformInfo().GetSocVersion() == SocVersion::ASCEND910_93);
    return said.c_str();
}

// Halves of every float that there is between 0 and 1, at one pattern of 16 bits apart; 0: all are what the table says.
EXPORTED void halves(const float* values, uint16_t* half, uint16_t* brain, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        half[i] = fp16_t(values[i]).val;
        brain[i] = bfloat16(values[i]).value;
    }
}
EXPORTED void floats(const uint16_t* half, float* values) {
    for (uint32_t i = 0; i < 65536; ++i) values[i] = fp16_t::from_bits(half[i]).toFloat();
}

namespace l0op {
OP_TYPE_REGISTER(Nobody);
OP_TYPE_REGISTER(AddScaled);
} // namespace l0op

// The first task's output is declared smaller before the second allocates: what lies in the workspace stays apart.
EXPORTED aclnnStatus plan_shrunk(const aclTensor* x, const aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
    auto unique = CREATE_EXECUTOR();
    const aclTensor* first = l0op::Cast(x, DataType::DT_FLOAT, unique.get());
    const aclTensor* whole = l0op::Cast(first, DataType::DT_FLOAT16, unique.get());
    first->SetStorageShape(Shape{1});
    first->SetViewShape(Shape{1});
    const aclTensor* second = l0op::Cast(whole, DataType::DT_FLOAT, unique.get());
    CHECK_RET(second != nullptr && l0op::ViewCopy(second, out, unique.get()) != nullptr, ACLNN_ERR_INNER_NULLPTR);
    *size = unique->GetWorkspaceSize();
    unique.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

namespace l0op {
OP_TYPE_REGISTER(Filled);
} // namespace l0op

// An operator whose tiling reads the values of its input: of the host, or computed by an earlier task.
EXPORTED aclnnStatus plan_values(int known, const aclTensor* out, uint64_t* size, aclOpExecutor** executor_) {
    using namespace l0op;
    L2_DFX_PHASE_1(plan_values, DFX_IN(known), DFX_OUT(out));
    auto unique = CREATE_EXECUTOR();
    aclOpExecutor* executor = unique.get();
    const int32_t values[] = {3, 4};
    const aclTensor* given = executor->AllocHostTensor(values, 2, DataType::DT_INT32);
    if (!known) given = CopyToNpu(given, executor);
    const aclnnStatus ret = ADD_TO_LAUNCHER_LIST_AICORE(Filled, OP_INPUT(given), OP_OUTPUT(out));
    CHECK_RET(ret == ACLNN_SUCCESS, ret);
    *size = unique->GetWorkspaceSize();
    unique.ReleaseTo(executor_);
    return ACLNN_SUCCESS;
}

// Mistakes, by number.
EXPORTED aclnnStatus mistake(int which, const aclTensor* x) {
    using namespace l0op;
    L2_DFX_PHASE_1(mistake, DFX_IN(x), DFX_OUT(which));
    auto unique = CREATE_EXECUTOR();
    aclOpExecutor* executor = unique.get();
    aclTensor* y = executor->AllocTensor(x->GetViewShape(), x->GetDataType());
    switch (which) {
    case 0: return ADD_TO_LAUNCHER_LIST_AICORE(Nobody, OP_INPUT(x), OP_OUTPUT(y));
    case 1: return ADD_TO_LAUNCHER_LIST_AICORE(AddScaled, OP_INPUT(x, x, x), OP_OUTPUT(y), OP_ATTR(1.0f));
    case 2: return ADD_TO_LAUNCHER_LIST_AICORE(AddScaled, OP_INPUT(x, x), OP_OUTPUT(y), OP_ATTR());
    case 3: return ADD_TO_LAUNCHER_LIST_AICORE(AddScaled, OP_INPUT(x, OP_EMPTY_ARG), OP_OUTPUT(y), OP_ATTR(1.0f));
    case 4: return ADD_TO_LAUNCHER_LIST_AICORE(AddScaled, OP_INPUT(x, x), OP_OUTPUT(y), OP_ATTR(1.0f), OP_OUTSHAPE({y, 0}));
    case 5: return INFER_SHAPE(AddScaled, OP_INPUT(x), OP_OUTPUT(y), OP_ATTR(1.0f));
    case 6: return CommonOpExecutorRun(nullptr, 0, nullptr, nullptr);
    case 7: x->SetViewStrides({-1}); break;
    case 8: x->SetData(int64_t{0}, 1.0f, DataType::DT_FLOAT); break;
    case 9: executor->AllocHostTensor(Shape{2}, DataType::DT_FLOAT)->SetData(int64_t{2}, 1.0f, DataType::DT_FLOAT); break;
    case 10: executor->AllocHostTensor(Shape{2}, DataType::DT_FLOAT)->SetData(int64_t{0}, 1.0f, DataType::DT_INT8); break;
    case 11: OP_CHECK_MAX_DIM(x, 0, return ACLNN_ERR_PARAM_INVALID); break;
    case 12: OP_CHECK_MIN_DIM(x, 3, return ACLNN_ERR_PARAM_INVALID); break;
    case 13: OP_CHECK_WRONG_DIMENSION(x, 2, return ACLNN_ERR_PARAM_INVALID); break;
    case 14: OP_CHECK_DTYPE_NOT_MATCH(x, DataType::DT_INT8, return ACLNN_ERR_PARAM_INVALID); break;
    case 15: OP_CHECK_DTYPE_NOT_SAME(x, executor->AllocTensor(Shape{1}, DataType::DT_INT8), return ACLNN_ERR_PARAM_INVALID); break;
    case 16: OP_CHECK_BROADCAST(x, executor->AllocTensor(Shape{7}, DataType::DT_INT8), return ACLNN_ERR_PARAM_INVALID); break;
    case 17: OP_CHECK_RESULT_DTYPE_CAST_FAILED(DataType::DT_FLOAT, DataType::DT_INT8, return ACLNN_ERR_PARAM_INVALID); break;
    case 18: OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE(x, (Shape{1, 2}), return ACLNN_ERR_PARAM_INVALID); break;
    }
    return ACLNN_SUCCESS;
}
