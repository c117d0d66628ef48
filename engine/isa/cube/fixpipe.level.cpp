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

// A quantisation word: bits 0..31 a float of which the unit uses 10 bits of mantissa, 32..35 a shift less one and 36 whether it is done
// (to int16, before the product), 37..45 an offset in two's complement, 46 whether an 8-bit result is signed.
struct QuantWord {
    uint64_t bits;
    float scale() const { return float_of(static_cast<uint32_t>(bits) & 0xffffe000u); }
    bool shifts() const { return bits >> 36 & 1; }
    int shift() const { return 1 + static_cast<int>(bits >> 32 & 15); }
    int32_t offset() const { return static_cast<int32_t>(static_cast<uint32_t>(bits >> 37) << 23) >> 23; }
    bool is_signed() const { return bits >> 46 & 1; }
};
QuantWord word_of(const FixpipeJob& job, uint32_t column) { // beyond the last column there is none, and nobody reads that result
    return {job.one_scale || column >= job.columns ? job.scales[0] : job.scales[column]};
}

float scaled(float value, QuantWord word) { return value * word.scale(); }
// int32 becomes a float (nearest even); where the hardware rounds in between is not published.
float scaled(int32_t value, QuantWord word) {
    if (word.shifts()) {
        const int32_t shifted = value >> word.shift();
        value = shifted > 32767 ? 32767 : shifted < -32768 ? -32768 : shifted;
    }
    return static_cast<float>(value) * word.scale();
}

struct Dequantised {
    using Source = int32_t;
    using Stored = half;
    static void row(Stored* to, const Source* from, const FixpipeJob& job, uint32_t column) {
        alignas(64) float lanes[16];
        for (uint32_t i = 0; i < 16; ++i) lanes[i] = scaled(from[i], word_of(job, column + i));
        narrow_row(to, lanes, job.saturate);
    }
};

int32_t clamped(int32_t value, int32_t lowest, int32_t highest) { return value < lowest ? lowest : value > highest ? highest : value; }

// To nearest even, kept to 9 bits, and the offset; then clamped to the 8 bits. Integers always saturate; NaN is 0.
uint8_t quantised(float value, QuantWord word) {
    const float near = value != value ? 0.0f : __builtin_nearbyintf(value < -256 ? -256.0f : value > 255 ? 255.0f : value);
    const int32_t sum = static_cast<int32_t>(near) + word.offset();
    return static_cast<uint8_t>(word.is_signed() ? clamped(sum, -128, 127) : clamped(sum, 0, 255));
}

template <class Word> struct Quantised {
    using Source = Word;
    using Stored = uint8_t;
    static void row(Stored* to, const Source* from, const FixpipeJob& job, uint32_t column) {
        for (uint32_t i = 0; i < 16; ++i) {
            const QuantWord word = word_of(job, column + i);
            to[i] = quantised(scaled(from[i], word), word);
        }
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
    if (count == 16 && job.width >= 16) return Output::row(reinterpret_cast<Stored*>(to), words, job, column);
    alignas(64) Stored row[16];
    Output::row(row, words, job, column);
    for (uint32_t i = 0; i < count; i += job.width, to += job.dst_group)
        std::memcpy(to, row + i, (count - i < job.width ? count - i : job.width) * sizeof(Stored));
}

// Row by row: the row of a row-major destination is then written in one run, which matters more than reading L0C in one.
template <class Output> void store(const FixpipeJob& job) {
    for (uint32_t row = 0; row < job.rows; ++row)
        for (uint32_t column = 0; column < job.columns; column += 16)
            store_row<Output>(job.dst + row * row_pitch(job, column) + group_offset(job, column) +
                                  column % job.width * sizeof(typename Output::Stored),
                              job.src + column / 16 * job.src_group + row * 64, job, column);
}

} // namespace

const FixpipeBodies& fixpipe_bodies() {
    static const FixpipeBodies bodies{store<ToFloat>,         store<ToInt32>,     store<ToHalf>,
                                      store<ToBfloat16>,      store<Dequantised>, store<Quantised<int32_t>>,
                                      store<Quantised<float>>};
    return bodies;
}

ACLIMB_LEVEL_END
