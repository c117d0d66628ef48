/* SPDX-License-Identifier: Apache-2.0 */
/* aclop_scenes NAME FOLDER: calls the operators of projects/blend by their types, in C and in C++. It links to libascendcl alone. */
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"

enum { kCount = 217 };
static const char* folder;
static aclrtStream stream;

static int told(const char* what, int code) {
    const char* text = aclGetRecentErrMsg();
    printf("%s %d %s\n", what, code, text ? text : "");
    return code;
}

static FILE* opened(const char* file, const char* mode) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return fopen(path, mode);
}

/* Device memory with the values of a file. */
static aclDataBuffer* filled(const char* file) {
    float values[kCount] = {0};
    void* memory = NULL;
    if (file) {
        FILE* from = opened(file, "rb");
        if (!from || fread(values, sizeof *values, kCount, from) != kCount) printf("%s is too short\n", file);
        if (from) fclose(from);
    }
    aclrtMalloc(&memory, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE);
    return aclCreateDataBuffer(memory, sizeof values);
}

static void save(const aclDataBuffer* buffer, const char* file) {
    float values[kCount];
    FILE* to = opened(file, "wb");
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(values, sizeof values, aclGetDataBufferAddr(buffer), sizeof values, ACL_MEMCPY_DEVICE_TO_HOST);
    if (to) {
        fwrite(values, sizeof *values, kCount, to);
        fclose(to);
    }
}

static void drop(aclDataBuffer* buffer) {
    aclrtFree(aclGetDataBufferAddr(buffer));
    aclDestroyDataBuffer(buffer);
}

static aclTensorDesc* floats(int64_t count) { return aclCreateTensorDesc(ACL_FLOAT, 1, &count, ACL_FORMAT_ND); }

static void blend(void) {
    aclTensorDesc *inputs[4], *outputs[1];
    aclDataBuffer *in[4], *out[1];
    const int64_t order[] = {1, 0};
    const float weights[] = {0.5f, -4.0f};
    const uint8_t used[] = {1, 1};
    aclopAttr* attr = aclopCreateAttr();
    int i;
    for (i = 0; i < 4; ++i) inputs[i] = floats(kCount);
    aclSetTensorDynamicInput(inputs[2], "parts");
    aclSetTensorDynamicInput(inputs[3], "parts");
    in[0] = filled("x");
    in[1] = filled("bias");
    in[2] = filled("first");
    in[3] = filled("second");
    outputs[0] = floats(-1); /* inferred */
    out[0] = filled(NULL);
    aclopSetAttrInt(attr, "shift", -3);
    aclopSetAttrFloat(attr, "alpha", 0.25f);
    aclopSetAttrBool(attr, "negate", 1);
    aclopSetAttrString(attr, "mode", "mul");
    aclopSetAttrListFloat(attr, "weights", 2, weights);
    aclopSetAttrListInt(attr, "order", 2, order);
    aclopSetAttrListBool(attr, "used_parts", 2, used);
    told("execute", aclopExecuteV2("Blend", 4, inputs, in, 1, outputs, out, attr, stream));
    printf("dims %d\n", (int)aclGetTensorDescDim(outputs[0], 0));
    save(out[0], "y");
    for (i = 0; i < 4; ++i) {
        aclDestroyTensorDesc(inputs[i]);
        drop(in[i]);
    }
    aclDestroyTensorDesc(outputs[0]);
    drop(out[0]);
    aclopDestroyAttr(attr);
}

static void by_handle(void) {
    aclTensorDesc *sum = floats(kCount), *x = floats(kCount);
    const aclTensorDesc *inputs[2], *outputs[1];
    aclDataBuffer *in[2], *out[1];
    aclopHandle* handle = NULL;
    inputs[0] = outputs[0] = sum;
    inputs[1] = x;
    in[0] = out[0] = filled("x");
    in[1] = filled("first");
    told("handle", aclopCreateHandle("Accumulate", 2, inputs, 1, outputs, NULL, &handle));
    told("run", aclopExecWithHandle(handle, 2, (const aclDataBuffer* const*)in, 1, out, stream));
    told("run", aclopExecWithHandle(handle, 2, (const aclDataBuffer* const*)in, 1, out, stream));
    aclopDestroyHandle(handle);
    save(out[0], "y");
    aclDestroyTensorDesc(sum);
    aclDestroyTensorDesc(x);
    drop(in[0]);
    drop(in[1]);
}

static void refused(void) {
    int64_t side = kCount;
    aclTensorDesc *sum = floats(kCount), *x = aclCreateTensorDesc(ACL_INT32, 1, &side, ACL_FORMAT_ND), *big = floats(2 * kCount);
    aclTensorDesc* inputs[3];
    aclDataBuffer *in[3], *out[1];
    inputs[0] = sum;
    inputs[1] = x;
    inputs[2] = sum;
    in[0] = in[1] = in[2] = out[0] = filled(NULL);
    told("unknown", aclopExecuteV2("Nobody", 1, inputs, in, 1, &sum, out, NULL, stream));
    told("dtype", aclopExecuteV2("Accumulate", 2, inputs, in, 1, &sum, out, NULL, stream));
    told("many", aclopExecuteV2("Accumulate", 3, inputs, in, 1, &sum, out, NULL, stream));
    told("missing", aclopExecuteV2("Accumulate", 1, inputs, in, 1, &sum, out, NULL, stream));
    inputs[1] = big;
    told("small", aclopExecuteV2("Accumulate", 2, inputs, in, 1, &sum, out, NULL, stream));
    told("attribute", aclopExecuteV2("Blend", 1, inputs, in, 1, &sum, out, NULL, stream));
    told("models", aclopSetModelDir("somewhere"));
    aclDestroyTensorDesc(sum);
    aclDestroyTensorDesc(x);
    aclDestroyTensorDesc(big);
    drop(in[0]);
}

int main(int argc, char** argv) {
    folder = argc > 2 ? argv[2] : ".";
    aclInit(NULL);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    if (argc > 1 && !strcmp(argv[1], "blend")) blend();
    if (argc > 1 && !strcmp(argv[1], "by_handle")) by_handle();
    if (argc > 1 && !strcmp(argv[1], "refused")) refused();
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
