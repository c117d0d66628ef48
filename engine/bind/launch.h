// SPDX-License-Identifier: Apache-2.0
// The door for launches: whoever launches fills a LaunchRequest, and post() checks what only the engine knows and queues it.
#pragma once
#include <nanobind/nanobind.h>

#include <optional>

#include "bind/bind.h"

namespace aclimb {

// Why a launch was not queued; the words are Python's.
enum class Refusal : uint8_t {
    stopped, // the context
    argument_count,
    argument, // LaunchRequest.misfit says which one
    not_finalised,
    updating,
    empty,
    too_short,
    no_memory,
    not_there,  // the device memory that holds the arguments
    unreadable, // the host block
    read_only,  // that takes no address of a placeholder
    gone        // the user's memory that holds the list
};

struct BoundRequest {
    Kept<LaunchRequest> request;
};

// For a launch that is looked at closely: the first time, Python builds the kernel's observed images, which takes about a second.
void make_observed(Kernel& kernel);

bool pack(PyObject* value, const Parameter& parameter, uint8_t* to, const Device& device); // false: the value does not fit

// The arguments come from a Source. It says whether they can be used, how many bytes of parameters there are, and writes them into a task.
// Each launch is called by a function of ours below the user's program; `kFrames` of them are known.
template <class Source> std::optional<Refusal> post(Stream& stream, const LaunchRequest& request, const Source& source) {
    if (stream.stopped()) return Refusal::stopped;
    if (const auto refused = source.refused(stream)) return refused;
    if (source.parameter_bytes() < request.kernel->args_bytes) return Refusal::too_short;
    make_room(stream);
    if (stream.wants_scalar()) make_observed(*request.kernel);
    Launch& task = stream.begin();
    static_cast<LaunchRequest&>(task) = request;
    if (Source::kFrames) task.site = call_site(Source::kFrames);
    if (const auto refused = source.fill(stream, task)) {
        stream.give_back(task);
        return refused;
    }
    stream.post(task);
    return {};
}

} // namespace aclimb
