// SPDX-License-Identifier: Apache-2.0
// Columns of a profile in, text of trace.json out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cerrno>

#include "bind/bind.h"
#include "timing/trace_json.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using namespace timing;
template <class T> using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig>;
using Pairs = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig>;
using Style = std::pair<std::string, int>;                                    // colour, place
using Lanes = std::vector<std::tuple<std::string, std::string, std::string>>; // pid, tid, details

template <class T> std::vector<T> vector_of(const Column<T>& column) { return {column.data(), column.data() + column.size()}; }

std::vector<std::pair<int32_t, int32_t>> pairs_of(const Pairs& pairs) {
    std::vector<std::pair<int32_t, int32_t>> made(pairs.shape(0));
    for (size_t i = 0; i < made.size(); i++) made[i] = {pairs(i, 0), pairs(i, 1)};
    return made;
}

void make_writer(TraceWriter* self, int file, bool is_first, const Lanes& lanes, const Column<int64_t>& start, const Column<int64_t>& end,
                 const Column<int64_t>& bytes, const Column<int32_t>& lane, const Column<int32_t>& name, const Column<int32_t>& site,
                 std::vector<std::string> names, std::vector<std::string> sites) {
    std::vector<TraceLane> made;
    for (const auto& [pid, tid, details] : lanes) made.push_back({pid, details, tid});
    TraceSlices slices{vector_of(start), vector_of(end), vector_of(bytes), vector_of(lane), vector_of(name), vector_of(site)};
    new (self) TraceWriter(file, is_first, std::move(made), std::move(slices), std::move(names), std::move(sites));
}

void finish(TraceWriter& self) {
    errno = self.finish();
    if (!errno) return;
    PyErr_SetFromErrno(PyExc_OSError);
    throw nb::python_error();
}

} // namespace

void bind_trace_json(nb::module_& module) {
    nb::class_<TraceWriter>(module, "TraceWriter", "Slices, flags and arrows of trace.json; strings are pieces of JSON.")
        .def("__init__", make_writer, "file"_a, nb::kw_only(), "is_first"_a, "lanes"_a, "start"_a, "end"_a, "bytes"_a, "lane"_a, "name"_a,
             "site"_a, "names"_a, "sites"_a)
        .def(
            "slices",
            [](TraceWriter& self, const std::vector<int32_t>& lanes, const Style& style) {
                self.slices(lanes, {style.first, style.second});
            },
            "lanes"_a, "style"_a)
        .def(
            "flags",
            [](TraceWriter& self, const Pairs& flows, int64_t cycle, const Style& set, const Style& wait) {
                self.flags(pairs_of(flows), cycle, {set.first, set.second}, {wait.first, wait.second});
            },
            "flows"_a, nb::kw_only(), "cycle_ns"_a, "set_style"_a, "wait_style"_a)
        .def(
            "arrows", [](TraceWriter& self, const Pairs& flows) { self.arrows(pairs_of(flows)); }, "flows"_a)
        .def("finish", finish)
        .def_prop_ro("is_first", &TraceWriter::is_first); // nothing is written so far
}

} // namespace aclimb
