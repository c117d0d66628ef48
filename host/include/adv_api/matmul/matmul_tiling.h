// SPDX-License-Identifier: Apache-2.0
// Another place of lib/matmul/matmul_tiling.h.
#pragma once
#include "lib/matmul/matmul_tiling.h"
