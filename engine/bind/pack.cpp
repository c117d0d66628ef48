// SPDX-License-Identifier: Apache-2.0
// A Python value becomes the bytes of a kernel's argument.
#include <nanobind/nanobind.h>

#include <cstring>

#include "bind/bind.h"
#include "bind/launch.h"
#include "isa/numeric/half.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

bool pack_integer(PyObject* value, const Parameter& parameter, uint8_t* to) {
    if (!PyLong_Check(value)) {
        nb::object index = nb::steal(PyNumber_Index(value)); // NumPy integers
        if (!index.is_valid()) {
            PyErr_Clear();
            return false;
        }
        return pack_integer(index.ptr(), parameter, to);
    }
    const unsigned bits = parameter.size * 8;
    if (parameter.kind == ParameterKind::sint) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow || (bits < 64 && (number < -(1LL << (bits - 1)) || number >= 1LL << (bits - 1)))) return false;
        memcpy(to, &number, parameter.size);
        return true;
    }
    const unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    if (bits < 64 && number >> bits) return false;
    memcpy(to, &number, parameter.size);
    return true;
}

bool pack_bytes(PyObject* value, const Parameter& parameter, uint8_t* to) {
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) != 0) {
        PyErr_Clear();
        return false;
    }
    const bool fits = static_cast<uint64_t>(view.len) == parameter.size;
    if (fits) memcpy(to, view.buf, parameter.size);
    PyBuffer_Release(&view);
    return fits;
}

// True, False, and what lies in memory as one bool: numpy.bool_.
bool pack_boolean(PyObject* value, uint8_t* to) {
    if (PyBool_Check(value)) return *to = value == Py_True, true;
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_FULL_RO) != 0) {
        PyErr_Clear();
        return false;
    }
    const bool is_one = view.ndim == 0 && view.len == 1 && view.format && strcmp(view.format, "?") == 0;
    if (is_one) *to = *static_cast<const uint8_t*>(view.buf) != 0;
    PyBuffer_Release(&view);
    return is_one;
}

} // namespace

bool pack(PyObject* value, const Parameter& parameter, uint8_t* to, const Device& device) {
    switch (parameter.kind) {
    case ParameterKind::pointer: {
        Buffer* buffer = nullptr;
        if (nb::try_cast(nb::handle(value), buffer, false) && buffer) {
            if (!buffer->address || buffer->device.get() != &device) return false;
            memcpy(to, &buffer->address, 8);
            return true;
        }
        if (value == Py_None) return memset(to, 0, 8), true;
        return !PyBool_Check(value) && pack_integer(value, {ParameterKind::uint, 8, 0}, to);
    }
    case ParameterKind::real: {
        const double number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return false;
        }
        const auto narrow = static_cast<float>(number);
        if (parameter.size == 4) memcpy(to, &narrow, 4);
        else memcpy(to, &number, 8);
        return true;
    }
    case ParameterKind::half:
    case ParameterKind::bfloat16: { // rounded once, to nearest even
        const double number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return false;
        }
        const auto wide = static_cast<float>(number);
        const uint16_t bits = parameter.kind == ParameterKind::half ? narrow_half(wide).bits : narrow_bfloat16(wide).bits;
        memcpy(to, &bits, 2);
        return true;
    }
    case ParameterKind::boolean: return pack_boolean(value, to);
    case ParameterKind::structure: return pack_bytes(value, parameter, to);
    default: return !PyBool_Check(value) && pack_integer(value, parameter, to);
    }
}

} // namespace aclimb
