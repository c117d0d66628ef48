// SPDX-License-Identifier: Apache-2.0
// How an operator is to be computed, and its name.
#pragma once
#include <cstdint>

namespace op {
enum class OpImplMode : uint32_t {
    IMPL_MODE_DEFAULT = 0x1,
    IMPL_MODE_HIGH_PERFORMANCE = 0x2,
    IMPL_MODE_HIGH_PRECISION = 0x4,
    IMPL_MODE_SUPER_PERFORMANCE = 0x8,
    IMPL_MODE_SUPPORT_OUT_OF_BOUND_INDEX = 0x10,
    IMPL_MODE_ENABLE_FLOAT32_EXECUTION = 0x20,
    IMPL_MODE_ENABLE_HI_FLOAT32_EXECUTION = 0x40,
    IMPL_MODE_KEEP_FP16 = 0x80,
    IMPL_MODE_RESERVED = 0xFFFFFFFF
};
enum class OpExecMode : uint32_t { OP_EXEC_MODE_DEFAULT = 0, OP_EXEC_MODE_HF32T = 1, OP_EXEC_MODE_RESERVED = 0xFFFFFFFF };

// The documents' examples write the enumerators without their class.
static constexpr OpImplMode IMPL_MODE_DEFAULT = OpImplMode::IMPL_MODE_DEFAULT;
static constexpr OpImplMode IMPL_MODE_HIGH_PERFORMANCE = OpImplMode::IMPL_MODE_HIGH_PERFORMANCE;
static constexpr OpImplMode IMPL_MODE_HIGH_PRECISION = OpImplMode::IMPL_MODE_HIGH_PRECISION;
static constexpr OpExecMode OP_EXEC_MODE_DEFAULT = OpExecMode::OP_EXEC_MODE_DEFAULT;
static constexpr OpExecMode OP_EXEC_MODE_HF32T = OpExecMode::OP_EXEC_MODE_HF32T;
} // namespace op

// ADD_TO_LAUNCHER_LIST_AICORE and INFER_SHAPE of this operator need it in the same namespace.
#define OP_TYPE_REGISTER(kernelName)                                                                                                       \
    inline const char* kernelName##OpType() { return #kernelName; }                                                                        \
    static_assert(true, "")
