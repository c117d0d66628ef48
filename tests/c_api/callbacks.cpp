// SPDX-License-Identifier: Apache-2.0
// Callbacks of a C++ program. Each writes down what it saw; the test looks at it afterwards.
#include "acl/acl.h"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::atomic<int> calls{0}, with_lock{0}, value{0};
std::atomic<pthread_t> thread{};
std::string seen;

// 1 while this thread holds Python's lock.
int holds_python() {
    auto check = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
    return check ? check() : -1;
}

void note(void* data) {
    with_lock += holds_python();
    thread = pthread_self();
    value = *static_cast<int*>(data);
    ++calls;
}

void throws(void*) {
    ++calls;
    throw std::runtime_error("thrown by the program");
}

void throws_a_number(void*) {
    ++calls;
    throw 7;
}

void on_failure(aclrtExceptionInfo* info) {
    void* args = nullptr;
    uint32_t size = 0;
    aclrtFuncHandle function = nullptr;
    char name[64] = "?";
    aclrtGetArgsFromExceptionInfo(info, &args, &size);
    aclrtGetFuncHandleFromExceptionInfo(info, &function);
    aclrtGetFunctionName(function, sizeof name, name);
    seen = std::string(name) + " " + std::to_string(aclrtGetErrorCodeFromExceptionInfo(info)) + " " + std::to_string(size) + " " +
           std::to_string(args != nullptr);
    with_lock += holds_python();
    ++calls;
}

void on_failure_of_binary(aclrtExceptionInfo*, void* data) {
    value = *static_cast<int*>(data);
    ++calls;
}

void freed(void* data, size_t length) {
    value = int(length);
    calls += data != nullptr;
}

aclError choose(int inputs, const aclTensorDesc* const in[], int outputs, const aclTensorDesc* const out[], const aclopAttr*,
                aclopKernelDesc* desc) {
    with_lock += holds_python();
    ++calls;
    if (inputs != 1 || outputs != 1) return 100000;
    uint32_t count = uint32_t(aclGetTensorDescElementCount(in[0]) + 0 * aclGetTensorDescElementCount(out[0]));
    uint64_t block[1] = {count};
    size_t workspaces[1] = {4096};
    if (aclError code = aclopSetKernelWorkspaceSizes(desc, 1, workspaces)) return code;
    aclError code = aclopSetKernelArgs(desc, "copy", 1, block, sizeof block);
    block[0] = 99, workspaces[0] = ~size_t(0); // both were copied
    return code;
}

} // namespace

extern "C" {

int calls_seen() { return calls.exchange(0); }
int calls_with_lock() { return with_lock.exchange(0); }
int value_seen() { return value.exchange(0); }
const char* text_seen() { return seen.c_str(); }
int was_this_thread() { return pthread_equal(thread.load(), pthread_self()); }

int host_function(void* stream, int* data) { return aclrtLaunchHostFunc(stream, note, data); }
int host_function_that_throws(void* stream) {
    int code = aclrtLaunchHostFunc(stream, throws, nullptr);
    return code ? code : aclrtLaunchHostFunc(stream, throws_a_number, nullptr);
}

// A thread of the program fetches the callback. Gives 0, or the code of the call that failed.
int callback_on_own_thread(void* stream, void* context, int* data) {
    std::atomic<int> ready{0}, code{0};
    std::thread worker([&] {
        code = aclrtSetCurrentContext(context);
        uint64_t self = uint64_t(pthread_self());
        if (!code) code = aclrtSubscribeReport(self, stream);
        ready = 1;
        if (!code) code = aclrtProcessReport(5000);
        if (!code && !was_this_thread()) code = -1;
        if (!code) code = aclrtUnSubscribeReport(self, stream);
    });
    while (!ready) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!code) code = aclrtLaunchCallback(note, data, ACL_CALLBACK_BLOCK, stream);
    worker.join();
    return code;
}

int register_failure() { return aclrtExceptionInfoCallbackRegister(on_failure); }
int unregister_failure() { return aclrtExceptionInfoCallbackUnregister(on_failure); }
int set_failure(int on) { return aclrtSetExceptionInfoCallback(on ? on_failure : nullptr); }
int set_failure_of_binary(void* binary, int* data) { return aclrtBinarySetExceptionCallback(binary, on_failure_of_binary, data); }
int create_kernel(const char* type, void* data, int size) {
    return aclopCreateKernel(type, "copy", "copy_operator", data, size, ACL_ENGINE_VECTOR, freed);
}
int register_selector(const char* type) { return aclopRegisterCompileFunc(type, choose); }
}
