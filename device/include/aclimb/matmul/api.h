// SPDX-License-Identifier: Apache-2.0
// MatmulImpl: the methods of a Matmul object as kernels call them. The work is MatmulCore's; what is long is here once and not in every
// call, and its records carry the line of the call.
#pragma once
#include "aclimb/matmul/batch.h"

#define ACLIMB_MATMUL_ARGUMENTS A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY
#define ACLIMB_MATMUL_LONG __attribute__((noinline))
// Not ACLIMB_API: what is refused does not count as supported.
#define ACLIMB_MATMUL_REFUSED(call, sentence)                                                                                              \
    template <bool..., typename... More> void call(const More&...) {                                                                       \
        static_assert(aclimb::never<More...>, "aclimb: " #call " of Matmul " sentence);                                                    \
    }

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
class MatmulImpl {
    using Core = aclimb::MatmulCore<ACLIMB_MATMUL_ARGUMENTS>;
    using A = typename Core::A;
    using B = typename Core::B;
    using C = typename Core::C;
    using Sum = typename Core::Sum;
    static constexpr const MatmulConfig& kConfig = Core::kConfig;
    static constexpr const char* kTransposedA = "SetTensorA with isTransposeA needs a MatmulType of A whose ISTRANS is true";
    static constexpr const char* kTransposedB = "SetTensorB with isTransposeB needs a MatmulType of B whose ISTRANS is true";

  public:
    using AType = A_TYPE;
    using BType = B_TYPE;
    using CType = C_TYPE;
    using BiasType = BIAS_TYPE;
    static constexpr bool aclimb_is_remote = false;

    // --- tiling

    ACLIMB_API void Init(const TCubeTiling* cubeTiling, TPipe* tpipe = nullptr) {
        static_assert(kConfig.enableInit, "aclimb: Init is switched off by MatmulConfig::enableInit");
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) init(cubeTiling, tpipe, nullptr, 0);
    }
    // One of several objects that take turns: L1 is theirs together.
    ACLIMB_API void aclimb_init(const TCubeTiling* tiling, TPipe* tpipe, aclimb::MatmulMemory* shared, uint32_t bytes) {
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) init(tiling, tpipe, shared, bytes);
    }
    ACLIMB_API uint32_t aclimb_l1_bytes(const TCubeTiling* tiling) {
        if constexpr (aclimb::kIsCube) {
            core_.take_tiling(tiling);
            return core_.most_l1_bytes();
        } else {
            return 0;
        }
    }
    ACLIMB_API aclimb::MatmulMemory* aclimb_memory() { return &core_.own; }

    // --- operands

    ACLIMB_API void SetTensorA(const GlobalTensor<A>& gm, bool isTransposeA = false) { set(core_.a, gm, isTransposeA, kTransposedA); }
    ACLIMB_API void SetTensorA(const LocalTensor<A>& leftMatrix, bool isTransposeA = false) {
        set(core_.a, leftMatrix, isTransposeA, kTransposedA);
    }
    ACLIMB_API void SetTensorA(A aScalar) { set(core_.a, aScalar); }
    ACLIMB_API void SetTensorB(const GlobalTensor<B>& gm, bool isTransposeB = false) { set(core_.b, gm, isTransposeB, kTransposedB); }
    ACLIMB_API void SetTensorB(const LocalTensor<B>& rightMatrix, bool isTransposeB = false) {
        set(core_.b, rightMatrix, isTransposeB, kTransposedB);
    }
    ACLIMB_API void SetTensorB(B bScalar) { set(core_.b, bScalar); }
    ACLIMB_API void SetBias(const GlobalTensor<typename BIAS_TYPE::T>& biasGlobal) {
        static_assert(kConfig.enableSetBias, "aclimb: SetBias is switched off by MatmulConfig::enableSetBias");
        static_assert(!Core::kEachK, "aclimb: a Matmul object with isPartialOutput takes no bias; add it to the sum");
        static_assert(!Core::kIsSparse, "aclimb: a Matmul object with a sparse B takes no bias; MmadWithSparse has none");
        static_assert(Core::kBiasFits, "aclimb: the bias of a Matmul object is float or half on Atlas A2 and A3, int32_t for integers");
        if constexpr (aclimb::kIsCube) {
            if (!core_.tiling.isBias)
                aclimb::misuse(aclimb::MisuseKind::unsupported,
                               "SetBias needs a tiling with isBias 1: call EnableBias(true) on the tiling before GetTiling");
            core_.bias.gm = biasGlobal;
            core_.bias.is_set = true;
        }
    }
    ACLIMB_API void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) {
        static_assert(Core::kIsSparse, "aclimb: SetSparseIndex needs a SparseMatmulType as type of B");
        core_.b.positions = indexGlobal;
    }
    ACLIMB_API void DisableBias() { core_.bias.is_set = false; }
    ACLIMB_API void ClearBias() { core_.bias.is_set = false; }

    ACLIMB_API void SetQuantScalar(const uint64_t quantScalar) {
        core_.output.quant_word = quantScalar;
        core_.quant_per_column = false;
    }
    ACLIMB_API void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) {
        static_assert(kConfig.enableQuantVector, "aclimb: SetQuantVector is switched off by MatmulConfig::enableQuantVector");
        core_.quant_words = quantTensor;
        core_.quant_per_column = true;
    }
    ACLIMB_MATMUL_REFUSED(SetAntiQuantScalar,
                          "does not exist on Atlas A2 and A3; nearest: Cast, Adds and Muls of B on AIVs before the product")
    ACLIMB_MATMUL_REFUSED(SetAntiQuantVector,
                          "does not exist on Atlas A2 and A3; nearest: Cast, Adds and Muls of B on AIVs before the product")
    ACLIMB_API void SetUserDefInfo(const uint64_t tilingPtr) { core_.a.user_info = core_.b.user_info = tilingPtr; }
    ACLIMB_API void SetSelfDefineData(const uint64_t dataPtr) { core_.a.user_data = core_.b.user_data = dataPtr; }

    // --- shapes

    ACLIMB_API void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) { SetSingleShape(tailM, tailN, tailK); }
    ACLIMB_API void SetSingleShape(int singleM = -1, int singleN = -1, int singleK = -1) {
        if constexpr (aclimb::kIsCube) {
            core_.rewind();
            if (singleM != -1) core_.part.m = singleM;
            if (singleN != -1) core_.part.n = singleN;
            if (singleK != -1) core_.part.k = singleK;
        }
    }
    ACLIMB_API void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK, 0); }
    ACLIMB_API void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
        if constexpr (aclimb::kIsCube) {
            core_.rewind();
            core_.org_m = orgM;
            core_.org_n = orgN;
            core_.org_ka = orgKa;
            core_.org_kb = orgKb;
            core_.org_kc = orgKc;
        }
    }

    // --- modes

    ACLIMB_API void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
        if constexpr (aclimb::kIsCube) {
            SetHF32Mode(enableHF32);
            SetHF32TransMode(transMode != 0);
        }
    }
    ACLIMB_API void SetSubBlockIdx(uint8_t subBlockIdx) { sub_block_ = subBlockIdx; }
    ACLIMB_API uint8_t GetSubBlockIdx() { return sub_block_; }
    // Of what is written and waited for in mixed kernels, and of another product: nothing to do here.
    template <typename T> ACLIMB_API void SetWorkspace(GlobalTensor<T>&) {}
    template <typename T> ACLIMB_API void SetWorkspace(const T*, int) {}
    ACLIMB_API void SetLocalWorkspace(const LocalTensor<uint8_t>&) {}

    // --- products

    template <bool sync = true> ACLIMB_API bool Iterate(bool enPartialSum = false) {
        static_assert(sync, "aclimb: Iterate<false> belongs to mixed kernels; a Matmul object of the AIC alone takes Iterate<true>");
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) return iterate(enPartialSum, nullptr);
        else return false;
    }
    template <bool sync = true, typename T> ACLIMB_API bool Iterate(bool enPartialSum, const LocalTensor<T>& localCmatrix) {
        static_assert(C_TYPE::pos == TPosition::CO1, "aclimb: Iterate into a tensor of L0C needs a C type at TPosition::CO1");
        static_assert(std::is_same_v<T, Sum>, "aclimb: Iterate into L0C takes float, or int32_t for integers");
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) return iterate(enPartialSum, &localCmatrix);
        else return false;
    }
    template <bool sync = true>
    ACLIMB_API void GetTensorC(const GlobalTensor<C>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
        static_assert(kConfig.enableGetTensorC, "aclimb: GetTensorC is switched off by MatmulConfig::enableGetTensorC");
        static_assert(sync, "aclimb: GetTensorC<false> belongs to mixed kernels; a Matmul object of the AIC alone takes GetTensorC<true>");
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
            if (Core::kEachK && !enSequentialWrite)
                aclimb::misuse(
                    aclimb::MisuseKind::unsupported,
                    "GetTensorC of a Matmul object with isPartialOutput takes enSequentialWrite true: its results have no place in C");
            const aclimb::AtomicWhile<C> atomic(enAtomic);
            get_tensor_c(gm, !enSequentialWrite);
        }
    }
    template <bool sync = true> ACLIMB_API void IterateAll(const GlobalTensor<C>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                                                           bool waitIterateAll = false, bool fakeMsg = false) {
        static_assert(!Core::kEachK, "aclimb: IterateAll needs a MatmulConfig without isPartialOutput; nearest: Iterate and GetTensorC");
        static_assert(sync, "aclimb: IterateAll<false> belongs to mixed kernels; a Matmul object of the AIC alone takes IterateAll<true>");
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
            const aclimb::AtomicWhile<C> atomic(enAtomic);
            iterate_all(gm);
        }
    }
    ACLIMB_API void SetBatchNum(int32_t batchA, int32_t batchB) {
        batch_a_ = batchA;
        batch_b_ = batchB;
    }
    ACLIMB_API void IterateBatch(const GlobalTensor<C>& gm, bool enPartialSum, uint8_t enAtomic, bool enSequentialWrite,
                                 const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0) {
        if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
            if (enPartialSum)
                aclimb::misuse(
                    aclimb::MisuseKind::unsupported,
                    "IterateBatch adds nothing to L0C: give enPartialSum false and enAtomic 1; SetBatchNum says how many matrices");
            if (enSequentialWrite)
                aclimb::misuse(aclimb::MisuseKind::unsupported, "IterateBatch into global memory takes enSequentialWrite false");
            aclimb::require_range("matrixStrideC of IterateBatch, which is reserved", matrixStrideC, 0, 0);
            const aclimb::AtomicWhile<C> atomic(enAtomic);
            iterate_batch(gm, matrixStrideA, matrixStrideB);
        }
    }
    template <typename T, typename... More> ACLIMB_API void IterateBatch(const LocalTensor<T>&, More...) {
        static_assert(aclimb::never<T>, "aclimb: IterateBatch on the AIC alone writes to global memory; the UB belongs to AIVs");
    }
    ACLIMB_MATMUL_REFUSED(IterateNBatch, "belongs to mixed kernels; on the AIC alone call IterateBatch in a loop")
    ACLIMB_API void WaitIterateAll() {}
    ACLIMB_API void WaitGetTensorC() {}
    ACLIMB_API void End() {
        if constexpr (aclimb::kIsCube) end();
    }

  private:
    template <class Operand> ACLIMB_API void set_transposed(Operand& operand, bool transposed, bool is_allowed, const char* sentence) {
        if (transposed && !is_allowed) aclimb::misuse(aclimb::MisuseKind::unsupported, sentence);
        core_.rewind();
        operand.transposed = transposed;
    }
    template <class Operand, typename T>
    ACLIMB_API void set(Operand& operand, const GlobalTensor<T>& gm, bool transposed, const char* sentence) {
        if constexpr (aclimb::kIsCube) {
            static_assert(!Operand::kStaysInL1, "aclimb: an operand at TPosition::TSCM is set with a LocalTensor");
            set_transposed(operand, transposed, is_allowed(operand), sentence);
            operand.gm = gm;
        }
    }
    template <class Operand, typename T>
    ACLIMB_API void set(Operand& operand, const LocalTensor<T>& local, bool transposed, const char* sentence) {
        if constexpr (aclimb::kIsCube) {
            static_assert(Operand::kStaysInL1, "aclimb: on the AIC alone a Matmul object reads local tensors at TPosition::TSCM only");
            set_transposed(operand, transposed, is_allowed(operand), sentence);
            operand.l1 = local;
        }
    }
    template <class Operand, typename T> ACLIMB_API void set(Operand& operand, T scalar) {
        if constexpr (aclimb::kIsCube) {
            static_assert(Operand::kIsScalar, "aclimb: an operand that is one number needs CubeFormat::SCALAR in its MatmulType");
            core_.rewind();
            operand.scalar = scalar;
        }
    }
    ACLIMB_API static constexpr bool is_allowed(const decltype(Core::a)&) { return A_TYPE::isTrans; }
    ACLIMB_API static constexpr bool is_allowed(const decltype(Core::b)&) { return B_TYPE::isTrans; }

    ACLIMB_MATMUL_LONG void init(const TCubeTiling* tiling, TPipe* tpipe, aclimb::MatmulMemory* shared, uint32_t bytes) {
        const aclimb::OnBehalf line(__builtin_return_address(0));
        core_.end();
        core_.take_tiling(tiling);
        core_.bias.is_set = false;
        const uint32_t wanted = core_.most_l1_bytes();
        core_.memory = shared ? shared : &core_.own;
        if (core_.memory->bytes >= wanted) return;
        TBuf<TPosition::A1> buffer;
        (tpipe ? tpipe : GetTPipePtr())->InitBuffer(buffer, shared && bytes > wanted ? bytes : wanted);
        core_.memory->address = static_cast<uint32_t>(buffer.Get<uint8_t>().place.addr);
        core_.memory->bytes = shared && bytes > wanted ? bytes : wanted;
    }
    ACLIMB_MATMUL_LONG bool iterate(bool adds, const LocalTensor<Sum>* co1) {
        const aclimb::OnBehalf line(__builtin_return_address(0));
        core_.co1_ = co1;
        const bool made = core_.make_block(adds);
        if (made && co1) core_.hand_over();
        return made;
    }
    ACLIMB_MATMUL_LONG void get_tensor_c(const GlobalTensor<C>& gm, bool in_place) {
        const aclimb::OnBehalf line(__builtin_return_address(0));
        core_.write_block(gm, in_place, core_.tiling.baseN);
    }
    ACLIMB_MATMUL_LONG void iterate_all(const GlobalTensor<C>& gm) {
        const aclimb::OnBehalf line(__builtin_return_address(0));
        core_.rewind();
        while (core_.make_block(false)) core_.write_block(gm, true, 0);
    }
    ACLIMB_MATMUL_LONG void iterate_batch(const GlobalTensor<C>& gm, uint32_t stride_a, uint32_t stride_b) {
        const aclimb::OnBehalf line(__builtin_return_address(0));
        aclimb::iterate_batch(core_, aclimb::BatchOf<Core>::make(core_, batch_a_, batch_b_, stride_a, stride_b), gm);
    }
    ACLIMB_MATMUL_LONG void end() {
        const aclimb::OnBehalf line(__builtin_return_address(0));
        core_.end();
    }

    Core core_;
    int32_t batch_a_ = 0, batch_b_ = 0;
    uint8_t sub_block_ = 0;
};

} // namespace AscendC
