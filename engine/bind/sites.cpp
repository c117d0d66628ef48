// SPDX-License-Identifier: Apache-2.0
#include "bind/sites.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace nb = nanobind;

namespace aclimb {
namespace {

constexpr size_t kMostSites = 1 << 16; // code made anew again and again must not be kept for ever

struct CodeSite {
    PyCodeObject* code; // held
    int instruction;
    bool operator==(const CodeSite&) const = default;
};
struct Hash {
    size_t operator()(const CodeSite& site) const {
        return reinterpret_cast<size_t>(site.code) * 31 + static_cast<size_t>(site.instruction) * 0x9E3779B9u;
    }
};

// Under the GIL. Leaked on purpose: the interpreter ends before static destruction.
std::unordered_map<CodeSite, uint32_t, Hash>& numbers = *new std::unordered_map<CodeSite, uint32_t, Hash>;
std::vector<CodeSite>& sites = *new std::vector<CodeSite>(1); // number 0 is none
std::unordered_set<PyCodeObject*>& own_code = *new std::unordered_set<PyCodeObject*>;
std::vector<std::string>& own_folders = *new std::vector<std::string>;
PyObject* get_frame = nullptr; // sys._getframe

bool is_own(PyCodeObject* code) {
    if (own_code.contains(code)) return true;
    Py_ssize_t size = 0;
    const char* file = PyUnicode_AsUTF8AndSize(code->co_filename, &size);
    if (!file) return PyErr_Clear(), false;
    const std::string_view path(file, static_cast<size_t>(size));
    for (const auto& folder : own_folders)
        if (path.starts_with(folder)) {
            Py_INCREF(code);
            own_code.insert(code);
            return true;
        }
    return false;
}

uint32_t number_of(PyCodeObject* code, int instruction) {
    if (sites.size() >= kMostSites) return 0;
    Py_INCREF(code);
    sites.push_back({code, instruction});
    return numbers[sites.back()] = static_cast<uint32_t>(sites.size() - 1);
}

// sys._getframe passes frames by without making objects of them, but takes the innermost one as it is. Called from Python that is our
// function. Where a Buffer dies it can be a frame that is not a function's yet, because a generator is being made of it (a
// collection, 3.11), or that never is, because C calls Python through it (3.12 and newer): it ends without letting go of an object made of
// it. PyThreadState_GetFrame passes those by.
nb::object frame_at(int skip) {
    if (!skip) return nb::steal(reinterpret_cast<PyObject*>(PyThreadState_GetFrame(PyThreadState_Get())));
    return nb::steal(PyObject_CallOneArg(get_frame, nb::int_(skip).ptr()));
}

} // namespace

uint32_t call_site(int skip) {
    nb::object frame = frame_at(skip);
    if (!frame.is_valid()) return PyErr_Clear(), 0;
    while (frame.is_valid()) {
        auto* python = reinterpret_cast<PyFrameObject*>(frame.ptr());
        const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(python)));
        const CodeSite site{reinterpret_cast<PyCodeObject*>(code.ptr()), PyFrame_GetLasti(python)};
        if (const auto known = numbers.find(site); known != numbers.end()) return known->second;
        if (!is_own(site.code)) return number_of(site.code, site.instruction);
        frame = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetBack(python)));
    }
    return 0;
}

nb::object place_of(uint32_t site) {
    if (!site || site >= sites.size()) return nb::none();
    return nb::make_tuple(nb::borrow(sites[site].code->co_filename), PyCode_Addr2Line(sites[site].code, sites[site].instruction));
}

void bind_sites(nb::module_& module) {
    get_frame = nb::borrow(PySys_GetObject("_getframe")).release().ptr();
    module.def("set_own_folders", [](const std::vector<std::string>& folders) { own_folders = folders; }, nb::arg("folders"));
    module.def("place_of", static_cast<nb::object (*)(uint32_t)>(place_of), nb::sig("def place_of(site: int) -> tuple[str, int] | None"));
}

} // namespace aclimb
