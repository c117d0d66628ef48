// SPDX-License-Identifier: Apache-2.0
// Threads of a C++ program that launch through the runtime below acl.
#include "acl/acl.h"
#include "runtime/rt.h"

#include <atomic>
#include <thread>
#include <vector>

namespace {

struct Arguments {
    void* x;
    int32_t scale, shift;
    void* y;
};

} // namespace

extern "C" {

// Each thread sets the device, makes a stream and launches the function behind `stub` with numbers of its own. 0 when all is right.
int launches_from_threads(const void* stub, int count) {
    std::atomic<int> wrong{0};
    auto run = [&](int number) {
        int32_t host[16];
        for (int i = 0; i < 16; ++i) host[i] = i;
        void *x = nullptr, *y = nullptr;
        rtStream_t stream = nullptr;
        wrong += rtMalloc(&x, sizeof host, RT_MEMORY_HBM, 0) != ACL_ERROR_RT_CONTEXT_NULL; // no device yet
        wrong += rtSetDevice(0) + rtStreamCreate(&stream, RT_STREAM_PRIORITY_DEFAULT);
        wrong += rtMalloc(&x, sizeof host, RT_MEMORY_HBM, 0) + rtMalloc(&y, sizeof host, RT_MEMORY_HBM, 0);
        wrong += rtMemcpy(x, sizeof host, host, sizeof host, RT_MEMCPY_HOST_TO_DEVICE);
        Arguments arguments{x, number, 100 * number, y};
        wrong += rtKernelLaunch(stub, 1, &arguments, sizeof arguments, nullptr, stream);
        wrong += rtStreamSynchronize(stream);
        wrong += rtMemcpy(host, sizeof host, y, sizeof host, RT_MEMCPY_DEVICE_TO_HOST);
        for (int i = 0; i < 16; ++i) wrong += host[i] != i * number + 100 * number;
        wrong += rtFree(x) + rtFree(y) + rtStreamDestroy(stream) + rtDeviceReset(0);
    };
    std::vector<std::thread> threads;
    for (int i = 1; i <= count; ++i) threads.emplace_back(run, i);
    for (auto& each : threads) each.join();
    return wrong;
}
}
