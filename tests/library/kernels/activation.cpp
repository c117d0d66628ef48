// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#define ACTIVATIONS(T)                                                                                                                     \
    ONE_SOURCE(Sigmoid, T)                                                                                                                 \
    ONE_SOURCE_COUNTED(Gelu, T)                                                                                                            \
    ONE_SOURCE_COUNTED(FasterGelu, T)                                                                                                      \
    ONE_SOURCE_COUNTED(FasterGeluV2, T)                                                                                                    \
    CALL_KERNEL(Silu_##T, T, 1, case 2 : Silu<T>(z, x, n);)                                                                                \
    CALL_KERNEL(Swish_##T, T, 1, case 2 : Swish<T>(z, x, n, T(image.Scalar()));)                                                           \
    TWO_SOURCES(GeGLU, T)                                                                                                                  \
    TWO_SOURCES_COUNTED(ReGlu, T)                                                                                                          \
    CALL_KERNEL(SwiGLU_##T, T, 2, ALL_FORMS(SwiGLU<T>, z, x, y, image.Scalar()))

ACTIVATIONS(float)
ACTIVATIONS(half)
TWO_SOURCES_COUNTED(ReGlu, bfloat16_t)
CALL_KERNEL(FastGelu_float, float, 1, COUNTED_FORMS((Gelu<float, false, true>), z, x))
CALL_KERNEL(PreciseGelu_half, half, 1, COUNTED_FORMS((Gelu<half, true>), z, x))

// All but 256 bytes of the UB are taken.
extern "C" __global__ __aicore__ void Crowded(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    TBuf<TPosition::VECCALC> rest;
    GetTPipePtr()->InitBuffer(rest, ASC_UB_SIZE - IMAGE - 256);
    Gelu<half>(image.Tensor<half>(0), image.Tensor<half>(1), image.place.count);
}
