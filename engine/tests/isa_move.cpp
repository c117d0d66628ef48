// SPDX-License-Identifier: Apache-2.0
// What single records cannot show: copies of several worker threads into the same place.
#include "check.h"
#include "run.h"

using namespace aclimb;

namespace {

constexpr uint32_t kBytes = 4096 + 32;          // more than one page, so that a burst takes two locks
constexpr int64_t kBlocks = 16, kRepeats = 500; // long enough for the workers to meet

void atomic_add(Dtype type, uint32_t element, uint64_t to, uint64_t from, Pipe pipe = Pipe::MTE3) {
    Copy record{};
    record.head = {Op::copy, pipe, type, sizeof(Copy), type, 0, nullptr};
    record.dst = gm(to);
    record.src = ub(from, kBytes);
    record.count = 1;
    record.length = kBytes;
    record.element = element;
    record.atomic = static_cast<uint8_t>(AtomicOp::add);
    core()->issue(core(), &record.head);
}

template <class T> bool all_equal(uint64_t at, T value) {
    const auto* values = reinterpret_cast<const T*>(at);
    for (size_t i = 0; i < kBytes / sizeof(T); ++i)
        if (values[i] != value) return false;
    return true;
}

// Global memory: ones, then the sum. Every block adds the ones to the sum, again and again.
template <Dtype kType, class T> void add_ones(const void* args) {
    const uint64_t memory = *static_cast<const uint64_t*>(args);
    copy(ub(0, kBytes), gm(memory), kBytes, Pipe::MTE2);
    set_flag(Pipe::MTE2, Pipe::MTE3, 0);
    wait_flag(Pipe::MTE2, Pipe::MTE3, 0);
    for (int64_t i = 0; i < kRepeats; ++i) atomic_add(kType, sizeof(T), memory + kBytes, 0);
}

template <Dtype kType, class T> bool no_addition_is_lost() {
    Run run;
    const uint64_t memory = run.device->memory.allocate(2 * kBytes);
    for (size_t i = 0; i < kBytes / sizeof(T); ++i) {
        reinterpret_cast<T*>(memory)[i] = 1;
        reinterpret_cast<T*>(memory + kBytes)[i] = 0;
    }
    return run(add_ones<kType, T>, kBlocks, KernelType::AIV_ONLY, nullptr, memory) == "" &&
           all_equal<T>(memory + kBytes, static_cast<T>(kBlocks * kRepeats));
}

} // namespace

TEST(atomic_additions_of_many_blocks_are_never_lost) {
    CHECK((no_addition_is_lost<Dtype::i32, int32_t>()));
    CHECK((no_addition_is_lost<Dtype::i16, int16_t>()));
    CHECK((no_addition_is_lost<Dtype::i8, int8_t>()));
    CHECK((no_addition_is_lost<Dtype::f32, float>()));
}
