// SPDX-License-Identifier: Apache-2.0
// Sorting, layout, filters.
#include "aclimb/library/host_layout.h"
#include "bind.h"

void bind_layout(nb::module_& module) {
    TILING(TopkTiling, ACLIMB_TOPK_TILING)
    TILING(PadTiling, ACLIMB_PAD_TILING)
    TILING(UnPadTiling, ACLIMB_UNPAD_TILING)
    TILING(ConfusionTransposeTiling, ACLIMB_CONFUSION_TRANSPOSE_TILING)
    module.def(
        "get_top_k_max_min_tmp_size",
        [](int32_t inner, int32_t outter, bool small) {
            return pair_of([&](uint32_t& max, uint32_t& min) {
                GetTopKMaxMinTmpSize(any_platform(), inner, outter, false, false, small ? TopKMode::TOPK_NSMALL : TopKMode::TOPK_NORMAL,
                                     true, 4, max, min);
            });
        },
        "inner"_a, "outter"_a, "small"_a = false);
    module.def(
        "top_k_tiling_func",
        [](int32_t inner, int32_t outter, int32_t k, uint32_t size, bool small) {
            return tiling_of<AscendC::tiling::TopkTiling>([&](auto& tiling) {
                TopKTilingFunc(any_platform(), inner, outter, k, size, false, small ? TopKMode::TOPK_NSMALL : TopKMode::TOPK_NORMAL, true,
                               tiling);
            });
        },
        "inner"_a, "outter"_a, "k"_a, "data_type_size"_a, "small"_a = false);
    module.def(
        "get_sort_tmp_size", [](uint32_t count, uint32_t size) { return GetSortTmpSize(any_platform(), count, size); }, "elem_count"_a,
        "data_type_size"_a);
    module.def(
        "get_concat_tmp_size", [](uint32_t count, uint32_t size) { return GetConcatTmpSize(any_platform(), count, size); }, "elem_count"_a,
        "data_type_size"_a);
    module.def(
        "get_broad_cast_max_min_tmp_size",
        [](const Dims& from, const Dims& to, uint32_t size) {
            return pair_of([&](uint32_t& max, uint32_t& min) {
                GetBroadCastMaxMinTmpSize(any_platform(), ge::Shape(from), ge::Shape(to), size, false, max, min);
            });
        },
        "src_shape"_a, "dst_shape"_a, "type_size"_a);
    module.def(
        "get_pad_max_min_tmp_size",
        [](const Dims& shape, uint32_t size) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetPadMaxMinTmpSize(ge::Shape(shape), size, max, min); });
        },
        "src_shape"_a, "type_size"_a);
    module.def(
        "pad_tiling_func",
        [](const Dims& shape, const Dims& original) {
            return tiling_of<AscendC::tiling::PadTiling>(
                [&](auto& tiling) { PadTilingFunc(ge::Shape(shape), ge::Shape(original), 0, 0, tiling); });
        },
        "src_shape"_a, "ori_src_shape"_a);
    module.def(
        "get_un_pad_max_min_tmp_size",
        [](const Dims& shape, uint32_t size) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetUnPadMaxMinTmpSize(any_platform(), ge::Shape(shape), size, max, min); });
        },
        "src_shape"_a, "type_size"_a);
    module.def(
        "un_pad_tiling_func",
        [](const Dims& shape) {
            return tiling_of<AscendC::tiling::UnPadTiling>([&](auto& tiling) { UnPadTilingFunc(ge::Shape(shape), 0, 0, tiling); });
        },
        "src_shape"_a);
    module.def(
        "get_transpose_max_min_tmp_size",
        [](const Dims& shape, uint32_t size, uint32_t kind) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetTransposeMaxMinTmpSize(ge::Shape(shape), size, kind, max, min); });
        },
        "src_shape"_a, "type_size"_a, "transpose_type"_a);
    module.def(
        "get_transpose_tiling_info",
        [](const Dims& shape, uint32_t kind) {
            return tiling_of<AscendC::tiling::ConfusionTransposeTiling>(
                [&](auto& tiling) { GetTransposeTilingInfo(ge::Shape(shape), 0, 0, kind, tiling); });
        },
        "src_shape"_a, "transpose_type"_a);
    module.def(
        "get_trans_data_max_min_tmp_size",
        [](const Dims& from, const Dims& to) {
            return pair_of([&](uint32_t& max, uint32_t& min) {
                GetTransDataMaxMinTmpSize(any_platform(), ge::Shape(from), ge::Shape(to), ge::DT_FLOAT16, {}, max, min);
            });
        },
        "src_shape"_a, "dst_shape"_a);
    module.def(
        "get_drop_out_max_min_tmp_size",
        [](const Dims& shape, uint32_t size) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetDropOutMaxMinTmpSize(ge::Shape(shape), size, false, max, min); });
        },
        "src_shape"_a, "type_size"_a);
    module.def(
        "get_select_max_min_tmp_size",
        [](const Dims& first, const Dims& second, uint32_t size, const Dims& mask, uint32_t mask_size) {
            return pair_of([&](uint32_t& max, uint32_t& min) {
                GetSelectMaxMinTmpSize(ge::Shape(first), ge::Shape(second), size, ge::Shape(mask), mask_size, false, max, min);
            });
        },
        "src0_shape"_a, "src1_shape"_a, "src_type_size"_a, "mask_shape"_a, "mask_type_size"_a);
}
