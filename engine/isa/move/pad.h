// SPDX-License-Identifier: Apache-2.0
// Padding of DataCopyPad on the way from global memory into a local one.
// A block is: left elements, the burst, right elements, filler up to a multiple of 32 bytes.
#pragma once
#include "isa/datapath.h"

namespace aclimb {

// Copy::pad
constexpr uint8_t kPadFirst = 1, kPadValue = 2, kPadUndefined = 3;

struct Padding {
    uint32_t element;            // bytes
    uint32_t left, right_filler; // bytes; the filler is counted with the right side
    bool first;                  // the block's first element is the value, otherwise `value`
    uint64_t value;
};

Padding padding_of(Datapath& core, const Copy& copy);
void pad_block(uint8_t* dst, const uint8_t* src, size_t length, const Padding& padding);

} // namespace aclimb
