// SPDX-License-Identifier: Apache-2.0
#include "image.h"

constexpr CumSumConfig rows = {true, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
constexpr CumSumConfig columns = {false, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
constexpr CumSumConfig rowsAsTree = {true, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_SKLANSKY};
constexpr CumSumConfig columnsAsTree = {false, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_SKLANSKY};

// Tensors: destination, source, last row, scratch. The scratch's sizes go where the last row would.
#define CUMSUM(name, T, config)                                                                                                            \
    extern "C" __global__ __aicore__ void name##_##T(GM_ADDR bytes, GM_ADDR places) {                                                      \
        Image image(bytes, places);                                                                                                        \
        auto z = image.Tensor<T>(0), x = image.Tensor<T>(1), last = image.Tensor<T>(2);                                                    \
        auto tmp = image.Tensor<uint8_t>(3);                                                                                               \
        const CumSumInfo info = {image.place.more[0], image.place.more[1]};                                                                \
        if (image.place.form == 9) {                                                                                                       \
            const auto sizes = aclimb::library::cumsum_sizes(info.outter, info.inner, sizeof(T), config.isLastAxis);                       \
            last.ReinterpretCast<uint32_t>().SetValue(0, sizes.max);                                                                       \
            last.ReinterpretCast<uint32_t>().SetValue(1, sizes.min);                                                                       \
        } else if (image.place.form == 0) {                                                                                                \
            CumSum<T, config>(z, last, x, tmp, info);                                                                                      \
        } else {                                                                                                                           \
            CumSum<T, config>(z, last, x, info);                                                                                           \
        }                                                                                                                                  \
    }
#define CUMSUMS(T)                                                                                                                         \
    CUMSUM(Rows, T, rows)                                                                                                                  \
    CUMSUM(Columns, T, columns)                                                                                                            \
    CUMSUM(RowsAsTree, T, rowsAsTree)                                                                                                      \
    CUMSUM(ColumnsAsTree, T, columnsAsTree)                                                                                                \
    CUMSUM(Default, T, defaultCumSumConfig)
CUMSUMS(float)
CUMSUMS(half)
