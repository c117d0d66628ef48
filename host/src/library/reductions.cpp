// SPDX-License-Identifier: Apache-2.0
// Reductions.
#include "aclimb/library/host_reductions.h"
#include "bind.h"

void bind_reductions(nb::module_& module) {
    module.def(
        "get_sum_max_min_tmp_size",
        [](uint32_t n, uint32_t size) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetSumMaxMinTmpSize(n, size, false, max, min); });
        },
        "n"_a, "type_size"_a);
    module.def(
        "get_mean_max_min_tmp_size",
        [](uint32_t n, uint32_t size, uint32_t sum) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetMeanMaxMinTmpSize(n, size, sum, false, max, min); });
        },
        "n"_a, "src_type_size"_a, "acc_type_size"_a);
    module.def(
        "get_mean_tmp_buffer_factor_size",
        [](uint32_t size) { return pair_of([&](uint32_t& count, uint32_t& extra) { GetMeanTmpBufferFactorSize(size, count, extra); }); },
        "type_size"_a);
    module.def(
        "get_cum_sum_max_min_tmp_size",
        [](const Dims& shape, uint32_t size, bool last) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetCumSumMaxMinTmpSize(ge::Shape(shape), size, last, false, max, min); });
        },
        "src_shape"_a, "type_size"_a, "is_last_axis"_a);
    module.def(
        "get_ascend_anti_quant_max_min_tmp_size",
        [](const Dims& shape, const Dims& scale, bool transposed, bool to_half) {
            return pair_of([&](uint32_t& max, uint32_t& min) {
                GetAscendAntiQuantMaxMinTmpSize(ge::Shape(shape), ge::Shape(scale), transposed, ge::DT_INT8,
                                                to_half ? ge::DT_FLOAT16 : ge::DT_BF16, max, min);
            });
        },
        "src_shape"_a, "scale_shape"_a, "is_transpose"_a, "to_half"_a);
    module.def(
        "get_ascend_anti_quant_tmp_buffer_factor_size",
        [](const Dims& shape, const Dims& scale, bool transposed, bool to_half) {
            return pair_of([&](uint32_t& count, uint32_t& extra) {
                GetAscendAntiQuantTmpBufferFactorSize(ge::Shape(shape), ge::Shape(scale), transposed, ge::DT_INT8,
                                                      to_half ? ge::DT_FLOAT16 : ge::DT_BF16, count, extra);
            });
        },
        "src_shape"_a, "scale_shape"_a, "is_transpose"_a, "to_half"_a);
#define REDUCE(name)                                                                                                                       \
    module.def(                                                                                                                            \
        snake("Get" #name "MaxMinTmpSize"),                                                                                                \
        [](const Dims& shape, uint32_t size, bool keeps_rows) {                                                                            \
            const ge::DataType type = size == 4 ? ge::DT_FLOAT : size == 2 ? ge::DT_FLOAT16 : ge::DT_UINT8;                                \
            return pair_of([&](uint32_t& max, uint32_t& min) {                                                                             \
                Get##name##MaxMinTmpSize(ge::Shape(shape), type, keeps_rows ? ReducePattern::AR : ReducePattern::RA, true, false, max,     \
                                         min);                                                                                             \
            });                                                                                                                            \
        },                                                                                                                                 \
        "src_shape"_a, "type_size"_a, "ar"_a)
    REDUCE(ReduceSum);
    REDUCE(ReduceMean);
    REDUCE(ReduceMax);
    REDUCE(ReduceMin);
    REDUCE(ReduceProd);
    REDUCE(ReduceAny);
    REDUCE(ReduceAll);
#undef REDUCE
}
