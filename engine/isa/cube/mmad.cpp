// SPDX-License-Identifier: Apache-2.0
// mmad  C = A * B, + C when accumulating, + bias when there is one.          Ascend C: Mmad
//
// A (m x k) lies in L0A, B (k x n) in L0B, C (m x n) in L0C, each in whole fractals (layouts: mmad.h). m, n and k need not be
// multiples of 16: what lies beyond them in the last fractal is neither used nor, in C, written. With m = 1 A is a plain row (GEMV).
// Checks and bounds are here; the arithmetic is in mmad.level.cpp.
#include "isa/cube/mmad.h"

#include <cstdlib>
#include <memory>

#include "isa/cube.h"
#include "isa/move/layout.h"

namespace aclimb {
namespace {

constexpr int64_t kMaxSide = 4095;
constexpr uint32_t kPitchSlack = 16; // words: keeps rows of the A panel out of each other's cache sets

// The panels of one Mmad. A worker's own, because a Mmad never switches cores; kept for the next one.
struct Scratch {
    std::unique_ptr<uint8_t, decltype(&std::free)> bytes{nullptr, std::free};
    size_t size = 0;
    uint8_t* take(size_t wanted) {
        if (wanted > size) {
            size = round_up(wanted, 1 << 18);
            bytes.reset(static_cast<uint8_t*>(std::aligned_alloc(4096, size)));
        }
        return bytes.get();
    }
};
thread_local Scratch scratch;

struct Types { // what Mmad does with an input type
    MmadBody body;
    uint32_t k0;    // elements in a fractal's row
    uint32_t words; // 32-bit words they unfold to
};

Types types_of(Datapath& core, const Mmad& mmad) {
    const auto& bodies = ACLIMB_PICK(mmad_bodies);
    const Head& head = mmad.head;
    const bool to_float = head.dtype == Dtype::f32;
    if (head.dtype2 == Dtype::half && to_float) return {bodies.half, 16, 16};
    if (head.dtype2 == Dtype::bf16 && to_float) return {bodies.bf16, 16, 16};
    if (head.dtype2 == Dtype::i8 && head.dtype == Dtype::i32) return {bodies.i8, 32, 16};
    if (head.dtype2 == Dtype::i4 && head.dtype == Dtype::i32) return {bodies.i4, 64, 32};
    if (head.dtype2 == Dtype::f32 && to_float) {
        if (!(head.ctrl & kCtrlHf32)) return {bodies.f32, 8, 8};
        return {head.ctrl & kCtrlHf32Trunc ? bodies.hf32_truncated : bodies.hf32_nearest, 8, 8};
    }
    core.fail_unsupported(
        "Mmad multiplies half, bfloat16_t or float into float, and int8_t or int4b_t into int32_t; convert the inputs to one of these.");
}

void require_fields(Datapath& core, const Mmad& mmad) {
    core.require_range("m", mmad.m, 0, kMaxSide);
    core.require_range("n", mmad.n, 0, kMaxSide);
    core.require_range("k", mmad.k, 0, kMaxSide);
    core.require_aligned(mmad.dst, 1024, 0);
    core.require_aligned(mmad.a, kFractal, 1);
    core.require_aligned(mmad.b, kFractal, 2);
    if (mmad.has_bias && memory_of(mmad.bias) != Memory::BT)
        core.fail_unsupported("Mmad takes its bias from the bias table (C2); to add to what L0C holds, leave the bias out and set "
                              "cmatrixInitVal to false.");
    if (mmad.has_bias) core.require_aligned(mmad.bias, 64, 3);
}

} // namespace

bool execute_mmad(Datapath& core, Head& head) {
    const auto& mmad = reinterpret_cast<const Mmad&>(head);
    if (mmad.m == 0 || mmad.n == 0 || mmad.k == 0) return true;
    const Types types = types_of(core, mmad);
    require_fields(core, mmad);

    const uint32_t m1 = ceil_div(mmad.m, 16), n1 = ceil_div(mmad.n, 16), k1 = fractals_along_k(mmad.k, types.k0, mmad.k_align);
    MmadJob job{};
    job.m = mmad.m, job.n = mmad.n, job.k = mmad.k, job.k_fractals = k1;
    job.a = core.read(mmad.a, mmad.m == 1 ? k1 * kBlock : m1 * k1 * kFractal, 1);
    job.b = core.read(mmad.b, k1 * n1 * kFractal, 2);
    job.c = core.write(mmad.dst, static_cast<uint64_t>(m1) * n1 * 1024, 0);
    const uint8_t* bias = mmad.has_bias ? core.read(mmad.bias, mmad.n * 4u, 3) : nullptr;
    job.accumulates = !mmad.init && !mmad.has_bias;

    job.a_pitch = k1 * types.words + kPitchSlack;
    const size_t a_bytes = round_up(static_cast<size_t>(job.m) * job.a_pitch * 4, 64);
    const size_t b_bytes = static_cast<size_t>(n1) * k1 * types.words * 64, bias_bytes = n1 * 64;
    uint8_t* panels = scratch.take(a_bytes + b_bytes + bias_bytes);
    job.b_panel = panels;
    job.a_panel = panels + b_bytes;
    if (bias) {
        job.bias = panels + b_bytes + a_bytes;
        std::memcpy(panels + b_bytes + a_bytes, bias, mmad.n * 4u);
    }
    types.body(job);
    return true;
}

} // namespace aclimb
