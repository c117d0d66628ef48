/* SPDX-License-Identifier: Apache-2.0 */
/* Operator binaries, functions under an address that the program chooses, launches. */
#pragma once
#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RT_DEV_BINARY_MAGIC_ELF 0x43554245U
#define RT_DEV_BINARY_MAGIC_ELF_AIVEC 0x41415246U
#define RT_DEV_BINARY_MAGIC_ELF_AICUBE 0x41494343U
#define RT_DEV_BINARY_MAGIC_ELF_AICPU 0x41415243U

typedef struct tagRtDevBinary {
    uint32_t magic;
    uint32_t version;
    const void* data;
    uint64_t length;
} rtDevBinary_t;

typedef struct tagRtSmDesc rtSmDesc_t;
typedef struct tagRtArgsEx rtArgsEx_t;
typedef struct tagRtTaskCfgInfo rtTaskCfgInfo_t;
typedef void* rtBinHandle;

RTS_API rtError_t rtDevBinaryRegister(const rtDevBinary_t* bin, void** hdl /*out*/);
RTS_API rtError_t rtDevBinaryUnRegister(void* hdl);
RTS_API rtError_t rtFunctionRegister(void* binHandle, const void* stubFunc, const char* stubName, const void* kernelInfoExt,
                                     uint32_t funcMode);
RTS_API rtError_t rtKernelLaunch(const void* stubFunc, uint32_t numBlocks, void* args, uint32_t argsSize, rtSmDesc_t* smDesc,
                                 rtStream_t stm);
RTS_API rtError_t rtKernelLaunchWithFlagV2(const void* stubFunc, uint32_t numBlocks, rtArgsEx_t* argsInfo, rtSmDesc_t* smDesc,
                                           rtStream_t stm, uint32_t flags, const rtTaskCfgInfo_t* cfgInfo);
RTS_API rtError_t rtKernelLaunchWithHandleV2(void* hdl, const uint64_t tilingKey, uint32_t numBlocks, rtArgsEx_t* argsInfo,
                                             rtSmDesc_t* smDesc, rtStream_t stm, const rtTaskCfgInfo_t* cfgInfo);
RTS_API rtError_t rtRegisterAllKernel(const rtDevBinary_t* bin, void** hdl /*out*/);
RTS_API rtError_t rtBinaryLoadWithoutTilingKey(const void* data, const uint64_t length, rtBinHandle* binHandle /*out*/);

#ifdef __cplusplus
}
#endif
