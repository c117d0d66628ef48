// SPDX-License-Identifier: Apache-2.0
// aclimb._door: the functions of the acl headers, answered by the Python functions of the same name in aclimb.capi.
//
// Values are converted by their C types; what a type does not say, the marks in the headers do (tools/make_c_api.py).
#include "door/inputs.h"
#include "door/outputs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string_view>

using namespace door;

namespace {

constexpr int kNull = 100000, kEnded = 100001, kInternal = 500000;
PyObject* answers[kPlaces]; // aclimb.capi's functions, those that were called
PyObject* find_answer;      // find_answer(name) gives one
PyObject* refuse_null;      // refuse_null(function, parameter) keeps the sentence
PyObject* refuse_error;     // refuse_error(function, exception) keeps the sentence and gives the code

using Install = int (*)(const Function*, uint32_t); // of libascendcl.so

const char* const kNames[kPlaces] = {
#define FUNCTION(returns, name, declarations, names, ins, outs) #name,
#include "c_api.inc"
#undef FUNCTION
    "aclAppLog",  "aclimb_launch",     "aclimb_platform",  "aclimb_tiling",
    "aclimb_log", "aclimb_aclnn_plan", "aclimb_aclnn_run", "aclimb_level0",
};

template <typename R> R refused(int code) {
    if constexpr (std::is_same_v<R, int>) {
        return code;
    } else {
        return R();
    }
}

// Of the exception that is set.
template <typename R> R failed(const char* name) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) PyException_SetTraceback(value, trace);
    PyObject* code = PyObject_CallFunction(refuse_error, "sO", name, value);
    int given = code ? static_cast<int>(PyLong_AsLong(code)) : kInternal;
    if (!code) PyErr_Print();
    Py_XDECREF(code);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return refused<R>(given);
}

template <typename R> R returned(Place place, PyObject* value) {
    if constexpr (std::is_same_v<R, const char*>) {
        return keep_text(value, place != k_aclGetRecentErrMsg);
    } else {
        return from_python<R>(value);
    }
}

PyObject* answer(Place place) {
    if (!answers[place]) answers[place] = PyObject_CallFunction(find_answer, "s", kNames[place]);
    return answers[place];
}

