// SPDX-License-Identifier: Apache-2.0
// The door to the engine. Names here are plain; src/aclimb/engine.py gives them their Python face.
#include <nanobind/nanobind.h>

#include "bind/bind.h"
#include "core/worker.h"
#include "host/pool.h"
#include "isa/rows.h"
#include "isa/shapes/repeat.h"
#include "isa/simd.h"
#include "memory/guarded.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace aclimb;

namespace {

// What an instruction does with each of its operands and where: ("w", "UB"), ("r", "*"), ...
std::vector<std::pair<std::string, std::string>> operands_of(const Row& row) {
    std::vector<std::pair<std::string, std::string>> operands;
    for (int i = 0; i < row.operands; i++) {
        const OperandRow& operand = row.operand[i];
        operands.emplace_back(name_of(operand.role), operand.any_memory ? "*" : name_of(operand.memory));
    }
    return operands;
}

std::vector<std::string> registers_in(uint8_t bits) {
    std::vector<std::string> names;
    if (bits & kCmpMaskRegister) names.push_back("CMP_MASK");
    if (bits & kSumRegister) names.push_back("SUM");
    if (bits & kExtremeRegister) names.push_back("EXTREME");
    if (bits & kGatheredRegister) names.push_back("GATHERED");
    if (bits & kMergedRegister) names.push_back("MERGED");
    return names;
}

// The element types a vector instruction takes, as kernels spell them; of its destination where they differ.
std::vector<std::string> types_of(const Row& row) {
    constexpr std::pair<Dtype, const char*> names[] = {{Dtype::half, "half"},    {Dtype::bf16, "bfloat16_t"}, {Dtype::f32, "float"},
                                                       {Dtype::i4, "int4b_t"},   {Dtype::i8, "int8_t"},       {Dtype::u8, "uint8_t"},
                                                       {Dtype::i16, "int16_t"},  {Dtype::u16, "uint16_t"},    {Dtype::i32, "int32_t"},
                                                       {Dtype::u32, "uint32_t"}, {Dtype::i64, "int64_t"},     {Dtype::u64, "uint64_t"}};
    std::vector<std::string> found;
    for (const auto& [type, name] : names)
        if (has_type(static_cast<Op>(&row - kRows), type)) found.push_back(name);
    return found;
}

} // namespace

NB_MODULE(_engine, module) {
    nb::set_leak_warnings(false); // devices and their streams live until the process ends
    module.attr("ABI_VERSION") = kAbiVersion;
    module.def(
        "start",
        [](int threads) {
            install_fault_handlers();
            start_watchdog();
            Pool::instance().start(threads);
        },
        "threads"_a);
    module.def("threads", [] { return Pool::instance().threads(); });
    module.def("set_time_limit", set_time_limit, "seconds"_a);
    module.def("time_limit", time_limit);
    module.def("leave_sigint", leave_sigint);
    module.def("simd_levels", simd_levels);
    module.def("simd_level", [] { return std::string(name_of(simd_level())); });
    module.def("set_simd_level", set_simd_level, "name"_a);
    nb::class_<Row>(module, "Instruction", "One row of instructions.def.")
        .def_prop_ro("name", [](const Row& row) { return row.name; })
        .def_prop_ro("shape", [](const Row& row) { return row.shape; })
        .def_prop_ro("call", [](const Row& row) { return row.call; })
        .def_prop_ro("kind", [](const Row& row) { return name_of(row.kind); })
        .def_prop_ro("pipe", [](const Row& row) { return row.pipe == Pipe::ALL ? "ANY" : name_of(row.pipe); })
        .def_prop_ro("operands", operands_of)
        .def_prop_ro("reads", [](const Row& row) { return registers_in(row.reads); })
        .def_prop_ro("leaves", [](const Row& row) { return registers_in(row.leaves); })
        .def_prop_ro("types", types_of)
        .def_prop_ro("time", [](const Row& row) { return name_of(row.time); })
        .def_ro("record_size", &Row::record_size);
    module.def(
        "instructions",
        [] {
            nb::list rows;
            for (int i = 0; i < kRowCount; i++) rows.append(nb::cast(&kRows[i], nb::rv_policy::reference));
            return rows;
        },
        nb::sig("def instructions() -> list[Instruction]"));
    module.def("rows_fingerprint", fingerprint_of_rows, "count"_a, "Of the first `count` instructions, as binaries carry it.");
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { WithoutGil::end(); }));
    bind_enums(module);
    bind_sites(module);
    bind_device(module);
    bind_schedule(module);
    bind_provoke(module);
    bind_stream(module);
    bind_args(module);
    bind_launch(module);
    bind_host(module);
    bind_fault(module);
    bind_execute(module);
    bind_timing(module);
    bind_capture(module);
    bind_check(module);
    bind_trace_json(module);
    bind_observed(module);
#ifdef ACLIMB_FOR_TESTS
    bind_order_model(module);
    bind_issued(module);
#endif
}
