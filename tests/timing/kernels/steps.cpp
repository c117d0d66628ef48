// SPDX-License-Identifier: Apache-2.0
// Does what a list of steps says, so that a test can try many kernels and build one. The list lies in global memory and is read like any
// pointer, which the model does not see.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kSlots = 6, kSlotBytes = 32 * 1024;

enum Kind : uint32_t { copy_in, add, copy_out, order, barrier };

struct Step {
    uint32_t kind;
    uint32_t a, b, c; // copy: slot, bytes, offset in global memory / add: repeats, slots of x and y / order: source, target, id
};

__aicore__ inline LocalTensor<half> Slot(uint32_t index) {
    return LocalTensor<half>(TPosition::VECCALC, index % kSlots * kSlotBytes, kSlotBytes / sizeof(half));
}

template <HardEvent event> __aicore__ inline void Order(uint32_t id) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}

__aicore__ inline void Order(uint32_t source, uint32_t target, uint32_t id) { // 0: MTE2, 1: V, 2: MTE3
    switch (source * 3 + target) {
    case 1: return Order<HardEvent::MTE2_V>(id);
    case 2: return Order<HardEvent::MTE2_MTE3>(id);
    case 3: return Order<HardEvent::V_MTE2>(id);
    case 5: return Order<HardEvent::V_MTE3>(id);
    case 6: return Order<HardEvent::MTE3_MTE2>(id);
    case 7: return Order<HardEvent::MTE3_V>(id);
    }
}

// region: elements of global memory that belong to one block.
extern "C" __global__ __aicore__ void steps(GM_ADDR data, GM_ADDR list, uint32_t count, uint32_t region) {
    GlobalTensor<half> memory;
    memory.SetGlobalBuffer((__gm__ half*)data + static_cast<uint64_t>(region) * GetBlockIdx());
    const auto* step = (__gm__ Step*)list;
    for (uint32_t i = 0; i < count; ++i, ++step) {
        switch (step->kind) {
        case copy_in: DataCopy(Slot(step->a), memory[step->c / sizeof(half)], step->b / sizeof(half)); break;
        case add: Add(Slot(step->b + step->c + 1), Slot(step->b), Slot(step->c), 128, step->a, {1, 1, 1, 8, 8, 8}); break;
        case copy_out: DataCopy(memory[step->c / sizeof(half)], Slot(step->a), step->b / sizeof(half)); break;
        case order: Order(step->a, step->b, step->c); break;
        case barrier: PipeBarrier<PIPE_ALL>(); break;
        }
    }
}
