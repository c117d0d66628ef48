/* SPDX-License-Identifier: Apache-2.0 */
/* Devices, and what they are. */
#pragma once
#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What rtGetDeviceInfo is asked about. */
#define RT_MODULE_TYPE_AICORE 4
#define RT_MODULE_TYPE_VECTOR_CORE 7
#define RT_INFO_TYPE_CORE_NUM 3

typedef struct rtDevResInfo rtDevResInfo;
typedef struct rtDevResAddrInfo rtDevResAddrInfo;

RTS_API rtError_t rtSetDevice(int32_t devId);
RTS_API rtError_t rtDeviceReset(int32_t devId);
RTS_API rtError_t rtDeviceSynchronize(void);
RTS_API rtError_t rtGetDeviceCount(int32_t* cnt /*out*/);
RTS_API rtError_t rtGetSocVersion(char* ver /*out[maxLen]*/, const uint32_t maxLen);
RTS_API rtError_t rtGetAiCoreCount(uint32_t* aiCoreCnt /*out*/);
RTS_API rtError_t rtGetDeviceInfo(uint32_t devId, int32_t moduleType, int32_t infoType, int64_t* val /*out*/);
RTS_API rtError_t rtGetDevResAddress(rtDevResInfo* const resInfo, rtDevResAddrInfo* const addrInfo);
RTS_API rtError_t rtGetVisibleDeviceIdByLogicDeviceId(const int32_t logicDeviceId, int32_t* const visibleDeviceId /*out*/);

#ifdef __cplusplus
}
#endif
