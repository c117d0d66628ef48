// SPDX-License-Identifier: Apache-2.0
// CastDequant of int16_t: dst = a * scale + offset, to nearest even, clamped to 8 bits. The parameters are one word of the DEQSCALE
// register, or 16 words of the UB, one for each element of a block. The 16 results of a source block fill one half of a destination block.
#include <cmath>

#include "isa/numeric/half.h"
#include "isa/shapes/dequant.h"

namespace aclimb {
namespace {

// A word: bits 0 to 31 the scale, of whose mantissa 10 bits count; 37 to 45 the offset, with its sign; 46 the results have a sign.
struct Parameters {
    double scale, offset, lowest, highest;
};

Parameters parameters_of(uint64_t word) {
    const auto bits = static_cast<int32_t>(word >> 37 & 0x1ff);
    const bool has_sign = word >> 46 & 1;
    return {float_of(static_cast<uint32_t>(word) & ~0x1fffu), static_cast<double>(bits >= 256 ? bits - 512 : bits), has_sign ? -128.0 : 0.0,
            has_sign ? 127.0 : 255.0};
}

uint8_t converted(int16_t value, const Parameters& p) {
    const double result = std::nearbyint(value * p.scale + p.offset);
    if (result != result) return 0;
    return static_cast<uint8_t>(static_cast<int32_t>(result < p.lowest ? p.lowest : result > p.highest ? p.highest : result));
}

// The register and the type of the destination have to agree; a chip would write the bits of the other type.
void require_sign(Datapath& core, Dtype type, const Parameters& p) {
    if ((p.lowest < 0) == (type == Dtype::i8)) return;
    core.fail_unsupported(type == Dtype::i8 ? "CastDequant to int8_t needs a signMode of true in SetDeqScale; it is false."
                                            : "CastDequant to uint8_t needs a signMode of false in SetDeqScale; it is true.");
}

} // namespace

bool run_dequant(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    const Dequant shape = dequant_of(v);
    const Repeats repeats = repeats_of(core, v, kDequantLanes);
    if (repeats.count == 0) return true;
    if (repeats.each.end > kDequantBlock && shape.dst.block == 0) core.require_range("dstBlkStride", 0, 1, 65535);
    Parameters parameters[kDequantBlock];
    const uint64_t* words = shape.by_element ? core.read<uint64_t>(v.b, sizeof(uint64_t) * kDequantBlock, 2) : nullptr;
    for (uint32_t i = 0; i < kDequantBlock; i++) {
        parameters[i] = parameters_of(words ? words[i] : v.scalar);
        require_sign(core, head.dtype, parameters[i]);
    }
    const uint8_t* from = core.read(v.a, repeats.span(shape.src), 1);
    uint8_t* to = core.write(v.dst, shape.dst_bytes(repeats), 0);
    for (uint32_t r = 0; r < repeats.count; r++) {
        alignas(64) int16_t row[kDequantLanes];
        const Selection& selection = repeats.of(r);
        gather(reinterpret_cast<uint8_t*>(row), from + uint64_t{r} * shape.src.repeat, shape.src, selection);
        for (uint32_t lane = 0; lane < selection.end; lane++)
            if (selection.has(lane))
                to[uint64_t{r} * shape.dst.repeat + shape.byte_of(lane)] = converted(row[lane], parameters[lane % kDequantBlock]);
    }
    return true;
}

} // namespace aclimb
