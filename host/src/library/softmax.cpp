// SPDX-License-Identifier: Apache-2.0
// The soft-max family.
#include "aclimb/library/host_softmax.h"
#include "bind.h"

// --- soft-max: a function for both sizes where C++ has two
void bind_softmax(nb::module_& module) {
    TILING(SoftMaxTiling, ACLIMB_SOFTMAX_TILING)
    TILING(LogSoftMaxTiling, ACLIMB_LOGSOFTMAX_TILING)
#define SIZES(name, call, ...)                                                                                                             \
    module.def(                                                                                                                            \
        name,                                                                                                                              \
        [](const Dims& shape) {                                                                                                            \
            const library::Sizes found = library::row_sizes(library::needs::call, ge::Shape(shape));                                       \
            return Pair(found.max, found.min);                                                                                             \
        },                                                                                                                                 \
        "src_shape"_a)
    SIZES("get_soft_max_max_min_tmp_size", SoftMax);
    SIZES("get_soft_max_flash_max_min_tmp_size", SoftmaxFlash);
    SIZES("get_soft_max_flash_v2_max_min_tmp_size", SoftmaxFlashV2);
    SIZES("get_soft_max_flash_v3_max_min_tmp_size", SoftmaxFlashV3);
    SIZES("get_soft_max_grad_max_min_tmp_size", SoftmaxGrad);
    SIZES("get_log_soft_max_max_min_tmp_size", LogSoftMax);
#undef SIZES
#define FILL(name, Struct, function, ...)                                                                                                  \
    module.def(                                                                                                                            \
        name,                                                                                                                              \
        [](const Dims& shape, uint32_t size, uint32_t bytes) {                                                                             \
            return tiling_of<AscendC::tiling::Struct>([&](auto& tiling) { function(ge::Shape(shape), __VA_ARGS__, bytes, tiling); });      \
        },                                                                                                                                 \
        "src_shape"_a, "data_type_size"_a, "local_work_space_size"_a)
    FILL("soft_max_tiling_func", SoftMaxTiling, SoftMaxTilingFunc, size);
    FILL("soft_max_flash_tiling_func", SoftMaxTiling, SoftMaxFlashTilingFunc, size);
    FILL("soft_max_grad_tiling_func", SoftMaxTiling, SoftMaxGradTilingFunc, size);
    FILL("log_soft_max_tiling_func", LogSoftMaxTiling, LogSoftMaxTilingFunc, size);
#undef FILL
#define FLASH(name, function)                                                                                                              \
    module.def(                                                                                                                            \
        name,                                                                                                                              \
        [](const Dims& shape, uint32_t source, uint32_t sums, uint32_t bytes, bool update) {                                               \
            return tiling_of<AscendC::tiling::SoftMaxTiling>(                                                                              \
                [&](auto& tiling) { function(ge::Shape(shape), source, sums, bytes, tiling, update); });                                   \
        },                                                                                                                                 \
        "src_shape"_a, "data_type_size1"_a, "data_type_size2"_a, "local_work_space_size"_a, "is_update"_a)
    FLASH("soft_max_flash_v2_tiling_func", SoftMaxFlashV2TilingFunc);
    FLASH("soft_max_flash_v3_tiling_func", SoftMaxFlashV3TilingFunc);
#undef FLASH
    module.def(
        "is_basic_block_in_soft_max",
        [](AscendC::tiling::SoftMaxTiling& tiling, uint32_t size) { return IsBasicBlockInSoftMax(tiling, size); }, "tiling"_a,
        "data_type_size"_a = 2);
}
