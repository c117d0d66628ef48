// SPDX-License-Identifier: Apache-2.0
// REGIST_MATMUL_OBJ: objects get their tilings and their part of L1, which they share because they take turns.
#pragma once
#include "aclimb/matmul/api.h"

namespace aclimb {

// With one object the tiling may come later, by Init.
template <class Object> ACLIMB_API void regist_matmul(AscendC::TPipe*, uint8_t*, Object&) {}

template <class Object>
ACLIMB_API void add_matmul(AscendC::TPipe* tpipe, MatmulMemory* shared, uint32_t bytes, Object& object, const TCubeTiling* tiling) {
    object.aclimb_init(tiling, tpipe, shared, bytes);
}
template <class Object, class... More> ACLIMB_API void add_matmul(AscendC::TPipe* tpipe, MatmulMemory* shared, uint32_t bytes,
                                                                  Object& object, const TCubeTiling* tiling, More&&... more) {
    add_matmul(tpipe, shared, bytes, object, tiling);
    add_matmul(tpipe, shared, bytes, more...);
}

template <class Object> ACLIMB_API uint32_t most_l1_bytes(Object& object, const TCubeTiling* tiling) {
    return object.aclimb_l1_bytes(tiling);
}
template <class Object, class... More> ACLIMB_API uint32_t most_l1_bytes(Object& object, const TCubeTiling* tiling, More&&... more) {
    const uint32_t own = object.aclimb_l1_bytes(tiling), others = most_l1_bytes(more...);
    return own > others ? own : others;
}

template <class Object, class... More>
ACLIMB_API void regist_matmul(AscendC::TPipe* tpipe, uint8_t*, Object& object, const TCubeTiling* tiling, More&&... more) {
    static_assert(sizeof...(More) % 2 == 0, "aclimb: REGIST_MATMUL_OBJ takes pairs of an object and the address of its tiling");
    static_assert(sizeof...(More) / 2 < 4, "aclimb: REGIST_MATMUL_OBJ takes at most four objects");
    if constexpr (sizeof...(More) == 0) object.Init(tiling, tpipe);
    else add_matmul(tpipe, object.aclimb_memory(), most_l1_bytes(object, tiling, more...), object, tiling, more...);
}

} // namespace aclimb

#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) ::aclimb::regist_matmul(tpipe, reinterpret_cast<uint8_t*>(workspace), __VA_ARGS__)
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ
