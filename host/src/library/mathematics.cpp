// SPDX-License-Identifier: Apache-2.0
// Mathematics and activations.
#include "aclimb/library/host_mathematics.h"
#include "bind.h"

void bind_mathematics(nb::module_& module) {
#define ACLIMB_CALL(name, ...)                                                                                                             \
    module.def(                                                                                                                            \
        snake("Get" #name "MaxMinTmpSize"),                                                                                                \
        [](const Dims& shape, uint32_t size, bool reuse) {                                                                                 \
            return pair_of([&](uint32_t& max, uint32_t& min) { Get##name##MaxMinTmpSize(ge::Shape(shape), size, reuse, max, min); });      \
        },                                                                                                                                 \
        "src_shape"_a, "type_size"_a, "is_reuse_source"_a = false);                                                                        \
    module.def(                                                                                                                            \
        snake("Get" #name "TmpBufferFactorSize"),                                                                                          \
        [](uint32_t size) {                                                                                                                \
            return pair_of([&](uint32_t& count, uint32_t& extra) { Get##name##TmpBufferFactorSize(size, count, extra); });                 \
        },                                                                                                                                 \
        "type_size"_a);
    ACLIMB_DEFAULT_SIZES(ACLIMB_CALL)
    ACLIMB_CALL(Exp)
#undef ACLIMB_CALL
    module.def(
        "get_power_max_min_tmp_size",
        [](const Dims& first, const Dims& second, bool integers, uint32_t size, bool reuse) {
            return pair_of([&](uint32_t& max, uint32_t& min) {
                GetPowerMaxMinTmpSize(ge::Shape(first), ge::Shape(second), integers, size, reuse, max, min);
            });
        },
        "src_shape1"_a, "src_shape2"_a, "type_is_int"_a, "type_size"_a, "is_reuse_source"_a = false);
    module.def(
        "get_power_tmp_buffer_factor_size",
        [](bool base, bool exponent, bool integers, uint32_t size) {
            return pair_of(
                [&](uint32_t& count, uint32_t& extra) { GetPowerTmpBufferFactorSize(base, exponent, integers, size, count, extra); });
        },
        "base_is_tensor"_a, "exp_is_tensor"_a, "type_is_int"_a, "type_size"_a);
    module.def(
        "get_gelu_max_min_tmp_size",
        [](const Dims& shape, uint32_t size) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetGeluMaxMinTmpSize(ge::Shape(shape), size, max, min); });
        },
        "src_shape"_a, "type_size"_a);
    module.def(
        "get_silu_tmp_size",
        [](const Dims& shape, uint32_t size, bool reuse) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetSiluTmpSize(ge::Shape(shape), size, reuse, max, min); });
        },
        "src_shape"_a, "type_size"_a, "is_reuse_source"_a = false);
    module.def(
        "get_swish_tmp_size",
        [](const Dims& shape, uint32_t size, bool reuse) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetSwishTmpSize(ge::Shape(shape), size, reuse, max, min); });
        },
        "src_shape"_a, "type_size"_a, "is_reuse_source"_a = false);
    module.def(
        "get_swi_glu_max_min_tmp_size",
        [](const Dims& shape, uint32_t size, bool reuse) {
            return pair_of([&](uint32_t& max, uint32_t& min) { GetSwiGLUMaxMinTmpSize(ge::Shape(shape), size, max, min, reuse); });
        },
        "src_shape"_a, "type_size"_a, "is_reuse_source"_a = false);
    module.def(
        "get_swi_glu_tmp_buffer_factor_size",
        [](uint32_t size) { return pair_of([&](uint32_t& count, uint32_t& extra) { GetSwiGLUTmpBufferFactorSize(size, count, extra); }); },
        "type_size"_a);
    module.def("get_arange_max_min_tmp_size",
               [] { return pair_of([](uint32_t& max, uint32_t& min) { GetArangeMaxMinTmpSize(max, min); }); });
}
