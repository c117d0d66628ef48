// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/data.h"

#include <cstring>

ACLIMB_LEVEL_BEGIN

template <class T> void fill(void* dst, const void*, const void* scalar, size_t n) {
    T* to = static_cast<T*>(dst);
    const T value = *static_cast<const T*>(scalar);
    for (size_t i = 0; i < n; i++) to[i] = value;
}

template <class T> void copy(void* dst, const void* a, const void*, size_t n) { std::memmove(dst, a, n * sizeof(T)); }

template <class T> void choose(void* dst, const void* a_, const void* b_, const uint8_t* selection, size_t n) {
    static constexpr T bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    T* to = static_cast<T*>(dst);
    const T *a = static_cast<const T*>(a_), *b = static_cast<const T*>(b_);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const T byte = selection[i / 8];
        T chosen[8];
        for (size_t j = 0; j < 8; j++) chosen[j] = byte & bit[j] ? a[i + j] : b[i + j];
        for (size_t j = 0; j < 8; j++) to[i + j] = chosen[j];
    }
    for (; i < n; i++) to[i] = selection[i / 8] >> (i % 8) & 1 ? a[i] : b[i];
}

const DataLoops& data_loops() {
    static constexpr DataLoops loops = {
        {fill<uint16_t>, fill<uint32_t>}, {copy<uint16_t>, copy<uint32_t>}, {choose<uint16_t>, choose<uint32_t>}};
    return loops;
}

ACLIMB_LEVEL_END
