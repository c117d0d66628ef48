// SPDX-License-Identifier: Apache-2.0
// What a Matmul object is told in its type and by its tiling, and what follows: how A and B are cut, what lies in L1, whether it fits.
#pragma once
#include "aclimb/matmul/bias.h"
#include "aclimb/matmul/operand.h"
#include "aclimb/matmul/output.h"

namespace aclimb {

template <class Type> constexpr bool is_plain = Type::format == CubeFormat::ND || Type::format == CubeFormat::NZ;

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class MM_CB> class MatmulCut {
  public:
    using A = typename A_TYPE::T;
    using B = typename B_TYPE::T;
    using C = typename C_TYPE::T;
    using Sum = typename AscendC::GetMmDstType<A>::Type;
    static constexpr const MatmulConfig& kConfig = config_of(MM_CFG);
    static constexpr bool kHasBias = kConfig.enableSetBias && !std::is_void_v<typename BIAS_TYPE::T>;
    static constexpr bool kBiasFits = Bias<BIAS_TYPE, Sum>::kFits;
    static_assert(kC0<A> == kC0<B>, "aclimb: A and B of a Matmul object have the same element type on Atlas A2 and A3");
    static constexpr bool kEachK = kConfig.isPartialOutput; // a result for each block along k, not their sum
    static_assert(!kEachK || kConfig.doMultiDataLoad,
                  "aclimb: isPartialOutput of MatmulConfig needs the MDL configuration; nearest: CFG_MDL");
    static constexpr bool kBasicBlocks = kConfig.doBasicBlock || kConfig.doSpecialBasicBlock; // base blocks that the compiler knows
    static_assert(!kBasicBlocks || (is_one_of<A, half, float, bfloat16_t> && is_plain<A_TYPE>),
                  "aclimb: a MatmulConfig with doBasicBlock takes half, float or bfloat16_t, ND or NZ; nearest: CFG_NORM");
    static constexpr bool kIsSparse = is_sparse<B_TYPE>;
    static_assert(!is_sparse<A_TYPE>, "aclimb: of a Matmul object B may be sparse, A is a MatmulType");
    static_assert(!kIsSparse || kConfig.doMultiDataLoad, "aclimb: a sparse B needs the MDL configuration; nearest: CFG_MDL");
#define ACLIMB_ELSEWHERE(member)                                                                                                           \
    static_assert(!kConfig.member, "aclimb: MatmulConfig::" #member " does not exist on Atlas A2 and A3; leave it false")
    ACLIMB_ELSEWHERE(enVecND2NZ);
    ACLIMB_ELSEWHERE(isPerTensor);
    ACLIMB_ELSEWHERE(hasAntiQuantOffset);
    ACLIMB_ELSEWHERE(intraBlockPartSum);
    ACLIMB_ELSEWHERE(isCO1Shared);
    ACLIMB_ELSEWHERE(enableL1BankConflictOptimise);
    ACLIMB_ELSEWHERE(enableRelu);
    ACLIMB_ELSEWHERE(decompMode);
#undef ACLIMB_ELSEWHERE

    Operand<A_TYPE, true, MM_CB::copy_a1> a;
    Operand<B_TYPE, false, MM_CB::copy_b1> b;
    Bias<BIAS_TYPE, Sum> bias;
    TCubeTiling tiling{};
    Extents part{}; // what the next call makes
    int32_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0, org_kc = 0;

    ACLIMB_API void take_tiling(const TCubeTiling* given) {
        tiling = tiling_of<MM_CFG>(given);
        part = {tiling.singleCoreM, tiling.singleCoreN, tiling.singleCoreK};
        org_m = tiling.M;
        org_n = tiling.N;
        org_ka = tiling.Ka;
        org_kb = tiling.Kb;
        org_kc = 0;
        check_tiling();
    }
    // Of L1, however A and B will be given.
    ACLIMB_API uint32_t most_l1_bytes() {
        uint32_t most = 0;
        for (int i = 0; i < 4; ++i) {
            if ((i & 1 && !A_TYPE::isTrans) || (i & 2 && !B_TYPE::isTrans)) continue;
            a.transposed = i & 1;
            b.transposed = i & 2;
            const uint32_t bytes = l1_bytes();
            if (bytes > most) most = bytes;
        }
        a.transposed = b.transposed = false;
        return most;
    }
    ACLIMB_API uint32_t l1_bytes() const {
        return bytes_of<true>() + bytes_of<false>() + bias_bytes() + static_cast<uint32_t>(up_to(quant_bytes(), 32));
    }

    // Where a block lies in the part.
    ACLIMB_API BlockOfC extent(const Step& block) const {
        const int32_t row = block.m * tiling.baseM, column = block.n * tiling.baseN;
        return {row, column, min_of(tiling.baseM, part.m - row), min_of(tiling.baseN, part.n - column)};
    }

    ACLIMB_API int32_t pitch_of_c() const { return org_kc ? org_kc : org_n; }

  protected:
    static constexpr uint32_t kL0 = 64 * 1024, kL0C = 128 * 1024, kBiasTableBytes = 1024;
    static constexpr bool kGroups = loads_groups(kConfig) && std::is_null_pointer_v<std::remove_cv_t<decltype(MM_CB::copy_a1)>> &&
                                    std::is_null_pointer_v<std::remove_cv_t<decltype(MM_CB::copy_b1)>>;

    ACLIMB_API static int32_t places(int32_t depth, int32_t group) {
        const int32_t count = kGroups ? depth / group : depth;
        return count < 1 ? 1 : min_of(count, Operand<A_TYPE, true, MM_CB::copy_a1>::kMostPlaces);
    }
    template <bool kLeft> ACLIMB_API OperandSizes sizes_of() const {
        const TCubeTiling& t = tiling;
        const int32_t step = !kGroups ? 1 : kLeft ? t.stepM : t.stepN, step_k = !kGroups ? 1 : kLeft ? t.stepKa : t.stepKb;
        constexpr int32_t share = is_sparse<std::conditional_t<kLeft, A_TYPE, B_TYPE>> ? 2 : 1; // of k, this part is kept
        const int32_t outer = kLeft ? org_m : org_n, k = (kLeft ? org_ka : org_kb) / share;     // of the whole matrix
        const bool outer_is_row = side<kLeft>().outer_is_row();
        return {kLeft ? part.m : part.n,
                part.k / share,
                outer_is_row ? outer : k,
                outer_is_row ? k : outer,
                kLeft ? t.baseM : t.baseN,
                t.baseK / share,
                step,
                step_k,
                places(kLeft ? t.depthA1 : t.depthB1, step * step_k),
                kConfig.intrinsicsCheck};
    }
    // Of L1.
    template <bool kLeft> ACLIMB_API uint32_t bytes_of() const {
        const OperandSizes sizes = sizes_of<kLeft>();
        return side<kLeft>().kStaysInL1 ? 0 : side<kLeft>().group_bytes(sizes) * static_cast<uint32_t>(sizes.places);
    }
    template <bool kLeft> ACLIMB_API const auto& side() const {
        if constexpr (kLeft) return a;
        else return b;
    }
    ACLIMB_API uint32_t bias_bytes() const { return kHasBias && tiling.isBias ? bias.l1_bytes(up_to(tiling.baseN, 16)) : 0; }
    ACLIMB_API static constexpr bool may_quantise() {
        return !std::is_same_v<C, Sum> && !(std::is_same_v<Sum, float> && is_one_of<C, half, bfloat16_t>);
    }
    ACLIMB_API int32_t quant_bytes() const { return may_quantise() ? tiling.baseN * 8 : 0; }

    ACLIMB_API void check_tiling() const {
        const int64_t l0a = size_in_bytes<A>(tiling.baseM * tiling.baseK),
                      l0b = size_in_bytes<B>(tiling.baseN * tiling.baseK) / (kIsSparse ? 2 : 1);
        require_range("baseM of the tiling", tiling.baseM, 1, 4095);
        require_range("baseN of the tiling", tiling.baseN, 1, 4095);
        require_range("baseK of the tiling", tiling.baseK, 1, 4095);
        require_range("bytes of L0A: baseM * baseK * dbL0A", l0a * tiling.dbL0A, 1, kL0);
        require_range("bytes of L0B: baseN * baseK * dbL0B", l0b * tiling.dbL0B, 1, kL0);
        require_range("bytes of L0C: baseM * baseN * 4 * dbL0C", int64_t{4} * tiling.baseM * tiling.baseN * tiling.dbL0C, 1, kL0C);
        if (kHasBias && tiling.isBias && !is_static(MM_CFG))
            require_range("bytes of the bias table: baseN * 4", int64_t{4} * tiling.baseN, 1, kBiasTableBytes);
        if constexpr (kBasicBlocks) {
            require_range("baseM of the tiling, whose configuration has basicM", tiling.baseM, kConfig.basicM, kConfig.basicM);
            require_range("baseN of the tiling, whose configuration has basicN", tiling.baseN, kConfig.basicN, kConfig.basicN);
            require_range("baseK of the tiling, whose configuration has basicK", tiling.baseK, kConfig.basicK, kConfig.basicK);
        }
    }
    ACLIMB_API void check_part() const {
        require_range("M of a Matmul call", part.m, 1, INT32_MAX);
        require_range("N of a Matmul call", part.n, 1, INT32_MAX);
        require_range("K of a Matmul call", part.k, 1, INT32_MAX);
        if (kBits<A> == 4 && a.transposed)
            misuse(MisuseKind::unsupported, "A of int4b_t is not transposed on Atlas A2 and A3: call SetTensorA with isTransposeA false");
        if constexpr (kIsSparse) {
            if (!b.transposed)
                misuse(MisuseKind::unsupported, "a sparse B lies in memory as [N, K / 2]: call SetTensorB with isTransposeB true");
            if (b.positions.place.addr == kNowhere.addr)
                misuse(MisuseKind::unsupported, "a sparse B needs to know which elements it keeps: call SetSparseIndex");
            require_range("K of a Matmul call with a sparse B, modulo 4", part.k % 4, 0, 0);
            if (part.k > tiling.baseK) require_range("baseK of the tiling with a sparse B, modulo 64", tiling.baseK % 64, 0, 0);
        }
        if constexpr (kBasicBlocks) {
            require_range("M of a call with doBasicBlock, modulo baseM", part.m % tiling.baseM, 0, 0);
            require_range("N of a call with doBasicBlock, modulo baseN", part.n % tiling.baseN, 0, 0);
        }
    }
};

} // namespace aclimb
