// SPDX-License-Identifier: Apache-2.0
// The door to the engine. Names here are plain; src/aclimb/engine.py gives them their Python face.
#include <nanobind/nanobind.h>

#include "bind/bind.h"
#include "core/worker.h"
#include "host/pool.h"
#include "isa/simd.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace aclimb;

NB_MODULE(_engine, module) {
    nb::set_leak_warnings(false); // devices and their streams live until the process ends
    module.attr("ABI_VERSION") = kAbiVersion;
    module.def("start", [](int threads) {
        install_fault_handlers();
        start_watchdog();
        Pool::instance().start(threads);
    });
    module.def("threads", [] { return Pool::instance().threads(); });
    module.def("set_time_limit", set_time_limit);
    module.def("time_limit", time_limit);
    module.def("simd_levels", simd_levels);
    module.def("simd_level", [] { return std::string(name_of(simd_level())); });
    module.def("set_simd_level", set_simd_level);
    module.def("instructions", [] {
        nb::list rows;
        for (int i = 0; i < static_cast<int>(Op::count); i++)
            rows.append(nb::make_tuple(name_of(static_cast<Op>(i)), name_of(pipe_of(static_cast<Op>(i))), api_of(static_cast<Op>(i))));
        return rows;
    });
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { WithoutGil::end(); }));
    bind_sites(module);
    bind_device(module);
    bind_stream(module);
    bind_args(module);
    bind_host(module);
    bind_execute(module);
    bind_timing(module);
    bind_capture(module);
}
