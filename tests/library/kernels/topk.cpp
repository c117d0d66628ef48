// SPDX-License-Identifier: Apache-2.0
// TopK. Tensors: values, indices, source, source's indices, finish, scratch. Words behind the places: outter, inner, n, isLargest.
#include "image.h"

template <typename T, bool has_index, bool has_finish, TopKMode mode> __aicore__ inline void Run(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    const auto values = image.Tensor<T>(0), src = image.Tensor<T>(2);
    const auto indices = image.Tensor<int32_t>(1), index = image.Tensor<int32_t>(3);
    const auto finish = image.Tensor<bool>(4);
    const int32_t k = static_cast<int32_t>(image.place.count);
    const TopKInfo info = {static_cast<int32_t>(more[0]), static_cast<int32_t>(more[1]), static_cast<int32_t>(more[2])};
    if (image.place.form == 0)
        TopK<T, has_index, has_finish, false, mode>(values, indices, src, index, finish, image.Tensor<uint8_t>(5), k, {}, info, more[3]);
    else TopK<T, has_index, has_finish, false, mode>(values, indices, src, index, finish, k, {}, info, more[3]);
}
#define TOPK(name, T, has_index, has_finish, mode)                                                                                         \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Run<T, has_index, has_finish, TopKMode::mode>(bytes, places);                                                                      \
    }
TOPK(normal_float, float, false, false, TOPK_NORMAL)
TOPK(normal_half, half, false, false, TOPK_NORMAL)
TOPK(normal_index_float, float, true, true, TOPK_NORMAL)
TOPK(normal_index_half, half, true, true, TOPK_NORMAL)
TOPK(small_float, float, false, false, TOPK_NSMALL)
TOPK(small_half, half, false, false, TOPK_NSMALL)
TOPK(small_index_float, float, true, true, TOPK_NSMALL) // isHasfinish counts for nothing here
TOPK(small_index_half, half, true, true, TOPK_NSMALL)
