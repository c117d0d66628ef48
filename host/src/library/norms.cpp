// SPDX-License-Identifier: Apache-2.0
// Normalisation and quantisation.
#include "aclimb/library/host_norms.h"
#include "aclimb/library/host_reductions.h"
#include "bind.h"

namespace {

// --- normalisation: rows of H, of which a fourth dim or an original shape says how many count
template <class Tiling, class Function> void bind_norm(nb::module_& module, const char* name, Function function) {
    module.def(
        name,
        [function](const Dims& shape, const Dims& origin, uint32_t bytes, uint32_t size) {
            return tiling_of<Tiling>(
                [&](Tiling& tiling) { function(ge::Shape(shape), ge::Shape(origin.empty() ? shape : origin), bytes, size, tiling); });
        },
        "src_shape"_a, "origin_src_shape"_a, "stack_buffer_size"_a, "type_size"_a);
}

} // namespace

void bind_norms(nb::module_& module) {
    TILING(LayerNormTiling, ACLIMB_LAYER_NORM_TILING)
    TILING(LayerNormSeparateTiling, ACLIMB_LAYER_NORM_SEPARATE_TILING)
    TILING(DeepNormTiling, ACLIMB_LAYER_NORM_TILING)
    TILING(RmsNormTiling, ACLIMB_RMS_NORM_TILING)
    TILING(LayerNormGradTiling, ACLIMB_LAYER_NORM_GRAD_TILING)
    TILING(LayerNormGradBetaTiling, ACLIMB_LAYER_NORM_GRAD_BETA_TILING)
    TILING(BatchNormTiling, ACLIMB_BATCH_NORM_TILING)
    TILING(GroupNormTiling, ACLIMB_GROUP_NORM_TILING)
#define SIZES(name, call)                                                                                                                  \
    module.def(                                                                                                                            \
        name, [](const Dims& shape, uint32_t size) { return pair_of([&](uint32_t& max, uint32_t& min) { call; }); }, "src_shape"_a,        \
        "type_size"_a)
    SIZES("get_layer_norm_max_min_tmp_size", GetLayerNormMaxMinTmpSize(ge::Shape(shape), size, false, max, min));
    SIZES("get_rms_norm_max_min_tmp_size", GetRmsNormMaxMinTmpSize(ge::Shape(shape), size, max, min));
    SIZES("get_deep_norm_max_min_tmp_size", GetDeepNormMaxMinTmpSize(ge::Shape(shape), size, false, false, max, min));
    SIZES("get_batch_norm_max_min_tmp_size", GetBatchNormMaxMinTmpSize(ge::Shape(shape), ge::Shape(shape), size, false, max, min));
    SIZES("get_layer_norm_grad_max_min_tmp_size", GetLayerNormGradMaxMinTmpSize(ge::Shape(shape), size, false, max, min));
    SIZES("get_layer_norm_grad_beta_max_min_tmp_size", GetLayerNormGradBetaMaxMinTmpSize(ge::Shape(shape), size, false, max, min));
    SIZES("get_normalize_max_min_tmp_size", GetNormalizeMaxMinTmpSize(ge::Shape(shape), size, size, false, true, false, max, min));
    SIZES("get_welford_update_max_min_tmp_size", GetWelfordUpdateMaxMinTmpSize(ge::Shape(shape), size, 4, false, false, max, min));
    SIZES("get_welford_finalize_max_min_tmp_size", GetWelfordFinalizeMaxMinTmpSize(ge::Shape(shape), size, false, max, min));
    SIZES("get_reduce_xor_sum_max_min_tmp_size", GetReduceXorSumMaxMinTmpSize(ge::Shape(shape), size, false, max, min));
    SIZES("get_ascend_quant_max_min_tmp_size", GetAscendQuantMaxMinTmpSize(ge::Shape(shape), size, max, min));
    SIZES("get_ascend_dequant_max_min_tmp_size", GetAscendDequantMaxMinTmpSize(ge::Shape(shape), size, max, min));
#undef SIZES
    module.def("get_ascend_quant_tmp_buffer_factor_size",
               [] { return pair_of([](uint32_t& count, uint32_t& extra) { GetAscendQuantTmpBufferFactorSize(count, extra); }); });
    module.def(
        "get_ascend_dequant_tmp_buffer_factor_size",
        [](const Dims& shape) {
            return pair_of([&](uint32_t& count, uint32_t& extra) { GetAscendDequantTmpBufferFactorSize(ge::Shape(shape), count, extra); });
        },
        "src_shape"_a);
    module.def(
        "get_group_norm_max_min_tmp_size",
        [](const Dims& shape, uint32_t size, uint32_t groups) {
            return pair_of(
                [&](uint32_t& max, uint32_t& min) { GetGroupNormMaxMinTmpSize(ge::Shape(shape), size, false, groups, max, min); });
        },
        "src_shape"_a, "type_size"_a, "group_num"_a);
    module.def(
        "get_group_norm_nd_tiling_info",
        [](const Dims& shape, uint32_t bytes, uint32_t size, uint32_t groups) {
            return tiling_of<AscendC::tiling::GroupNormTiling>(
                [&](auto& tiling) { GetGroupNormNDTilingInfo(ge::Shape(shape), bytes, size, false, groups, tiling); });
        },
        "src_shape"_a, "stack_buffer_size"_a, "type_size"_a, "group_num"_a);
    using Shape = const ge::Shape&;
    bind_norm<AscendC::tiling::RmsNormTiling>(module, "get_rms_norm_tiling_info",
                                              [](Shape shape, Shape origin, uint32_t bytes, uint32_t size, auto& tiling) {
                                                  GetRmsNormTilingInfo(shape, origin, bytes, size, tiling);
                                              });
    bind_norm<AscendC::tiling::DeepNormTiling>(module, "get_deep_norm_tiling_info",
                                               [](Shape shape, Shape origin, uint32_t bytes, uint32_t size, auto& tiling) {
                                                   GetDeepNormTilingInfo(shape, origin, bytes, size, false, false, tiling);
                                               });
    bind_norm<AscendC::tiling::BatchNormTiling>(module, "get_batch_norm_nd_tiling_info",
                                                [](Shape shape, Shape origin, uint32_t bytes, uint32_t size, auto& tiling) {
                                                    GetBatchNormNDTilingInfo(shape, origin, bytes, size, false, tiling);
                                                });
#define FILL(name, Struct, function)                                                                                                       \
    module.def(                                                                                                                            \
        name,                                                                                                                              \
        [](const Dims& shape, uint32_t bytes, uint32_t size) {                                                                             \
            return tiling_of<AscendC::tiling::Struct>([&](auto& tiling) { function; });                                                    \
        },                                                                                                                                 \
        "src_shape"_a, "stack_buffer_size"_a, "type_size"_a)
    FILL("get_layer_norm_nd_tiling_info", LayerNormTiling, GetLayerNormNDTilingInfo(ge::Shape(shape), bytes, size, false, tiling));
    FILL("get_layer_norm_nd_separate_tiling_info", LayerNormSeparateTiling,
         GetLayerNormNDTilingInfo(ge::Shape(shape), bytes, size, false, true, tiling));
    FILL("get_layer_norm_grad_nd_tiling_info", LayerNormGradTiling,
         GetLayerNormGradNDTilingInfo(ge::Shape(shape), bytes, size, false, tiling));
    FILL("get_layer_norm_grad_beta_nd_tiling_info", LayerNormGradBetaTiling,
         GetLayerNormGradBetaNDTilingInfo(ge::Shape(shape), bytes, size, false, tiling));
#undef FILL
}
