// SPDX-License-Identifier: Apache-2.0
// As many parameters as an argument list can hold.
#include "kernel_operator.h"

using namespace AscendC;

#define FOUR(of, a) of(a##0), of(a##1), of(a##2), of(a##3)
#define SIXTEEN(of, a) FOUR(of, a##0), FOUR(of, a##1), FOUR(of, a##2), FOUR(of, a##3)
#define SIXTY_FOUR(of, a) SIXTEEN(of, a##0), SIXTEEN(of, a##1), SIXTEEN(of, a##2), SIXTEEN(of, a##3)
#define DECLARE(name) uint64_t name
#define NAME(name) name

// 128 parameters, the first of them the address of 128 words; writes every parameter to its word.
extern "C" __global__ __vector__ void many(SIXTY_FOUR(DECLARE, a), SIXTY_FOUR(DECLARE, b)) {
    const uint64_t values[] = {SIXTY_FOUR(NAME, a), SIXTY_FOUR(NAME, b)};
    auto* out = (__gm__ uint64_t*)values[0];
    for (uint32_t i = 0; i < 128; ++i) out[i] = values[i];
}
