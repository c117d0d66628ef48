/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime below acl: its types and codes. A stream here is the aclrtStream of acl, and an error has aclError's numbers. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RTS_API
#define RTS_API
#endif

typedef int32_t rtError_t;
typedef char char_t;
typedef float float32_t;
typedef double float64_t;
typedef void* rtStream_t;

static const int32_t RT_ERROR_NONE = 0;

RTS_API rtError_t rtProfSetProSwitch(void* data, uint32_t len);

#ifdef __cplusplus
}
#endif
