// SPDX-License-Identifier: Apache-2.0
// The log of tiling functions, with the line and the function that logs.
#pragma once
#include <cassert>
#include <cstdint>

#include "base/dlog_pub.h"

#define ACLIMB_ASC_CPU_LOG(level, ...)                                                                                                     \
    ::aclimb::op::dlog_at(ASCENDCKERNEL, level, ::aclimb::op::place_of(__FILE__, __LINE__, __func__), __VA_ARGS__)
#define ASC_CPU_LOG_ERROR(...) ACLIMB_ASC_CPU_LOG(DLOG_ERROR, __VA_ARGS__)
#define ASC_CPU_LOG_WARNING(...) ACLIMB_ASC_CPU_LOG(DLOG_WARN, __VA_ARGS__)
#define ASC_CPU_LOG_INFO(...) ACLIMB_ASC_CPU_LOG(DLOG_INFO, __VA_ARGS__)
#define ASC_CPU_LOG_DEBUG(...) ACLIMB_ASC_CPU_LOG(DLOG_DEBUG, __VA_ARGS__)
