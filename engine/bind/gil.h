// SPDX-License-Identifier: Apache-2.0
// Without Python's lock, for the time of a wait or a long copy. When the interpreter ends, a daemon thread that asks for the lock is
// made to exit by unwinding its stack, which C++ answers with terminate(). So at that time such a thread stays here for good.
#pragma once
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>

#include "host/pool.h"
#include "memory/thread_id.h"

namespace aclimb {

class WithoutGil {
  public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    ~WithoutGil() {
        asking_++;
        if (ending_ && getpid() != thread_id()) {
            asking_--;
            for (;;) pause();
        }
        PyEval_RestoreThread(state_);
        asking_--;
    }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

    // The interpreter is about to end: returns when nobody is on the way back to it any more.
    static void end() {
        ending_ = true;
        if (Pool::forked()) return; // those who were on the way are in the parent
        PyThreadState* state = PyEval_SaveThread();
        while (asking_) usleep(100);
        PyEval_RestoreThread(state);
    }

  private:
    PyThreadState* state_;
    static inline std::atomic<bool> ending_{false};
    static inline std::atomic<int> asking_{0};
};

} // namespace aclimb
