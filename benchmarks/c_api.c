/* SPDX-License-Identifier: Apache-2.0 */
/* Loops for bench_c_api.py: nanoseconds of `count` calls. */
#include "acl/acl.h"
#include "runtime/rt.h"

#include <time.h>

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

double answers(int count) {
    double begin = now();
    aclrtRunMode mode;
    for (int i = 0; i < count; ++i) aclrtGetRunMode(&mode);
    return now() - begin;
}

double launches(int count, void* function, void* stream, void* args) {
    double begin = now();
    for (int i = 0; i < count; ++i) aclrtLaunchKernelWithConfig(function, 1, stream, NULL, args, NULL);
    return now() - begin;
}

double host_launches(int count, void* function, void* stream, void* args, unsigned size) {
    double begin = now();
    for (int i = 0; i < count; ++i) aclrtLaunchKernelWithHostArgs(function, 1, stream, NULL, args, size, NULL, 0);
    return now() - begin;
}

double stub_launches(int count, void* stub, void* stream, void* args, unsigned size) {
    double begin = now();
    for (int i = 0; i < count; ++i) rtKernelLaunch(stub, 1, args, size, NULL, stream);
    return now() - begin;
}
