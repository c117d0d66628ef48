// SPDX-License-Identifier: Apache-2.0
#include "image.h"

constexpr FmodConfig byRounds = {FmodAlgo::ITERATION_COMPENSATION, 11};

#define CLAMP(call, T)                                                                                                                     \
    case 0: return call<T>(z, x, tmp, T(image.Scalar()), n);                                                                               \
    case 2: return call<T>(z, x, T(image.Scalar()), n);
#define FUNCTIONS(T)                                                                                                                       \
    ONE_SOURCE_COUNTED(Ceil, T)                                                                                                            \
    ONE_SOURCE_COUNTED(Floor, T)                                                                                                           \
    ONE_SOURCE_COUNTED(Round, T)                                                                                                           \
    ONE_SOURCE(Trunc, T)                                                                                                                   \
    ONE_SOURCE(Frac, T)                                                                                                                    \
    ONE_SOURCE(Sign, T)                                                                                                                    \
    TWO_SOURCES(Fmod, T)                                                                                                                   \
    CALL_KERNEL(ClampMax_##T, T, 1, CLAMP(ClampMax, T))                                                                                    \
    CALL_KERNEL(ClampMin_##T, T, 1, CLAMP(ClampMin, T))                                                                                    \
    CALL_KERNEL(Axpy_##T, T, 1, case 0 : Axpy(z, x, T(image.Scalar()), tmp, n);)
FUNCTIONS(float)
FUNCTIONS(half)
TWO_SOURCES(Xor, int16_t)
TWO_SOURCES(Xor, uint16_t)
CALL_KERNEL(FmodByRounds_float, float, 2, ALL_FORMS((Fmod<float, false, byRounds>), z, x, y))
CALL_KERNEL(AxpyMixed_float, float, 1, case 0 : Axpy(z, image.Tensor<half>(1), half(image.Scalar()), tmp, n);)
