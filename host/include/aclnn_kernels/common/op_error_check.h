// SPDX-License-Identifier: Apache-2.0
// Checks of the parameters of an aclnn function: what is wrong is said, then the last argument runs, which usually is a return. The
// documents show CHECK_RET alone; names and meanings of the others are as public code uses them (assumed).
#pragma once
#include "opdev/data_type_utils.h"
#include "opdev/format_utils.h"
#include "opdev/op_log.h"
#include "opdev/shape_utils.h"

#define CHECK_RET(cond, ret_expr)                                                                                                          \
    do {                                                                                                                                   \
        if (!(cond)) return ret_expr;                                                                                                      \
    } while (0)
#define OP_CHECK(cond, log_func, ret_expr)                                                                                                 \
    do {                                                                                                                                   \
        if (!(cond)) {                                                                                                                     \
            log_func;                                                                                                                      \
            ret_expr;                                                                                                                      \
        }                                                                                                                                  \
    } while (0)
#define OP_CHECK_NULL(param, ret_expr)                                                                                                     \
    OP_CHECK((param) != nullptr, OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s is nullptr; it takes a tensor", #param), ret_expr)
#define OP_CHECK_DTYPE_NOT_SUPPORT(tensor, supportList, ret_expr)                                                                          \
    OP_CHECK(::op::CheckType((tensor)->GetDataType(), supportList),                                                                        \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s, which is not supported", #tensor, ACLIMB_TEXT((tensor)->GetDataType())),          \
             ret_expr)
#define OP_CHECK_DTYPE_NOT_MATCH(tensor, expectedDtype, ret_expr)                                                                          \
    OP_CHECK((tensor)->GetDataType() == (expectedDtype),                                                                                   \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s; it takes %s", #tensor, ACLIMB_TEXT((tensor)->GetDataType()),                      \
                     ACLIMB_TEXT(expectedDtype)),                                                                                          \
             ret_expr)
#define OP_CHECK_DTYPE_NOT_SAME(self, other, ret_expr)                                                                                     \
    OP_CHECK((self)->GetDataType() == (other)->GetDataType(),                                                                              \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s and %s is %s; they take one type", #self, ACLIMB_TEXT((self)->GetDataType()),      \
                     #other, ACLIMB_TEXT((other)->GetDataType())),                                                                         \
             ret_expr)
#define OP_CHECK_RESULT_DTYPE_CAST_FAILED(from, to, ret_expr)                                                                              \
    OP_CHECK(::op::CanCast(from, to),                                                                                                      \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "a result of %s cannot become %s", ACLIMB_TEXT(from), ACLIMB_TEXT(to)), ret_expr)
#define OP_CHECK_MAX_DIM(tensor, maxDim, ret_expr)                                                                                         \
    OP_CHECK((tensor)->GetViewShape().GetDimNum() <= static_cast<size_t>(maxDim),                                                          \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has %zu dims; it takes at most %zu", #tensor, (tensor)->GetViewShape().GetDimNum(),      \
                     static_cast<size_t>(maxDim)),                                                                                         \
             ret_expr)
#define OP_CHECK_MIN_DIM(tensor, minDim, ret_expr)                                                                                         \
    OP_CHECK((tensor)->GetViewShape().GetDimNum() >= static_cast<size_t>(minDim),                                                          \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has %zu dims; it takes at least %zu", #tensor, (tensor)->GetViewShape().GetDimNum(),     \
                     static_cast<size_t>(minDim)),                                                                                         \
             ret_expr)
#define OP_CHECK_WRONG_DIMENSION(tensor, dimNum, ret_expr)                                                                                 \
    OP_CHECK((tensor)->GetViewShape().GetDimNum() == static_cast<size_t>(dimNum),                                                          \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s has %zu dims; it takes %zu", #tensor, (tensor)->GetViewShape().GetDimNum(),              \
                     static_cast<size_t>(dimNum)),                                                                                         \
             ret_expr)
#define OP_CHECK_SHAPE_NOT_EQUAL(self, other, ret_expr)                                                                                    \
    OP_CHECK((self)->GetViewShape() == (other)->GetViewShape(),                                                                            \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s and %s is %s; they take one shape", #self, ACLIMB_TEXT((self)->GetViewShape()),    \
                     #other, ACLIMB_TEXT((other)->GetViewShape())),                                                                        \
             ret_expr)
#define OP_CHECK_SHAPE_NOT_EQUAL_WITH_EXPECTED_SIZE(tensor, expectedShape, ret_expr)                                                       \
    OP_CHECK((tensor)->GetViewShape() == (expectedShape),                                                                                  \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s; it takes %s", #tensor, ACLIMB_TEXT((tensor)->GetViewShape()),                     \
                     ACLIMB_TEXT(expectedShape)),                                                                                          \
             ret_expr)
#define OP_CHECK_BROADCAST(self, other, ret_expr)                                                                                          \
    OP_CHECK(::op::CheckBroadcastShape((self)->GetViewShape(), (other)->GetViewShape()),                                                   \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s and %s is %s; they cannot be broadcast", #self,                                    \
                     ACLIMB_TEXT((self)->GetViewShape()), #other, ACLIMB_TEXT((other)->GetViewShape())),                                   \
             ret_expr)
#define OP_CHECK_BROADCAST_AND_INFER_SHAPE(self, other, outShape, ret_expr)                                                                \
    OP_CHECK(::op::BroadcastInferShape((self)->GetViewShape(), (other)->GetViewShape(), outShape),                                         \
             OP_LOGE(ACLNN_ERR_PARAM_INVALID, "%s is %s and %s is %s; they cannot be broadcast", #self,                                    \
                     ACLIMB_TEXT((self)->GetViewShape()), #other, ACLIMB_TEXT((other)->GetViewShape())),                                   \
             ret_expr)
#define OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE(cond, ret_expr, ...)                                                                          \
    OP_CHECK(cond, OP_LOGE(ACLNN_ERR_INNER, "a kernel was not queued: " __VA_ARGS__), ret_expr)
#define ACLIMB_TEXT(thing) ::op::ToString(thing).GetString()
