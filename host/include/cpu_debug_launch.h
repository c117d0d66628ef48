/* SPDX-License-Identifier: Apache-2.0 */
/* The vendor's CPU twin needs it for <<<>>>; here a source with launches is compiled as it is. */
#pragma once
#include "tikicpulib.h"
