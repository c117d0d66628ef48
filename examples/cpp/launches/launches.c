/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to launch a built kernel, in C99:

       aclimb build scale.cpp -o scale.o
       aclimb build launches.c -o launches && ./launches scale.o

   1. aclrtLaunchKernel              arguments in device memory
   2. aclrtLaunchKernelV2            the same, with a configuration
   3. aclrtLaunchKernelWithConfig    a list of arguments, with a placeholder
   4. aclrtLaunchKernelWithHostArgs  a block of arguments in host memory, with a placeholder
   5. aclrtLaunchKernelWithArgsArray one address for each argument
   6. aclopExecuteV2                 an operator whose selector chooses kernel, arguments and workspaces */
#include "acl/acl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4, LENGTH = 64, COUNT = BLOCKS * LENGTH };

#define CHECK(call)                                                                                                                        \
    do {                                                                                                                                   \
        aclError code_ = (call);                                                                                                           \
        if (code_ != ACL_SUCCESS) {                                                                                                        \
            const char* why_ = aclGetRecentErrMsg();                                                                                       \
            fprintf(stderr, "%s gave %d: %s\n", #call, code_, why_ ? why_ : "");                                                           \
            exit(1);                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

struct arguments { /* of scale, as the kernel reads them */
    void* factor;
    void* x;
    void* workspace;
    uint32_t length;
    uint32_t unused;
};

static aclrtStream stream;
static void *x, *factor, *device_args;
static float expected[COUNT];

/* Waits, compares with what the host computes, and says so. */
static void finish(const char* name) {
    float got[COUNT];
    int equal = 0;
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(got, sizeof got, x, sizeof got, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < COUNT; ++i) {
        expected[i] *= 1.5f;
        equal += got[i] == expected[i];
    }
    printf("%-31s %d of %d equal\n", name, equal, COUNT);
    if (equal != COUNT) exit(1);
}

static aclrtLaunchKernelCfg* with_timeout(void) {
    static aclrtLaunchKernelAttr attribute;
    static aclrtLaunchKernelCfg config;
    memset(&attribute, 0, sizeof attribute);
    attribute.id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
    attribute.value.timeout = 60; /* seconds */
    config.attrs = &attribute;
    config.numAttrs = 1;
    return &config;
}

static void with_device_arguments(aclrtFuncHandle scale) {
    struct arguments host = {factor, x, NULL, LENGTH, 0};
    CHECK(aclrtMemcpy(device_args, sizeof host, &host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtLaunchKernel(scale, BLOCKS, device_args, sizeof host, stream));
    finish("aclrtLaunchKernel");
    CHECK(aclrtLaunchKernelV2(scale, BLOCKS, device_args, sizeof host, with_timeout(), stream));
    finish("aclrtLaunchKernelV2");
}

static void with_list(aclrtFuncHandle scale) {
    aclrtArgsHandle list;
    aclrtParamHandle parameter, placeholder;
    void *workspace = NULL, *buffer;
    uint32_t length = LENGTH;
    const float by = 1.5f;
    CHECK(aclrtKernelArgsInit(scale, &list));
    CHECK(aclrtKernelArgsAppendPlaceHolder(list, &placeholder));
    CHECK(aclrtKernelArgsAppend(list, &x, sizeof x, &parameter));
    CHECK(aclrtKernelArgsAppend(list, &workspace, sizeof workspace, &parameter));
    CHECK(aclrtKernelArgsAppend(list, &length, sizeof length, &parameter));
    CHECK(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, sizeof by, &buffer));
    memcpy(buffer, &by, sizeof by);
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(scale, BLOCKS, stream, with_timeout(), list, NULL));
    finish("aclrtLaunchKernelWithConfig");
}

static void with_host_block(aclrtFuncHandle scale) {
    struct {
        struct arguments arguments;
        float by;
        uint32_t unused;
    } block = {{NULL, x, NULL, LENGTH, 0}, 1.5f, 0};
    /* The pointer at offset 0 shall point to what lies behind the arguments. */
    aclrtPlaceHolderInfo placeholder = {0, sizeof block.arguments};
    CHECK(aclrtLaunchKernelWithHostArgs(scale, BLOCKS, stream, NULL, &block, sizeof block, &placeholder, 1));
    finish("aclrtLaunchKernelWithHostArgs");
}

static void with_addresses(aclrtFuncHandle scale) {
    void* workspace = NULL;
    uint32_t length = LENGTH;
    void* addresses[] = {&factor, &x, &workspace, &length};
    CHECK(aclrtLaunchKernelWithArgsArray(scale, BLOCKS, stream, NULL, addresses));
    finish("aclrtLaunchKernelWithArgsArray");
}

/* The selector of operator Scale, which reads factor and changes x. The kernel gets inputs, outputs, workspaces, then these bytes. */
static aclError select_kernel(int inputs, const aclTensorDesc* const in[], int outputs, const aclTensorDesc* const out[],
                              const aclopAttr* attributes, aclopKernelDesc* desc) {
    size_t sizes[] = {BLOCKS * 32};
    uint32_t length = LENGTH;
    (void)attributes;
    if (inputs != 1 || outputs != 1 || aclGetTensorDescElementCount(in[0]) != 1) return ACL_ERROR_INVALID_PARAM;
    length = (uint32_t)(aclGetTensorDescElementCount(out[0]) / BLOCKS);
    CHECK(aclopSetKernelWorkspaceSizes(desc, 1, sizes));
    return aclopSetKernelArgs(desc, "scale_float", BLOCKS, &length, sizeof length);
}

static void free_data(void* data, size_t length) {
    (void)length;
    free(data);
}

static void* read_file(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    void* data;
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    data = malloc(*size);
    if (!data || fread(data, 1, *size, file) != *size) exit(1);
    fclose(file);
    return data;
}

static void as_operator(const char* path) {
    const int64_t one[] = {1}, all[] = {COUNT};
    size_t size;
    void* data = read_file(path, &size);
    aclTensorDesc* in[] = {aclCreateTensorDesc(ACL_FLOAT, 1, one, ACL_FORMAT_ND)};
    aclTensorDesc* out[] = {aclCreateTensorDesc(ACL_FLOAT, 1, all, ACL_FORMAT_ND)};
    aclDataBuffer* from[] = {aclCreateDataBuffer(factor, sizeof(float))};
    aclDataBuffer* to[] = {aclCreateDataBuffer(x, COUNT * sizeof(float))};
    CHECK(aclopRegisterCompileFunc("Scale", select_kernel));
    CHECK(aclopCreateKernel("Scale", "scale_float", "scale", data, (int)size, ACL_ENGINE_VECTOR, free_data));
    CHECK(aclopUpdateParams("Scale", 1, (const aclTensorDesc* const*)in, 1, (const aclTensorDesc* const*)out, NULL));
    CHECK(aclopExecuteV2("Scale", 1, in, from, 1, out, to, NULL, stream));
    finish("aclopExecuteV2");
    CHECK(aclopUnregisterCompileFunc("Scale"));
    CHECK(aclDestroyDataBuffer(from[0]));
    CHECK(aclDestroyDataBuffer(to[0]));
    aclDestroyTensorDesc(in[0]);
    aclDestroyTensorDesc(out[0]);
}

int main(int argc, char** argv) {
    const float by = 1.5f;
    float start[COUNT];
    aclrtBinHandle binary;
    aclrtFuncHandle scale;
    if (argc != 2) {
        fprintf(stderr, "usage: %s scale.o\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < COUNT; ++i) start[i] = expected[i] = (float)(i + 1);
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclrtMalloc(&x, sizeof start, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&factor, sizeof by, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&device_args, sizeof(struct arguments), ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(x, sizeof start, start, sizeof start, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(factor, sizeof by, &by, sizeof by, ACL_MEMCPY_HOST_TO_DEVICE));

    CHECK(aclrtBinaryLoadFromFile(argv[1], NULL, &binary));
    CHECK(aclrtBinaryGetFunction(binary, "scale", &scale));
    with_device_arguments(scale);
    with_list(scale);
    with_host_block(scale);
    with_addresses(scale);
    CHECK(aclrtBinaryUnLoad(binary));
    as_operator(argv[1]);

    CHECK(aclrtFree(device_args));
    CHECK(aclrtFree(factor));
    CHECK(aclrtFree(x));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
