// SPDX-License-Identifier: Apache-2.0
// Another place of lib/matmul/bmm_tiling.h.
#pragma once
#include "lib/matmul/bmm_tiling.h"
