// SPDX-License-Identifier: Apache-2.0
// What C gives, as Python takes it: by its type, or by the marks of the headers for arrays.
#pragma once
#include "../table.h"
#include "functions.h"

#include <cstring>
#include <initializer_list>
#include <limits>

namespace door {

// require_host(address, bytes, what): refuses memory that cannot be read, before it is.
inline PyObject* require_host;

inline bool is_readable(const void* address, size_t count, size_t size, const char* what) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = std::numeric_limits<size_t>::max();
    PyObject* done =
        PyObject_CallFunction(require_host, "KKs", reinterpret_cast<unsigned long long>(address), (unsigned long long)bytes, what);
    Py_XDECREF(done);
    return done != nullptr;
}

template <typename T> PyObject* to_python(const T& value);

// A list of `count` items; item(i) gives a new reference.
template <typename Item> PyObject* list_of(size_t count, Item item) {
    PyObject* list = PyList_New(static_cast<Py_ssize_t>(count));
    for (size_t i = 0; list && i < count; ++i) {
        PyObject* each = item(i);
        if (!each) {
            Py_DECREF(list);
            return nullptr;
        }
        PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), each);
    }
    return list;
}

inline PyObject* text(const char* value) {
    if (!value) return Py_NewRef(Py_None);
    return PyUnicode_DecodeUTF8(value, static_cast<Py_ssize_t>(std::strlen(value)), "surrogateescape");
}

// Of a launch attribute only the member that its id names is read: the rest of the union may be uninitialised.
inline unsigned long long value_of(const aclrtLaunchKernelAttr& attribute) {
    const aclrtLaunchKernelAttrValue& value = attribute.value;
    switch (attribute.id) {
    case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE: return value.schemMode;
    case ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE: return value.dynUBufSize;
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE: return static_cast<uint32_t>(value.engineType);
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET: return value.blockDimOffset;
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH: return value.isBlockTaskPrefetch;
    case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP: return value.isDataDump;
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT: return value.timeout;
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US: return uint64_t(value.timeoutUs.timeoutHigh) << 32 | value.timeoutUs.timeoutLow;
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING: return value.enableProfiling;
    default: return 0;
    }
}

inline PyObject* configuration(const aclrtLaunchKernelCfg* given) {
    if (!given) return Py_NewRef(Py_None);
    if (!is_readable(given, 1, sizeof *given, "cfg")) return nullptr;
    if (given->numAttrs && !is_readable(given->attrs, given->numAttrs, sizeof *given->attrs, "cfg->attrs")) return nullptr;
    return list_of(given->numAttrs, [&](size_t i) {
        const aclrtLaunchKernelAttr& each = given->attrs[i];
        return Py_BuildValue("{s:i,s:K}", "id", static_cast<int>(each.id), "value", value_of(each));
    });
}

inline PyObject* load_options(const aclrtBinaryLoadOptions* given) {
    if (!given) return Py_NewRef(Py_None);
    if (!is_readable(given, 1, sizeof *given, "options")) return nullptr;
    if (given->numOpt && !is_readable(given->options, given->numOpt, sizeof *given->options, "options->options")) return nullptr;
    return list_of(given->numOpt, [&](size_t i) { // every member of the union starts with its one word
        const aclrtBinaryLoadOption& each = given->options[i];
        return Py_BuildValue("{s:i,s:I}", "type", static_cast<int>(each.type), "value", each.value.magic);
    });
}

inline PyObject* attribute_value(const aclrtStreamAttrValue* given) {
    if (!given) return Py_NewRef(Py_None);
    if (!is_readable(given, 1, sizeof *given, "value")) return nullptr;
    return Py_BuildValue("{s:K,s:I,s:I}", "failureMode", (unsigned long long)given->failureMode, "overflowSwitch", given->overflowSwitch,
                         "userCustomTag", given->userCustomTag);
}

inline PyObject* operator_argument(const aclimb_value& given) {
    switch (given.kind) {
    case aclimb_value::kInt: return PyLong_FromLongLong(given.integer);
    case aclimb_value::kFloat: return PyFloat_FromDouble(given.number);
    case aclimb_value::kBool: return PyBool_FromLong(given.integer != 0);
    case aclimb_value::kText: return text(given.text);
    default: return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(given.handle));
    }
}

