// SPDX-License-Identifier: Apache-2.0
// Where the instructions that move data find and leave it. Their bounds, isa/ranges.h and the timing model all ask here.
#pragma once
#include "isa/move/layout.h"
#include "isa/ranges.h"

namespace aclimb {

// --- copy: in a local memory a burst takes whole blocks, in global memory exactly its bytes; the gaps count from there

inline uint64_t taken_by(const Place& place, uint64_t bytes) { return is_global(place) ? bytes : round_up(bytes, kBlock); }
inline bool pads(const Copy& copy) { return copy.pad != 0 && is_global(copy.src) && !is_global(copy.dst); }
// Into the bias table halves become floats: a burst is half as long where it comes from.
inline bool widens(const Copy& copy) {
    return copy.head.dtype == Dtype::f32 && copy.head.dtype2 == Dtype::half && memory_of(copy.dst) == Memory::BT;
}
inline Rectangle source_of(const Copy& copy) {
    const uint32_t length = widens(copy) ? copy.length / 2 : copy.length;
    return {copy.src.addr, length, copy.count, static_cast<int64_t>(taken_by(copy.src, length)) + copy.src_gap};
}
inline Rectangle destination_of(const Copy& copy) {
    const uint64_t margins = pads(copy) ? static_cast<uint64_t>(copy.left + copy.right) * copy.element : 0;
    const uint64_t taken = taken_by(copy.dst, copy.length + margins);
    return {copy.dst.addr, pads(copy) ? taken : copy.length, copy.count, static_cast<int64_t>(taken) + copy.dst_gap};
}

// --- nd2nz: rows of a matrix, to column groups of 32 bytes; the end of a row is filled with zeros

inline uint64_t row_bytes(const Nd2Nz& nd2nz) { return nd2nz.d_value * size_of(nd2nz.head.dtype); }
inline uint64_t groups_of(const Nd2Nz& nd2nz) { return (row_bytes(nd2nz) + kBlock - 1) / kBlock; }
inline Rectangle source_of(const Nd2Nz& nd2nz, uint64_t matrix) {
    const uint64_t element = size_of(nd2nz.head.dtype);
    return {nd2nz.src.addr + matrix * nd2nz.src_nd_stride * element, row_bytes(nd2nz), nd2nz.n_value,
            static_cast<int64_t>(nd2nz.src_d_value * element)};
}
inline Rectangle destination_of(const Nd2Nz& nd2nz, uint64_t matrix, uint64_t group) {
    const uint64_t first = nd2nz.dst.addr + matrix * nd2nz.dst_nd_stride * size_of(nd2nz.head.dtype);
    return {first + group * nd2nz.dst_c0_stride * kBlock, kBlock, nd2nz.n_value, int64_t{nd2nz.dst_n_stride} * kBlock};
}

// --- load_2d: whole fractals

inline uint64_t fractal_address(const Load2D& load, uint32_t repeat) { // address_mode 1: descending
    const uint64_t step = uint64_t{repeat} * load.src_stride, first = load.start_index;
    return load.src.addr + (load.address_mode ? first - step : first + step) * kFractal;
}
inline Rectangle source_of(const Load2D& load) {
    const uint32_t lowest = load.address_mode && load.repeat ? load.repeat - 1u : 0;
    return {fractal_address(load, lowest), kFractal, load.repeat, int64_t{load.src_stride} * kFractal};
}
inline Rectangle destination_of(const Load2D& load) {
    return {load.dst.addr, kFractal, load.repeat, (1 + int64_t{load.dst_gap}) * kFractal};
}

// --- load_transpose: squares of one, two or four fractals

inline uint32_t fractals_of_square(Dtype type) { return type == Dtype::i4 ? 4 : size_of(type) == 2 ? 1 : 2; }
inline uint64_t square_address(const LoadTranspose& load, uint32_t repeat) {
    const uint64_t step = uint64_t{repeat} * load.src_stride, first = load.start_index;
    return load.src.addr + (load.descending ? first - step : first + step) * fractals_of_square(load.head.dtype) * kFractal;
}
inline Rectangle source_of(const LoadTranspose& load) {
    const uint64_t bytes = fractals_of_square(load.head.dtype) * kFractal,
                   begin = square_address(load, load.descending ? load.repeat - 1u : 0);
    return {begin, bytes, load.repeat, static_cast<int64_t>(load.src_stride * bytes)};
}
inline Rectangle destination_of(const LoadTranspose& load, uint32_t fractal) {
    const uint64_t first = load.dst.addr + fractal * (1 + uint64_t{load.dst_frac_gap}) * kFractal;
    return {first, kFractal, load.repeat, (1 + int64_t{load.dst_gap}) * kFractal};
}

// --- load_sparse: whole fractals, and a quarter as many bytes of positions

inline Rectangle source_of(const LoadSparse& load) {
    return {load.src.addr + uint64_t{load.start_index} * kFractal, uint64_t{load.repeat} * kFractal, 1, 0};
}
inline Rectangle index_of(const LoadSparse& load) {
    return {load.index.addr + uint64_t{load.start_index} * (kFractal / 4), uint64_t{load.repeat} * (kFractal / 4), 1, 0};
}

// --- fill: blocks of L1, fractals elsewhere

inline Rectangle destination_of(const Fill& fill) {
    const uint64_t unit = memory_of(fill.dst) == Memory::L1 ? kBlock : kFractal, bytes = fill.blocks * unit;
    return {fill.dst.addr, bytes, fill.repeat, static_cast<int64_t>(bytes + fill.dst_gap * unit)};
}

// --- fixpipe: row major a row of n elements, NZ a column group of m rows

inline bool is_nz(const Fixpipe& fixpipe) { return fixpipe.layout == static_cast<uint8_t>(FixpipeLayout::nz); }
inline uint32_t matrices_of(const Fixpipe& fixpipe) { return is_nz(fixpipe) ? 1 : fixpipe.nd_num; }
// 8-bit results merge two groups of 16 columns in NZ.
inline uint32_t group_width(const Fixpipe& fixpipe) {
    return fixpipe.channel_split ? 8 : is_nz(fixpipe) && size_of(fixpipe.head.dtype) == 1 ? 32 : 16;
}
inline Rectangle destination_of(const Fixpipe& fixpipe, uint64_t matrix) {
    const uint64_t element = size_of(fixpipe.head.dtype), width = group_width(fixpipe);
    const uint64_t first = fixpipe.dst.addr + matrix * fixpipe.dst_nd_stride * element;
    if (is_nz(fixpipe))
        return {first, fixpipe.m * width * element, static_cast<uint32_t>(fixpipe.n / width), int64_t{fixpipe.dst_stride} * kBlock};
    return {first, fixpipe.n * element, fixpipe.m, static_cast<int64_t>(fixpipe.dst_stride * element)};
}
// ... and what is left of a merged group: a group of 16 columns, or nothing.
inline Rectangle left_group_of(const Fixpipe& fixpipe) {
    const uint32_t width = group_width(fixpipe), left = is_nz(fixpipe) ? fixpipe.n % width : 0;
    const uint64_t begin = fixpipe.dst.addr + fixpipe.n / width * uint64_t{fixpipe.dst_stride} * kBlock;
    return {begin, uint64_t{fixpipe.m} * left * size_of(fixpipe.head.dtype), left ? 1u : 0u, 0};
}
inline uint64_t destination_end(const Fixpipe& fixpipe, uint64_t matrix) {
    const Rectangle whole = destination_of(fixpipe, matrix), left = left_group_of(fixpipe);
    return std::max(whole.count ? whole.end() : 0, left.count ? left.end() : 0);
}
inline bool has_quant_tensor(const Fixpipe& fixpipe) {
    const auto mode = static_cast<QuantMode>(fixpipe.quant_mode);
    return mode == QuantMode::VDEQF16 || mode == QuantMode::VREQ8 || mode == QuantMode::VQF322B8_PRE;
}

} // namespace aclimb
