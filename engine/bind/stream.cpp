// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <unistd.h>

#include <cstring>

#include "bind/bind.h"
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
    if (parameter.kind == 'i') {
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

bool pack(PyObject* value, const Parameter& parameter, uint8_t* to, const Device& device) {
    switch (parameter.kind) {
    case 'p': {
        Buffer* buffer = nullptr;
        if (nb::try_cast(nb::handle(value), buffer, false) && buffer) {
            if (!buffer->address || buffer->device.get() != &device) return false;
            memcpy(to, &buffer->address, 8);
            return true;
        }
        if (value == Py_None) return memset(to, 0, 8), true;
        return !PyBool_Check(value) && pack_integer(value, {'u', 8, 0}, to);
    }
    case 'f': {
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
    case 'h':
    case 'g': { // half, bfloat16_t: rounded once, to nearest even
        const double number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return false;
        }
        const auto wide = static_cast<float>(number);
        const uint16_t bits = parameter.kind == 'h' ? narrow_half(wide).bits : narrow_bfloat16(wide).bits;
        memcpy(to, &bits, 2);
        return true;
    }
    case 'b':
        if (!PyBool_Check(value)) return false;
        *to = value == Py_True;
        return true;
    case 's': return pack_bytes(value, parameter, to);
    default: return !PyBool_Check(value) && pack_integer(value, parameter, to);
    }
}

// -1: queued, -2: the context stopped. Otherwise the index of the argument that does not fit, or the number of parameters when the
// count is wrong; Python finds the words.
int64_t launch(BoundStream& bound, BoundKernel& kernel, int64_t num_blocks, uint64_t tiling_key, uint64_t workspace, nb::handle strictness,
               nb::args values) {
    const size_t count = kernel.parameters.size();
    if (values.size() != count) return static_cast<int64_t>(count);
    Stream& stream = *bound.stream;
    if (stream.stopped()) return -2;
    make_room(stream);
    Launch& task = stream.begin();
    task.args.resize((kernel.args_bytes + 15) / 8);
    task.args_bytes = kernel.args_bytes;
    task.args_at = 0;
    task.limit_ns = 0;
    if (!strictness.is_none())
        task.strictness = nb::cast<std::string>(strictness) == "hardware" ? Strictness::hardware : Strictness::strict;
    auto* bytes = reinterpret_cast<uint8_t*>(task.args.data());
    for (size_t i = 0; i < count; i++)
        if (!pack(values[i].ptr(), kernel.parameters[i], bytes + kernel.parameters[i].offset, *stream.device())) {
            stream.give_back(task);
            return static_cast<int64_t>(i);
        }
    task.kernel = kernel.kernel;
    task.num_blocks = num_blocks;
    task.tiling_key = tiling_key;
    task.system_workspace = reinterpret_cast<uint8_t*>(workspace);
    task.site = call_site(1); // called by aclimb.launch
    stream.post(task);
    return -1;
}

bool on_main_thread() { return getpid() == gettid(); } // where Python looks at signals

bool interrupted() {
    if (!on_main_thread()) return false;
    nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
}

nb::list take_errors(BoundStream& self) {
    nb::list errors;
    for (const auto& error : self.stream->take_errors()) errors.append(fault_object(error));
    return errors;
}

} // namespace

int wait_for_position(Stream& stream, uint64_t position, uint64_t at_most_ns) {
    Waited waited;
    {
        WithoutGil without;
        waited = stream.wait(position, at_most_ns, interrupted, on_main_thread());
    }
    if (waited == Waited::interrupted) {
        stream.forget_interruption();
        if (PyErr_Occurred()) throw nb::python_error();
    }
    return waited == Waited::timed_out ? 1 : waited == Waited::aborted ? 2 : 0;
}

void make_room(Stream& stream) {
    if (stream.full()) wait_for_position(stream, stream.posted() - Stream::kMostWaiting + 1);
}

void bind_stream(nb::module_& module) {
    nb::class_<BoundContext>(module, "Context")
        .def("__init__", [](BoundContext* self) { new (self) BoundContext{std::make_shared<ContextState>()}; })
        .def_prop_ro("stopped", [](BoundContext& self) { return self.state->stopped.load(); })
        .def_prop_rw(
            "stop_mode", [](BoundContext& self) { return self.state->stop_mode.load(); },
            [](BoundContext& self, bool on) { self.state->stop_mode = on; });

    nb::class_<BoundStream>(module, "Stream")
        .def("__init__", [](BoundStream* self, BoundDevice& owner,
                            BoundContext& context) { new (self) BoundStream{std::make_shared<Stream>(owner.device, context.state)}; })
        .def("launch", launch, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg())
        .def_prop_ro("settled", [](BoundStream& self) { return self.stream->settled(); })
        .def_prop_ro("idle", [](BoundStream& self) { return self.stream->idle(); })
        .def(
            "wait",
            [](BoundStream& self, uint64_t at_most_ns) {
                const int waited = self.stream->idle() ? 0 : wait_for_position(*self.stream, self.stream->posted(), at_most_ns);
                QueueObserver::tell([&](QueueObserver& each) { each.host_waited(*self.stream); });
                return waited;
            },
            nb::arg("at_most_ns") = 0)
        .def(
            "abort", [](BoundStream& self) { self.stream->abort(); }, nb::call_guard<WithoutGil>())
        .def("take_errors", take_errors) // the facts of every fault since the last call, oldest first
        .def_prop_ro("number", [](BoundStream& self) { return reinterpret_cast<uint64_t>(self.stream.get()); }) // as a capture lists it
        .def(
            "set_capture", [](BoundStream& self, BoundCapture* to) { self.stream->capture = to ? to->capture : Kept<Capture>(); },
            nb::arg().none())
        .def("take_notes",
             [](BoundStream& self) {
                 nb::list notes;
                 for (const auto& note : self.stream->take_notes()) notes.append(fault_object(note));
                 return notes;
             })
        // For fused kernels launched from now on. Mode 0: each instruction runs when it is issued.
        .def("set_schedule",
             [](BoundStream& self, int mode, uint64_t seed) {
                 self.stream->schedule.reset();
                 if (mode)
                     self.stream->schedule =
                         std::make_shared<Schedule>(static_cast<Schedule::Mode>(mode), seed * 0x9E3779B97F4A7C15ull + 1);
             })
        .def(
            "set_accesses",
            [](BoundStream& self, BoundAccesses* log) {
                self.stream->observers.clear();
                if (log) self.stream->observers.push_back(log->accesses);
            },
            nb::arg().none())
        .def("take_output", [](BoundStream& self) { return self.stream->take_output(); })
        .def("record",
             [](BoundStream& self, BoundEvent& event) {
                 make_room(*self.stream);
                 self.stream->record(event.event);
             })
        .def("reset",
             [](BoundStream& self, BoundEvent& event) {
                 make_room(*self.stream);
                 self.stream->reset(event.event);
             })
        .def("await_event",
             [](BoundStream& self, BoundEvent& event, uint64_t limit_ns) {
                 make_room(*self.stream);
                 self.stream->await(event.event, limit_ns);
             })
        .def("call", [](BoundStream& self, BoundReports& reports, uint64_t id, bool blocking) {
            make_room(*self.stream);
            auto call = std::make_shared<Call>();
            call->id = id;
            call->blocking = blocking;
            call->queue = reports.queue;
            self.stream->call(std::move(call));
        });
}

} // namespace aclimb
