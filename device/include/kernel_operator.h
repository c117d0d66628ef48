// SPDX-License-Identifier: Apache-2.0
// What a kernel includes. Everything it brings is thin: a call fills one record and issues it to the engine (aclimb/issue.h).
// New here: aclimb/README.md says where things are and how an API is added.
#pragma once

#include "aclimb/data_types.h"
#include "aclimb/entry.h"
#include "aclimb/facts.h"
#include "aclimb/libc.h"
#include "aclimb/qualifiers.h"
#include "aclimb/tiling.h"

#include "aclimb/allocator.h"
#include "aclimb/cast.h"
#include "aclimb/compare_select.h"
#include "aclimb/cross_core.h"
#include "aclimb/cube.h"
#include "aclimb/data_copy.h"
#include "aclimb/debug.h"
#include "aclimb/fixpipe.h"
#include "aclimb/intrinsics.h"
#include "aclimb/list_tensor.h"
#include "aclimb/operators.h"
#include "aclimb/reduce.h"
#include "aclimb/scalar.h"
#include "aclimb/std.h"
#include "aclimb/sync.h"
#include "aclimb/system.h"
#include "aclimb/tbuf.h"
#include "aclimb/tpipe.h"
#include "aclimb/tque.h"
#include "aclimb/vector_binary.h"
#include "aclimb/vector_fill.h"
#include "aclimb/vector_scalar.h"
#include "aclimb/vector_unary.h"
#include "aclimb/words.h"
#include "aclimb/workspace.h"

#include "aclimb/unsupported.h"
