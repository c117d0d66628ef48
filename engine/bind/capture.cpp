// SPDX-License-Identifier: Apache-2.0
// Recorded launches: listed, replaced, replayed.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind/bind.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

// Kernel's number, name, blocks, tiling key, arguments, their device address, time limit, workspace, stream's number.
nb::list launches(BoundCapture& self) {
    nb::list rows;
    std::lock_guard lock(self.capture->mutex);
    for (const auto& each : self.capture->launches)
        rows.append(nb::make_tuple(reinterpret_cast<uint64_t>(each.kernel.get()), each.kernel->name, each.num_blocks, each.tiling_key,
                                   nb::bytes(reinterpret_cast<const char*>(each.args.data()), each.args_bytes), each.args_at, each.limit_ns,
                                   reinterpret_cast<uint64_t>(each.system_workspace), each.stream));
    return rows;
}

// Recorded launches [begin, end) become one of another kernel. What they hold in device memory stays.
void replace(BoundCapture& self, size_t begin, size_t end, BoundKernel& kernel, int64_t num_blocks, uint64_t tiling_key, nb::bytes args) {
    std::lock_guard lock(self.capture->mutex);
    auto& all = self.capture->launches;
    CapturedLaunch made = all[begin];
    made.kernel = kernel.kernel;
    made.num_blocks = num_blocks;
    made.tiling_key = tiling_key;
    made.args_at = 0;
    made.args_bytes = args.size();
    made.args.assign((args.size() + 15) / 8, 0);
    memcpy(made.args.data(), args.c_str(), args.size());
    for (size_t i = begin + 1; i < end; i++) made.blocks.insert(made.blocks.end(), all[i].blocks.begin(), all[i].blocks.end());
    all.erase(all.begin() + static_cast<ptrdiff_t>(begin) + 1, all.begin() + static_cast<ptrdiff_t>(end));
    all[begin] = std::move(made);
}

// False: the context of the stream has stopped.
bool replay(BoundCapture& self, BoundStream& bound) {
    Stream& stream = *bound.stream;
    std::vector<CapturedLaunch> list;
    {
        std::lock_guard lock(self.capture->mutex);
        list = self.capture->launches;
    }
    for (const auto& each : list) {
        if (stream.stopped()) return false;
        make_room(stream);
        Launch& task = stream.begin();
        task.kernel = each.kernel;
        task.num_blocks = each.num_blocks;
        task.tiling_key = each.tiling_key;
        task.system_workspace = each.system_workspace;
        task.args = each.args;
        task.args_bytes = each.args_bytes;
        task.args_at = each.args_at;
        task.limit_ns = each.limit_ns;
        task.site = each.site;
        task.strictness = each.strictness;
        if (!each.blocks.empty()) task.block = each.blocks[0];
        stream.post(task);
    }
    return true;
}

} // namespace

void bind_capture(nb::module_& module) {
    nb::class_<BoundCapture>(module, "Capture")
        .def("__init__", [](BoundCapture* self) { new (self) BoundCapture{std::make_shared<Capture>()}; })
        .def("__len__",
             [](BoundCapture& self) {
                 std::lock_guard lock(self.capture->mutex);
                 return self.capture->launches.size();
             })
        .def("launches", launches)
        .def("replace", replace)
        .def("replay", replay)
        .def("clear", [](BoundCapture& self) {
            std::lock_guard lock(self.capture->mutex);
            self.capture->launches.clear();
        });
}

} // namespace aclimb
