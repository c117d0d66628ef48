// SPDX-License-Identifier: Apache-2.0
// What Python gives back, as C takes it. Nothing is written unless the call succeeded.
#pragma once
#include "../table.h"
#include "python.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <unordered_set>

namespace door {

template <typename T> T number(PyObject* value) { return static_cast<T>(PyLong_AsUnsignedLongLongMask(value)); }

template <typename T> T member(PyObject* fields, const char* name) {
    PyObject* found = PyDict_Check(fields) ? PyDict_GetItemString(fields, name) : nullptr; // borrowed
    return found && PyLong_Check(found) ? number<T>(found) : T{};
}

inline aclrtPtrAttributes pointer_attributes(PyObject* fields) {
    aclrtPtrAttributes made = {};
    PyObject* location = PyDict_GetItemString(fields, "location");
    if (location) {
        made.location.id = member<uint32_t>(location, "id");
        made.location.type = member<aclrtMemLocationType>(location, "type");
    }
    made.pageSize = member<uint32_t>(fields, "page_size");
    return made;
}

inline aclrtStreamAttrValue attribute_value_of(PyObject* fields) {
    aclrtStreamAttrValue made = {};
    if (PyDict_GetItemString(fields, "failureMode")) made.failureMode = member<uint64_t>(fields, "failureMode");
    if (PyDict_GetItemString(fields, "overflowSwitch")) made.overflowSwitch = member<uint32_t>(fields, "overflowSwitch");
    if (PyDict_GetItemString(fields, "userCustomTag")) made.userCustomTag = member<uint32_t>(fields, "userCustomTag");
    return made;
}

inline std::string utf8(PyObject* value) {
    PyObject* bytes = PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape");
    if (!bytes) return {};
    std::string made(PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes)));
    Py_DECREF(bytes);
    return made;
}

template <size_t room> void write_member(PyObject* fields, const char* name, char (&place)[room]) {
    PyObject* found = PyDict_GetItemString(fields, name); // borrowed
    if (found) snprintf(place, room, "%s", utf8(found).c_str());
}

inline aclCANNPackageVersion package_version(PyObject* fields) {
    aclCANNPackageVersion made = {};
    write_member(fields, "version", made.version);
    write_member(fields, "majorVersion", made.majorVersion);
    write_member(fields, "minorVersion", made.minorVersion);
    write_member(fields, "releaseVersion", made.releaseVersion);
    write_member(fields, "patchVersion", made.patchVersion);
    return made;
}

// Texts belong to the library: names stay for good, the last error's until this thread asks again.
inline const char* keep_text(PyObject* value, bool for_good) {
    static std::unordered_set<std::string> names; // under Python's lock
    static thread_local std::string last;
    if (value == Py_None) return nullptr;
    if (for_good) return names.insert(utf8(value)).first->c_str();
    last = utf8(value);
    return last.c_str();
}

template <typename T> T from_python(PyObject* value) {
    if constexpr (std::is_same_v<T, aclrtPtrAttributes>) {
        return pointer_attributes(value);
    } else if constexpr (std::is_same_v<T, aclrtStreamAttrValue>) {
        return attribute_value_of(value);
    } else if constexpr (std::is_same_v<T, aclCANNPackageVersion>) {
        return package_version(value);
    } else if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<T>(number<uintptr_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(PyFloat_AsDouble(value));
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return number<T>(value);
    } else {
        return T{}; // of calls that aclimb does not do
    }
}

// A place in the caller's memory, with the function that writes an answer there.
struct Output {
    const char* name;
    void* place;
    size_t room; // of an array
    void (*write)(const Output&, PyObject*);
};
using Outputs = std::initializer_list<Output>;

template <typename T> void write_value(const Output& out, PyObject* value) { *static_cast<T*>(out.place) = from_python<T>(value); }

template <typename T> void write_items(T* place, size_t room, PyObject* values) {
    for (size_t i = 0; i < room && i < static_cast<size_t>(PyList_GET_SIZE(values)); ++i) {
        place[i] = from_python<T>(PyList_GET_ITEM(values, static_cast<Py_ssize_t>(i)));
    }
}

// An array in the caller's memory, which has room for `room` items.
template <typename T> void write_array(const Output& out, PyObject* values) { write_items(static_cast<T*>(out.place), out.room, values); }
template <> inline void write_array<char>(const Output& out, PyObject* value) { // the call has compared the text with the room
    std::string made = utf8(value);
    auto* place = static_cast<char*>(out.place);
    if (out.room > 0) std::memcpy(place, made.c_str(), std::min(made.size() + 1, out.room));
    if (made.size() >= out.room && out.room > 0) place[out.room - 1] = '\0';
}

// An array that is made for the caller, who frees it.
template <typename T> void write_made(const Output& out, PyObject* values) {
    auto count = static_cast<size_t>(PyList_GET_SIZE(values));
    auto* made = static_cast<T*>(std::malloc(sizeof(T) * (count + !count)));
    if (made) write_items(made, count, values);
    *static_cast<T**>(out.place) = made;
}

template <typename T> Output output(const char* name, T* place) { return {name, place, 1, &write_value<T>}; }
template <typename T, typename N> Output output_array(const char* name, T* place, N room) {
    return {name, place, size_t(room), &write_array<T>};
}
template <typename T, typename N> Output output_array(const char* name, T** place, N*) { return {name, place, 0, &write_made<T>}; }

} // namespace door
