// SPDX-License-Identifier: Apache-2.0
// Under this path a header that host code and kernel share includes it. A kernel has its own, which comes behind where a project names the
// toolkit's folder with -I.
#pragma once
#if defined(__CCE_AICORE__) || defined(ACLIMB_HOST_PASS)
#include_next "ascendc/host_api/tiling/template_argument.h"
#else
#include "tiling/template_argument.h"
#endif
