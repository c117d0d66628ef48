// SPDX-License-Identifier: Apache-2.0
// The tiling structs that kernels read, for host code that has no kernel in it.
#pragma once
#include "kernel_tiling/tcube_tiling.h"

using AscendC::tiling::TCubeTiling;