// Calls aclimb.capi's function; a new reference, or nothing and an exception.
PyObject* ask(Place place, Inputs in) {
    PyObject* asked = answer(place);
    if (!asked) return nullptr;
    PyObject* arguments[kMostInputs + 1]; // the first is room for the call; none is read before it is set
    size_t count = 0;
    bool complete = in.size() <= kMostInputs;
    for (auto each = in.begin(); complete && each != in.end(); ++each) complete = (arguments[++count] = each->to_python());
    PyObject* result = nullptr;
    if (complete) result = PyObject_Vectorcall(asked, arguments + 1, count | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
    for (size_t i = 1; i <= count; ++i) Py_XDECREF(arguments[i]);
    return result;
}

// What an answer with outputs returns, borrowed; the outputs are written where that is 0. Nothing and an exception: it is not such an
// answer.
PyObject* take_outputs(PyObject* result, Outputs out) {
    const auto count = static_cast<Py_ssize_t>(out.size());
    if (!PyTuple_Check(result) || PyTuple_GET_SIZE(result) != count + 1) {
        PyErr_SetString(PyExc_TypeError, "the answer has not the outputs of the prototype");
        return nullptr;
    }
    PyObject* code = PyTuple_GET_ITEM(result, count);
    Py_ssize_t at = 0;
    if (number<int>(code) == 0)
        for (const Output& each : out) each.write(each, PyTuple_GET_ITEM(result, at++));
    return code;
}

// What objects that outlive Python do when they end: the memory goes with the process, so there is nothing left to fail.
bool gives_back(const char* name) {
    const std::string_view called = name;
    for (const std::string_view verb : {"aclrtFree", "aclrtDestroy", "aclDestroy"})
        if (called.substr(0, verb.size()) == verb) return true;
    return false;
}

// One for each type that functions return, not one for each function: arguments know by themselves how they are converted.
template <typename R> R call(Place place, const char* name, Inputs in, Outputs out) {
    if (is_closed()) return refused<R>(is_finalizing() && gives_back(name) ? 0 : kEnded);
    WithPython with;
    for (const Output& each : out)
        if (!each.place) {
            Py_XDECREF(PyObject_CallFunction(refuse_null, "ss", name, each.name));
            return refused<R>(kNull);
        }
    PyObject* result = ask(place, in);
    if (!result) return failed<R>(name);
    if constexpr (std::is_void_v<R>) {
        Py_DECREF(result);
    } else {
        PyObject* taken = out.size() ? take_outputs(result, out) : result;
        R value = taken ? returned<R>(place, taken) : R();
        Py_DECREF(result);
        return PyErr_Occurred() ? failed<R>(name) : value;
    }
}

#define INS(...) {__VA_ARGS__}
#define OUTS(...) {__VA_ARGS__}
#define ARRAY(parameter, ...) array(#parameter, parameter, __VA_ARGS__)
#define INOUT(parameter)                                                                                                                   \
    Referred<std::remove_pointer_t<decltype(parameter)>> { parameter }
#define OUT(parameter) output(#parameter, parameter)
#define OUT_ARRAY(parameter, room) output_array(#parameter, parameter, room)
#define FUNCTION(returns, name, declarations, names, ins, outs)                                                                            \
    returns door_##name declarations { return call<returns>(k_##name, #name, ins, outs); }
#include "c_api.inc"
#undef FUNCTION

void door_aclAppLog(aclLogLevel level, const char* function, const char* file, uint32_t line, const char* text) {
    call<void>(k_aclAppLog, "aclAppLog", {level, function, file, line, text}, {});
}

int door_aclimb_launch(const void* self, uint32_t num_blocks, void* stream, const void* args, size_t size) {
    return call<int>(k_aclimb_launch, "aclimb_launch", {self, num_blocks, stream, args, size}, {});
}

const char* door_aclimb_platform(const char* soc) { return call<const char*>(k_aclimb_platform, "aclimb_platform", {soc}, {}); }

int door_aclimb_tiling(void* asked) { return call<int>(k_aclimb_tiling, "aclimb_tiling", {static_cast<const void*>(asked)}, {}); }

int door_aclimb_log(int level, const char* text) { return call<int>(k_aclimb_log, "aclimb_log", {level, text}, {}); }

// Messages are of the function that the program called. Python is told which outputs are there, since the code for a missing one is
// aclnn's.
aclnnStatus door_aclimb_aclnn_plan(const void* inside, const char* function, const aclimb_value* values, uint32_t count,
                                   uint64_t* workspaceSize, aclOpExecutor** executor) {
    uint64_t size;
    aclOpExecutor* made;
    return call<int>(k_aclimb_aclnn_plan, function, {inside, function, array("values", values, count), workspaceSize, executor},
                     {output("workspaceSize", workspaceSize ? workspaceSize : &size), output("executor", executor ? executor : &made)});
}

aclnnStatus door_aclimb_aclnn_run(const void* inside, const char* function, void* workspace, uint64_t workspaceSize,
                                  aclOpExecutor* executor, aclrtStream stream) {
    return call<int>(k_aclimb_aclnn_run, function, {inside, function, workspace, workspaceSize, executor, stream}, {});
}

aclnnStatus door_aclimb_level0(const void* inside, const char* function, const char* method, const aclimb_value* values, uint32_t count,
                               int64_t* results) {
    return call<int>(k_aclimb_level0, function,
                     {inside, function, method, array("values", values, count), static_cast<const void*>(results)}, {});
}

const Function table[kPlaces] = {
#define FUNCTION(returns, name, declarations, names, ins, outs) reinterpret_cast<Function>(door_##name),
#include "c_api.inc"
#undef FUNCTION
    reinterpret_cast<Function>(door_aclAppLog),        reinterpret_cast<Function>(door_aclimb_launch),
    reinterpret_cast<Function>(door_aclimb_platform),  reinterpret_cast<Function>(door_aclimb_tiling),
    reinterpret_cast<Function>(door_aclimb_log),       reinterpret_cast<Function>(door_aclimb_aclnn_plan),
    reinterpret_cast<Function>(door_aclimb_aclnn_run), reinterpret_cast<Function>(door_aclimb_level0),
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

PyObject* install(PyObject*, PyObject* args) {
    const char* library;
    PyObject *find, *null, *error, *host;
    if (!PyArg_ParseTuple(args, "sOOOO", &library, &find, &null, &error, &host)) return nullptr;
    find_answer = Py_NewRef(find);
    refuse_null = Py_NewRef(null);
    refuse_error = Py_NewRef(error);
    require_host = Py_NewRef(host);
    // A program may have brought a copy from elsewhere; its calls go to that one.
    void* opened = dlopen("libascendcl.so", RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (!opened) opened = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (!opened) return PyErr_Format(PyExc_OSError, "%s", dlerror());
    auto install = reinterpret_cast<Install>(dlsym(opened, "aclimb_install"));
    if (!install || install(table, kPlaces) != 0) return PyErr_Format(PyExc_OSError, "%s is of another version of aclimb", library);
    static const int watched = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    (void)watched;
    Py_RETURN_NONE;
}

PyObject* fill(PyObject*, PyObject* address) {
    const long long install = PyLong_AsLongLong(address);
    if (PyErr_Occurred()) return nullptr;
    if (reinterpret_cast<Install>(install)(table, kPlaces) != 0)
        return PyErr_Format(PyExc_OSError, "two versions of libascendcl.so are in this process");
    Py_RETURN_NONE;
}

PyObject* end(PyObject*, PyObject* for_all) {
    leaving = PyObject_IsTrue(for_all) ? 0 : PyThread_get_thread_ident();
    ended = true;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"names", names, METH_NOARGS, "The C functions, in the order of the table."},
    {"install", install, METH_VARARGS, "install(library, answer, refuse_null, refuse_error, require_host)"},
    {"fill", fill, METH_O, "fill(address): aclimb_install of a further copy of libascendcl in this process."},
    {"end", end, METH_O, "end(for_all): from now on calls from C are refused, also on this thread or not: Python goes."},
    {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "aclimb._door", "What C programs call.", -1, methods, {}, {}, {}, {}};

} // namespace

PyMODINIT_FUNC PyInit__door() { return make_function_type() ? PyModule_Create(&definition) : nullptr; }
