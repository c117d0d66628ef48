// SPDX-License-Identifier: Apache-2.0
// printf without a namespace.
#pragma once
#include "kernel_operator.h"

using AscendC::printf;
// <cstdio> has a printf too, which is the better match where there is nothing but a text. It means the same then.
#if !defined(ASCENDC_DUMP) || ASCENDC_DUMP
extern "C" ACLIMB_API int printf(const char* format, ...) {
    aclimb::print(format);
    return 0;
}
#else
extern "C" ACLIMB_API int printf(const char*, ...) { return 0; }
#endif
