// SPDX-License-Identifier: Apache-2.0
#include "isa/move/pad.h"

#include "isa/move/layout.h"

namespace aclimb {
namespace {

void repeat(uint8_t* dst, size_t bytes, uint64_t value, size_t element) {
    for (size_t at = 0; at < bytes; at += element) std::memcpy(dst + at, &value, std::min(element, bytes - at));
}

} // namespace

Padding padding_of(Datapath& core, const Copy& copy) {
    const uint32_t element = copy.element;
    if (element == 0 || element > 8 || (element & (element - 1))) core.require_range("size of an element in bytes", element, 1, 8);
    core.require_range("leftPadding", copy.left, 0, kBlock / element);
    core.require_range("rightPadding", copy.right, 0, kBlock / element);
    core.require_range("pad mode", copy.pad, kPadFirst, kPadUndefined);
    const uint32_t left = copy.left * element;
    const auto whole = static_cast<uint32_t>(round_up(left + copy.length + copy.right * element, kBlock));
    // What the hardware leaves in undefined padding is not published: poison, so that its use shows.
    const uint64_t value = copy.pad == kPadUndefined ? ~0ull : copy.pad_value;
    return {element, left, whole - left - copy.length, copy.pad == kPadFirst, value};
}

void pad_block(uint8_t* dst, const uint8_t* src, size_t length, const Padding& padding) {
    uint64_t value = padding.value;
    if (padding.first) std::memcpy(&value, src, std::min<size_t>(padding.element, length));
    uint8_t* body = dst + padding.left;
    std::memmove(body, src, length);
    repeat(dst, padding.left, value, padding.element);
    repeat(body + length, padding.right_filler, value, padding.element);
}

} // namespace aclimb
