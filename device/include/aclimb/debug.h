// SPDX-License-Identifier: Apache-2.0
// printf, DumpTensor, assert, Trap. Records point at text in the kernel's image or on its stack; pipe S runs them at once.
#pragma once
#include "aclimb/global_tensor.h"

namespace aclimb {

template <typename T> ACLIMB_API PrintArg print_arg(const T& value) {
    PrintArg argument{};
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_floating_point_v<T>) {
        argument.kind = PrintKind::f64;
        argument.bits = bits_of(static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(value)));
    } else if constexpr (std::is_convertible_v<T, const char*>) {
        argument.kind = PrintKind::text;
        argument.bits = reinterpret_cast<uint64_t>(static_cast<const char*>(value));
    } else if constexpr (std::is_pointer_v<T>) {
        argument.kind = PrintKind::pointer;
        argument.bits = reinterpret_cast<uint64_t>(value);
    } else if constexpr (std::is_enum_v<T>) {
        argument.kind = PrintKind::i64;
        argument.bits = static_cast<uint64_t>(static_cast<int64_t>(value));
    } else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
        argument.kind = PrintKind::u64;
        argument.bits = static_cast<uint64_t>(value);
    } else if constexpr (std::is_convertible_v<T, int64_t>) {
        argument.kind = PrintKind::i64;
        argument.bits = static_cast<uint64_t>(static_cast<int64_t>(value));
    } else {
        static_assert(
            never<T>,
            "aclimb: printf takes integers, float, half, bfloat16_t, text and pointers; print the members of a struct one by one");
    }
    return argument;
}

template <typename... Args> ACLIMB_API void print(const char* format, const Args&... args) {
    fact<Fact::print>();
    const PrintArg list[] = {print_arg(args)..., PrintArg{}};
    Print record{};
    record.format = format;
    record.args = list;
    record.count = sizeof...(Args);
    issue(record, Op::print, Pipe::S);
}

ACLIMB_API void assert_failed(const char* expression, const char* file, uint32_t line) {
    fact<Fact::assertion>();
    Assert record{};
    record.expression = expression;
    record.file = file;
    record.line = line;
    issue(record, Op::assert_failed, Pipe::S);
}
template <typename... Args>
ACLIMB_API void assert_failed(const char* expression, const char* file, uint32_t line, const char* format, const Args&... args) {
    print(format, args...);
    assert_failed(expression, file, line);
}

template <typename Tensor>
ACLIMB_API void dump(const Tensor& tensor, uint32_t desc, uint32_t count, const AscendC::ShapeInfo& shape, TPosition position) {
    if (!has_memory(static_cast<Memory>(tensor.place.memory))) return leave_to_other_core();
    fact<Fact::dump_tensor>();
    DumpTensor record{};
    record.at = tensor.place;
    record.desc = desc;
    record.count = count;
    record.dims = shape.shapeDim;
    for (int i = 0; i < shape.shapeDim && i < AscendC::K_MAX_SHAPE_DIM; ++i) record.shape[i] = shape.shape[i];
    record.position = static_cast<uint32_t>(position);
    issue(record, Op::dump_tensor, Pipe::S, dtype_of<typename Tensor::PrimType>());
}

} // namespace aclimb

namespace AscendC {

#if !defined(ASCENDC_DUMP) || ASCENDC_DUMP
template <typename... Args> ACLIMB_API void printf(const char* fmt, const Args&... args) { aclimb::print(fmt, args...); }
template <typename... Args> ACLIMB_API void PRINTF(const char* fmt, const Args&... args) { aclimb::print(fmt, args...); }
template <typename T> ACLIMB_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
    aclimb::dump(tensor, desc, dumpSize, tensor.shape, tensor.position);
}
template <typename T> ACLIMB_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
    aclimb::dump(tensor, desc, dumpSize, tensor.shape, TPosition::GM);
}
template <typename T>
ACLIMB_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo) {
    aclimb::dump(tensor, desc, dumpSize, shapeInfo, tensor.position);
}
template <typename T>
ACLIMB_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo) {
    aclimb::dump(tensor, desc, dumpSize, shapeInfo, TPosition::GM);
}
// The same from an element on: the index says which checkpoint it is.
template <typename Tensor> ACLIMB_API void DumpAccChkPoint(const Tensor& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize) {
    DumpTensor(tensor[countOff], index, dumpSize);
}
#else // ASCENDC_DUMP=0 compiles the debug output away
template <typename... Args> ACLIMB_API void printf(const char*, const Args&...) {}
template <typename... Args> ACLIMB_API void PRINTF(const char*, const Args&...) {}
template <typename... Args> ACLIMB_API void DumpTensor(const Args&...) {}
template <typename... Args> ACLIMB_API void DumpAccChkPoint(const Args&...) {}
#endif

// Does not return. That is not declared, so that two Traps in different lines stay two.
ACLIMB_API void Trap() {
    aclimb::ScalarAccess record{};
    aclimb::issue(record, aclimb::Op::trap, aclimb::Pipe::S);
}

// Where printf would put its text until the launch is over. Here it is printed at once, so the memory stays as it is.
ACLIMB_API void InitDump(bool, GM_ADDR, uint32_t) {}

// Marks for the profiler of real hardware.
ACLIMB_API void PrintTimeStamp(uint32_t) {}
ACLIMB_API void MetricsProfStart() {}
ACLIMB_API void MetricsProfStop() {}

} // namespace AscendC

// Which interfaces these are, as version/cann_version.h says. Generated kernels print them, and complain of a time that is 0.
ACLIMB_API void GetCannVersion(__gm__ char*& version_str, uint64_t& version, uint64_t& timestamp) {
    version_str = const_cast<char*>("9.0.0");
    version = 90000000;
    timestamp = 20260101;
}

#undef assert
#if !defined(ASCENDC_DUMP) || ASCENDC_DUMP
#define ascendc_assert(expression, ...)                                                                                                    \
    ((expression) ? static_cast<void>(0) : ::aclimb::assert_failed(#expression, __FILE__, __LINE__, ##__VA_ARGS__))
#else
#define ascendc_assert(expression, ...) static_cast<void>(0)
#endif
#ifndef ACLIMB_HOST_PASS
#define assert(...) ascendc_assert(__VA_ARGS__)
#elif defined(NDEBUG)
#define assert(...) static_cast<void>(0)
#else // the host's, which lets code for the AI Core that stands in the same file have its words
#include <assert.h>
#undef assert
#define assert(expression, ...) ((expression) ? static_cast<void>(0) : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#define ASCENDC_ASSERT(condition, behaviour)                                                                                               \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            behaviour;                                                                                                                     \
            ascendc_assert(condition);                                                                                                     \
        }                                                                                                                                  \
    } while (0)
#define TRACE_START(id)
#define TRACE_STOP(id)
