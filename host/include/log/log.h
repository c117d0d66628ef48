// SPDX-License-Identifier: Apache-2.0
// Log and check macros of operator host code. While a callback runs, its errors become part of the operator's error.
#pragma once
#include "aclimb/op/log.h"
#include "graph/error_codes.h"

#define ACLIMB_OP_LOG(level, name, ...) ::aclimb::op::log(level, ::aclimb::op::name_of(name), __func__, __VA_ARGS__)

// The name is a text, a std::string or a context.
#define OP_LOGD(op_name, ...) ACLIMB_OP_LOG(::aclimb::op::kDebug, op_name, __VA_ARGS__)
#define OP_LOGI(op_name, ...) ACLIMB_OP_LOG(::aclimb::op::kInfo, op_name, __VA_ARGS__)
#define OP_LOGW(op_name, ...) ACLIMB_OP_LOG(::aclimb::op::kWarning, op_name, __VA_ARGS__)
#define OP_LOGE(op_name, ...) ACLIMB_OP_LOG(::aclimb::op::kError, op_name, __VA_ARGS__)
#define OP_LOGE_IF(condition, return_value, op_name, ...)                                                                                  \
    do {                                                                                                                                   \
        if (condition) {                                                                                                                   \
            OP_LOGE(op_name, __VA_ARGS__);                                                                                                 \
            return return_value;                                                                                                           \
        }                                                                                                                                  \
    } while (0)

// When the condition holds: the log, then the statement, which usually is a return.
#define OP_CHECK_IF(condition, log_func, expr)                                                                                             \
    do {                                                                                                                                   \
        if (condition) {                                                                                                                   \
            log_func;                                                                                                                      \
            expr;                                                                                                                          \
        }                                                                                                                                  \
    } while (0)
#define OP_CHECK_NULL_WITH_CONTEXT(context, ptr) OP_CHECK_NULL_WITH_CONTEXT_RET(context, ptr, ::ge::GRAPH_FAILED)
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, ptr, ret)                                                                                  \
    do {                                                                                                                                   \
        if ((ptr) == nullptr) {                                                                                                            \
            OP_LOGE(context, "%s is nullptr", #ptr);                                                                                       \
            return ret;                                                                                                                    \
        }                                                                                                                                  \
    } while (0)
