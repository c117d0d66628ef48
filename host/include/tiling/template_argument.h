// SPDX-License-Identifier: Apache-2.0
// Tiling keys made of template parameters, on the host's side: ASCENDC_TPL_ARGS_DECL says what there is, GET_TPL_TILING_KEY packs a key.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "graph/c_types.h"

namespace aclimb {
namespace op {
enum class TemplateKind { kPlain, kUint };

// A template parameter: its width in the key, and the values it takes. What is packed of a uint is its place among them.
struct TemplateParameter {
    const char* name;
    TemplateKind kind;
    size_t bits;
    std::vector<uint64_t> values;
};

enum TemplateUintMode : uint64_t { kRange = 0, kList = 1, kMix = 2 };

// Ranges are a count and pairs of first and last; mixed they come first, and single values behind them.
inline std::vector<uint64_t> template_values(uint64_t mode, const std::vector<uint64_t>& given) {
    if (mode == kList || given.empty()) return given;
    std::vector<uint64_t> made;
    size_t at = 1;
    for (uint64_t pairs = given[0]; pairs > 0 && at + 1 < given.size(); --pairs, at += 2) {
        for (uint64_t value = given[at]; value <= given[at + 1]; ++value) made.push_back(value);
    }
    if (mode == kMix) made.insert(made.end(), given.begin() + static_cast<std::ptrdiff_t>(at), given.end());
    return made;
}

inline bool pack_parameter(const TemplateParameter& parameter, uint64_t value, uint64_t& packed) {
    for (size_t i = 0; i < parameter.values.size(); ++i) {
        if (parameter.values[i] == value) {
            packed = parameter.kind == TemplateKind::kUint ? i : value;
            return true;
        }
    }
    return false;
}

// The first parameter in the lowest bits. UINT64_MAX, and a line that says why, for what was not declared.
inline uint64_t template_key(const std::vector<TemplateParameter>& parameters, const std::vector<uint64_t>& values) {
    uint64_t key = 0;
    size_t shift = 0;
    if (parameters.size() != values.size()) {
        std::fprintf(stderr, "GET_TPL_TILING_KEY: %zu values are given; %zu are declared\n", values.size(), parameters.size());
        return UINT64_MAX;
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
        uint64_t packed = 0;
        if (!pack_parameter(parameters[i], values[i], packed)) {
            std::fprintf(stderr, "GET_TPL_TILING_KEY: %s is %llu, which is not declared\n", parameters[i].name,
                         static_cast<unsigned long long>(values[i]));
            return UINT64_MAX;
        }
        if (shift + parameters[i].bits > 64) {
            std::fprintf(stderr, "GET_TPL_TILING_KEY: the parameters up to %s take %zu bits; a tiling key has 64\n", parameters[i].name,
                         shift + parameters[i].bits);
            return UINT64_MAX;
        }
        key |= packed << shift;
        shift += parameters[i].bits;
    }
    return key;
}

template <typename... Values> uint64_t template_key_of(const std::vector<TemplateParameter>& parameters, Values... values) {
    return template_key(parameters, std::vector<uint64_t>{static_cast<uint64_t>(values)...});
}
} // namespace op
} // namespace aclimb

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11
#define ASCENDC_TPL_INPUT(index) (100000000 + (index))
#define ASCENDC_TPL_OUTPUT(index) (900000000 + (index))

#define ACLIMB_TPL_PLAIN(name, bits, ...)                                                                                                  \
    ::aclimb::op::TemplateParameter {                                                                                                      \
        #name, ::aclimb::op::TemplateKind::kPlain, bits, std::vector<uint64_t> { __VA_ARGS__ }                                             \
    }
#define ASCENDC_TPL_DTYPE_DECL(name, ...) ACLIMB_TPL_PLAIN(name, 8, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(name, ...) ACLIMB_TPL_PLAIN(name, 8, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(name, ...) ACLIMB_TPL_PLAIN(name, 8, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...) ACLIMB_TPL_PLAIN(name, 8, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(name, ...) ACLIMB_TPL_PLAIN(name, 1, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(name, bits, mode, ...)                                                                                       \
    ::aclimb::op::TemplateParameter {                                                                                                      \
        #name, ::aclimb::op::TemplateKind::kUint, bits, ::aclimb::op::template_values(mode, std::vector<uint64_t>{__VA_ARGS__})            \
    }
#define ASCENDC_TPL_ARGS_DECL(op_type, ...)                                                                                                \
    static const std::vector<::aclimb::op::TemplateParameter> __attribute__((unused)) aclimb_template_parameters { __VA_ARGS__ }

// Which combinations are built is the kernel's business: the host does not look at them.
#define ASCENDC_TPL_DTYPE_SEL(...) 0
#define ASCENDC_TPL_DATATYPE_SEL(...) 0
#define ASCENDC_TPL_FORMAT_SEL(...) 0
#define ASCENDC_TPL_UINT_SEL(...) 0
#define ASCENDC_TPL_BOOL_SEL(...) 0
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) 0
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(...) 0
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) 0
#define ASCENDC_TPL_TILING_STRUCT_SEL(...) 0
#define ASCENDC_TPL_ARGS_SEL(...) 0
#define ASCENDC_TPL_SEL(...) static_assert(true, "")

#define GET_TPL_TILING_KEY(...) ::aclimb::op::template_key_of(aclimb_template_parameters, __VA_ARGS__)
#define ASCENDC_TPL_SEL_PARAM(context, ...)                                                                                                \
    do {                                                                                                                                   \
        const uint64_t aclimb_key = GET_TPL_TILING_KEY(__VA_ARGS__);                                                                       \
        (context)->SetTilingKey(aclimb_key);                                                                                               \
    } while (0)
