// SPDX-License-Identifier: Apache-2.0
// The L0 function: one launch of the kernel, into a tensor of the workspace.
#include "affine.h"

#include "aclnn_kernels/common/op_error_check.h"
#include "opdev/make_op_executor.h"

using namespace op;

namespace l0op {
OP_TYPE_REGISTER(Affine);

const aclTensor* Affine(const aclTensor* x, const aclTensor* bias, float alpha, aclOpExecutor* executor) {
    L0_DFX(Affine, x, bias, alpha);
    aclTensor* y = executor->AllocTensor(x->GetDataType(), Format::FORMAT_ND, Format::FORMAT_ND);
    aclnnStatus ret = INFER_SHAPE(Affine, OP_INPUT(x, bias), OP_OUTPUT(y), OP_ATTR(alpha));
    OP_CHECK(ret == ACLNN_SUCCESS, OP_LOGE(ret, "the shape of Affine's output is not known"), return nullptr);
    ret = ADD_TO_LAUNCHER_LIST_AICORE(Affine, OP_INPUT(x, bias), OP_OUTPUT(y), OP_ATTR(alpha));
    OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE(ret == ACLNN_SUCCESS, return nullptr, "Affine");
    return y;
}
} // namespace l0op
