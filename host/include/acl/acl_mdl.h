/* SPDX-License-Identifier: Apache-2.0 */
/* Models (.om files) are out of scope: aclimb runs kernels. The file exists because acl.h has it. */
#pragma once
#include "acl/acl_base.h"
