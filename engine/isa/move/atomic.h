// SPDX-License-Identifier: Apache-2.0
// Read-modify-write of global memory by the copies and by Fixpipe.
#pragma once
#include "aclimb/abi.h"

namespace aclimb {

constexpr const char* kAtomicTypes = "Atomic copies to global memory take int8_t, int16_t, half, bfloat16_t, int32_t and float; "
                                     "call SetAtomicNone() before a copy of another type.";

struct Datapath;

bool has_atomic(Dtype type);

// dst = op(dst, src), element by element; one element is never torn or lost between worker threads.
// Floats round once (nearest even); integers wrap. `saturate`: half and bfloat16 results clamp, NaN becomes 0.
void atomic_update(Datapath& core, AtomicOp op, Dtype type, uint8_t* dst, const uint8_t* src, size_t bytes, bool saturate);

// The same of memory that nobody else has.
void reduce(AtomicOp op, Dtype type, uint8_t* dst, const uint8_t* src, size_t bytes);

} // namespace aclimb
