/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device and of the host. */
#pragma once
#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t rtMemType_t;
#define RT_MEMORY_DEFAULT 0x0U
#define RT_MEMORY_HBM 0x2U
#define RT_MEMORY_DDR 0x4U
#define RT_MEMORY_POLICY_NONE 0x0U
#define RT_MEMORY_POLICY_HUGE_PAGE_FIRST 0x400U
#define RT_MEMORY_POLICY_HUGE_PAGE_ONLY 0x800U
#define RT_MEMORY_POLICY_DEFAULT_PAGE_ONLY 0x1000U

typedef enum tagRtMemcpyKind {
    RT_MEMCPY_HOST_TO_HOST = 0,
    RT_MEMCPY_HOST_TO_DEVICE = 1,
    RT_MEMCPY_DEVICE_TO_HOST = 2,
    RT_MEMCPY_DEVICE_TO_DEVICE = 3,
    RT_MEMCPY_MANAGED = 4,
    RT_MEMCPY_ADDR_DEVICE_TO_DEVICE = 5,
    RT_MEMCPY_HOST_TO_DEVICE_EX = 6,
    RT_MEMCPY_DEVICE_TO_HOST_EX = 7
} rtMemcpyKind_t;

RTS_API rtError_t rtMalloc(void** devPtr /*out*/, uint64_t size, uint32_t type, const uint16_t moduleId);
RTS_API rtError_t rtFree(void* devPtr);
RTS_API rtError_t rtMallocHost(void** hostPtr /*out*/, uint64_t size, const uint16_t moduleId);
RTS_API rtError_t rtFreeHost(void* hostPtr);
RTS_API rtError_t rtMemcpy(void* dst, uint64_t destMax, const void* src, uint64_t cnt, rtMemcpyKind_t kind);

#ifdef __cplusplus
}
#endif
