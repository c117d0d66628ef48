// SPDX-License-Identifier: Apache-2.0
// Words of L0C to the destination's type, a group of up to 16 columns after the other.
// ReLU comes first and answers 0 for anything that is not greater than 0, except that NaN stays NaN.
#include "isa/cube/fixpipe.h"

#include <cstring>

#include "isa/numeric/group.h"

ACLIMB_LEVEL_BEGIN

namespace {

struct ToFloat {
    using Source = float;
    using Stored = float;
    static void row(Stored* to, const Source* from, const FixpipeJob&, uint32_t) { std::memcpy(to, from, 64); }
};

struct ToInt32 {
    using Source = int32_t;
    using Stored = int32_t;
    static void row(Stored* to, const Source* from, const FixpipeJob&, uint32_t) { std::memcpy(to, from, 64); }
};

void narrow_row(half* to, const float* from, bool saturate) {
    alignas(64) float lanes[16];
    for (int i = 0; i < 16; ++i) lanes[i] = saturate ? saturated(from[i], kHalfMax) : canonical(from[i]);
    for (size_t i = 0; i < 16; i += kGroup) narrow_group(to + i, lanes + i);
}

struct ToHalf {
    using Source = float;
    using Stored = half;
    static void row(Stored* to, const Source* from, const FixpipeJob& job, uint32_t) { narrow_row(to, from, job.saturate); }
};

struct ToBfloat16 {
    using Source = float;
    using Stored = bfloat16_t;
    static void row(Stored* to, const Source* from, const FixpipeJob& job, uint32_t) {
        for (int i = 0; i < 16; ++i) to[i] = narrow_bfloat16(job.saturate ? saturated(from[i], kBfloat16Max) : from[i]);
    }
};

// The scale is a float of which the unit uses 10 bits of mantissa. int32 becomes a float (nearest even), is multiplied in float and
// narrowed; where the hardware rounds in between is not published.
struct Dequantised {
    using Source = int32_t;
    using Stored = half;
    static float scale_of(uint64_t word) { return float_of(static_cast<uint32_t>(word) & 0xffffe000u); }
    static void row(Stored* to, const Source* from, const FixpipeJob& job, uint32_t column) {
        alignas(64) float lanes[16];
        for (uint32_t i = 0; i < 16; ++i) {
            const bool beyond = column + i >= job.columns; // no scale there, and nobody will read the result
            const uint64_t word = job.one_scale || beyond ? job.scales[0] : job.scales[column + i];
            lanes[i] = static_cast<float>(from[i]) * scale_of(word);
        }
        narrow_row(to, lanes, job.saturate);
    }
};

void relu(float* lanes) {
    for (int i = 0; i < 16; ++i) lanes[i] = lanes[i] <= 0.0f ? 0.0f : lanes[i];
}
void relu(int32_t* lanes) {
    for (int i = 0; i < 16; ++i) lanes[i] = lanes[i] < 0 ? 0 : lanes[i];
}

template <class Output> inline void store_row(uint8_t* to, const uint8_t* from, const FixpipeJob& job, uint32_t column) {
    using Stored = typename Output::Stored;
    alignas(64) typename Output::Source words[16];
    std::memcpy(words, from, sizeof words);
    if (job.relu) relu(words);
    const uint32_t count = job.columns - column < 16 ? job.columns - column : 16;
    if (count == 16 && job.width == 16) return Output::row(reinterpret_cast<Stored*>(to), words, job, column);
    alignas(64) Stored row[16];
    Output::row(row, words, job, column);
    for (uint32_t i = 0; i < count; i += job.width, to += job.dst_group)
        std::memcpy(to, row + i, (count - i < job.width ? count - i : job.width) * sizeof(Stored));
}

// Row by row: the row of a row-major destination is then written in one run, which matters more than reading L0C in one.
template <class Output> void store(const FixpipeJob& job) {
    for (uint32_t row = 0; row < job.rows; ++row)
        for (uint32_t column = 0; column < job.columns; column += 16)
            store_row<Output>(job.dst + row * job.dst_row + column / job.width * job.dst_group,
                              job.src + column / 16 * job.src_group + row * 64, job, column);
}

} // namespace

const FixpipeBodies& fixpipe_bodies() {
    static const FixpipeBodies bodies{store<ToFloat>, store<ToInt32>, store<ToHalf>, store<ToBfloat16>, store<Dequantised>};
    return bodies;
}

ACLIMB_LEVEL_END
