// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <memory>

#include "bind/gil.h"
#include "bind/kept.h"
#include "bind/sites.h"
#include "core/accesses.h"
#include "core/directed.h"
#include "core/interleaving.h"
#include "core/scalar_log.h"
#include "host/pool.h"
#include "host/stream.h"

namespace aclimb {

void bind_enums(nanobind::module_& module);
void bind_fault(nanobind::module_& module);
void bind_launch(nanobind::module_& module);
void bind_device(nanobind::module_& module);
void bind_stream(nanobind::module_& module);
void bind_schedule(nanobind::module_& module);
void bind_args(nanobind::module_& module);
void bind_host(nanobind::module_& module);
void bind_execute(nanobind::module_& module);
void bind_timing(nanobind::module_& module);
void bind_capture(nanobind::module_& module);
void bind_check(nanobind::module_& module);
void bind_trace_json(nanobind::module_& module);
void bind_observed(nanobind::module_& module);
void bind_provoke(nanobind::module_& module);

// What aclimb's own tests look at (engine/tests/python); a wheel has none of it.
void bind_order_model(nanobind::module_& module);
void bind_issued(nanobind::module_& module);

// Python holds these; the engine's own threads hold the shared pointers inside, so that nothing native ever waits for Python.
struct BoundDevice {
    Kept<Device> device;
};
struct BoundImage {
    Kept<Image> image;
};
struct BoundStream {
    Kept<Stream> stream;
};
struct BoundContext {
    Kept<ContextState> state;
};
struct BoundEvent {
    Kept<Event> event;
};
struct BoundAccesses {
    Kept<Accesses> accesses;
};
struct BoundScalarLog {
    Kept<ScalarLog> log;
};
struct BoundPriorities {
    Kept<Priorities> priorities;
    Kept<Directed> directed; // the same, where it is one
};
struct BoundCapture {
    Kept<Capture> capture;
};
struct BoundRanks {
    Kept<RankGroup> group;
};
struct BoundReports {
    Kept<ReportQueue> queue;
};

// Device memory with an owner. release() waits for everything queued on the device; the destructor leaves it to the device.
struct Buffer {
    Kept<Device> device;
    uint64_t address = 0, size = 0;

    void release() {
        if (!address) return;
        const uint32_t site = call_site(1);
        {
            WithoutGil without;
            device->wait_idle();
        }
        QueueObserver::tell([](QueueObserver& each) { each.host_waited_for_all(); });
        device->memory.release(address, Owner::object, site);
        address = 0;
    }
    void discard() {                // in a forked child neither the tasks nor the memory are this process's
        nanobind::error_scope kept; // objects die at any time, also while an exception is on its way
        if (address && !Pool::forked()) device->release_when_idle(address, call_site(0));
        address = 0;
    }
    ~Buffer() { discard(); }
};

struct BoundKernel {
    Kept<Kernel> kernel;
};

// A failed task, or a warning, with the addresses of its places turned into offsets.
struct BoundFault {
    Fault fault;
    std::string kernel, sub_name;
    KernelType kernel_type;
    uint64_t owner, loaded;
    int32_t sub; // -1: none
    uint32_t task, thread;
    nanobind::tuple where;  // image and offset in it; ("", 0): in none
    nanobind::list sites;   // of (label, (image, offset))
    nanobind::dict images;  // by name; AIC and AIV are those of the sub-kernel, in a fused kernel
    nanobind::object place; // (file, line) of the call that queued it, or None
    nanobind::object args;  // keeps the block
};
BoundFault fault_of(const TaskError& error);
nanobind::object image_bytes(const std::shared_ptr<Image>& image); // None when there is none

// Both wait without the GIL and throw what a signal handler raised (Ctrl-C).
Waited wait_for_position(Stream& stream, uint64_t position, uint64_t at_most_ns = 0);
void make_room(Stream& stream); // while the stream is full

} // namespace aclimb
