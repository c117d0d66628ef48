// SPDX-License-Identifier: Apache-2.0
#include "image.h"

constexpr SinConfig sinByRadian = {SinAlgo::RADIAN_REDUCTION};
constexpr CosConfig cosByRadian = {CosAlgo::RADIAN_REDUCTION};
constexpr AtanConfig atanByPolynomial = {AtanAlgo::POLYNOMIAL_APPROXIMATION};
constexpr ErfConfig erfBySections = {ErfAlgo::SUBSECTION_POLYNOMIAL_APPROXIMATION};
constexpr TanhConfig tanhBySections = {TanhAlgo::SUBSECTION_COMPENSATION};

#define FUNCTIONS(T)                                                                                                                       \
    ONE_SOURCE(Sin, T)                                                                                                                     \
    ONE_SOURCE(Cos, T)                                                                                                                     \
    ONE_SOURCE(Tan, T)                                                                                                                     \
    ONE_SOURCE(Asin, T)                                                                                                                    \
    ONE_SOURCE(Acos, T)                                                                                                                    \
    ONE_SOURCE(Atan, T)                                                                                                                    \
    ONE_SOURCE(Sinh, T)                                                                                                                    \
    ONE_SOURCE(Cosh, T)                                                                                                                    \
    ONE_SOURCE(Tanh, T)                                                                                                                    \
    ONE_SOURCE(Asinh, T)                                                                                                                   \
    ONE_SOURCE(Acosh, T)                                                                                                                   \
    ONE_SOURCE(Atanh, T)                                                                                                                   \
    ONE_SOURCE(Erf, T)                                                                                                                     \
    ONE_SOURCE(Erfc, T)                                                                                                                    \
    ONE_SOURCE_COUNTED(Lgamma, T)                                                                                                          \
    ONE_SOURCE_COUNTED(Digamma, T)
FUNCTIONS(float)
FUNCTIONS(half)

CALL_KERNEL(SinByRadian_float, float, 1, ALL_FORMS((Sin<float, false, sinByRadian>), z, x))
CALL_KERNEL(CosByRadian_float, float, 1, ALL_FORMS((Cos<float, true, cosByRadian>), z, x))
CALL_KERNEL(AtanByPolynomial_float, float, 1, ALL_FORMS((Atan<float, false, atanByPolynomial>), z, x))
CALL_KERNEL(ErfBySections_float, float, 1, ALL_FORMS((Erf<float, false, erfBySections>), z, x))
CALL_KERNEL(TanhBySections_float, float, 1, ALL_FORMS((Tanh<float, false, tanhBySections>), z, x))
