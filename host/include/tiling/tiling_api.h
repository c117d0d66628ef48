// SPDX-License-Identifier: Apache-2.0
// Tiling for the objects of the library.
#pragma once
#include "lib/matmul/bmm_tiling.h"
#include "lib/matmul/matmul_tiling.h"
#include "tiling/platform/platform_ascendc.h"
