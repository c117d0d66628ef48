// SPDX-License-Identifier: Apache-2.0
// The four functions a compiler may call on its own. An image imports nothing, so it brings them; weak, in case a kernel has its own.
// The bodies are opaque to the compiler: a plain loop would be recognised and turned into a call of the function itself.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef ACLIMB_HOST_PASS // the host has its own

#define ACLIMB_LIBC extern "C" __attribute__((weak, visibility("hidden")))

ACLIMB_LIBC void* memcpy(void* __restrict to, const void* __restrict from, size_t size) noexcept {
    void* result = to;
#if defined(__x86_64__)
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
#else
    auto* d = static_cast<uint8_t*>(to);
    auto* s = static_cast<const uint8_t*>(from);
    for (; size >= 8; size -= 8, d += 8, s += 8) {
        uint64_t word;
        __builtin_memcpy(&word, s, 8);
        __builtin_memcpy(d, &word, 8);
        asm volatile("" : "+r"(d), "+r"(s) : : "memory");
    }
    for (; size; --size) {
        *d++ = *s++;
        asm volatile("" : "+r"(d), "+r"(s) : : "memory");
    }
#endif
    return result;
}

ACLIMB_LIBC void* memmove(void* to, const void* from, size_t size) noexcept {
    auto* d = static_cast<uint8_t*>(to);
    auto* s = static_cast<const uint8_t*>(from);
    if (reinterpret_cast<uintptr_t>(d) - reinterpret_cast<uintptr_t>(s) >= size) return memcpy(to, from, size);
    while (size) { // the end of the source lies inside the destination: backwards
        --size;
        d[size] = s[size];
        asm volatile("" : "+r"(d), "+r"(s) : : "memory");
    }
    return to;
}

ACLIMB_LIBC void* memset(void* to, int value, size_t size) noexcept {
    void* result = to;
#if defined(__x86_64__)
    asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
#else
    auto* d = static_cast<uint8_t*>(to);
    for (; size; --size) {
        *d++ = static_cast<uint8_t>(value);
        asm volatile("" : "+r"(d) : : "memory");
    }
#endif
    return result;
}

ACLIMB_LIBC int memcmp(const void* left, const void* right, size_t size) noexcept {
    auto* a = static_cast<const uint8_t*>(left);
    auto* b = static_cast<const uint8_t*>(right);
    for (; size; --size, ++a, ++b) {
        if (*a != *b) return *a < *b ? -1 : 1;
        asm volatile("" : "+r"(a), "+r"(b) : : "memory");
    }
    return 0;
}

#undef ACLIMB_LIBC

#endif
