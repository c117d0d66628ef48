/* SPDX-License-Identifier: Apache-2.0 */
/* The first thing that the host pass of a kernel source reads: the words of Ascend C, and how a kernel is launched. Which side a function
   belongs to stays visible until launches are rewritten (src/aclimb/compile/functions.py). */
#pragma once
#include "aclimb/host.h"
#include "aclimb/qualifiers.h"

#undef __aicore__
#define __aicore__ __aclimb_aicore__
#undef __host__
#define __host__ __aclimb_host__
#undef GM_ADDR
#define GM_ADDR __gm__ uint8_t* /* host code may give one buffer twice */
