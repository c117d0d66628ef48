// SPDX-License-Identifier: Apache-2.0
// Select. Mode 0: the bits of the compare-mask register (or of one repeat's worth of a tensor) serve every repeat. Modes 1 and 2: the
// bits are consumed continuously, 256 / size of an element in each repeat; in mode 1 the second source is the scalar.
#include "isa/shapes/data.h"
#include "isa/shapes/repeat.h"

namespace aclimb {
namespace {

enum class Selmode : uint8_t { cmpmask_spr, tensor_scalar, tensor_tensor }; // the numbers are those of AscendC::SELMODE

struct Selecting {
    Choose choose;
    Extent dst, a, b;
    uint8_t* to;
    const uint8_t *from_a, *from_b, *bits;
    uint32_t bits_step; // bytes of selection from one repeat to the next
};

void select_repeat(const Selecting& s, uint32_t r, const Selection& selection) {
    alignas(64) uint8_t a[kRepeatBytes], b[kRepeatBytes], result[kRepeatBytes];
    gather(a, s.from_a + uint64_t{r} * s.a.repeat, s.a, selection);
    gather(b, s.from_b + uint64_t{r} * s.b.repeat, s.b, selection);
    s.choose(result, a, b, s.bits + r * s.bits_step, selection.end);
    scatter(s.to + uint64_t{r} * s.dst.repeat, result, s.dst, selection);
}

void fill(uint8_t* block, uint64_t scalar, uint32_t bits_shift) {
    const uint32_t size = 1u << (bits_shift - 3);
    for (uint32_t at = 0; at < kBlockBytes; at += size) std::memcpy(block + at, &scalar, size);
}

// A mask without a tensor of its own: only the end of the UB bounds it.
Place mask_in_register(const Datapath& core) {
    return {core.cmp_mask[0] & 0xffffffff, 1ull << 30, 0, kNoSlot, static_cast<uint64_t>(Memory::UB)};
}

const uint8_t* selection_bits(Datapath& core, const Select& record, const Repeats& repeats, bool continuous) {
    if (!record.has_mask && !continuous) return reinterpret_cast<const uint8_t*>(core.cmp_mask);
    const Place mask = record.has_mask ? record.mask : mask_in_register(core);
    require_ub(core, mask, kBlockBytes, 1);
    const uint64_t whole = continuous ? uint64_t{repeats.count - 1} * repeats.lanes : 0;
    const uint32_t end = continuous || repeats.count == 1 ? repeats.last.end : repeats.each.end;
    return core.read(mask, (whole + end + 7) / 8, 1);
}

Repeats contiguous_repeats(Datapath& core, Vector& v, uint32_t lanes) {
    if (v.counted == 1) v.dst_stride = v.a_stride = v.b_stride = {1, 8};
    return repeats_of(core, v, lanes);
}

void require_select(Datapath& core, const Select& record) {
    const Vector& v = record.vector;
    require_type(core, v.head.op, v.head.dtype);
    core.require_range("selMode", v.mode, 0, 2);
    if (!record.has_mask && v.mode == static_cast<uint8_t>(Selmode::tensor_scalar))
        core.fail_unsupported("Select of a tensor and a scalar takes its mask from a tensor; pass selMask.");
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 2);
}

} // namespace

bool run_select(Datapath& core, Head& head) {
    const Select& record = reinterpret_cast<const Select&>(head);
    require_select(core, record);
    Vector v = record.vector;
    const auto mode = static_cast<Selmode>(v.mode);
    const Repeats repeats = contiguous_repeats(core, v, kRepeatBits >> bits_shift_of(head.dtype));
    if (repeats.count == 0) return true;
    const bool continuous = mode != Selmode::cmpmask_spr;
    alignas(64) uint8_t scalar[kBlockBytes];
    Selecting s{};
    s.choose = ACLIMB_PICK(data_loops).choose[bits_shift_of(head.dtype) - 4];
    s.dst = extent_of(head.dtype, v.dst_stride);
    s.a = extent_of(head.dtype, v.a_stride);
    s.b = mode == Selmode::tensor_scalar ? Extent{s.a.bits_shift, 0, 0} : extent_of(head.dtype, v.b_stride);
    s.bits = selection_bits(core, record, repeats, continuous);
    s.bits_step = continuous ? repeats.lanes / 8 : 0;
    s.from_a = core.read(v.a, repeats.span(s.a), 2);
    if (mode == Selmode::tensor_scalar) {
        fill(scalar, record.scalar_in_register ? core.cmp_mask[0] : v.scalar, s.a.bits_shift);
        s.from_b = scalar;
    } else {
        require_ub(core, v.b, kBlockBytes, 3);
        s.from_b = core.read(v.b, repeats.span(s.b), 3);
    }
    s.to = core.write(v.dst, repeats.span(s.dst), 0);
    for (uint32_t r = 0; r < repeats.count; r++) select_repeat(s, r, repeats.of(r));
    return true;
}

} // namespace aclimb
