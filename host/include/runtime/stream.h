/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: the same handles as acl's. */
#pragma once
#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RT_STREAM_PRIORITY_DEFAULT 0
#define RT_STREAM_GREATEST_PRIORITY 0
#define RT_STREAM_LEAST_PRIORITY 7

RTS_API rtError_t rtStreamCreate(rtStream_t* stm /*out*/, int32_t priority);
RTS_API rtError_t rtStreamDestroy(rtStream_t stm);
RTS_API rtError_t rtStreamSynchronize(rtStream_t stm);
RTS_API rtError_t rtStreamSynchronizeWithTimeout(rtStream_t stm, int32_t timeout);

#ifdef __cplusplus
}
#endif
