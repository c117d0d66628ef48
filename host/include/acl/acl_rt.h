/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime, one file for each topic.
   A comment behind a parameter says what its type does not: out is written when the call succeeds, inout is read too, [n] counts an array.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_rt_allocator.h"
#include "acl/rt/callbacks.h"
#include "acl/rt/devices.h"
#include "acl/rt/events.h"
#include "acl/rt/kernels.h"
#include "acl/rt/memory.h"
#include "acl/rt/models.h"
#include "acl/rt/shared_memory.h"
#include "acl/rt/streams.h"
#include "acl/rt/system.h"
