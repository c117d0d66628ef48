// SPDX-License-Identifier: Apache-2.0
// Python from a thread of the program: one thread state for each native thread, for as long as the thread lives.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <atomic>

namespace door {

// Python is going, or gone: destructors of the program may still call. Or this is a forked child: Python's lock may be held by a thread
// that it does not have.
inline std::atomic<bool> ended{false};
// The thread that runs Python's exit handlers, while there may be more of them: those may still call. 0: none.
inline std::atomic<unsigned long> leaving{0};

inline bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() || !Py_IsInitialized();
#else
    return _Py_IsFinalizing() || !Py_IsInitialized();
#endif
}

inline bool is_closed() { return ended && (!leaving || leaving != PyThread_get_thread_ident() || is_finalizing()); }

// What Python holds for a thread (the current device, the last error) stays from call to call, so the state has to stay, too.
struct ThreadState {
    PyThreadState* own = nullptr;
    ~ThreadState() {
        if (own && !ended) {
            PyEval_RestoreThread(own);
            PyThreadState_Clear(own);
            PyThreadState_DeleteCurrent();
        }
    }
};
inline thread_local ThreadState state;

class WithPython {
  public:
    WithPython() {
        if (!PyGILState_GetThisThreadState()) { // a thread that Python has not seen yet: this one Ensure is never released
            PyGILState_Ensure();
            state.own = PyEval_SaveThread();
        }
        held_ = PyGILState_Ensure();
    }
    ~WithPython() { PyGILState_Release(held_); }
    WithPython(const WithPython&) = delete;

  private:
    PyGILState_STATE held_;
};

class WithoutPython {
  public:
    WithoutPython() : saved_(PyEval_SaveThread()) {}
    ~WithoutPython() { PyEval_RestoreThread(saved_); }
    WithoutPython(const WithoutPython&) = delete;

  private:
    PyThreadState* saved_;
};

} // namespace door
