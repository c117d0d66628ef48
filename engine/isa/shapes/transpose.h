// SPDX-License-Identifier: Apache-2.0
// The geometry of the transpositions.
#pragma once
#include "isa/shapes/repeat.h"

namespace aclimb {

constexpr uint32_t kSquareBytes = 512; // 16 x 16 elements of 16 bits; 16 blocks

// NCHW to NHWC (mode 0) and back (mode 1); scalar holds N, C, H, W in 16 bits each.
struct Transpose4d {
    uint32_t batches, channels, pixels, element;
    bool back;

    uint32_t rows() const { return back ? pixels : channels; }
    uint32_t columns() const { return back ? channels : pixels; }
    uint64_t bytes() const { return uint64_t{batches} * channels * pixels * element; }
    uint64_t scratch() const { // as published
        const uint64_t tile = uint64_t{element == 1 ? 32u : 16u} * kBlockBytes;
        return (back ? 2 * uint64_t{channels} + 1 : uint64_t{channels} + 2) * tile;
    }
};

inline Transpose4d transpose_4d_of(const Vector& v) {
    const auto field = [&](int i) { return static_cast<uint32_t>(v.scalar >> (16 * i) & 0xffff); };
    return {field(0), field(1), field(2) * field(3), static_cast<uint32_t>(size_of(v.head.dtype)), v.mode == 1};
}

// TransDataTo5HD: 16 blocks in, 16 blocks out, in each repeat. 8-bit elements: 16 bytes of each, one of the halves.
struct TransDataShape {
    uint32_t repeats;
    uint64_t dst_step, src_step, dst_first, src_first; // the only repeat of one is moved on by its stride as well
    uint32_t dst_half, src_half, length;               // bytes of a block that are touched, from where on
};

inline TransDataShape trans_data_of(const TransData& record) {
    const Vector& v = record.vector;
    const bool bytes = size_of(v.head.dtype) == 1;
    const uint64_t dst = v.dst_stride.repeat * kBlockBytes, src = v.a_stride.repeat * kBlockBytes;
    return {static_cast<uint32_t>(v.repeat),
            dst,
            src,
            v.repeat == 1 ? dst : 0,
            v.repeat == 1 ? src : 0,
            bytes && v.mode & 1 ? 16u : 0u,
            bytes && v.mode & 2 ? 16u : 0u,
            bytes ? 16u : kBlockBytes};
}

} // namespace aclimb
