// SPDX-License-Identifier: Apache-2.0
// What a Python front end compiles for itself with the host's compiler: the calls that bring a kernel onto the device and run it. With
// WITH_ACL as beside real hardware (acl, reports to the profiler), without it as on the vendor's model, which knows the runtime alone.
// Loaded by ctypes, imported (AS_MODULE), or a program of its own (AS_PROGRAM).
#include "runtime/rt.h"
#ifdef WITH_ACL
#include "acl/acl.h"
#ifdef SEPARATE_PKG_ARCH
#include "profiling/prof_api.h"
#else
#include "toolchain/prof_api.h"
#endif
#else
namespace tm_engine {
extern uint64_t tm_time();
}
#endif
namespace Adx {
void AdumpPrintWorkSpace(const void* workSpaceAddr, const size_t dumpWorkSpaceSize, rtStream_t stream, const char* opType);
}

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr size_t kTextBytes = 75 << 20;

#define CHECKED(call)                                                                                                                      \
    do {                                                                                                                                   \
        if (const int code = (call)) {                                                                                                     \
            fprintf(stderr, "%s: %d\n", #call, code);                                                                                      \
            return code;                                                                                                                   \
        }                                                                                                                                  \
    } while (0)

struct Arguments { // as C lays them out: the two scalars share 8 bytes
    void* x;
    int32_t length;
    float factor;
    void* y;
    void* ffts;
    void* text;
};
static_assert(sizeof(Arguments) == 40, "");

#ifdef WITH_ACL
int32_t on_command(uint32_t, void*, uint32_t) { abort(); } // nobody profiles

int report(const char* name, uint64_t begin) {
    MsprofApi api{};
    api.magicNumber = MSPROF_REPORT_DATA_MAGIC_NUM;
    api.level = MSPROF_REPORT_NODE_LEVEL;
    api.type = MSPROF_REPORT_NODE_LAUNCH_TYPE;
    api.beginTime = begin;
    api.endTime = MsprofSysCycleTime();
    api.itemId = MsprofGetHashId(name, std::string(name).size());
    CHECKED(MsprofReportApi(0, &api));
    MsprofCompactInfo node{};
    node.data.nodeBasicInfo.opName = api.itemId;
    node.data.nodeBasicInfo.taskType = MSPROF_GE_TASK_TYPE_AIV;
    CHECKED(MsprofReportCompactInfo(0, &node, sizeof node));
    MsprofAdditionalInfo tensors{};
    reinterpret_cast<MsprofTensorInfo*>(tensors.data)->opName = api.itemId;
    CHECKED(MsprofReportAdditionalInfo(0, &tensors, sizeof tensors));
    return api.endTime < begin;
}
#endif

int upload(void** to, const void* from, size_t size) {
    CHECKED(rtMalloc(to, size, RT_MEMORY_HBM, 0));
    return rtMemcpy(*to, size, from, size, RT_MEMCPY_HOST_TO_DEVICE);
}

} // namespace

