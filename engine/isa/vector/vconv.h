// SPDX-License-Identifier: Apache-2.0
// vconv  dst = a in another type, rounded as the mode says.          Ascend C: Cast
// To an integer: clamped to its range (or cut, with SaturationMode::CAST off), NaN gives 0. float to float: an integral value, and -0
// becomes +0. int32_t to half is multiplied by DEQSCALE, in any mode. To half and bfloat16_t: beyond the range infinity.
// clang-format off
CAST_PAIRS(vconv,
    cast<half, int4x2_t, kExact>,
    cast<half, int8_t, kExact>,
    cast<half, uint8_t, kExact>,
    cast<half, int16_t, kRounding>,
    cast<half, int32_t, kRounding | kOdd>,
    cast<half, float, kRounding | kOdd>,
    cast<bfloat16_t, float, kRounding & ~kExact>,
    cast<float, half, kExact>,
    cast<float, bfloat16_t, kExact>,
    cast<float, int16_t, kExact>,
    cast<float, int32_t, kRounding>,
    cast<float, int64_t, kRounding>,
    cast<float, float, kRounding>,
    cast<int4x2_t, half, kRounding>,
    cast<int8_t, half, kRounding>,
    cast<uint8_t, half, kRounding>,
    cast<int16_t, half, kRounding>,
    cast<int16_t, float, kRounding>,
    cast<int16_t, int32_t, kExact>,
    cast<int32_t, half, kRounding>,
    cast<int32_t, bfloat16_t, kRounding>,
    cast<int32_t, float, kRounding>,
    cast<int32_t, int64_t, kExact>,
    cast<int64_t, float, kRounding>,
    cast<int64_t, int32_t, kExact>)
// clang-format on
