// SPDX-License-Identifier: Apache-2.0
#include "isa/move/layout.h"
#include "isa/ranges.h"

namespace aclimb {

void copy_ranges(const Copy& copy, Ranges& to) {
    if (copy.count == 0 || copy.length == 0) return;
    const bool pads = copy.pad != 0 && is_global(copy.src) && !is_global(copy.dst);
    const uint64_t margins = pads ? static_cast<uint64_t>(copy.left + copy.right) * copy.element : 0;
    const auto taken = [](const Place& place, uint64_t bytes) { return is_global(place) ? bytes : round_up(bytes, kBlock); };
    const uint64_t src_taken = taken(copy.src, copy.length), dst_taken = taken(copy.dst, copy.length + margins);
    const bool updates = copy.atomic && is_global(copy.dst);
    to.add(0, updates ? Role::updates : Role::writes, copy.dst.addr, pads ? dst_taken : copy.length, copy.count,
           static_cast<int64_t>(dst_taken) + copy.dst_gap);
    to.add(1, Role::reads, copy.src.addr, copy.length, copy.count, static_cast<int64_t>(src_taken) + copy.src_gap);
}

void nd2nz_ranges(const Nd2Nz& nd2nz, Ranges& to) {
    if (nd2nz.n_value == 0 || nd2nz.d_value == 0) return;
    const uint64_t element = size_of(nd2nz.head.dtype), row = nd2nz.d_value * element;
    const uint64_t groups = (row + kBlock - 1) / kBlock; // the end of a row is filled with zeros
    for (uint64_t matrix = 0; matrix < nd2nz.nd_num; matrix++) {
        const uint64_t dst = nd2nz.dst.addr + matrix * nd2nz.dst_nd_stride * element;
        for (uint64_t group = 0; group < groups; group++)
            to.add(0, Role::writes, dst + group * nd2nz.dst_c0_stride * kBlock, kBlock, nd2nz.n_value,
                   int64_t{nd2nz.dst_n_stride} * kBlock);
        to.add(1, Role::reads, nd2nz.src.addr + matrix * nd2nz.src_nd_stride * element, row, nd2nz.n_value,
               static_cast<int64_t>(nd2nz.src_d_value * element));
    }
}

void load_2d_ranges(const Load2D& load, Ranges& to) {
    to.add(0, Role::writes, load.dst.addr, kFractal, load.repeat, (1 + int64_t{load.dst_gap}) * kFractal);
    to.add(1, Role::reads, load.src.addr + uint64_t{load.start_index} * kFractal, kFractal, load.repeat,
           int64_t{load.src_stride} * kFractal);
}

void fill_ranges(const Fill& fill, Ranges& to) {
    const uint64_t unit = memory_of(fill.dst) == Memory::L1 ? kBlock : kFractal, bytes = fill.blocks * unit;
    to.add(0, Role::writes, fill.dst.addr, bytes, fill.repeat, static_cast<int64_t>(bytes + fill.dst_gap * unit));
}

} // namespace aclimb
