// SPDX-License-Identifier: Apache-2.0
// aclimb._door: the functions of the acl headers, answered by the Python functions of the same name in aclimb.capi.
//
// A native thread gets one Python thread state and keeps it: what Python holds for a thread (the current device) stays from call to
// call. Values are converted by their C types; what a type does not say, the marks in the headers do (tools/make_c_api.py).
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "table.h"

#include <atomic>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

constexpr int kNull = 100000, kInternal = 500000, kEnded = 100001;
std::atomic<bool> ended{false}; // Python is going, or gone: destructors of the program may still call
PyObject* answers[kPlaces];     // aclimb.capi's functions
PyObject* refuse_null;          // refuse_null(function, parameter) keeps the sentence

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
thread_local ThreadState state;

class WithPython {
  public:
    WithPython() {
        if (!state.own && !PyGILState_GetThisThreadState()) {
            PyGILState_Ensure();
            state.own = PyEval_SaveThread();
        }
        held_ = PyGILState_Ensure();
    }
    ~WithPython() { PyGILState_Release(held_); }

  private:
    PyGILState_STATE held_;
};

// --- to Python

template <typename T> PyObject* to_python(T value) {
    if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
        if (!value) return Py_NewRef(Py_None);
        return PyUnicode_DecodeUTF8(value, static_cast<Py_ssize_t>(__builtin_strlen(value)), "replace");
    } else if constexpr (std::is_pointer_v<T>) {
        return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(value));
    } else if constexpr (std::is_enum_v<T>) {
        return PyLong_FromLong(static_cast<long>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        return PyFloat_FromDouble(value);
    } else if constexpr (std::is_signed_v<T>) {
        return PyLong_FromLongLong(value);
    } else {
        return PyLong_FromUnsignedLongLong(value);
    }
}

// --- from Python

const char* keep_text(PyObject* value) {
    static thread_local std::string kept;
    if (value == Py_None) return nullptr;
    kept = PyUnicode_AsUTF8(value);
    return kept.c_str();
}

template <typename T> T from_python(PyObject* value) {
    if constexpr (std::is_same_v<T, const char*>) {
        return keep_text(value);
    } else if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<T>(static_cast<uintptr_t>(PyLong_AsUnsignedLongLongMask(value)));
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(PyFloat_AsDouble(value));
    } else {
        return static_cast<T>(PyLong_AsUnsignedLongLongMask(value));
    }
}

template <typename T> struct Output {
    const char* name;
    T* place;
};

template <typename R> R refused(int code) {
    if constexpr (std::is_void_v<R>) {
        return;
    } else if constexpr (std::is_same_v<R, int>) {
        return code;
    } else {
        return R{};
    }
}

template <typename R> R failed() {
    PyErr_Print();
    return refused<R>(kInternal);
}

