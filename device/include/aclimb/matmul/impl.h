// SPDX-License-Identifier: Apache-2.0
// The Matmul object on the AIC that owns it: C = A * B (+ bias), base block by base block.
//
//   GM --MTE2--> L1 (groups of base blocks, operand.h) --MTE1--> L0A, L0B (twice) --M--> L0C (twice) --FIX--> GM (output.h)
//
// On an AIV nothing is left of it.
#pragma once
#include "aclimb/matmul/bias.h"
#include "aclimb/matmul/operand.h"
#include "aclimb/matmul/output.h"

namespace aclimb {

// L1 of one object, or of several that take turns: who uses it now.
struct MatmulMemory {
    uint32_t address = 0, bytes = 0;
    const void* user = nullptr;
};

#define ACLIMB_MATMUL_PARAMETERS                                                                                                           \
    class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto &MM_CFG, class MM_CB,                                            \
        template <const auto&, typename...> class MATMUL_POLICY

template <ACLIMB_MATMUL_PARAMETERS> class MatmulCore {
  public:
    using A = typename A_TYPE::T;
    using B = typename B_TYPE::T;
    using C = typename C_TYPE::T;
    using Sum = typename AscendC::GetMmDstType<A>::Type;
    using Policy = MATMUL_POLICY<MM_CFG>;
    static constexpr const MatmulConfig& kConfig = config_of(MM_CFG);
    static constexpr bool kHasBias = kConfig.enableSetBias && !std::is_void_v<typename BIAS_TYPE::T>;
    static constexpr bool kBiasFits = Bias<BIAS_TYPE, Sum>::kFits;
    static_assert(kC0<A> == kC0<B>, "aclimb: A and B of a Matmul object have the same element type on Atlas A2 and A3");
    static_assert(!kConfig.isPartialOutput && !kConfig.isNBatch,
                  "aclimb: isPartialOutput and isNBatch of MatmulConfig are not supported yet; nearest: Iterate and GetTensorC");
    static_assert(!kConfig.enVecND2NZ, "aclimb: MatmulConfig::enVecND2NZ does not exist on Atlas A2 and A3; leave it false");

    Operand<A_TYPE, true, MM_CB::copy_a1> a;
    Operand<B_TYPE, false, MM_CB::copy_b1> b;
    Bias<BIAS_TYPE, Sum> bias;
    Output<C_TYPE, Sum, MM_CFG> output;
    AscendC::GlobalTensor<uint64_t> quant_words;
    bool quant_per_column = false;
    MatmulMemory own, *memory = &own;
    TCubeTiling tiling{};
    Extents part{}; // what the next call makes
    int32_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0, org_kc = 0;

    // --- tiling and memory

    ACLIMB_API void take_tiling(const TCubeTiling* given) {
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
        part = {tiling.singleCoreM, tiling.singleCoreN, tiling.singleCoreK};
        org_m = tiling.M;
        org_n = tiling.N;
        org_ka = tiling.Ka;
        org_kb = tiling.Kb;
        org_kc = 0;
        check_tiling();
        started_ = false;
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
    ACLIMB_API uint32_t l1_bytes() const { return a_bytes() + b_bytes() + bias_bytes() + static_cast<uint32_t>(up_to(quant_bytes(), 32)); }

    // --- products

    ACLIMB_API void rewind() {
        if (started_) stop();
        started_ = false;
    }
    // The next block into L0C. False: all of them are made.
    ACLIMB_API bool make_block(bool adds) {
        if (!started_) start();
        while (next_ < order_.blocks() && Policy::skips(order_.block(next_).m, order_.block(next_).n)) ++next_;
        if (next_ >= order_.blocks()) {
            stop();
            started_ = false;
            return false;
        }
        if (waiting_ >= tiling.dbL0C)
            misuse(MisuseKind::unsupported, "Iterate found no free part of L0C: call GetTensorC after each Iterate");
        if (adds) c_ = last_c_;
        multiply(order_.block(next_++), adds);
        ++waiting_;
        return true;
    }
    ACLIMB_API void write_block(const AscendC::GlobalTensor<C>& c, bool in_place) {
        if (waiting_ == 0) misuse(MisuseKind::unsupported, "GetTensorC found no result: call Iterate before it");
        const int which = waiting_ == 2 ? last_c_ ^ 1 : last_c_;
        const BlockOfC block = extent(block_of_[which]);
        made_.wait(which);
        c_full_[which] = false;
        AscendC::LocalTensor<uint64_t> words;
        if (quant_per_column) words = fetch_words(block);
        if constexpr (kCopiesOut) copy_out(c, which, block, words);
        else output.write(c, l0c(which), block, pitch_of_c(), org_m, tiling.baseN, in_place, quant_per_column ? &words : nullptr);
        if (quant_per_column) words_free_.set(0);
        taken_.set(which);
        --waiting_;
    }
    // The result is in the kernel's own part of L0C, whose queue orders M and FIX.
    ACLIMB_API void hand_over() {
        made_.wait(last_c_);
        taken_.set(last_c_);
        c_full_[last_c_] = false;
        --waiting_;
    }
    ACLIMB_API void end() {
        stop();
        started_ = false;
        a.end();
        b.end();
        bias.end();
        loaded_.give();
        read_.give();
        made_.give();
        taken_.give();
        words_full_.give();
        words_free_.give();
        if (memory->user == this) memory->user = nullptr;
    }

  private:
    static constexpr bool kCopiesOut = !std::is_null_pointer_v<std::remove_cv_t<decltype(MM_CB::copy_out)>>;
    static constexpr uint32_t kL0 = 64 * 1024, kL0C = 128 * 1024, kBiasTableBytes = 1024;
    static constexpr bool kGroups = loads_groups(kConfig) && std::is_null_pointer_v<std::remove_cv_t<decltype(MM_CB::copy_a1)>> &&
                                    std::is_null_pointer_v<std::remove_cv_t<decltype(MM_CB::copy_b1)>>;

    ACLIMB_API static int32_t places(int32_t depth, int32_t group) {
        const int32_t count = kGroups ? depth / group : depth;
        return count < 1 ? 1 : min_of(count, Operand<A_TYPE, true, MM_CB::copy_a1>::kMostPlaces);
    }
    ACLIMB_API OperandSizes sizes_of_a() const {
        const int32_t step = kGroups ? tiling.stepM : 1, step_k = kGroups ? tiling.stepKa : 1;
        const int32_t rows = a.transposed ? org_ka : org_m, columns = a.transposed ? org_m : org_ka;
        return {part.m,
                part.k,
                rows,
                columns,
                tiling.baseM,
                tiling.baseK,
                step,
                step_k,
                places(tiling.depthA1, step * step_k),
                kConfig.intrinsicsCheck};
    }
    ACLIMB_API OperandSizes sizes_of_b() const {
        const int32_t step = kGroups ? tiling.stepN : 1, step_k = kGroups ? tiling.stepKb : 1;
        const int32_t rows = b.transposed ? org_n : org_kb, columns = b.transposed ? org_kb : org_n;
        return {part.n,
                part.k,
                rows,
                columns,
                tiling.baseN,
                tiling.baseK,
                step,
                step_k,
                places(tiling.depthB1, step * step_k),
                kConfig.intrinsicsCheck};
    }
    // Enough for either way to lie in L1.
    ACLIMB_API uint32_t a_bytes() const {
        const OperandSizes sizes = sizes_of_a();
        return a.kStaysInL1 ? 0 : a.group_bytes(sizes) * static_cast<uint32_t>(sizes.places);
    }
    ACLIMB_API uint32_t b_bytes() const {
        const OperandSizes sizes = sizes_of_b();
        return b.kStaysInL1 ? 0 : b.group_bytes(sizes) * static_cast<uint32_t>(sizes.places);
    }
    ACLIMB_API uint32_t bias_bytes() const { return kHasBias && tiling.isBias ? bias.l1_bytes(up_to(tiling.baseN, 16)) : 0; }
    ACLIMB_API static constexpr bool may_quantise() {
        return !std::is_same_v<C, Sum> && !(std::is_same_v<Sum, float> && is_one_of<C, half, bfloat16_t>);
    }
    ACLIMB_API int32_t quant_bytes() const { return may_quantise() ? tiling.baseN * 8 : 0; }

    ACLIMB_API void check_tiling() const {
        const int64_t l0a = size_in_bytes<A>(tiling.baseM * tiling.baseK), l0b = size_in_bytes<B>(tiling.baseN * tiling.baseK);
        require_range("baseM of the tiling", tiling.baseM, 1, 4095);
        require_range("baseN of the tiling", tiling.baseN, 1, 4095);
        require_range("baseK of the tiling", tiling.baseK, 1, 4095);
        require_range("bytes of L0A: baseM * baseK * dbL0A", l0a * tiling.dbL0A, 1, kL0);
        require_range("bytes of L0B: baseN * baseK * dbL0B", l0b * tiling.dbL0B, 1, kL0);
        require_range("bytes of L0C: baseM * baseN * 4 * dbL0C", int64_t{4} * tiling.baseM * tiling.baseN * tiling.dbL0C, 1, kL0C);
        if (kHasBias && tiling.isBias && !is_static(MM_CFG))
            require_range("bytes of the bias table: baseN * 4", int64_t{4} * tiling.baseN, 1, kBiasTableBytes);
    }

    ACLIMB_API AscendC::LocalTensor<Sum> l0c(int which) const {
        if constexpr (C_TYPE::pos == AscendC::TPosition::CO1) {
            if (co1_) return *co1_;
        }
        const uint32_t elements = static_cast<uint32_t>(up_to(tiling.baseM, 16) * up_to(tiling.baseN, 16));
        return AscendC::LocalTensor<Sum>(AscendC::TPosition::CO1, static_cast<uint32_t>(which) * elements * 4, elements);
    }

    ACLIMB_API void start() {
        if (memory->user && memory->user != this)
            misuse(MisuseKind::unsupported,
                   "two Matmul objects use the same L1 and L0 in turn: call End of the one before the other computes");
        memory->user = this;
        require_range("M of a Matmul call", part.m, 1, INT32_MAX);
        require_range("N of a Matmul call", part.n, 1, INT32_MAX);
        require_range("K of a Matmul call", part.k, 1, INT32_MAX);
        order_ = {parts_of(part.m, tiling.baseM), parts_of(part.n, tiling.baseN), parts_of(part.k, tiling.baseK), tiling.iterateOrder == 1,
                  &Policy::skips};
        require_range("bytes of L1 for the blocks of A and B, bias and quantisation", l1_bytes(), 0, memory->bytes);
        a.begin(sizes_of_a(), memory->address);
        b.begin(sizes_of_b(), memory->address + a_bytes());
        bias.begin(memory->address + a_bytes() + b_bytes());
        loaded_.take();
        read_.take();
        made_.take();
        taken_.take();
        next_ = 0;
        started_ = true;
    }
    // Nothing is fetched ahead any more; what was is waited for, and a result that nobody took is given up.
    ACLIMB_API void stop() {
        if (!started_) return;
        a.drop();
        b.drop();
        bias.drop();
        for (int i = 0; i < 2; ++i) {
            if (l0_used_[i]) read_.wait(i);
            l0_used_[i] = false;
            if (c_full_[i]) made_.wait(i);
            else if (c_used_[i]) taken_.wait(i);
            c_full_[i] = c_used_[i] = false;
        }
        if (words_used_) words_free_.wait(0);
        words_used_ = false;
        waiting_ = 0;
    }

    ACLIMB_API int32_t pitch_of_c() const { return org_kc ? org_kc : org_n; }

    // By the kernel's own function. Units of the numbers are those of the older copy out of L0C; nothing is published about them.
    ACLIMB_API void copy_out(const AscendC::GlobalTensor<C>& c, int which, const BlockOfC& block,
                             const AscendC::LocalTensor<uint64_t>& words) {
        AscendC::DataCopyOutParams params;
        params.cBurstNum = static_cast<uint16_t>(parts_of(block.columns, 16));
        params.burstLen = static_cast<uint16_t>(block.rows * 16 * 4 / 32);
        params.dstStride = static_cast<uint32_t>(pitch_of_c());
        params.oriNSize = static_cast<uint16_t>(block.columns);
        params.quantScalar = output.quant_word;
        params.cbufWorkspaceAddr = quant_per_column ? words.place.addr : 0;
        const uint64_t offset = static_cast<uint64_t>(block.row) * pitch_of_c() + block.column;
        MM_CB::copy_out(c[offset].GetPhyAddr(), l0c(which).template ReinterpretCast<int8_t>(), &params, a.user_info, a.user_data);
    }

    ACLIMB_API BlockOfC extent(const Step& block) const {
        const int32_t row = block.m * tiling.baseM, column = block.n * tiling.baseN;
        return {row, column, min_of(tiling.baseM, part.m - row), min_of(tiling.baseN, part.n - column)};
    }

    ACLIMB_API void multiply(const Step& first, bool adds) {
        const BlockOfC block = extent(first);
        const int which = c_;
        block_of_[which] = first;
        if (c_used_[which]) taken_.wait(which);
        const bool with_bias = kHasBias && bias.is_set && !adds;
        for (Step step = first; step.k < order_.k_blocks; ++step.k) {
            a.acquire(step.m, step.k);
            b.acquire(step.n, step.k);
            a.fetch_ahead(order_, step);
            b.fetch_ahead(order_, step);
            if (with_bias && step.k == 0) bias.load(block.column, block.columns);
            const int l0 = l0_;
            if (l0_used_[l0]) read_.wait(l0);
            a.load(l0a(l0), step.m, step.k);
            b.load(l0b(l0), step.n, step.k);
            loaded_.set(l0);
            loaded_.wait(l0);
            mmad(which, l0, block, step, adds, with_bias && step.k == 0);
            read_.set(l0);
            l0_used_[l0] = true;
            if (tiling.dbL0A > 1 && tiling.dbL0B > 1) l0_ ^= 1;
        }
        made_.set(which);
        c_full_[which] = c_used_[which] = true;
        last_c_ = which;
        if (tiling.dbL0C > 1) c_ ^= 1;
    }
    ACLIMB_API AscendC::LocalTensor<A> l0a(int which) const {
        return AscendC::LocalTensor<A>(AscendC::TPosition::A2, static_cast<uint32_t>(which) * kL0 / 2,
                                       kL0 / (tiling.dbL0A > 1 ? 2 : 1) * 8 / kBits<A>);
    }
    ACLIMB_API AscendC::LocalTensor<B> l0b(int which) const {
        return AscendC::LocalTensor<B>(AscendC::TPosition::B2, static_cast<uint32_t>(which) * kL0 / 2,
                                       kL0 / (tiling.dbL0B > 1 ? 2 : 1) * 8 / kBits<B>);
    }
    ACLIMB_API void mmad(int which, int l0, const BlockOfC& block, const Step& step, bool adds, bool with_bias) {
        AscendC::MmadParams params;
        params.m = static_cast<uint16_t>(block.rows > 1 ? block.rows : 16); // one row would be read as a vector without fractals
        params.n = static_cast<uint16_t>(block.columns);
        params.k = static_cast<uint16_t>(min_of(tiling.baseK, part.k - step.k * tiling.baseK));
        params.cmatrixInitVal = step.k == 0 && !adds;
        params.kDirectionAlign = kBits<A> == 32;
        if (step.k || adds) AscendC::PipeBarrier<PIPE_M>(); // the sum before is complete
        if (with_bias) {
            AscendC::Mmad(l0c(which), l0a(l0), l0b(l0), bias.table(), params);
            bias.used();
        } else {
            AscendC::Mmad(l0c(which), l0a(l0), l0b(l0), params);
        }
    }

    // One word for each column of the block, through L1.
    ACLIMB_API AscendC::LocalTensor<uint64_t> fetch_words(const BlockOfC& block) {
        words_full_.take();
        words_free_.take();
        const uint32_t address = memory->address + a_bytes() + b_bytes() + bias_bytes();
        AscendC::LocalTensor<uint64_t> words(AscendC::TPosition::C1, address, static_cast<uint32_t>(tiling.baseN));
        if (words_used_) words_free_.wait(0);
        words_used_ = true;
        AscendC::DataCopy(words, quant_words[static_cast<uint64_t>(block.column)], static_cast<uint32_t>(up_to(block.columns, 4)));
        words_full_.set(0);
        words_full_.wait(0);
        return words;
    }

  public:
    const AscendC::LocalTensor<Sum>* co1_ = nullptr; // where Iterate was told to put its result

  private:
    Order order_{};
    Step block_of_[2] = {}; // what each half of L0C holds
    Events<Pipe::MTE1, Pipe::M, 2> loaded_;
    Events<Pipe::M, Pipe::MTE1, 2> read_;
    Events<Pipe::M, Pipe::FIX, 2> made_;
    Events<Pipe::FIX, Pipe::M, 2> taken_;
    Events<Pipe::MTE2, Pipe::FIX, 1> words_full_;
    Events<Pipe::FIX, Pipe::MTE2, 1> words_free_;
    int32_t next_ = 0, waiting_ = 0;
    int l0_ = 0, c_ = 0, last_c_ = 0;
    bool l0_used_[2] = {}, c_full_[2] = {}, c_used_[2] = {}, words_used_ = false, started_ = false;
};

} // namespace aclimb
