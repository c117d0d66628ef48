// SPDX-License-Identifier: Apache-2.0
// The Matmul object on the AIC that owns it: C = A * B (+ bias), base block by base block.
//
//   GM --MTE2--> L1 (groups of base blocks, operand.h) --MTE1--> L0A, L0B (twice) --M--> L0C (twice) --FIX--> GM (output.h)
//
// On an AIV nothing is left of it.
#pragma once
#include "aclimb/matmul/cut.h"

namespace aclimb {

// L1 of one object, or of several that take turns: who uses it now.
struct MatmulMemory {
    uint32_t address = 0, bytes = 0;
    const void* user = nullptr;
};

#define ACLIMB_MATMUL_PARAMETERS                                                                                                           \
    class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto &MM_CFG, class MM_CB,                                            \
        template <const auto&, typename...> class MATMUL_POLICY

template <ACLIMB_MATMUL_PARAMETERS> class MatmulCore : public MatmulCut<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB> {
  public:
    using Cut = MatmulCut<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB>;
    using AType = A_TYPE;
    using BType = B_TYPE;
    using CType = C_TYPE;
    using typename Cut::A;
    using typename Cut::B;
    using typename Cut::C;
    using typename Cut::Sum;
    using Policy = MATMUL_POLICY<MM_CFG>;
    using Cut::a, Cut::b, Cut::bias, Cut::part, Cut::tiling, Cut::org_m, Cut::kEachK, Cut::kHasBias, Cut::pitch_of_c;

    Output<C_TYPE, Sum, MM_CFG> output;
    AscendC::GlobalTensor<uint64_t> quant_words;
    bool quant_per_column = false;
    MatmulMemory own, *memory = &own;

    // --- products

    ACLIMB_API void rewind() {
        stop();
        started_ = false;
        next_ = 0;
    }
    ACLIMB_API void seek(int32_t block) { next_ = block; } // blocks go on with this one
    ACLIMB_API bool has_results() const { return waiting_ > 0; }
    ACLIMB_API BlockOfC last_block() const { return extent(block_of_[last_c_]); }
    // The next block into L0C. False: all of them are made.
    ACLIMB_API bool make_block(bool adds) {
        if (!started_) start();
        while (next_ < results() && Policy::skips(result(next_).m, result(next_).n)) ++next_;
        if (next_ >= results()) {
            rewind();
            return false;
        }
        if (waiting_ >= tiling.dbL0C)
            misuse(MisuseKind::unsupported, "Iterate found no free part of L0C: call GetTensorC after each Iterate");
        if (adds) c_ = last_c_;
        multiply(result(next_++), adds);
        ++waiting_;
        return true;
    }
    // Not in place: at the start of c, rows `width` apart.
    ACLIMB_API void write_block(const AscendC::GlobalTensor<C>& c, bool in_place, int32_t width) {
        if (waiting_ == 0) misuse(MisuseKind::unsupported, "GetTensorC found no result: call Iterate before it");
        const int which = waiting_ == 2 ? last_c_ ^ 1 : last_c_;
        const BlockOfC block = extent(block_of_[which]);
        made_.wait(which);
        c_full_[which] = false;
        AscendC::LocalTensor<uint64_t> words;
        if (quant_per_column) words = fetch_words(block);
        if constexpr (kCopiesOut) copy_out(c, which, block, words);
        else output.write(c, l0c(which), block, pitch_of_c(), org_m, width, in_place, quant_per_column ? &words : nullptr);
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
        rewind();
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
    using Cut::bias_bytes, Cut::check_part, Cut::extent, Cut::kL0, Cut::l1_bytes;
    static constexpr bool kCopiesOut = !std::is_null_pointer_v<std::remove_cv_t<decltype(MM_CB::copy_out)>>;

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
        check_part();
        order_ = {parts_of(part.m, tiling.baseM), parts_of(part.n, tiling.baseN), parts_of(part.k, tiling.baseK), tiling.iterateOrder == 1,
                  &Policy::skips};
        require_range("bytes of L1 for the blocks of A and B, bias and quantisation", l1_bytes(), 0, memory->bytes);
        const uint32_t of_b = memory->address + this->template bytes_of<true>(), of_bias = of_b + this->template bytes_of<false>();
        a.begin(this->template sizes_of<true>(), memory->address);
        b.begin(this->template sizes_of<false>(), of_b);
        bias.begin(of_bias);
        words_at_ = of_bias + bias_bytes();
        loaded_.take();
        read_.take();
        made_.take();
        taken_.take();
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

    // One for each block of C, in order; or one for each of its blocks along k.
    ACLIMB_API int32_t results() const { return order_.blocks() * (kEachK ? order_.k_blocks : 1); }
    ACLIMB_API Step result(int32_t number) const {
        Step step = order_.block(kEachK ? number / order_.k_blocks : number);
        if constexpr (kEachK) step.k = number % order_.k_blocks;
        return step;
    }

    ACLIMB_API void multiply(const Step& first, bool adds) {
        const BlockOfC block = extent(first);
        const int which = c_;
        block_of_[which] = first;
        if (c_used_[which]) taken_.wait(which);
        const bool with_bias = kHasBias && bias.is_set && !adds;
        const int32_t k_end = kEachK ? first.k + 1 : order_.k_blocks;
        for (Step step = first; step.k < k_end; ++step.k) {
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
            mmad(which, l0, block, step, step.k == first.k && !adds, with_bias && step.k == 0);
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
    ACLIMB_API void mmad(int which, int l0, const BlockOfC& block, const Step& step, bool begins, bool with_bias) {
        AscendC::MmadParams params;
        params.m = static_cast<uint16_t>(block.rows > 1 ? block.rows : 16); // one row would be read as a vector without fractals
        params.n = static_cast<uint16_t>(block.columns);
        params.k = static_cast<uint16_t>(min_of(tiling.baseK, part.k - step.k * tiling.baseK));
        params.cmatrixInitVal = begins;
        params.kDirectionAlign = kBits<A> == 32;
        if (!begins) AscendC::PipeBarrier<PIPE_M>(); // the sum before is complete
        if (with_bias) {
            AscendC::Mmad(l0c(which), l0a(l0), l0b(l0), bias.table(), params);
            bias.used();
        } else if constexpr (Cut::kIsSparse) {
            AscendC::MmadWithSparse(l0c(which), l0a(l0), l0b(l0), params);
        } else {
            AscendC::Mmad(l0c(which), l0a(l0), l0b(l0), params);
        }
    }

    // One word for each column of the block, through L1.
    ACLIMB_API AscendC::LocalTensor<uint64_t> fetch_words(const BlockOfC& block) {
        words_full_.take();
        words_free_.take();
        AscendC::LocalTensor<uint64_t> words(AscendC::TPosition::C1, words_at_, static_cast<uint32_t>(tiling.baseN));
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
    uint32_t words_at_ = 0; // of L1
    int32_t next_ = 0, waiting_ = 0;
    int l0_ = 0, c_ = 0, last_c_ = 0;
    bool l0_used_[2] = {}, c_full_[2] = {}, c_used_[2] = {}, words_used_ = false, started_ = false;
};

} // namespace aclimb
