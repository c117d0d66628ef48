// SPDX-License-Identifier: Apache-2.0
// A function of the program as a Python object: what it is called with are numbers, and lists for arrays of handles.
#pragma once
#include "python.h"

#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace door {

using Address = void (*)();
using Invoke = PyObject* (*)(Address function, PyObject* arguments);

struct FunctionObject {
    PyObject_HEAD Address function;
    Invoke invoke;
};

// One argument for the program, with the memory behind it where it is an array.
template <typename T> struct Argument {
    T value{};
    explicit Argument(PyObject* given) {
        if constexpr (std::is_pointer_v<T>) {
            value = reinterpret_cast<T>(static_cast<uintptr_t>(given == Py_None ? 0 : PyLong_AsUnsignedLongLongMask(given)));
        } else {
            value = static_cast<T>(PyLong_AsUnsignedLongLongMask(given));
        }
    }
    T get() { return value; }
};
template <typename T> struct Argument<T* const*> { // an array of handles
    std::vector<T*> values;
    explicit Argument(PyObject* given) {
        PyObject* items = PySequence_Fast(given, "a list of handles is wanted");
        for (Py_ssize_t i = 0; items && i < PySequence_Fast_GET_SIZE(items); ++i) {
            values.push_back(Argument<T*>(PySequence_Fast_GET_ITEM(items, i)).value);
        }
        Py_XDECREF(items);
    }
    T* const* get() { return values.data(); }
};

// Calls with Python's lock released. An exception ends here: it becomes Python's, which says so in the log, and nothing unwinds through
// frames that are not C++.
template <typename R, typename... A> R without_python(R (*function)(A...), std::tuple<Argument<A>...>& arguments, std::string& thrown) {
    WithoutPython released;
    try {
        return std::apply([&](auto&... each) { return function(each.get()...); }, arguments);
    } catch (const std::exception& error) {
        thrown = error.what();
    } catch (...) {
        thrown = "not a std::exception";
    }
    return R();
}

template <typename R, typename... A, size_t... I> PyObject* invoke(R (*function)(A...), PyObject* given, std::index_sequence<I...>) {
    if (PyTuple_GET_SIZE(given) != sizeof...(A)) {
        return PyErr_Format(PyExc_TypeError, "the C function takes %d arguments; %d given", int(sizeof...(A)),
                            int(PyTuple_GET_SIZE(given)));
    }
    std::tuple<Argument<A>...> arguments{Argument<A>(PyTuple_GET_ITEM(given, I))...};
    if (PyErr_Occurred()) return nullptr;
    std::string thrown;
    if constexpr (std::is_void_v<R>) {
        without_python(function, arguments, thrown);
        if (thrown.empty()) Py_RETURN_NONE;
    } else {
        R value = without_python(function, arguments, thrown);
        if (thrown.empty()) {
            if constexpr (std::is_pointer_v<R>) return PyLong_FromVoidPtr(value);
            else return PyLong_FromLongLong(static_cast<long long>(value));
        }
    }
    return PyErr_Format(PyExc_RuntimeError, "a callback of the program threw a C++ exception: %s", thrown.c_str());
}

inline PyObject* call_function(PyObject* self, PyObject* arguments, PyObject*) {
    auto* object = reinterpret_cast<FunctionObject*>(self);
    return object->invoke(object->function, arguments);
}

// The same C function is the same callback, whenever it is given.
inline PyObject* compare_functions(PyObject* left, PyObject* right, int how) {
    if (Py_TYPE(left) != Py_TYPE(right) || (how != Py_EQ && how != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    bool same = reinterpret_cast<FunctionObject*>(left)->function == reinterpret_cast<FunctionObject*>(right)->function;
    return PyBool_FromLong(same == (how == Py_EQ));
}

inline Py_hash_t hash_function(PyObject* self) {
    return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(reinterpret_cast<FunctionObject*>(self)->function) >> 4);
}

inline void free_function(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

inline PyTypeObject* function_type; // aclimb._door.Function

inline bool make_function_type() {
    static PyType_Slot slots[] = {
        {Py_tp_doc, const_cast<char*>("A function of a C program.")}, {Py_tp_dealloc, reinterpret_cast<void*>(free_function)},
        {Py_tp_call, reinterpret_cast<void*>(call_function)},         {Py_tp_richcompare, reinterpret_cast<void*>(compare_functions)},
        {Py_tp_hash, reinterpret_cast<void*>(hash_function)},         {0, nullptr}};
    static PyType_Spec spec = {"aclimb._door.Function", sizeof(FunctionObject), 0, Py_TPFLAGS_DEFAULT, slots};
    function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return function_type != nullptr;
}

template <typename R, typename... A> PyObject* function_object(R (*function)(A...)) {
    if (!function) return Py_NewRef(Py_None);
    auto* made = PyObject_New(FunctionObject, function_type);
    if (!made) return nullptr;
    made->function = reinterpret_cast<Address>(function);
    made->invoke = [](Address address, PyObject* arguments) {
        return invoke(reinterpret_cast<R (*)(A...)>(address), arguments, std::index_sequence_for<A...>());
    };
    return reinterpret_cast<PyObject*>(made);
}

} // namespace door
