/* SPDX-License-Identifier: Apache-2.0 */
/* The address by which cores of a block find each other's flags. Here the engine has the flags: it is 0, and kernels that are handed it
   leave it alone. */
#pragma once
#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

RTS_API rtError_t rtGetC2cCtrlAddr(uint64_t* addr /*out*/, uint32_t* len /*out*/);

#ifdef __cplusplus
}
#endif
