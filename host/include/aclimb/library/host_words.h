// SPDX-License-Identifier: Apache-2.0
// What the library's host functions share: how they read a shape, and how they fill a tiling of either kind.
#pragma once
#include "graph/shape.h"
#include "graph/types.h"

#include "aclimb/library/needs.h"

namespace platform_ascendc {
class PlatformAscendC;
}
namespace AscendC {
using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;
} // namespace AscendC

namespace aclimb {
namespace library {

inline uint64_t elements_of(const ge::Shape& shape) { return shape.GetShapeSize() > 0 ? static_cast<uint64_t>(shape.GetShapeSize()) : 0; }
inline uint64_t dim_of(const ge::Shape& shape, size_t index) {
    return shape.GetDim(index) > 0 ? static_cast<uint64_t>(shape.GetDim(index)) : 0;
}
// The last axis, and all others as one.
inline uint64_t columns_of(const ge::Shape& shape) { return shape.GetDimNum() ? dim_of(shape, shape.GetDimNum() - 1) : 0; }
inline uint64_t rows_of(const ge::Shape& shape) { return columns_of(shape) ? elements_of(shape) / columns_of(shape) : 0; }

// Never 0: kernels make a buffer of what they are told, and there is none of 0 bytes. A call that needs none leaves it alone.
constexpr uint32_t kLeastTold = 32;
inline uint32_t told(uint32_t bytes) { return bytes ? bytes : kLeastTold; }
inline void give(const Sizes& sizes, uint32_t& max, uint32_t& min) {
    max = told(sizes.max);
    min = told(sizes.min);
}
// How many vectors of its own type a call has alive; what rounding each up to whole blocks may cost.
inline void give_factor(const Vectors& need, uint32_t type_size, uint32_t& count, uint32_t& extra) {
    const uint32_t alive = need.alive(type_size);
    count = alive * 4 / type_size;
    extra = told(alive * 32);
}

// Plain structs are copied. The ones of optiling have an AclimbAssign of their own (optiling.h).
template <class Tiling> inline void AclimbAssign(Tiling& to, const Tiling& from) { to = from; }

} // namespace library
} // namespace aclimb