template <typename R, typename... In, typename... Out>
R call(Place place, const char* name, std::tuple<In...> in, std::tuple<Output<Out>...> out) {
    if (ended) return refused<R>(kEnded);
    WithPython with;
    const char* missing = nullptr;
    std::apply([&](auto... each) { ((missing = missing || each.place ? missing : each.name), ...); }, out);
    if (missing) {
        PyObject* done = PyObject_CallFunction(refuse_null, "ss", name, missing);
        Py_XDECREF(done);
        return refused<R>(kNull);
    }
    PyObject* arguments[sizeof...(In) + 1] = {nullptr};
    size_t count = 0;
    std::apply([&](auto... each) { ((arguments[++count] = to_python(each)), ...); }, in);
    PyObject* result = PyObject_Vectorcall(answers[place], arguments + 1, count | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
    for (size_t i = 1; i <= count; ++i) Py_XDECREF(arguments[i]);
    if (!result) return failed<R>();
    if constexpr (sizeof...(Out) == 0) {
        if constexpr (std::is_void_v<R>) {
            Py_DECREF(result);
        } else {
            R value = from_python<R>(result);
            Py_DECREF(result);
            return value;
        }
    } else {
        R code = from_python<R>(PyTuple_GET_ITEM(result, sizeof...(Out)));
        size_t at = 0;
        if (code == 0) std::apply([&](auto... each) { ((*each.place = from_python<Out>(PyTuple_GET_ITEM(result, at++))), ...); }, out);
        Py_DECREF(result);
        return code;
    }
}

#define INS(...) std::make_tuple(__VA_ARGS__)
#define OUTS(...) std::make_tuple(__VA_ARGS__)
#define OUT(parameter)                                                                                                                     \
    Output<std::remove_pointer_t<decltype(parameter)>> { #parameter, parameter }
#define FUNCTION(returns, name, declarations, names, ins, outs)                                                                            \
    returns door_##name declarations { return call<returns>(k_##name, #name, ins, outs); }
#include "c_api.inc"
#undef FUNCTION

int door_aclimb_launch(const void* self, uint32_t num_blocks, void* stream, const void* args, size_t size) {
    return call<int>(k_aclimb_launch, "aclimb_launch", std::make_tuple(self, num_blocks, stream, args, size), std::tuple<>());
}

const Function table[kPlaces] = {
#define FUNCTION(returns, name, declarations, names, ins, outs) reinterpret_cast<Function>(door_##name),
#include "c_api.inc"
#undef FUNCTION
    reinterpret_cast<Function>(door_aclimb_launch),
};

const char* const kNames[kPlaces] = {
#define FUNCTION(returns, name, declarations, names, ins, outs) #name,
#include "c_api.inc"
#undef FUNCTION
    "aclimb_launch",
};

// --- fork(), which a C program calls without Python's lock: it is held meanwhile, as os.fork holds it

thread_local bool forks = false;
thread_local PyGILState_STATE before;

void before_fork() {
    forks = !ended && !PyGILState_Check();
    if (!forks) return;
    before = PyGILState_Ensure();
    PyOS_BeforeFork();
}

void after_fork(void (*python)()) {
    if (!forks) return;
    forks = false;
    python();
    PyGILState_Release(before);
}

void after_fork_in_parent() { after_fork(PyOS_AfterFork_Parent); }
void after_fork_in_child() { after_fork(PyOS_AfterFork_Child); }

// --- the module

PyObject* names(PyObject*, PyObject*) {
    PyObject* found = PyTuple_New(kPlaces);
    for (int i = 0; found && i < kPlaces; ++i) PyTuple_SET_ITEM(found, i, PyUnicode_FromString(kNames[i]));
    return found;
}

// install(library, functions, refuse_null)
PyObject* install(PyObject*, PyObject* args) {
    const char* library;
    PyObject *functions, *refusal;
    if (!PyArg_ParseTuple(args, "sO!O", &library, &PyTuple_Type, &functions, &refusal)) return nullptr;
    if (PyTuple_GET_SIZE(functions) != kPlaces) return PyErr_Format(PyExc_ValueError, "%d functions are wanted", int(kPlaces));
    for (int i = 0; i < kPlaces; ++i) answers[i] = Py_NewRef(PyTuple_GET_ITEM(functions, i));
    refuse_null = Py_NewRef(refusal);
    // A program may have brought a copy from elsewhere; its calls go to that one.
    void* opened = dlopen("libascendcl.so", RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (!opened) opened = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (!opened) return PyErr_Format(PyExc_OSError, "%s", dlerror());
    auto fill = reinterpret_cast<int (*)(const Function*, uint32_t)>(dlsym(opened, "aclimb_install"));
    if (!fill || fill(table, kPlaces) != 0) return PyErr_Format(PyExc_OSError, "%s is of another version of aclimb", library);
    static const int watched = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    (void)watched;
    Py_RETURN_NONE;
}

PyObject* end(PyObject*, PyObject*) {
    ended = true;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {{"names", names, METH_NOARGS, "The C functions, in the order of the table."},
                         {"install", install, METH_VARARGS, "install(library, functions, refuse_null)"},
                         {"end", end, METH_NOARGS, "From now on calls from C are refused: Python goes."},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "aclimb._door", "What C programs call.", -1, methods, {}, {}, {}, {}};

} // namespace

PyMODINIT_FUNC PyInit__door() { return PyModule_Create(&definition); }
