// SPDX-License-Identifier: Apache-2.0
// REGIST_MATMUL_OBJ: objects get their tilings and their part of L1, which they share because they take turns. In a mixed kernel the AIC
// then serves its AIVs, and returns from the function that holds the macro when they have left it.
#pragma once
#include "aclimb/matmul/api.h"
#include "aclimb/matmul/mixed.h"

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

// --- mixed kernels

template <class Object> ACLIMB_API void connect_matmul(MatmulGroup* group, uint8_t number, Object& object) {
    object.aclimb_side().connect(group, number, nullptr);
}
template <class Object, class... More>
ACLIMB_API void connect_matmul(MatmulGroup* group, uint8_t number, Object& object, const TCubeTiling* tiling, More&&... more) {
    object.aclimb_side().connect(group, number, tiling);
    if constexpr (sizeof...(More) > 0) connect_matmul(group, static_cast<uint8_t>(number + 1), more...);
}

template <class Object> ACLIMB_API bool serve_matmul(const Message& message, int32_t aiv, MatmulGroup& group, int number, Object& object) {
    return object.aclimb_side().serve(message, aiv, group);
}
template <class Object, class... More> ACLIMB_API bool serve_matmul(const Message& message, int32_t aiv, MatmulGroup& group, int number,
                                                                    Object& object, const TCubeTiling*, More&&... more) {
    if constexpr (sizeof...(More) > 0) {
        if (number > 0) return serve_matmul(message, aiv, group, number - 1, more...);
    }
    return object.aclimb_side().serve(message, aiv, group);
}

template <class Object> ACLIMB_API void end_matmul(Object& object) { object.aclimb_side().end(); }
template <class Object, class... More> ACLIMB_API void end_matmul(Object& object, const TCubeTiling*, More&&... more) {
    object.aclimb_side().end();
    if constexpr (sizeof...(More) > 0) end_matmul(more...);
}

// Until every AIV of the block has left.
template <class... Objects> ACLIMB_API void serve_all(MatmulGroup& group, Objects&&... objects) {
    uint32_t senders = ~0u >> 1, stays = 0;
    Message message;
    for (int32_t aiv; (aiv = next_sender(stays ? stays : senders)) >= 0;) {
        take_message(message, aiv);
        const uint32_t bit = 1u << aiv;
        if (static_cast<MatmulFunction>(message.body[0]) == MatmulFunction::quit) {
            senders &= ~bit;
            stays = 0;
        } else {
            stays = serve_matmul(message, aiv, group, message.body[1], objects...) ? bit : 0;
        }
    }
    end_matmul(objects...);
}

// True: the AIC has served, and leaves.
template <class Object, class... More>
ACLIMB_API bool begin_matmul(MatmulGroup& group, AscendC::TPipe* tpipe, Object& object, More&&... more) {
    if constexpr (!Object::aclimb_is_remote) {
        regist_matmul(tpipe, nullptr, object, more...);
        return false;
    } else if constexpr (kIsVector) {
        vector_call();
        connect_matmul(&group, 0, object, more...);
        return false;
    } else {
        cube_call();
        regist_matmul(tpipe, nullptr, object, more...);
        serve_all(group, object, more...);
        return true;
    }
}

} // namespace aclimb

#ifdef ASCENDC_CUBE_ONLY
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) ::aclimb::regist_matmul(tpipe, reinterpret_cast<uint8_t*>(workspace), __VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                                                           \
    ::aclimb::MatmulGroup aclimb_matmul_group(reinterpret_cast<uint8_t*>(workspace));                                                      \
    if (::aclimb::begin_matmul(aclimb_matmul_group, tpipe, __VA_ARGS__)) return
#endif
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ
