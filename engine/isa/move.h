// SPDX-License-Identifier: Apache-2.0
// The instructions that move data: burst copies, ND to NZ, fractal loads, constants. Records: aclimb/abi.h.
#pragma once
#include "isa/datapath.h"

namespace aclimb {

bool execute_copy(Datapath& core, Head& head);
bool execute_nd2nz(Datapath& core, Head& head);
bool execute_load_2d(Datapath& core, Head& head);
bool execute_load_3d(Datapath& core, Head& head);
bool execute_load_transpose(Datapath& core, Head& head);
bool execute_load_sparse(Datapath& core, Head& head);
bool execute_fill(Datapath& core, Head& head);

// Makes every store of this thread visible to others. Large copies go around the cache and are ordered only by this:
// call it at the end of a task and before a signal to another core. Nearly free when there is nothing to wait for.
void flush_stores();

} // namespace aclimb
