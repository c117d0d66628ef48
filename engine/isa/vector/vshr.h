// SPDX-License-Identifier: Apache-2.0
// vshr  dst = a >> s, filled with the sign of signed types; mode 1 rounds those: the last bit pushed out is added.   Ascend C: ShiftRight
SCALAR_LANE(vshr, wrapping<int16_t>, wrapping<uint16_t>, wrapping<int32_t>, wrapping<uint32_t>) {
    const bool rounds = std::is_signed_v<W> && mode;
    if (static_cast<uint32_t>(s) > 31) return std::is_signed_v<W> && a < W{0} && !rounds ? ~W{0} : W{0};
    const W carry = rounds && s > 0 ? a >> (s - 1) & 1 : 0;
    return (a >> s) + carry;
}
