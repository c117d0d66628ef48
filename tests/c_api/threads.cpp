// SPDX-License-Identifier: Apache-2.0
// Threads of a C++ program, which Python has not seen before.
#include "acl/acl.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void* kept_at_exit = nullptr;
int code_at_exit = -1;

struct AtExit { // a static object that gives its memory back when the program, or Python, has ended
    ~AtExit() {
        if (kept_at_exit) {
            code_at_exit = aclrtSynchronizeDevice();
            const char* text = aclGetRecentErrMsg();
            fprintf(stdout, "at exit %d %s, free %d\n", code_at_exit, text ? "text" : "no text", aclrtFree(kept_at_exit));
            fflush(stdout);
        }
    }
} at_exit;

} // namespace

extern "C" {

void free_at_exit(void* memory) { kept_at_exit = memory; }

// Two threads fail with different codes; each sees its own, twice by a peek and once by a get, and its own sentence. 0 when all is right.
int last_errors_are_per_thread() {
    std::atomic<int> wrong{0}, failed{0};
    auto run = [&](int expected, bool is_null) {
        aclError code = is_null ? aclrtFree(nullptr) : aclrtFree(reinterpret_cast<void*>(0x10));
        ++failed;
        while (failed < 2) std::this_thread::yield();
        wrong += code != expected;
        wrong += aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) != expected;
        wrong += aclrtGetLastError(ACL_RT_THREAD_LEVEL) != expected;
        wrong += aclrtGetLastError(ACL_RT_THREAD_LEVEL) != 0;
        const char* text = aclGetRecentErrMsg();
        wrong += !text || std::string(text).find(std::to_string(expected) + ": aclrtFree: ") != 0;
        wrong += aclGetRecentErrMsg() != nullptr;
    };
    std::thread first(run, 100000, true), second(run, 107000, false);
    first.join();
    second.join();
    return wrong;
}

// A thread sets its device, and finds it set in later calls; the memory it allocates is freed by another one.
int state_stays_with_its_thread(int device) {
    std::atomic<int> wrong{0};
    std::vector<void*> made(8, nullptr);
    std::vector<std::thread> threads;
    for (auto& place : made) {
        threads.emplace_back([&wrong, &place, device] {
            int32_t found = -1;
            wrong += aclrtGetDevice(&found) == 0 && found != device; // none is set yet, or the default one
            wrong += aclrtSetDevice(device) != 0;
            for (int i = 0; i < 50; ++i) wrong += aclrtGetDevice(&found) != 0 || found != device;
            wrong += aclrtMalloc(&place, 64, ACL_MEM_MALLOC_HUGE_FIRST) != 0;
        });
    }
    for (auto& each : threads) each.join();
    std::thread last([&] {
        wrong += aclrtSetDevice(device) != 0;
        for (void* each : made) wrong += aclrtFree(each) != 0;
        for (size_t i = 0; i <= made.size(); ++i) wrong += aclrtResetDevice(device) != 0;
    });
    last.join();
    return wrong;
}

// Milliseconds that `other` waited for its own stream, while this thread waits for a busy one until `other` ends that.
int waits_do_not_block_each_other(int how, void* context, void* busy, void* idle, void* event, int* code_of_busy) {
    std::atomic<int> took{-1};
    std::thread other([&] {
        aclrtSetCurrentContext(context);
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); // the main thread waits by now
        auto begin = Clock::now();
        if (aclrtSynchronizeStream(idle) == 0) {
            took = int(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count());
        }
        aclrtStreamAbort(busy);
    });
    *code_of_busy = how == 0   ? aclrtSynchronizeStream(busy)
                    : how == 1 ? aclrtSynchronizeStreamWithTimeout(busy, 20000)
                    : how == 2 ? aclrtSynchronizeEvent(event)
                               : aclrtSynchronizeDevice();
    other.join();
    return took;
}

// Short-lived threads, one after the other: their Python states go with them.
int many_threads(int count) {
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        std::thread each([&] { wrong += aclrtGetLastError(ACL_RT_THREAD_LEVEL) != 0; });
        each.join();
    }
    return wrong;
}
}
