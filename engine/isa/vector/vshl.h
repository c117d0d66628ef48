// SPDX-License-Identifier: Apache-2.0
// vshl  dst = a << s; the bits pushed out are lost, 0 from the width of the type on.   Ascend C: ShiftLeft
SCALAR_LANE(vshl, wrapping<int16_t>, wrapping<uint16_t>, wrapping<int32_t>, wrapping<uint32_t>) {
    return static_cast<uint32_t>(s) > 31 ? 0 : static_cast<W>(static_cast<uint32_t>(a) << s);
}
