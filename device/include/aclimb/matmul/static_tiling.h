// SPDX-License-Identifier: Apache-2.0
// A tiling that is known when the kernel is compiled: members of TCubeTiling, -1 where only the run knows them, and the configuration.
#pragma once
#include "aclimb/matmul/config.h"
#include "kernel_tiling/tcube_tiling.h"

using AscendC::tiling::TCubeTiling;

struct MatmulApiStaticTiling {
#define ACLIMB_WORD(name) int32_t name = -1;
    ACLIMB_TCUBE_TILING(ACLIMB_WORD)
#undef ACLIMB_WORD
    MatmulConfig cfg{};
};

namespace aclimb {

constexpr int32_t up_to(int32_t value, int32_t unit) { return (value + unit - 1) / unit * unit; }
constexpr int32_t parts_of(int32_t value, int32_t part) { return (value + part - 1) / part; }

// Of the element types of Mmad: bits of one, elements of 32 bytes, bytes of so many.
template <typename T> constexpr int32_t kBits = std::is_same_v<T, AscendC::int4b_t> ? 4 : static_cast<int32_t>(sizeof(T)) * 8;
template <typename T> constexpr int32_t kC0 = 256 / kBits<T>;
template <typename T> constexpr int32_t size_in_bytes(int32_t elements) { return elements * kBits<T> / 8; }

constexpr const MatmulConfig& config_of(const MatmulConfig& config) { return config; }
constexpr const MatmulConfig& config_of(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }
constexpr bool is_static(const MatmulConfig&) { return false; }
constexpr bool is_static(const MatmulApiStaticTiling&) { return true; }
// All of it: a kernel may then give no tiling at all.
constexpr bool is_whole(const MatmulConfig&) { return false; }
constexpr bool is_whole(const MatmulApiStaticTiling& tiling) { return tiling.singleCoreM > 0 && tiling.baseM > 0; }

// What a kernel gives at run time, with the constants of a static tiling in place of its members.
template <const auto& MM_CFG> ACLIMB_API TCubeTiling tiling_of(const TCubeTiling* given) {
    TCubeTiling tiling{};
    if (given) tiling = *given;
    else if (!is_whole(MM_CFG))
        misuse(MisuseKind::unsupported, "a Matmul object without a tiling needs a static one with singleCoreM/N/K and basicM/N/K; give "
                                        "REGIST_MATMUL_OBJ or Init the address of a TCubeTiling");
    if constexpr (is_static(MM_CFG)) {
#define ACLIMB_WORD(name)                                                                                                                  \
    if constexpr (MM_CFG.name >= 0) tiling.name = MM_CFG.name;
        ACLIMB_TCUBE_TILING(ACLIMB_WORD)
#undef ACLIMB_WORD
    }
    return tiling;
}

constexpr bool loads_groups(const MatmulConfig& config) { return config.doMultiDataLoad || config.doSpecialMDL; }

// The largest number of base blocks along k, of A and B alike and twice each, that fit in L1.
constexpr int32_t blocks_along_k(int32_t a_bytes, int32_t b_bytes, int32_t wanted, int32_t l1_bytes) {
    int32_t steps = wanted;
    while (steps > 1 && 2 * steps * (a_bytes + b_bytes) > l1_bytes) --steps;
    return steps;
}

template <typename A, typename B, typename Bias>
constexpr void fill_steps(MatmulApiStaticTiling& tiling, const MatmulConfig& config, int32_t l1_bytes) {
    constexpr int32_t kL0 = 64 * 1024, kL0C = 128 * 1024, kUnknownSteps = 4;
    const int32_t a = size_in_bytes<A>(tiling.baseM * tiling.baseK), b = size_in_bytes<B>(tiling.baseN * tiling.baseK);
    tiling.dbL0A = 2 * a <= kL0 ? 2 : 1;
    tiling.dbL0B = 2 * b <= kL0 ? 2 : 1;
    tiling.dbL0C = 2 * tiling.baseM * tiling.baseN * 4 <= kL0C ? 2 : 1;
    const int32_t wanted = tiling.singleCoreK > 0 ? parts_of(tiling.singleCoreK, tiling.baseK) : kUnknownSteps;
    const int32_t steps = blocks_along_k(a, b, wanted, l1_bytes - size_in_bytes<Bias>(tiling.baseN));
    tiling.stepM = tiling.stepN = 1;
    tiling.stepKa = tiling.stepKb = loads_groups(config) ? steps : 1;
    tiling.depthA1 = tiling.depthB1 = 2 * steps;
}

} // namespace aclimb

template <typename A, typename B, typename C, typename Bias>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& cfg, int32_t l1Size = 512 * 1024) {
    MatmulApiStaticTiling tiling;
    tiling.cfg = cfg;
    const auto known = [](uint32_t value) { return value ? static_cast<int32_t>(value) : -1; };
    tiling.singleCoreM = known(cfg.singleCoreM);
    tiling.singleCoreN = known(cfg.singleCoreN);
    tiling.singleCoreK = known(cfg.singleCoreK);
    tiling.baseM = known(cfg.basicM);
    tiling.baseN = known(cfg.basicN);
    tiling.baseK = known(cfg.basicK);
    tiling.isBias = 1; // whether there is one, SetBias says
    tiling.iterateOrder = cfg.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
    if (tiling.baseM > 0) aclimb::fill_steps<typename A::T, typename B::T, typename Bias::T>(tiling, cfg, l1Size);
    return tiling;
}
namespace AscendC {
using ::GetMatmulApiTiling;
using ::MatmulApiStaticTiling;
} // namespace AscendC