extern "C" {

int open_device(int32_t device) {
#ifdef WITH_ACL
    CHECKED(aclInit(nullptr));
    CHECKED(MsprofRegisterCallback(8, on_command));
    CHECKED(rtProfSetProSwitch(nullptr, 0));
#endif
    int32_t count = 0;
    int64_t cores = 0;
    char name[64] = {};
    CHECKED(rtGetDeviceCount(&count));
    CHECKED(rtSetDevice(device));
    CHECKED(rtGetSocVersion(name, sizeof name));
    CHECKED(rtGetDeviceInfo(device, 7, 3, &cores));
    return count < 1 || cores < 1 || std::string(name).compare(0, 6, "Ascend") != 0;
}

int close_device(int32_t device) { return rtDeviceReset(device); }

// y = x * factor, a row for each block.
int scale_rows(const void* binary, uint64_t size, const float* x, float* y, int32_t length, float factor, uint32_t blocks) {
    const std::string name = "scale_rows"; // its bytes are the stub, and lie elsewhere the next time
    const size_t bytes = sizeof(float) * length * blocks;
    rtStream_t stream = nullptr;
    void *handle = nullptr, *text = nullptr;
    uint64_t ffts = 1;
    uint32_t ffts_size = 1;
    const rtDevBinary_t described{RT_DEV_BINARY_MAGIC_ELF_AIVEC, 0, binary, size};
    CHECKED(rtStreamCreate(&stream, RT_STREAM_PRIORITY_DEFAULT));
    CHECKED(rtDevBinaryRegister(&described, &handle));
    CHECKED(rtFunctionRegister(handle, name.c_str(), name.c_str(), name.c_str(), 0));
    CHECKED(rtGetC2cCtrlAddr(&ffts, &ffts_size));
    Arguments arguments{nullptr, length, factor, nullptr, nullptr, nullptr};
    CHECKED(upload(&arguments.x, x, bytes));
    CHECKED(upload(&arguments.ffts, &ffts, sizeof ffts));
    CHECKED(rtMalloc(&arguments.y, bytes, RT_MEMORY_HBM | RT_MEMORY_POLICY_HUGE_PAGE_FIRST, 0));
    CHECKED(rtMalloc(&text, kTextBytes, RT_MEMORY_HBM, 0));
    arguments.text = text;
#ifdef WITH_ACL
    const uint64_t begin = MsprofSysCycleTime();
#else
    const uint64_t begin = tm_engine::tm_time();
#endif
    CHECKED(rtKernelLaunch(name.c_str(), blocks, &arguments, sizeof arguments, nullptr, stream));
#ifdef WITH_ACL
    CHECKED(report(name.c_str(), begin));
    CHECKED(aclrtSynchronizeStream(stream)); // the same stream
#endif
    CHECKED(rtStreamSynchronizeWithTimeout(stream, 60000));
#ifndef WITH_ACL
    CHECKED(tm_engine::tm_time() < begin);
#endif
    CHECKED(rtMemcpy(y, bytes, arguments.y, bytes, RT_MEMCPY_DEVICE_TO_HOST));
    Adx::AdumpPrintWorkSpace(text, kTextBytes, stream, name.c_str());
    for (void* each : {arguments.x, arguments.y, arguments.ffts, text}) CHECKED(rtFree(each));
    CHECKED(rtDevBinaryUnRegister(handle));
    CHECKED(rtDeviceSynchronize());
    return rtStreamDestroy(stream);
}
}

#ifdef AS_MODULE
#include <Python.h>

namespace {

PyObject* py_open(PyObject*, PyObject*) { return PyLong_FromLong(open_device(0)); }
PyObject* py_close(PyObject*, PyObject*) { return PyLong_FromLong(close_device(0)); }
PyObject* py_scale(PyObject*, PyObject* args) {
    Py_buffer binary, x, y;
    int length;
    float factor;
    unsigned blocks;
    if (!PyArg_ParseTuple(args, "y*y*w*ifI", &binary, &x, &y, &length, &factor, &blocks)) return nullptr;
    const int code = scale_rows(binary.buf, static_cast<uint64_t>(binary.len), static_cast<const float*>(x.buf), static_cast<float*>(y.buf),
                                length, factor, blocks);
    for (Py_buffer* each : {&binary, &x, &y}) PyBuffer_Release(each);
    return PyLong_FromLong(code);
}

PyMethodDef methods[] = {{"open_device", py_open, METH_NOARGS, ""},
                         {"close_device", py_close, METH_NOARGS, ""},
                         {"scale_rows", py_scale, METH_VARARGS, ""},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "launcher", "", -1, methods, {}, {}, {}, {}};

} // namespace

PyMODINIT_FUNC PyInit_launcher() { return PyModule_Create(&definition); }
#endif

#ifdef AS_PROGRAM
int main(int, char** argv) {
    std::vector<char> binary;
    FILE* file = fopen(argv[1], "rb");
    for (int each; file && (each = fgetc(file)) != EOF;) binary.push_back(static_cast<char>(each));
    if (file) fclose(file);
    constexpr int32_t kLength = 64, kBlocks = 4;
    std::vector<float> x(kLength * kBlocks), y(x.size(), -1.0f);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    CHECKED(open_device(0));
    for (int turn = 0; turn < 2; ++turn)
        CHECKED(scale_rows(binary.data(), binary.size(), x.data(), y.data(), kLength, 0.5f + static_cast<float>(turn), kBlocks));
    for (size_t i = 0; i < x.size(); ++i) CHECKED(y[i] != x[i] * 1.5f);
    CHECKED(close_device(0));
    puts("right");
    return 0;
}
#endif
