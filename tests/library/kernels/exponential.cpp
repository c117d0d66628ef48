// SPDX-License-Identifier: Apache-2.0
#include "image.h"

constexpr PowerConfig powerByPairs = {PowerAlgo::DOUBLE_FLOAT_TECH};

#define WITHOUT_SCRATCH(call)                                                                                                              \
    case 2: return call(z, x, n);                                                                                                          \
    case 3: return call(z, x);
#define POWERS(T)                                                                                                                          \
    TWO_SOURCES(Power, T)                                                                                                                  \
    CALL_KERNEL(PowerOfTensor_##T, T, 1, ALL_FORMS(Power<T>, z, x, T(image.Scalar())))                                                     \
    CALL_KERNEL(PowerOfScalar_##T, T, 1, ALL_FORMS(Power<T>, z, T(image.Scalar()), x))
#define FUNCTIONS(T)                                                                                                                       \
    POWERS(T)                                                                                                                              \
    ONE_SOURCE(Log2, T)                                                                                                                    \
    CALL_KERNEL(Log_##T, T, 1, WITHOUT_SCRATCH(Log<T>))                                                                                    \
    CALL_KERNEL(Log10_##T, T, 1, WITHOUT_SCRATCH(Log10<T>))                                                                                \
    CALL_KERNEL(Exp0_##T, T, 1, COUNTED_FORMS((Exp<T, 0>), z, x))                                                                          \
    CALL_KERNEL(Exp3_##T, T, 1, COUNTED_FORMS((Exp<T, 3>), z, x))                                                                          \
    CALL_KERNEL(Exp10_##T, T, 1, COUNTED_FORMS((Exp<T, 10, true>), z, x))                                                                  \
    CALL_KERNEL(Exp255_##T, T, 1, COUNTED_FORMS((Exp<T, 255>), z, x))
FUNCTIONS(float)
FUNCTIONS(half)
POWERS(int32_t)
CALL_KERNEL(PowerByPairs_float, float, 2, ALL_FORMS((Power<float, false, powerByPairs>), z, x, y))
CALL_KERNEL(BasicExp_float, float, 1, case 2 : Exp(z, x, (int32_t)n);)
