// SPDX-License-Identifier: Apache-2.0
// Tiling for the Matmul object and for the library's calls.
#pragma once
#include "aclimb/library/host_absent.h"
#include "aclimb/library/host_layout.h"
#include "aclimb/library/host_mathematics.h"
#include "aclimb/library/host_norms.h"
#include "aclimb/library/host_reductions.h"
#include "aclimb/library/host_softmax.h"
#include "aclimb/library/optiling.h"
#include "lib/matmul/bmm_tiling.h"
#include "lib/matmul/matmul_tiling.h"
#include "tiling/platform/platform_ascendc.h"
