/* SPDX-License-Identifier: Apache-2.0 */
/* Reports to the hardware's profiler. There is none: they return 0 and record nothing, and the callback is never called. `aclimb profile`
   shows what a program does. */
#pragma once
#include "prof_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MSVP_PROF_API
#define MSVP_PROF_API __attribute__((visibility("default")))
#endif

typedef void* VOID_PTR;
typedef int32_t (*ProfCommandHandle)(uint32_t type, void* data, uint32_t len);

MSVP_PROF_API uint64_t MsprofSysCycleTime(void);
MSVP_PROF_API uint64_t MsprofGetHashId(const char* hashInfo, size_t length);
MSVP_PROF_API int32_t MsprofRegisterCallback(uint32_t moduleId, ProfCommandHandle handle);
MSVP_PROF_API int32_t MsprofReportApi(uint32_t nonPersistantFlag, const struct MsprofApi* api);
MSVP_PROF_API int32_t MsprofReportCompactInfo(uint32_t nonPersistantFlag, const VOID_PTR data, uint32_t length);
MSVP_PROF_API int32_t MsprofReportAdditionalInfo(uint32_t nonPersistantFlag, const VOID_PTR data, uint32_t length);

#ifdef __cplusplus
}
#endif
