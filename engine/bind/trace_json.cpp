// SPDX-License-Identifier: Apache-2.0
// Columns of a profile in, text of trace.json out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cerrno>

#include "bind/bind.h"
#include "timing/trace_json.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

using namespace timing;
template <class T> using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig>;
using Pairs = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig>;
using Lanes = std::vector<std::tuple<std::string, std::string, std::string>>; // pid, tid, details

template <class T> std::vector<T> vector_of(const Column<T>& column) { return {column.data(), column.data() + column.size()}; }

std::vector<std::pair<int32_t, int32_t>> pairs_of(const Pairs& pairs) {
    std::vector<std::pair<int32_t, int32_t>> made(pairs.shape(0));
    for (size_t i = 0; i < made.size(); i++) made[i] = {pairs(i, 0), pairs(i, 1)};
    return made;
}

void make(TraceWriter* self, int file, bool is_first, const Lanes& lanes, Column<int64_t> start, Column<int64_t> end, Column<int64_t> bytes, Column<int32_t> lane,
          Column<int32_t> name, Column<int32_t> site, std::vector<std::string> names, std::vector<std::string> sites) {
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
    nb::class_<TraceWriter>(module, "TraceWriter")
        .def("__init__", make)
        .def("slices", [](TraceWriter& self, const std::vector<int32_t>& lanes, const std::string& colour,
                          int sort) { self.slices(lanes, {colour, sort}); })
        .def("flags", [](TraceWriter& self, const Pairs& flows, int64_t cycle, const std::string& set_colour, int set_sort,
                         const std::string& wait_colour,
                         int wait_sort) { self.flags(pairs_of(flows), cycle, {set_colour, set_sort}, {wait_colour, wait_sort}); })
        .def("arrows", [](TraceWriter& self, const Pairs& flows) { self.arrows(pairs_of(flows)); })
        .def("finish", finish)
        .def_prop_ro("is_first", &TraceWriter::is_first); // nothing is written so far
}

} // namespace aclimb
