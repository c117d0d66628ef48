// SPDX-License-Identifier: Apache-2.0
// Batches: several products in one call, of matrices that lie in one tensor, behind each other or with their rows interleaved.
//
//   NORMAL   [batch, rows, columns]        BNGS1S2  [B, N, G, S, D]
//   BSNGD    [B, S, N, G, D]               SBNGD    [S, B, N, G, D]
//
// S and D are rows and columns as they lie in memory. The matrices of a call run along G, then N, from the tensor's start.
#pragma once
#include "aclimb/matmul/impl.h"

namespace aclimb {

// Of A, B or C: how many take part, and in elements from one to the next and from one row to the next.
struct Matrices {
    int32_t count;
    int64_t stride;
    int32_t pitch;
};
struct Batch {
    Matrices a, b, c;
    int64_t bias_stride; // 0: one row for all
};

// What a call with so many matrices of A and B walks over, by the layouts of the types and the tiling. Strides of 0 follow the layout.
template <class Core> class BatchOf {
  public:
    ACLIMB_API static Batch make(const Core& core, int32_t count_a, int32_t count_b, int64_t stride_a, int64_t stride_b) {
        require_range("matrices of A that SetBatchNum or IterateBatch says", count_a, 1, INT32_MAX);
        require_range("matrices of B that SetBatchNum or IterateBatch says", count_b, 1, INT32_MAX);
        const int32_t most = count_a > count_b ? count_a : count_b;
        require_range("the larger number of matrices of a batch, modulo the smaller", most % min_of(count_a, count_b), 0, 0);
        const Axes a = axes_of_a(core), b = axes_of_b(core), c = axes_of_c(core);
        if (a.d == 0 || b.d == 0 || c.d == 0)
            misuse(MisuseKind::unsupported, "IterateBatch in BSNGD, SBNGD or BNGS1S2 found no layouts in the tiling: call SetALayout, "
                                            "SetBLayout and SetCLayout before GetTiling");
        if constexpr (!kNormal) {
            require_range("N * G of A in the tiling, modulo the matrices of A in a batch", a.n * a.g % count_a, 0, 0);
            require_range("N * G of B in the tiling, modulo the matrices of B in a batch", b.n * b.g % count_b, 0, 0);
        }
        Batch batch{matrices<A_TYPE>(count_a, a), matrices<B_TYPE>(count_b, b), matrices<C_TYPE>(most, c), 0};
        if (stride_a) batch.a.stride = stride_a;
        if (stride_b) batch.b.stride = stride_b;
        if (Core::kConfig.isBiasBatch) batch.bias_stride = is_behind<C_TYPE> ? core.org_n : c.d;
        return batch;
    }

  private:
    using A_TYPE = typename Core::AType;
    using B_TYPE = typename Core::BType;
    using C_TYPE = typename Core::CType;
    using C = typename Core::C;
    struct Axes {
        int32_t b, s, n, g, d;
    };
    // Whole matrices, whose sizes are those of SetOrgShape or of the tiling; the others have layouts in the tiling.
    template <class Type> static constexpr bool is_behind = Type::layout == LayoutMode::NORMAL || Type::layout == LayoutMode::NONE;
    template <class Type> static constexpr bool is_interleaved = Type::layout == LayoutMode::BSNGD || Type::layout == LayoutMode::SBNGD;
    static constexpr bool kNormal = is_behind<A_TYPE>;
    static_assert(A_TYPE::layout != LayoutMode::NONE && A_TYPE::layout == B_TYPE::layout &&
                      (kNormal || !(C_TYPE::layout == LayoutMode::NONE)),
                  "aclimb: IterateBatch needs a LAYOUT in its MatmulTypes, one for A and B: NORMAL, BSNGD, SBNGD or BNGS1S2");
    static_assert(!(is_interleaved<A_TYPE> || is_interleaved<C_TYPE>) ||
                      (A_TYPE::format == CubeFormat::ND && B_TYPE::format == CubeFormat::ND && C_TYPE::format == CubeFormat::ND),
                  "aclimb: batches in BSNGD and SBNGD are CubeFormat::ND; nearest: LayoutMode::NORMAL");
    static_assert(is_plain<A_TYPE> && is_plain<B_TYPE> && is_plain<C_TYPE>, "aclimb: matrices of a batch are CubeFormat::ND or NZ");
    static_assert(Core::kConfig.doNorm, "aclimb: IterateBatch needs the Norm configuration; nearest: CFG_NORM or GetNormalConfig");
    static_assert(Core::kConfig.isBiasBatch || Core::kConfig.batchMode != BatchMode::SINGLE_LARGE_THAN_L1,
                  "aclimb: isBiasBatch is true where batchMode is SINGLE_LARGE_THAN_L1");
    static_assert(kBits<typename Core::A> > 4 && (std::is_same_v<C, typename Core::Sum> || is_one_of<C, half, bfloat16_t>) &&
                      !(std::is_same_v<typename Core::Sum, int32_t> && std::is_same_v<C, half>),
                  "aclimb: a batch is of half, bfloat16_t, float or int8_t and is not quantised; nearest: IterateAll in a loop");

    ACLIMB_API static Axes axes_of_a(const Core& core) {
        const TCubeTiling& t = core.tiling;
        if constexpr (!kNormal) return {t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG, t.ALayoutInfoD};
        else if (core.a.transposed) return {1, core.org_ka, 1, 1, core.org_m};
        else return {1, core.org_m, 1, 1, core.org_ka};
    }
    ACLIMB_API static Axes axes_of_b(const Core& core) {
        const TCubeTiling& t = core.tiling;
        if constexpr (!kNormal) return {t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN, t.BLayoutInfoG, t.BLayoutInfoD};
        else if (core.b.transposed) return {1, core.org_n, 1, 1, core.org_kb};
        else return {1, core.org_kb, 1, 1, core.org_n};
    }
    ACLIMB_API static Axes axes_of_c(const Core& core) {
        const TCubeTiling& t = core.tiling;
        if constexpr (is_behind<C_TYPE>) return {1, core.org_m, 1, 1, core.pitch_of_c()};
        else return {t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN, t.CLayoutInfoG, t.CLayoutInfoS2};
    }
    template <class Type> ACLIMB_API static Matrices matrices(int32_t count, const Axes& axes) {
        constexpr int32_t width = std::is_same_v<Type, C_TYPE> ? 16 : kC0<typename Type::T>; // of a fractal
        if constexpr (Type::layout == LayoutMode::BSNGD) return {count, axes.d, axes.n * axes.g * axes.d};
        else if constexpr (Type::layout == LayoutMode::SBNGD) return {count, axes.d, axes.b * axes.n * axes.g * axes.d};
        else if constexpr (Type::format == CubeFormat::NZ) return {count, int64_t{up_to(axes.s, 16)} * up_to(axes.d, width), axes.d};
        else return {count, int64_t{axes.s} * axes.d, axes.d};
    }
};

// All products of a batch, one after the other. Where A or B has fewer matrices, neighbours share one.
template <class Core> ACLIMB_API void iterate_batch(Core& core, const Batch& batch, const AscendC::GlobalTensor<typename Core::C>& c) {
    const auto a = core.a.gm;
    const auto b = core.b.gm;
    const auto bias = core.bias.gm;
    const int32_t org_m = core.org_m, org_n = core.org_n, org_ka = core.org_ka, org_kb = core.org_kb, org_kc = core.org_kc;
    (core.a.transposed ? core.org_m : core.org_ka) = batch.a.pitch;
    (core.b.transposed ? core.org_kb : core.org_n) = batch.b.pitch;
    core.org_kc = batch.c.pitch;
    for (int32_t i = 0; i < batch.c.count; ++i) {
        core.rewind();
        core.a.gm = a[static_cast<uint64_t>(int64_t{i} * batch.a.count / batch.c.count * batch.a.stride)];
        core.b.gm = b[static_cast<uint64_t>(int64_t{i} * batch.b.count / batch.c.count * batch.b.stride)];
        core.bias.gm = bias[static_cast<uint64_t>(i * batch.bias_stride)];
        while (core.make_block(false)) core.write_block(c[static_cast<uint64_t>(i * batch.c.stride)], true);
    }
    core.a.gm = a;
    core.b.gm = b;
    core.bias.gm = bias;
    core.org_m = org_m, core.org_n = org_n, core.org_ka = org_ka, core.org_kb = org_kb, core.org_kc = org_kc;
}

} // namespace aclimb
