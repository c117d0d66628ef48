// SPDX-License-Identifier: Apache-2.0
// A page of global memory is updated under the lock of its stripe, so that lanes can run in a plain loop.
// The order between cores is not defined on hardware; a launch with float atomics runs its blocks in order on one worker.
#include "isa/move/atomic.h"

#include <algorithm>
#include <atomic>

#include "isa/datapath.h"
#include "isa/numeric/elementary.h"

namespace aclimb {
namespace {

constexpr uintptr_t kPage = 4096;
constexpr int kStripes = 64;

struct alignas(64) Stripe {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
};
Stripe stripes[kStripes];

// Held for one page of lanes and never across a switch of cores, so spinning is short. When the page is gone, because the program freed
// it, the core ends in the middle: it knows what it held.
struct StripeLock {
    Datapath& core;
    std::atomic_flag& busy;
    StripeLock(Datapath& core, const uint8_t* address)
        : core(core), busy(stripes[reinterpret_cast<uintptr_t>(address) / kPage % kStripes].busy) {
        while (busy.test_and_set(std::memory_order_acquire)) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        core.held_lock = &busy;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~StripeLock() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        core.held_lock = nullptr;
        busy.clear(std::memory_order_release);
    }
};

int32_t wide_of(int32_t value) { return value; }
float wide_of(float value) { return value; }

struct Add {
    template <class T> static T of(T a, T b) { return static_cast<T>(a + b); }
};
struct Max {
    template <class T> static T of(T a, T b) { return static_cast<T>(maximum(wide_of(a), wide_of(b))); }
};
struct Min {
    template <class T> static T of(T a, T b) { return static_cast<T>(minimum(wide_of(a), wide_of(b))); }
};

template <class T> struct Plain { // the element as it is
    using Stored = T;
    static T wide(T value) { return value; }
    static T narrow(T value, bool) { return value; }
};
struct Float : Plain<float> {
    static float narrow(float value, bool) { return canonical(value); }
};
struct Half {
    using Stored = half;
    static float wide(half value) { return widen(value); }
    static half narrow(float value, bool saturate) { return narrow_half(saturate ? saturated(value, kHalfMax) : canonical(value)); }
};
struct Bfloat16 {
    using Stored = bfloat16_t;
    static float wide(bfloat16_t value) { return widen(value); }
    static bfloat16_t narrow(float value, bool saturate) { return narrow_bfloat16(saturate ? saturated(value, kBfloat16Max) : value); }
};

template <class Operation, class Type> void update_page(uint8_t* dst, const uint8_t* src, size_t bytes, bool saturate) {
    using T = typename Type::Stored;
    auto* to = reinterpret_cast<T*>(dst);
    const auto* from = reinterpret_cast<const T*>(src);
    for (size_t i = 0; i < bytes / sizeof(T); ++i) to[i] = Type::narrow(Operation::of(Type::wide(to[i]), Type::wide(from[i])), saturate);
}

using Update = void (*)(uint8_t*, const uint8_t*, size_t, bool);

template <class Operation> Update update_of(Dtype type) {
    switch (type) {
    case Dtype::i8: return update_page<Operation, Plain<int8_t>>;
    case Dtype::i16: return update_page<Operation, Plain<int16_t>>;
    case Dtype::i32: return update_page<Operation, Plain<int32_t>>;
    case Dtype::half: return update_page<Operation, Half>;
    case Dtype::bf16: return update_page<Operation, Bfloat16>;
    case Dtype::f32: return update_page<Operation, Float>;
    default: return nullptr;
    }
}

Update update_of(AtomicOp op, Dtype type) {
    switch (op) {
    case AtomicOp::max: return update_of<Max>(type);
    case AtomicOp::min: return update_of<Min>(type);
    default: return update_of<Add>(type);
    }
}

} // namespace

bool has_atomic(Dtype type) { return update_of<Add>(type) != nullptr; }

void reduce(AtomicOp op, Dtype type, uint8_t* dst, const uint8_t* src, size_t bytes) { update_of(op, type)(dst, src, bytes, false); }

void atomic_update(Datapath& core, AtomicOp op, Dtype type, uint8_t* dst, const uint8_t* src, size_t bytes, bool saturate) {
    const Update update = update_of(op, type);
    while (bytes) {
        const size_t part = std::min<size_t>(bytes, kPage - reinterpret_cast<uintptr_t>(dst) % kPage);
        const StripeLock lock(core, dst);
        update(dst, src, part, saturate);
        dst += part;
        src += part;
        bytes -= part;
    }
}

} // namespace aclimb
