// SPDX-License-Identifier: Apache-2.0
// Instructions that put elements elsewhere. Where the data decide which bytes (offsets, bits, an end when a list is used up), everything
// that may be read is called read, and everything that may be written is called updated: what is not written keeps its value.
#include "isa/ranges/lanes.h"
#include "isa/shapes/dequant.h"
#include "isa/shapes/gather_mask.h"
#include "isa/shapes/sort.h"
#include "isa/shapes/transpose.h"

namespace aclimb {

void gather_ranges(const Vector& v, Ranges& to) {
    const Extent dst = extent_of(v.head.dtype, {1, v.counted == 1 ? uint16_t{8} : v.dst_stride.repeat});
    const Repeats repeats = repeats_in(v, kRepeatBits >> dst.bits_shift);
    if (repeats.count == 0) return;
    add_repeats(to, operand_of(v, 0), dst, repeats);
    to.add(1, Role::reads, v.a.addr, v.a.size); // somewhere in it
    add_repeats(to, operand_of(v, 2), {5, kBlockBytes, repeats.lanes * 4}, repeats);
}

void gather_block_ranges(const Vector& v, Ranges& to) {
    const auto repeats = static_cast<uint64_t>(v.repeat);
    const uint64_t step = (v.dst_stride.block ? v.dst_stride.block : 1) * kBlockBytes;
    for (uint64_t block = 0; block < 8; block++)
        to.add(0, Role::writes, v.dst.addr + block * step, kBlockBytes, repeats, v.dst_stride.repeat * int64_t{kBlockBytes});
    if (repeats == 0) return;
    to.add(1, Role::reads, v.a.addr, v.a.size);
    to.add(2, Role::reads, v.b.addr, 8 * repeats * sizeof(uint32_t));
}

void gather_mask_ranges(const Vector& v, Ranges& to) {
    const GatherMask shape = gather_mask_of(v);
    if (shape.is_empty()) return;
    const uint32_t lanes = shape.src.block_lanes();
    uint64_t kept = 0;
    for (uint32_t first = 0; first < shape.elements; first += lanes) {
        const uint32_t some = shape.elements - first < lanes ? shape.elements - first : lanes;
        const uint32_t bits = kPatternBits[v.mode ? v.mode : 7] & ((1u << some) - 1);
        kept += static_cast<uint64_t>(__builtin_popcount(bits));
        const uint64_t mask[2] = {bits, 0};
        const Selection selection = masked_lanes(mask, lanes);
        add_lanes(to, operand_of(v, 1), v.a.addr + uint64_t{first / lanes} * shape.src.block, shape.src, selection, shape.repeats);
    }
    to.add(0, v.mode ? Role::writes : Role::updates, v.dst.addr, shape.src.bytes(kept * shape.repeats));
    if (v.mode == 0) to.add(2, Role::reads, v.b.addr, (uint64_t{shape.elements} + 7) / 8, shape.repeats, shape.bits_step);
}

void transpose_ranges(const Vector& v, Ranges& to) {
    to.add(0, Role::writes, v.dst.addr, kSquareBytes);
    to.add(1, Role::reads, v.a.addr, kSquareBytes);
}

void transpose_4d_ranges(const Vector& v, Ranges& to) {
    to.add(0, Role::writes, v.dst.addr, transpose_4d_of(v).bytes());
    to.add(1, Role::reads, v.a.addr, transpose_4d_of(v).bytes());
}

void trans_data_ranges(const TransData& record, Ranges& to) {
    const TransDataShape shape = trans_data_of(record);
    for (int i = 0; i < 16; i++) {
        to.add(0, Role::writes, record.vector.dst.addr + record.dst[i] + shape.dst_first + shape.dst_half, shape.length, shape.repeats,
               static_cast<int64_t>(shape.dst_step));
        to.add(1, Role::reads, record.vector.a.addr + record.src[i] + shape.src_first + shape.src_half, shape.length, shape.repeats,
               static_cast<int64_t>(shape.src_step));
    }
}

void sort_ranges(const Vector& v, Ranges& to) {
    const uint64_t pairs = kSorted * static_cast<uint64_t>(v.repeat);
    to.add(0, Role::writes, v.dst.addr, pairs * kPairBytes);
    to.add(1, Role::reads, v.a.addr, pairs * size_of(v.head.dtype));
    to.add(2, Role::reads, v.b.addr, pairs * sizeof(uint32_t));
}

void merge_ranges(const MergeSort& record, Ranges& to) {
    const Place* places[] = {&record.vector.a, &record.vector.b, &record.c, &record.d};
    const auto repeats = static_cast<uint64_t>(record.vector.repeat);
    uint64_t total = 0;
    for (const uint16_t each : record.length) total += each;
    to.add(0, record.suspends ? Role::updates : Role::writes, record.vector.dst.addr, total * repeats * kPairBytes);
    for (int i = 0; i < 4; i++)
        to.add(i + 1, Role::reads, places[i]->addr, record.length[i] * uint64_t{kPairBytes}, repeats,
               static_cast<int64_t>(total * kPairBytes));
}

void dequant_ranges(const Vector& v, Ranges& to) {
    const Dequant shape = dequant_of(v);
    const Repeats repeats = repeats_in(v, kDequantLanes);
    if (repeats.count == 0) return;
    add_repeats(to, operand_of(v, 1), shape.src, repeats);
    if (shape.by_element) to.add(2, Role::reads, v.b.addr, kDequantBlock * sizeof(uint64_t));
    for (uint32_t r = 0; r < repeats.count; r++)
        for (uint32_t lane = 0; lane < repeats.of(r).end; lane++)
            if (repeats.of(r).has(lane)) to.add(0, Role::writes, v.dst.addr + uint64_t{r} * shape.dst.repeat + shape.byte_of(lane), 1);
}

} // namespace aclimb
