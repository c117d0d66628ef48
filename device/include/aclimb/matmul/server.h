// SPDX-License-Identifier: Apache-2.0
// A Matmul object on the AIC of a mixed kernel: it does what AIVs ask for. Each AIV has a MatmulCore of its own; they take turns.
#pragma once
#include "aclimb/matmul/group.h"
#include "aclimb/matmul/impl.h"

namespace aclimb {

template <ACLIMB_MATMUL_PARAMETERS> class MatmulServer {
    using Core = MatmulCore<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;
    using C = typename Core::C;

  public:
    static constexpr int kAivs = 2;

    ACLIMB_SHARED void init(const TCubeTiling* tiling, AscendC::TPipe* tpipe, MatmulMemory* shared, uint32_t bytes) {
        const OnBehalf line(__builtin_return_address(0));
        for (Core& core : cores_) {
            end_core(&core);
            core.take_tiling(tiling);
            core.bias.is_set = false;
        }
        for (MatmulState& state : known_) state = {};
        const uint32_t wanted = cores_[0].most_l1_bytes();
        MatmulMemory* memory = shared ? shared : own_memory();
        for (Core& core : cores_) core.memory = memory;
        if (memory->bytes >= wanted) return;
        const uint32_t taken = shared && bytes > wanted ? bytes : wanted;
        AscendC::TBuf<AscendC::TPosition::A1> buffer;
        (tpipe ? tpipe : GetTPipePtr())->InitBuffer(buffer, taken);
        memory->address = static_cast<uint32_t>(buffer.template Get<uint8_t>().place.addr);
        memory->bytes = taken;
    }
    ACLIMB_API uint32_t l1_bytes(const TCubeTiling* tiling) {
        cores_[0].take_tiling(tiling);
        return cores_[0].most_l1_bytes();
    }
    ACLIMB_API MatmulMemory* own_memory() { return &cores_[0].own; }

    // True: the AIC stays with this AIV, whose result is in L0C.
    ACLIMB_SHARED bool serve(const Message& message, int32_t aiv, MatmulGroup& group) {
        const OnBehalf line(message.line);
        Core& core = cores_[aiv];
        if (static_cast<MatmulFunction>(message.body[0]) == MatmulFunction::init) {
            MatmulInit call;
            __builtin_memcpy(&call, message.body, sizeof call);
            group.turn_to(&core, end_core);
            init(&call.tiling, nullptr, core.memory == own_memory() ? nullptr : core.memory, 0);
            return false;
        }
        MatmulCall call;
        __builtin_memcpy(&call, message.body, sizeof call);
        group.turn_to(&core, end_core);
        if (call.function == MatmulFunction::end) {
            end_core(&core);
            return false;
        }
        take(core, known_[aiv], call.state);
        compute(core, call, aiv);
        return core.has_results();
    }
    ACLIMB_API void end() {
        for (Core& core : cores_) end_core(&core);
    }

  private:
    // Each of the long ones is compiled once, however many calls lead to it.
    ACLIMB_SHARED static void end_core(void* core) { static_cast<Core*>(core)->end(); }
    ACLIMB_SHARED static void rewind(Core& core) { core.rewind(); }
    ACLIMB_SHARED static bool make_block(Core& core, bool adds) { return core.make_block(adds); }
    ACLIMB_SHARED static void write_block(Core& core, const AscendC::GlobalTensor<C>& c, bool in_place, int32_t width) {
        core.write_block(c, in_place, width);
    }

    template <typename T> ACLIMB_API static void point(AscendC::GlobalTensor<T>& tensor, const Place& place) {
        tensor.place = place;
        tensor.size = place.size * 8 / kBits<T>;
    }
    template <class Operand> ACLIMB_API static void set(Operand& operand, const Place& place, bool transposed, uint64_t scalar) {
        using T = typename Operand::T;
        operand.transposed = transposed;
        if constexpr (Operand::kStaysInL1) operand.l1 = AscendC::LocalTensor<T>(place, AscendC::TPosition::TSCM);
        else point(operand.gm, place);
        if constexpr (Operand::kIsScalar) operand.scalar = value_of<T>(scalar);
    }
    ACLIMB_API static void take(Core& core, MatmulState& known, const MatmulState& state) {
        if (!__builtin_memcmp(&known, &state, sizeof state)) return;
        rewind(core);
        known = state;
        set(core.a, state.a, state.a_transposed, state.scalar_a);
        set(core.b, state.b, state.b_transposed, state.scalar_b);
        core.a.user_info = core.b.user_info = state.user_info;
        core.a.user_data = core.b.user_data = state.user_data;
        if constexpr (Core::kHasBias) point(core.bias.gm, state.bias);
        core.bias.is_set = state.has_bias;
        point(core.quant_words, state.words);
        core.quant_per_column = state.quant_per_column;
        core.output.quant_word = state.quant_word;
        core.part = state.part;
        core.org_m = state.org_m;
        core.org_n = state.org_n;
        core.org_ka = state.org_ka;
        core.org_kb = state.org_kb;
        core.org_kc = state.org_kc;
        AscendC::SetHF32Mode(state.hf32);
        AscendC::SetHF32TransMode(state.hf32_mode);
    }

    ACLIMB_API static void compute(Core& core, const MatmulCall& call, int32_t aiv) {
        AscendC::GlobalTensor<C> c;
        point(c, call.c);
        switch (call.function) {
        case MatmulFunction::all: {
            const Atomic atomic(call.atomic);
            rewind(core);
            while (make_block(core, false)) write_block(core, c, true, 0);
            break;
        }
        case MatmulFunction::block:
            core.seek(call.block);
            make_block(core, call.adds);
            break;
        case MatmulFunction::result: {
            const Atomic atomic(call.atomic);
            write_block(core, c, call.in_place, call.width);
            break;
        }
        case MatmulFunction::blocks: return write_all(core, c, aiv);
        default: break;
        }
        if (call.answers) answer_all(aiv);
    }
    // One behind the other, each with an answer.
    ACLIMB_API static void write_all(Core& core, const AscendC::GlobalTensor<C>& workspace, int32_t aiv) {
        uint64_t offset = 0;
        rewind(core);
        while (make_block(core, false)) {
            const BlockOfC block = core.last_block();
            write_block(core, workspace[offset], false, packed_width<C_TYPE>(block.columns));
            offset += static_cast<uint64_t>(packed_elements<C_TYPE>(block.rows, block.columns));
            answer_all(aiv);
        }
    }
    // Where both AIVs give the same A and B, the first one's call is that of both.
    ACLIMB_API static void answer_all(int32_t aiv) {
        if constexpr (A_TYPE::ibShare && B_TYPE::ibShare) {
            for (int32_t each = 0; each < kAivs; ++each) answer(each);
        } else {
            answer(aiv);
        }
    }

    // Not AtomicWhile: whether a kernel uses atomics is said by the calls of its AIVs.
    struct Atomic {
        ACLIMB_API explicit Atomic(uint8_t mode) {
            core()->atomic_op = static_cast<AtomicOp>(mode);
            core()->atomic_dtype = dtype_of<C>();
        }
        ACLIMB_API ~Atomic() { core()->atomic_op = AtomicOp::none; }
    };

    Core cores_[kAivs];
    MatmulState known_[kAivs] = {};
};

} // namespace aclimb
