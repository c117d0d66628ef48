// SPDX-License-Identifier: Apache-2.0
// Nothing to do, for figures of the host's side.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void four_parameters(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {}
