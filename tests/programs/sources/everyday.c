/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that programs use most, each with its answer checked: two streams, an event between them, a captured model, an error. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

#define COUNT 1024
#define BYTES (COUNT * sizeof(uint32_t))

static void ok(aclError code, const char* call) {
    if (code == ACL_SUCCESS) return;
    printf("%s: %d\n%s\n", call, code, aclGetRecentErrMsg());
    exit(1);
}
#define OK(call) ok(call, #call)

static int right(const uint32_t* found, uint32_t first) {
    int count = 0;
    for (uint32_t i = 0; i < COUNT; i++) count += found[i] == first + i;
    return count;
}

int main(int argc, char** argv) {
    aclrtContext context;
    aclrtStream first, second;
    aclrtEvent event;
    aclmdlRI model;
    uint32_t *in, *out;
    void *x, *y;
    if (argc != 2) return 2;

    OK(aclInit(NULL));
    OK(aclrtSetDevice(0));
    OK(aclrtCreateContext(&context, 0));
    OK(aclrtCreateStream(&first));
    OK(aclrtCreateStream(&second));
    OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    OK(aclrtMallocHost((void**)&in, BYTES));
    OK(aclrtMallocHost((void**)&out, BYTES));
    OK(aclrtMalloc(&x, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    OK(aclrtMalloc(&y, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));

    OK(aclrtMemset(y, BYTES, 0xab, BYTES));
    OK(aclrtMemcpy(out, BYTES, y, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("memset %#x\n", out[COUNT - 1]);

    for (uint32_t i = 0; i < COUNT; i++) in[i] = 10 + i;
    OK(aclrtMemcpyAsync(x, BYTES, in, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, first));
    OK(aclrtRecordEvent(event, first));
    OK(aclrtStreamWaitEvent(second, event));
    OK(aclrtMemcpyAsync(y, BYTES, x, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
    OK(aclrtSynchronizeStream(second));
    OK(aclrtMemcpy(out, BYTES, y, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("two streams %d of %d\n", right(out, 10), COUNT);

    OK(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    OK(aclrtMemcpyAsync(x, BYTES, in, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, first));
    OK(aclrtMemcpyAsync(y, BYTES, x, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, first));
    OK(aclmdlRICaptureEnd(first, &model));
    OK(aclmdlRIDebugJsonPrint(model, argv[1], 0));
    for (uint32_t i = 0; i < COUNT; i++) in[i] = 500 + i;
    OK(aclmdlRIExecuteAsync(model, first));
    OK(aclrtSynchronizeDevice());
    OK(aclrtMemcpy(out, BYTES, y, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("replay %d of %d\n", right(out, 500), COUNT);
    OK(aclmdlRIDestroy(model));

    aclError code = aclrtMemcpy(out, 4, y, BYTES, ACL_MEMCPY_DEVICE_TO_HOST);
    aclError last = aclrtGetLastError(ACL_RT_THREAD_LEVEL), next = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    printf("refused %d, last %d then %d\n%s\n", code, last, next, aclGetRecentErrMsg());

    OK(aclrtFree(x));
    OK(aclrtFree(y));
    OK(aclrtFreeHost(in));
    OK(aclrtFreeHost(out));
    OK(aclrtDestroyEvent(event));
    OK(aclrtDestroyStream(first));
    OK(aclrtDestroyStream(second));
    OK(aclrtDestroyContext(context));
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
    return 0;
}
