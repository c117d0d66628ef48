// SPDX-License-Identifier: Apache-2.0
#include "isa/vector.h"

namespace aclimb {

#define ACLIMB_VECTOR_ROW(name, shape)                                                                                                     \
    bool execute_##name(Core& core, Head& head) { return run_##shape(core, head); }
#include "isa/vector_rows.h"

} // namespace aclimb
