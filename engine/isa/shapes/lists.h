// SPDX-License-Identifier: Apache-2.0
// Lists of element types, as instruction files give them. Knows no instruction: who needs no more is not compiled anew for a new row.
#pragma once
#include "isa/simd.h"

#ifndef ACLIMB_LEVEL // outside a level file: only the lists of types are of interest
#define ACLIMB_LEVEL_BEGIN                                                                                                                 \
    namespace aclimb {                                                                                                                     \
    namespace meanings {
#define ACLIMB_LEVEL_END                                                                                                                   \
    }                                                                                                                                      \
    }
#endif

ACLIMB_LEVEL_BEGIN

template <class... T> struct Types {};

// Cast: pairs of destination and source with the round modes each takes; bit = number of the mode.
template <class Dst, class Src, unsigned kModes> struct cast {};
constexpr unsigned kExact = 1, kRounding = 0x3f, kOdd = 0x40;

ACLIMB_LEVEL_END
