// SPDX-License-Identifier: Apache-2.0
// What the samples share: a device with a stream, memory on it, and a comparison that says which value is the first wrong one.
#pragma once
#include "acl/acl.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_ACL(call)                                                                                                                       \
    do {                                                                                                                                      \
        const aclError code = (call);                                                                                                         \
        if (code != ACL_SUCCESS) {                                                                                                            \
            const char* why = aclGetRecentErrMsg();                                                                                           \
            std::fprintf(stderr, "%s:%d: %s gave %d: %s\n", __FILE__, __LINE__, #call, code, why ? why : "");                                 \
            std::exit(1);                                                                                                                     \
        }                                                                                                                                     \
    } while (0)

class Device {
  public:
    Device() {
        CHECK_ACL(aclInit(nullptr));
        CHECK_ACL(aclrtSetDevice(0));
        CHECK_ACL(aclrtCreateStream(&stream));
    }
    ~Device() {
        for (void* each : memory) aclrtFree(each);
        aclrtDestroyStream(stream);
        aclrtResetDevice(0);
        aclFinalize();
    }

    template <typename T> uint8_t* Put(const std::vector<T>& values) {
        void* made = nullptr;
        const size_t bytes = values.size() * sizeof(T);
        CHECK_ACL(aclrtMalloc(&made, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK_ACL(aclrtMemcpy(made, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
        memory.push_back(made);
        return static_cast<uint8_t*>(made);
    }
    template <typename T> std::vector<T> Get(const void* from, size_t count) {
        std::vector<T> values(count);
        CHECK_ACL(aclrtSynchronizeStream(stream));
        CHECK_ACL(aclrtMemcpy(values.data(), count * sizeof(T), from, count * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST));
        return values;
    }

    aclrtStream stream = nullptr;

  private:
    std::vector<void*> memory;
};

template <typename T> int Compare(const std::vector<T>& got, const std::vector<T>& expected, double tolerance = 0) {
    for (size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(got[i]) - static_cast<double>(expected[i]));
        if (!(difference <= tolerance)) {
            std::printf("[Failed] at %zu: expected %g, got %g\n", i, static_cast<double>(expected[i]), static_cast<double>(got[i]));
            return 1;
        }
    }
    std::printf("[Success] %zu values\n", expected.size());
    return 0;
}