// An array, with the parameter that counts it.
template <typename T, typename N> struct Array {
    const T* values;
    N count;
    const char* name;

    PyObject* to_python() const {
        if (!values) return Py_NewRef(Py_None);
        size_t many = count < N(0) ? 0 : static_cast<size_t>(count); // the call refuses a count below 0
        if (!is_readable(values, many, sizeof(T), name)) return nullptr;
        return list_of(many, [&](size_t i) { return door::to_python(values[i]); });
    }
};

// Arrays of arrays, each with its own count.
template <typename T> struct Arrays {
    const T* const* values;
    int count;
    const int* counts;
    const char* name;

    PyObject* to_python() const {
        if (!values || !counts) return Py_NewRef(Py_None);
        size_t many = count < 0 ? 0 : static_cast<size_t>(count);
        if (!is_readable(values, many, sizeof *values, name) || !is_readable(counts, many, sizeof *counts, name)) return nullptr;
        return list_of(many, [&](size_t i) { return Array<T, int>{values[i], counts[i], name}.to_python(); });
    }
};

template <typename T> struct Referred { // a value that is read and written in place
    const T* value;
};

template <typename T, typename N> Array<T, N> array(const char* name, const T* values, N count) { return {values, count, name}; }
template <typename T> Arrays<T> array(const char* name, const T* const* values, int count, const int* counts) {
    return {values, count, counts, name};
}

template <typename T> inline constexpr bool is_array_mark = false;
template <typename T, typename N> inline constexpr bool is_array_mark<Array<T, N>> = true;
template <typename T> inline constexpr bool is_array_mark<Arrays<T>> = true;
template <typename T> inline constexpr bool is_referred = false;
template <typename T> inline constexpr bool is_referred<Referred<T>> = true;

template <typename T> PyObject* to_python(const T& value) {
    if constexpr (is_array_mark<T>) {
        return value.to_python();
    } else if constexpr (is_referred<T>) {
        return to_python(*value.value);
    } else if constexpr (std::is_array_v<T>) { // int64_t[2]
        return list_of(std::extent_v<T>, [&](size_t i) { return to_python(value[i]); });
    } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
        return text(value);
    } else if constexpr (std::is_same_v<T, aclrtLaunchKernelCfg*>) {
        return configuration(value);
    } else if constexpr (std::is_same_v<T, aclrtBinaryLoadOptions*> || std::is_same_v<T, const aclrtBinaryLoadOptions*>) {
        return load_options(value);
    } else if constexpr (std::is_same_v<T, aclrtStreamAttrValue*>) {
        return attribute_value(value);
    } else if constexpr (std::is_same_v<T, aclimb_value>) {
        return operator_argument(value);
    } else if constexpr (std::is_same_v<T, aclrtPlaceHolderInfo>) {
        return Py_BuildValue("{s:I,s:I}", "addrOffset", value.addrOffset, "dataOffset", value.dataOffset);
    } else if constexpr (std::is_pointer_v<T>) {
        if constexpr (std::is_function_v<std::remove_pointer_t<T>>) return function_object(value);
        else return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(value));
    } else if constexpr (std::is_enum_v<T>) {
        return PyLong_FromLong(static_cast<int>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        return PyFloat_FromDouble(value);
    } else if constexpr (!std::is_integral_v<T>) { // structs by value: of calls that aclimb does not do
        return Py_NewRef(Py_None);
    } else if constexpr (std::is_signed_v<T>) {
        return PyLong_FromLongLong(value);
    } else {
        return PyLong_FromUnsignedLongLong(value);
    }
}

// One argument of a call, with the function that converts its type.
struct Input {
    template <typename T> Input(const T& value) : place_(&value), convert_(&converted<T>) {}
    PyObject* to_python() const { return convert_(place_); }

  private:
    template <typename T> static PyObject* converted(const void* place) { return door::to_python(*static_cast<const T*>(place)); }
    const void* place_; // the caller's variable, or a mark that lives as long as the call
    PyObject* (*convert_)(const void*);
};
using Inputs = std::initializer_list<Input>;
constexpr size_t kMostInputs = 48; // of one function

} // namespace door
