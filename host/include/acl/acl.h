/* SPDX-License-Identifier: Apache-2.0 */
/* The C API of the Ascend runtime. aclimb serves it: docs/reference/c_api.md says which functions it has. */
#pragma once
#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"
