// SPDX-License-Identifier: Apache-2.0
// Tiling structs and macros; on the device they come with kernel_operator.h.
#pragma once
#include "kernel_operator.h"
