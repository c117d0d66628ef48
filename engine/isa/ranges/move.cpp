// SPDX-License-Identifier: Apache-2.0
#include "isa/move/geometry.h"
#include "isa/move/im2col.h"

namespace aclimb {

void copy_ranges(const Copy& copy, Ranges& to) {
    if (copy.length == 0) return; // nothing is padded either
    to.add(0, copy.atomic && is_global(copy.dst) ? Role::updates : Role::writes, destination_of(copy));
    to.add(1, Role::reads, source_of(copy));
}

void nd2nz_ranges(const Nd2Nz& nd2nz, Ranges& to) {
    for (uint64_t matrix = 0; matrix < nd2nz.nd_num; matrix++) {
        for (uint64_t group = 0; group < groups_of(nd2nz); group++) to.add(0, Role::writes, destination_of(nd2nz, matrix, group));
        to.add(1, Role::reads, source_of(nd2nz, matrix));
    }
}

void load_2d_ranges(const Load2D& load, Ranges& to) {
    to.add(0, Role::writes, destination_of(load));
    to.add(1, Role::reads, source_of(load));
}

void load_3d_ranges(const Load3D& load, Ranges& to) {
    const Im2col windows(load);
    if (windows.is_empty()) return;
    const Load3DTarget target(load, windows);
    const uint64_t element = size_of(load.head.dtype);
    for (uint32_t fractal = 0; fractal < windows.height(); ++fractal)
        for (uint32_t block = 0; block < windows.width(); ++block) {
            const uint32_t rows = windows.rows_of(fractal), lanes = c0_of(load.head.dtype);
            for (uint32_t row = 0; row < rows; ++row)
                if (const int64_t offset = windows.offset(fractal, row, block); offset >= 0)
                    to.add(1, Role::reads, windows.address(offset), kBlock);
            if (!target.transposes) to.add(0, Role::writes, load.dst.addr + target.fractal(fractal, block, 0), uint64_t{rows} * kBlock);
            else // `lanes` rows of k, in parts of 32 bytes of m
                for (uint32_t part = 0, at = 0; at < rows; ++part, at += lanes)
                    to.add(0, Role::writes, load.dst.addr + target.fractal(fractal, block, part) + target.row(block) * kBlock,
                           std::min(lanes, rows - at) * element, lanes, kBlock);
        }
}

void load_transpose_ranges(const LoadTranspose& load, Ranges& to) {
    if (load.repeat == 0) return;
    for (uint32_t fractal = 0; fractal < fractals_of_square(load.head.dtype); ++fractal)
        to.add(0, Role::writes, destination_of(load, fractal));
    to.add(1, Role::reads, source_of(load));
}

void load_sparse_ranges(const LoadSparse& load, Ranges& to) {
    if (load.repeat == 0) return;
    to.add(0, Role::writes, load.dst.addr, uint64_t{load.repeat} * kFractal);
    to.add(1, Role::reads, source_of(load));
    to.add(2, Role::reads, index_of(load));
}

void fill_ranges(const Fill& fill, Ranges& to) { to.add(0, Role::writes, destination_of(fill)); }

} // namespace aclimb
