// SPDX-License-Identifier: Apache-2.0
// How a call becomes an instruction: fill a record of abi.h, issue it. Everything here is inlined, see ACLIMB_API.
#pragma once
#include "aclimb/facts.h"
#include "aclimb/op.h"
#include "aclimb/types.h"

namespace aclimb {

// The first eight bytes of Head as one word: a single store, and nothing for the compiler to piece together.
constexpr uint64_t head_word(Op op, Pipe pipe, Dtype dtype, size_t size, Dtype dtype2) {
    return static_cast<uint64_t>(op) | static_cast<uint64_t>(pipe) << 16 | static_cast<uint64_t>(dtype) << 24 |
           static_cast<uint64_t>(size) << 32 | static_cast<uint64_t>(dtype2) << 48;
}
static_assert(offsetof(Head, op) == 0 && offsetof(Head, pipe) == 2 && offsetof(Head, dtype) == 3 && offsetof(Head, size) == 4 &&
                  offsetof(Head, dtype2) == 6 && offsetof(Head, ctrl) == 7 && offsetof(Head, where) == 8,
              "head_word follows the layout of Head");

template <typename Record> ACLIMB_API void issue(Record& record, Op op, Pipe pipe, Dtype dtype = Dtype::none, Dtype dtype2 = Dtype::none) {
    CoreView* view = core();
    const uint64_t word = head_word(op, pipe, dtype, sizeof(Record), dtype2) | static_cast<uint64_t>(view->ctrl) << 56;
    __builtin_memcpy(static_cast<void*>(&record), &word, sizeof word); // every record begins with its Head
    view->issue(view, reinterpret_cast<Head*>(&record));
}

// What runs once, or hardly ever, is kept out of the kernel's code: most of the time a kernel takes to compile goes there. The record of
// such a function carries the address of its caller, which is the user's line.
#define ACLIMB_SHARED inline __attribute__((noinline))

// A mistake the headers themselves see. The engine ends the core with the sentence that belongs to `kind`. It never returns, except from
// a partial_block in a launch as lax as hardware, but the compiler must not know: it would fold the calls of several lines into one, and
// the line would be another's.
inline __attribute__((noinline, cold)) void misuse_at(const void* where, MisuseKind kind, const char* text, int64_t a = 0, int64_t b = 0,
                                                      int64_t c = 0) {
    Misuse record{};
    CoreView* view = core();
    record.head = Head{Op::misuse, Pipe::S, Dtype::none, static_cast<uint16_t>(sizeof(Misuse)), Dtype::none, 0, where};
    record.kind = static_cast<uint32_t>(kind);
    record.values[0] = a;
    record.values[1] = b;
    record.values[2] = c;
    record.text = text;
    view->issue(view, &record.head);
}
inline __attribute__((noinline, cold)) void misuse(MisuseKind kind, const char* text, int64_t a = 0, int64_t b = 0, int64_t c = 0) {
    const void* caller = core()->caller;
    misuse_at(caller ? caller : __builtin_return_address(0), kind, text, a, b, c);
}

// --- whose call it is. A call that only one sort of core has begins with one of the two below: on its own core it leaves the fact that
// decides the kernel type. On the other it does nothing in a mixed kernel, whose code the cores share; in a kernel without the other core,
// nobody would do the work.
ACLIMB_API void leave_to_other_core() {
    if (__builtin_expect(!core()->mixed, 0)) misuse(MisuseKind::other_core, nullptr);
}
template <bool is_here, Fact own> ACLIMB_API void call_of_one_core() {
    if constexpr (is_here) {
        fact<own>();
    } else {
        fact<Fact::other_core>();
        leave_to_other_core();
    }
}
ACLIMB_API void vector_call() { call_of_one_core<kIsVector, Fact::vector>(); }
ACLIMB_API void cube_call() { call_of_one_core<kIsCube, Fact::cube>(); }

// A buffer whose position is part of its type says as much. TSCM, in L1, is filled from both sides.
template <TPosition position> ACLIMB_API void position_fact() {
    constexpr Memory memory = memory_of(position);
    if constexpr (has_memory(memory) && memory != Memory::GM && position != TPosition::TSCM)
        fact<memory == Memory::UB ? Fact::vector : Fact::cube>();
}

ACLIMB_API void require_range(const char* field, int64_t value, int64_t lowest, int64_t highest) {
    if (__builtin_expect(value < lowest || value > highest, 0)) misuse(MisuseKind::field_range, field, value, lowest, highest);
}

template <typename T> ACLIMB_API uint64_t bits_of(T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <typename T> ACLIMB_API T value_of(uint64_t bits) {
    T value;
    __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
}

constexpr Place kNowhere = {0, 0, 0, kNoSlot, 0};

// A place moved on by `offset` bytes. A GM tensor of declared length that is moved past its end keeps one byte, because no length
// at all would mean "not declared".
ACLIMB_API Place moved(Place place, int64_t offset) {
    const int64_t rest = static_cast<int64_t>(place.size) - offset;
    if (place.memory == static_cast<uint64_t>(Memory::GM)) place.size = !place.size ? 0 : rest > 0 ? static_cast<uint64_t>(rest) : 1;
    else place.size = rest > 0 ? static_cast<uint64_t>(rest) : 0;
    place.addr += static_cast<uint64_t>(offset);
    return place;
}

template <typename T> ACLIMB_API T scalar_load(const Place& at) {
    ScalarAccess record{};
    record.at = at;
    issue(record, Op::scalar_load, Pipe::S, dtype_of<T>());
    return value_of<T>(record.value);
}
template <typename T> ACLIMB_API void scalar_store(const Place& at, T value) {
    ScalarAccess record{};
    record.at = at;
    record.value = bits_of(value);
    issue(record, Op::scalar_store, Pipe::S, dtype_of<T>());
}

ACLIMB_API void barrier(Pipe pipe) {
    Flag record{};
    record.src = record.dst = pipe;
    issue(record, Op::pipe_barrier, pipe);
}
ACLIMB_API void set_flag(Pipe src, Pipe dst, int id) {
    Flag record{};
    record.src = src;
    record.dst = dst;
    record.id = static_cast<uint8_t>(id);
    issue(record, Op::set_flag, src);
}
ACLIMB_API void wait_flag(Pipe src, Pipe dst, int id) {
    Flag record{};
    record.src = src;
    record.dst = dst;
    record.id = static_cast<uint8_t>(id);
    issue(record, Op::wait_flag, dst);
}

} // namespace aclimb
