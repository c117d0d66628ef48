// SPDX-License-Identifier: Apache-2.0
// The table between the stubs and Python: one place for each function of the headers, then those that have no plain prototype.
#pragma once
#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_platform.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "aclimb/aclnn.h"
#include "aclimb/host.h"
#include "aclnn/aclnn_base.h"
#include "runtime/rt.h"

enum Place {
#define FUNCTION(returns, name, declarations, names, ins, outs) k_##name,
#include "c_api.inc"
#undef FUNCTION
    k_aclAppLog, // takes the text that the stub has formatted
    k_aclimb_launch,
    k_aclimb_platform,
    k_aclimb_tiling,
    k_aclimb_log,
    k_aclimb_aclnn_plan,
    k_aclimb_aclnn_run,
    k_aclimb_level0,
    kPlaces
};

using Function = void (*)();

extern "C" {
// Called by the door with kPlaces functions; `places` tells a library and a door of different versions.
int aclimb_install(const Function* table, uint32_t places);
// The same of this very copy of the library: the name above is another copy's, where that one was loaded before.
int aclimb_install_here(const Function* table, uint32_t places);
// Starts Python, which installs a table. Ends the process with a sentence where it cannot.
void aclimb_boot(void);
}
