/* SPDX-License-Identifier: Apache-2.0 */
/* Single operators: kernels that are registered, chosen by a function of the program and executed (aclop). */
#pragma once
#include "acl/acl_base.h"
#include "acl/acl_dump.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclopHandle aclopHandle;
typedef struct aclopAttr aclopAttr;
typedef struct aclopKernelDesc aclopKernelDesc;
typedef void (*aclDataDeallocator)(void* data, size_t length);
typedef aclError (*aclopCompileFunc)(int numInputs, const aclTensorDesc* const inputDesc[], int numOutputs,
                                     const aclTensorDesc* const outputDesc[], const aclopAttr* opAttr, aclopKernelDesc* aclopKernelDesc);
static const int ACL_COMPILE_FLAG_BIN_SELECTOR = 1;
typedef enum aclEngineType { ACL_ENGINE_SYS = 0, ACL_ENGINE_AICORE = 1, ACL_ENGINE_VECTOR = 2 } aclopEngineType;

ACL_FUNC_VISIBILITY aclError aclopRegisterCompileFunc(const char* opType, aclopCompileFunc func);
ACL_FUNC_VISIBILITY aclError aclopUnregisterCompileFunc(const char* opType);
ACL_FUNC_VISIBILITY aclError aclopCreateKernel(const char* opType, const char* kernelId, const char* kernelName, void* binData, int binSize,
                                               aclopEngineType enginetype, aclDataDeallocator deallocator);
ACL_FUNC_VISIBILITY aclError aclopSetKernelArgs(aclopKernelDesc* kernelDesc, const char* kernelId, uint32_t blockDim, const void* args,
                                                uint32_t argSize);
ACL_FUNC_VISIBILITY aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc* kernelDesc, int numWorkspaces, size_t* workspaceSizes);
ACL_FUNC_VISIBILITY aclError aclopUpdateParams(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[] /*[numInputs]*/,
                                               int numOutputs, const aclTensorDesc* const outputDesc[] /*[numOutputs]*/,
                                               const aclopAttr* attr);
ACL_FUNC_VISIBILITY aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc* inputDesc[] /*[numInputs]*/,
                                             aclDataBuffer* inputs[] /*[numInputs]*/, int numOutputs,
                                             aclTensorDesc* outputDesc[] /*[numOutputs]*/, aclopAttr* attr);
ACL_FUNC_VISIBILITY aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[] /*[numInputs]*/,
                                          const aclDataBuffer* const inputs[] /*[numInputs]*/, int numOutputs,
                                          const aclTensorDesc* const outputDesc[] /*[numOutputs]*/,
                                          aclDataBuffer* const outputs[] /*[numOutputs]*/, const aclopAttr* attr, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[] /*[numInputs]*/,
                                            aclDataBuffer* inputs[] /*[numInputs]*/, int numOutputs,
                                            aclTensorDesc* outputDesc[] /*[numOutputs]*/, aclDataBuffer* outputs[] /*[numOutputs]*/,
                                            aclopAttr* attr, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclopCreateHandle(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[] /*[numInputs]*/,
                                               int numOutputs, const aclTensorDesc* const outputDesc[] /*[numOutputs]*/,
                                               const aclopAttr* opAttr, aclopHandle** handle /*out*/);
ACL_FUNC_VISIBILITY void aclopDestroyHandle(aclopHandle* handle);
ACL_FUNC_VISIBILITY aclError aclopExecWithHandle(aclopHandle* handle, int numInputs, const aclDataBuffer* const inputs[] /*[numInputs]*/,
                                                 int numOutputs, aclDataBuffer* const outputs[] /*[numOutputs]*/, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum);
ACL_FUNC_VISIBILITY aclopAttr* aclopCreateAttr(void);
ACL_FUNC_VISIBILITY void aclopDestroyAttr(const aclopAttr* attr);
ACL_FUNC_VISIBILITY aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue);
ACL_FUNC_VISIBILITY aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue);
ACL_FUNC_VISIBILITY aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue);
ACL_FUNC_VISIBILITY aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue);
ACL_FUNC_VISIBILITY aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue);
ACL_FUNC_VISIBILITY aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                                                  const uint8_t* values /*[numValues]*/);
ACL_FUNC_VISIBILITY aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                                                 const int64_t* values /*[numValues]*/);
ACL_FUNC_VISIBILITY aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                                                   const float* values /*[numValues]*/);
ACL_FUNC_VISIBILITY aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues,
                                                    const char** values /*[numValues]*/);
ACL_FUNC_VISIBILITY aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                                      const aclDataType values[] /*[numValues]*/);
ACL_FUNC_VISIBILITY aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists,
                                                     const int* numValues /*[numLists]*/,
                                                     const int64_t* const values[] /*[numLists][numValues]*/);
ACL_FUNC_VISIBILITY aclError aclopSetModelDir(const char* modelDir);
ACL_FUNC_VISIBILITY aclError aclopLoad(const void* model, size_t modelSize);
ACL_FUNC_VISIBILITY aclError aclopCast(const aclTensorDesc* srcDesc, const aclDataBuffer* srcBuffer, const aclTensorDesc* dstDesc,
                                       aclDataBuffer* dstBuffer, uint8_t truncate, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclopCreateHandleForCast(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, uint8_t truncate,
                                                      aclopHandle** handle /*out*/);

#ifdef __cplusplus
}
#endif
