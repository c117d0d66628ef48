// SPDX-License-Identifier: Apache-2.0
// The instructions that move data: burst copies, ND to NZ, fractal loads, constants. Records: aclimb/abi.h.
#pragma once
#include "core/core.h"

namespace aclimb {

bool execute_copy(Core& core, Head& head);
bool execute_nd2nz(Core& core, Head& head);
bool execute_load_2d(Core& core, Head& head);
bool execute_fill(Core& core, Head& head);

// Makes every store of this thread visible to others. Large copies go around the cache and are ordered only by this:
// call it at the end of a task and before a signal to another core. Nearly free when there is nothing to wait for.
void flush_stores();

} // namespace aclimb
