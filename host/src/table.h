// SPDX-License-Identifier: Apache-2.0
// The table between the stubs and Python: one place for each function of the acl headers, then the launch of a stub.
#pragma once
#include "acl/acl.h"
#include "aclimb/host.h"

enum Place {
#define FUNCTION(returns, name, declarations, names, ins, outs) k_##name,
#include "c_api.inc"
#undef FUNCTION
    k_aclimb_launch,
    kPlaces
};

using Function = void (*)();

extern "C" {
// Called by the door with kPlaces functions; `places` tells a library and a door of different versions.
int aclimb_install(const Function* table, uint32_t places);
// Starts Python, which installs a table. Ends the process with a sentence where it cannot.
void aclimb_boot(void);
}
