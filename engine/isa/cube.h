// SPDX-License-Identifier: Apache-2.0
// The instructions of the cube unit and of the way out of L0C. Records: aclimb/abi.h.
#pragma once
#include "isa/datapath.h"

namespace aclimb {

bool execute_mmad(Datapath& core, Head& head);
bool execute_mmad_sparse(Datapath& core, Head& head);
bool execute_fixpipe(Datapath& core, Head& head);

} // namespace aclimb
