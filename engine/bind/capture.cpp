// SPDX-License-Identifier: Apache-2.0
// Recorded launches: listed, replaced, replayed.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/launch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

std::vector<CapturedLaunch> launches_of(Capture& capture) {
    std::lock_guard lock(capture.mutex);
    return capture.launches;
}

std::vector<BoundRequest> launches(BoundCapture& self) {
    std::vector<BoundRequest> requests;
    for (auto& each : launches_of(*self.capture)) requests.push_back({std::make_shared<LaunchRequest>(std::move(each))});
    return requests;
}

std::vector<uint64_t> streams(BoundCapture& self) {
    std::vector<uint64_t> numbers;
    for (const auto& each : launches_of(*self.capture)) numbers.push_back(each.stream);
    return numbers;
}

// What they hold in device memory stays, unless the request brings its own.
void replace(BoundCapture& self, size_t begin, size_t end, BoundRequest& request) {
    std::lock_guard lock(self.capture->mutex);
    auto& all = self.capture->launches;
    CapturedLaunch made{*request.request, all.at(begin).stream};
    if (!made.site) made.site = all[begin].site;
    made.bound_at = all[begin].bound_at;
    for (size_t i = begin; i < end && request.request->blocks.empty(); i++)
        made.blocks.insert(made.blocks.end(), all.at(i).blocks.begin(), all[i].blocks.end());
    all.erase(all.begin() + static_cast<ptrdiff_t>(begin) + 1, all.begin() + static_cast<ptrdiff_t>(end));
    all[begin] = std::move(made);
}

// A recorded launch brings its arguments, and the place that recorded it.
struct Recorded {
    static constexpr int kFrames = 0;
    const LaunchRequest& request;

    std::optional<Refusal> refused(Stream&) const { return {}; }
    uint64_t parameter_bytes() const { return request.args_bytes; }
    std::optional<Refusal> fill(Stream&, Launch&) const { return {}; }
};

std::optional<Refusal> replay(BoundCapture& self, BoundStream& stream, size_t begin, size_t end) {
    const auto all = launches_of(*self.capture);
    for (size_t i = begin; i < end; i++)
        if (const auto refused = post(*stream.stream, all.at(i), Recorded{all[i]})) return refused;
    return {};
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
        .def("streams", streams, "The number of the stream of each launch.")
        .def("replace", replace, "begin"_a, "end"_a, "request"_a, "Recorded launches [begin, end) become this one.")
        .def("replay", replay, "stream"_a, "begin"_a, "end"_a, "Queues recorded launches [begin, end).")
        .def("clear", [](BoundCapture& self) {
            std::lock_guard lock(self.capture->mutex);
            self.capture->launches.clear();
        });
}

} // namespace aclimb
