// SPDX-License-Identifier: Apache-2.0
// The tiling structs that kernels read, for host code that has no kernel in it.
#pragma once
#include "kernel_tiling/hccl_tilings.h"
#include "kernel_tiling/layout_tilings.h"
#include "kernel_tiling/norm_tilings.h"
#include "kernel_tiling/softmax_tilings.h"
#include "kernel_tiling/sort_tilings.h"
#include "kernel_tiling/tcube_tiling.h"

using AscendC::tiling::TCubeTiling;
