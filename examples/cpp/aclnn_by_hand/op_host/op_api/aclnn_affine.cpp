// SPDX-License-Identifier: Apache-2.0
// The L2 function: checks, makes the inputs contiguous and float32, calls the operator, and writes the result as `out` is.
#include "aclnn_affine.h"

#include "aclnn_kernels/cast.h"
#include "aclnn_kernels/common/op_error_check.h"
#include "aclnn_kernels/contiguous.h"
#include "affine.h"
#include "opdev/make_op_executor.h"

using namespace op;

namespace {
const std::initializer_list<DataType> FLOATS = {DataType::DT_FLOAT, DataType::DT_FLOAT16, DataType::DT_BF16};

aclnnStatus CheckParams(const aclTensor* self, const aclTensor* bias, const aclScalar* alpha, const aclTensor* out) {
    OP_CHECK_NULL(self, return ACLNN_ERR_PARAM_NULLPTR);
    OP_CHECK_NULL(alpha, return ACLNN_ERR_PARAM_NULLPTR);
    OP_CHECK_NULL(out, return ACLNN_ERR_PARAM_NULLPTR);
    OP_CHECK_DTYPE_NOT_SUPPORT(self, FLOATS, return ACLNN_ERR_PARAM_INVALID);
    OP_CHECK_DTYPE_NOT_SUPPORT(out, FLOATS, return ACLNN_ERR_PARAM_INVALID);
    OP_CHECK_SHAPE_NOT_EQUAL(self, out, return ACLNN_ERR_PARAM_INVALID);
    if (bias != nullptr) OP_CHECK_SHAPE_NOT_EQUAL(self, bias, return ACLNN_ERR_PARAM_INVALID);
    return ACLNN_SUCCESS;
}

const aclTensor* Plain(const aclTensor* x, aclOpExecutor* executor) {
    const aclTensor* whole = l0op::Contiguous(x, executor);
    return whole != nullptr ? l0op::Cast(whole, DataType::DT_FLOAT, executor) : nullptr;
}
} // namespace

aclnnStatus aclnnAffineGetWorkspaceSize(const aclTensor* self, const aclTensor* bias, const aclScalar* alpha, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
    L2_DFX_PHASE_1(aclnnAffine, DFX_IN(self, bias, alpha), DFX_OUT(out));
    auto uniqueExecutor = CREATE_EXECUTOR();
    CHECK_RET(uniqueExecutor.get() != nullptr, ACLNN_ERR_INNER_CREATE_EXECUTOR);
    const aclnnStatus checked = CheckParams(self, bias, alpha, out);
    CHECK_RET(checked == ACLNN_SUCCESS, checked);
    if (!self->IsEmpty()) {
        const aclTensor* x = Plain(self, uniqueExecutor.get());
        CHECK_RET(x != nullptr, ACLNN_ERR_INNER_NULLPTR);
        const aclTensor* added = bias != nullptr ? Plain(bias, uniqueExecutor.get()) : nullptr;
        CHECK_RET(bias == nullptr || added != nullptr, ACLNN_ERR_INNER_NULLPTR);
        const aclTensor* y = l0op::Affine(x, added, alpha->ToFloat(), uniqueExecutor.get());
        CHECK_RET(y != nullptr, ACLNN_ERR_INNER_NULLPTR);
        y = l0op::Cast(y, out->GetDataType(), uniqueExecutor.get());
        CHECK_RET(y != nullptr && l0op::ViewCopy(y, out, uniqueExecutor.get()) != nullptr, ACLNN_ERR_INNER_NULLPTR);
    }
    *workspaceSize = uniqueExecutor->GetWorkspaceSize();
    uniqueExecutor.ReleaseTo(executor);
    return ACLNN_SUCCESS;
}

aclnnStatus aclnnAffine(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
    L2_DFX_PHASE_2(aclnnAffine);
    return CommonOpExecutorRun(workspace, workspaceSize, executor, stream);
}
