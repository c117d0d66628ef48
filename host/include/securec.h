/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that know how much room there is, as host code of Ascend calls them: 0 when all fits, else nothing of the source is copied and the
   destination is cleared. Tilings are copied with memcpy_s. */
#pragma once
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifndef EOK
#define EOK 0
#endif
#define EINVAL_AND_RESET (EINVAL | 128)
#define ERANGE_AND_RESET (ERANGE | 128)
#define EOVERLAP_AND_RESET (54 | 128)
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL

#ifndef __STDC_LIB_EXT1__
typedef int errno_t;
#endif

static inline errno_t aclimb_refuse(void* dest, size_t destMax, errno_t why) {
    if (!dest || !destMax || destMax > SECUREC_MEM_MAX_LEN) return why & ~128;
    memset(dest, 0, destMax);
    return why;
}

static inline errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
    if (!dest || !src) return aclimb_refuse(dest, destMax, EINVAL_AND_RESET);
    if (!destMax || destMax > SECUREC_MEM_MAX_LEN || count > destMax) return aclimb_refuse(dest, destMax, ERANGE_AND_RESET);
    memmove(dest, src, count);
    return EOK;
}
static inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
    const char *to = (const char*)dest, *from = (const char*)src;
    if (to && from && to != from && to < from + count && from < to + count) return aclimb_refuse(dest, destMax, EOVERLAP_AND_RESET);
    return memmove_s(dest, destMax, src, count);
}
static inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
    if (!dest) return EINVAL;
    if (!destMax || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
    memset(dest, c, count < destMax ? count : destMax);
    return count > destMax ? ERANGE_AND_RESET : EOK;
}

/* --- strings: the 0 at the end has to fit too */
static inline errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
    const size_t length = strSrc ? strnlen(strSrc, count) : 0;
    if (!strDest || !strSrc || length >= destMax) {
        if (strDest && destMax) strDest[0] = 0;
        return !strDest || !strSrc ? EINVAL : ERANGE_AND_RESET;
    }
    memmove(strDest, strSrc, length);
    strDest[length] = 0;
    return EOK;
}
static inline errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc) {
    return strncpy_s(strDest, destMax, strSrc, SECUREC_STRING_MAX_LEN);
}
static inline errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc) {
    const size_t length = strDest ? strnlen(strDest, destMax) : 0;
    if (!strDest || length >= destMax) return EINVAL;
    const errno_t done = strcpy_s(strDest + length, destMax - length, strSrc);
    if (done != EOK) strDest[0] = 0;
    return done;
}
/* How many characters were written; -1 and an empty string where there are too many. */
static inline int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list arguments) {
    if (!strDest || !format || !destMax) return -1;
    const int written = vsnprintf(strDest, destMax, format, arguments);
    if (written >= 0 && (size_t)written < destMax && (size_t)written <= count) return written;
    if (written >= 0 && count < destMax) strDest[count] = 0; /* cut to what was asked for */
    else strDest[0] = 0;
    return -1;
}
static inline int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf_s(strDest, destMax, count, format, arguments);
    va_end(arguments);
    return written;
}
static inline int sprintf_s(char* strDest, size_t destMax, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf_s(strDest, destMax, destMax, format, arguments);
    va_end(arguments);
    return written;
}
