// SPDX-License-Identifier: Apache-2.0
// The Matmul object of a mixed kernel, as its code calls it. On AIVs a call becomes a message; on the AIC, where the same code is compiled
// but never reached, it is nothing, and the object serves.
#pragma once
#include "aclimb/matmul/client_batch.h"
#include "aclimb/matmul/server.h"

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class MM_CB,
          template <const auto&, typename...> class MATMUL_POLICY>
class MatmulMixed {
    using A = typename A_TYPE::T;
    using B = typename B_TYPE::T;
    using C = typename C_TYPE::T;
    using Client = aclimb::MatmulBatchClient<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MATMUL_POLICY<MM_CFG>>;
    using Server = aclimb::MatmulServer<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;
    static constexpr const MatmulConfig& kConfig = aclimb::config_of(MM_CFG);
    static constexpr bool kAsks = aclimb::kIsVector;
    static constexpr bool kUb = C_TYPE::pos != TPosition::GM && C_TYPE::pos != TPosition::CO1;
    static_assert(C_TYPE::pos != TPosition::CO1,
                  "aclimb: C at TPosition::CO1 belongs to kernels of the AIC alone: #define ASCENDC_CUBE_ONLY");

  public:
    using AType = A_TYPE;
    using BType = B_TYPE;
    using CType = C_TYPE;
    using BiasType = BIAS_TYPE;
    static constexpr bool aclimb_is_remote = true;

    // --- registration

    ACLIMB_API void Init(const TCubeTiling* cubeTiling, TPipe* tpipe = nullptr) {
        static_assert(kConfig.enableInit, "aclimb: Init is switched off by MatmulConfig::enableInit");
        if constexpr (kAsks) side_.init(cubeTiling);
        else side_.init(cubeTiling, tpipe, nullptr, 0);
    }
    ACLIMB_API void aclimb_init(const TCubeTiling* tiling, TPipe* tpipe, aclimb::MatmulMemory* shared, uint32_t bytes) {
        if constexpr (!kAsks) side_.init(tiling, tpipe, shared, bytes);
    }
    ACLIMB_API uint32_t aclimb_l1_bytes(const TCubeTiling* tiling) {
        if constexpr (!kAsks) return side_.l1_bytes(tiling);
        else return 0;
    }
    ACLIMB_API aclimb::MatmulMemory* aclimb_memory() {
        if constexpr (!kAsks) return side_.own_memory();
        else return nullptr;
    }
    ACLIMB_API auto& aclimb_side() { return side_; }

    // --- operands

    ACLIMB_API void SetTensorA(const GlobalTensor<A>& gm, bool isTransposeA = false) {
        if constexpr (kAsks) set<A_TYPE>(side_.state.a, side_.a_ub, gm, isTransposeA, side_.state.a_transposed);
    }
    ACLIMB_API void SetTensorA(const LocalTensor<A>& leftMatrix, bool isTransposeA = false) {
        if constexpr (kAsks) set<A_TYPE>(side_.state.a, side_.a_ub, leftMatrix, isTransposeA, side_.state.a_transposed);
    }
    ACLIMB_API void SetTensorA(A aScalar) {
        if constexpr (kAsks) set<A_TYPE>(side_.state.scalar_a, aScalar);
    }
    ACLIMB_API void SetTensorB(const GlobalTensor<B>& gm, bool isTransposeB = false) {
        if constexpr (kAsks) set<B_TYPE>(side_.state.b, side_.b_ub, gm, isTransposeB, side_.state.b_transposed);
    }
    ACLIMB_API void SetTensorB(const LocalTensor<B>& rightMatrix, bool isTransposeB = false) {
        if constexpr (kAsks) set<B_TYPE>(side_.state.b, side_.b_ub, rightMatrix, isTransposeB, side_.state.b_transposed);
    }
    ACLIMB_API void SetTensorB(B bScalar) {
        if constexpr (kAsks) set<B_TYPE>(side_.state.scalar_b, bScalar);
    }
    ACLIMB_API void SetBias(const GlobalTensor<typename BIAS_TYPE::T>& biasGlobal) {
        if constexpr (kAsks) {
            has_bias();
            side_.state.bias = biasGlobal.place;
            side_.bias_ub = {};
        }
    }
    ACLIMB_API void SetBias(const LocalTensor<typename BIAS_TYPE::T>& inputBias) {
        if constexpr (kAsks) {
            has_bias();
            side_.bias_ub = inputBias;
        }
    }
    ACLIMB_API void DisableBias() {
        if constexpr (kAsks) {
            side_.state.has_bias = false;
            side_.bias_ub = {};
        }
    }
    ACLIMB_API void ClearBias() { DisableBias(); }
    ACLIMB_API void SetQuantScalar(const uint64_t quantScalar) {
        if constexpr (kAsks) {
            side_.state.quant_word = quantScalar;
            side_.state.quant_per_column = false;
        }
    }
    ACLIMB_API void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) {
        static_assert(kConfig.enableQuantVector, "aclimb: SetQuantVector is switched off by MatmulConfig::enableQuantVector");
        if constexpr (kAsks) {
            side_.state.words = quantTensor.place;
            side_.state.quant_per_column = true;
        }
    }
    ACLIMB_API void SetUserDefInfo(const uint64_t tilingPtr) {
        if constexpr (kAsks) side_.state.user_info = tilingPtr;
    }
    ACLIMB_API void SetSelfDefineData(const uint64_t dataPtr) {
        if constexpr (kAsks) side_.state.user_data = dataPtr;
    }

    // --- shapes and modes

    ACLIMB_API void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) { SetSingleShape(tailM, tailN, tailK); }
    ACLIMB_API void SetSingleShape(int singleM = -1, int singleN = -1, int singleK = -1) {
        if constexpr (kAsks) {
            side_.rewind();
            if (singleM != -1) side_.state.part.m = singleM;
            if (singleN != -1) side_.state.part.n = singleN;
            if (singleK != -1) side_.state.part.k = singleK;
        }
    }
    ACLIMB_API void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK, 0); }
    ACLIMB_API void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
        if constexpr (kAsks) {
            side_.rewind();
            side_.state.org_m = orgM;
            side_.state.org_n = orgN;
            side_.state.org_ka = orgKa;
            side_.state.org_kb = orgKb;
            side_.state.org_kc = orgKc;
        }
    }
    ACLIMB_API void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
        if constexpr (kAsks) {
            side_.state.hf32 = enableHF32;
            side_.state.hf32_mode = transMode != 0;
        }
    }
    template <typename T> ACLIMB_API void SetWorkspace(GlobalTensor<T>& addr) {
        if constexpr (kAsks) side_.workspace = addr.place;
    }
    template <typename T> ACLIMB_API void SetWorkspace(const T* addr, int size) {
        if constexpr (kAsks) {
            GlobalTensor<T> tensor;
            tensor.SetGlobalBuffer(addr, static_cast<uint64_t>(size));
            side_.workspace = tensor.place;
        }
    }
    ACLIMB_API void SetLocalWorkspace(const LocalTensor<uint8_t>&) {} // of another product, where the object computes with UB
    ACLIMB_API void SetSubBlockIdx(uint8_t) {}                        // the core knows it
    ACLIMB_API uint8_t GetSubBlockIdx() { return static_cast<uint8_t>(aclimb::core()->sub_block_idx); }

    // --- products

    template <bool sync = true> ACLIMB_API bool Iterate(bool enPartialSum = false) {
        if constexpr (kAsks) return side_.iterate(sync, enPartialSum);
        else return false;
    }
    template <bool sync = true>
    ACLIMB_API void GetTensorC(const GlobalTensor<C>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
        if constexpr (kAsks) {
            uses_atomics(enAtomic);
            side_.get_c(gm.place, enAtomic, enSequentialWrite, sync);
        }
    }
    template <bool sync = true>
    ACLIMB_API void GetTensorC(const LocalTensor<C>& co2Local, uint8_t enAtomic = 0, bool enSequentialWrite = false) {
        static_assert(kUb, "aclimb: GetTensorC into UB needs a C type at TPosition::VECIN");
        if constexpr (kAsks) {
            uses_atomics(enAtomic);
            side_.get_c(co2Local, enAtomic, sync);
        }
    }
    template <bool sync = true> ACLIMB_API GlobalTensor<C> GetTensorC(uint8_t enAtomic = 0, bool enSequentialWrite = false) {
        static_assert(!sync, "aclimb: GetTensorC that returns a block of the workspace is GetTensorC<false>");
        GlobalTensor<C> found;
        if constexpr (kAsks) found.place = side_.get_c();
        return found;
    }
    ACLIMB_API void AsyncGetTensorC(const LocalTensor<C>& c) { GetTensorC<false>(c); }
    ACLIMB_API void WaitGetTensorC() {
        if constexpr (kAsks) side_.wait_fetched();
    }
    template <bool sync = true> ACLIMB_API void IterateAll(const GlobalTensor<C>& gm, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                                                           bool waitIterateAll = false, bool fakeMsg = false) {
        static_assert(!kConfig.isPartialOutput,
                      "aclimb: IterateAll needs a MatmulConfig without isPartialOutput; nearest: Iterate and GetTensorC");
        if constexpr (kAsks) {
            uses_atomics(enAtomic);
            if (!fakeMsg) side_.iterate_all(gm.place, enAtomic, sync, !sync && waitIterateAll);
        }
    }
    template <bool sync = true> ACLIMB_API void IterateAll(const LocalTensor<C>& ubCmatrix, uint8_t enAtomic = 0) {
        static_assert(kUb, "aclimb: IterateAll into UB needs a C type at TPosition::VECIN");
        if constexpr (kAsks) side_.iterate_all(ubCmatrix, enAtomic);
    }
    ACLIMB_API void WaitIterateAll() {
        if constexpr (kAsks) side_.wait_all();
    }
    ACLIMB_API void End() {
        if constexpr (kAsks) side_.end();
    }

    // --- batches

    template <bool sync = true, bool waitIterateBatch = false>
    ACLIMB_API void IterateBatch(const GlobalTensor<C>& gm, uint32_t batchA, uint32_t batchB, bool enSequentialWrite,
                                 const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0,
                                 const bool enPartialSum = false, const uint8_t enAtomic = 0) {
        check_batch(matrixStrideC, enPartialSum);
        if constexpr (kAsks) {
            uses_atomics(enAtomic);
            side_.iterate_batch(gm.place, batch(batchA, batchB, matrixStrideA, matrixStrideB, enAtomic), sync, !sync && waitIterateBatch);
        }
    }
    template <bool sync = true, bool waitIterateBatch = false>
    ACLIMB_API void IterateBatch(const LocalTensor<C>& ubCmatrix, uint32_t batchA, uint32_t batchB, bool enSequentialWrite,
                                 const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0,
                                 const bool enPartialSum = false, const uint8_t enAtomic = 0) {
        static_assert(sync && kUb, "aclimb: IterateBatch into UB is synchronous, and needs a C type at TPosition::VECIN");
        check_batch(matrixStrideC, enPartialSum);
        if constexpr (kAsks) side_.iterate_batch(ubCmatrix, batch(batchA, batchB, matrixStrideA, matrixStrideB, enAtomic));
    }
    template <bool sync = true, bool waitIterateBatch = false>
    ACLIMB_API void IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool enSequentialWrite,
                                  const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0) {
        static_assert(kConfig.isNBatch, "aclimb: IterateNBatch needs a MatmulConfig with isNBatch");
        check_batch(matrixStrideC, false);
        if constexpr (kAsks) side_.iterate_batches(batch(batchA, batchB, matrixStrideA, matrixStrideB, 0), static_cast<int32_t>(batchLoop));
    }
    template <bool sync = true>
    ACLIMB_API GlobalTensor<C> GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
        GlobalTensor<C> found;
        if constexpr (kAsks) found.place = side_.get_batch();
        return found;
    }
    template <bool sync = true>
    ACLIMB_API void GetBatchTensorC(const LocalTensor<C>& c, uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
        if constexpr (kAsks) side_.get_batch(c);
    }
    template <bool sync = true> ACLIMB_API GlobalTensor<C> GetBatchC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
        return GetBatchTensorC<sync>(batchA, batchB, enSequentialWrite);
    }
    ACLIMB_API void WaitIterateBatch() { WaitIterateAll(); }
    ACLIMB_MATMUL_REFUSED(SetBatchNum, "belongs to kernels of the AIC alone; IterateBatch of a mixed kernel is told batchA and batchB")
    ACLIMB_MATMUL_REFUSED(SetSparseIndex, "belongs to kernels of the AIC alone: #define ASCENDC_CUBE_ONLY")

  private:
    template <class Type, class Ub, class Tensor>
    ACLIMB_API void set(aclimb::Place& place, Ub& ub, const Tensor& tensor, bool transposed, uint8_t& is_transposed) {
        constexpr bool is_global = !std::is_same_v<Ub, Tensor>;
        static_assert(Type::pos != TPosition::TSCM, "aclimb: an operand at TPosition::TSCM is not supported yet in mixed kernels; nearest: "
                                                    "TPosition::GM, or TPosition::VECOUT for one in UB");
        static_assert(is_global || Type::pos != TPosition::GM, "aclimb: an operand in UB needs TPosition::VECOUT in its MatmulType");
        if (transposed && !Type::isTrans)
            aclimb::misuse(aclimb::MisuseKind::unsupported,
                           "SetTensorA or SetTensorB with a transposed matrix needs a MatmulType whose ISTRANS is true");
        side_.rewind();
        is_transposed = transposed;
        ub = {};
        if constexpr (is_global) place = tensor.place;
        else ub = tensor;
    }
    template <class Type, typename T> ACLIMB_API void set(uint64_t& bits, T scalar) {
        static_assert(Type::format == CubeFormat::SCALAR,
                      "aclimb: an operand that is one number needs CubeFormat::SCALAR in its MatmulType");
        side_.rewind();
        bits = aclimb::bits_of(scalar);
    }
    ACLIMB_API static aclimb::BatchCall batch(uint32_t a, uint32_t b, uint32_t stride_a, uint32_t stride_b, uint8_t atomic) {
        static_assert(A_TYPE::layout != LayoutMode::NONE,
                      "aclimb: IterateBatch needs a LAYOUT in its MatmulTypes, one for A and B: NORMAL, BSNGD, SBNGD or BNGS1S2");
        return {static_cast<int32_t>(a), static_cast<int32_t>(b), stride_a, stride_b, atomic};
    }
    ACLIMB_API static void check_batch(uint32_t stride_c, bool adds) {
        aclimb::require_range("matrixStrideC of IterateBatch, which is reserved", stride_c, 0, 0);
        if (adds)
            aclimb::misuse(aclimb::MisuseKind::unsupported, "IterateBatch adds nothing to L0C: give enPartialSum false and enAtomic 1");
    }
    ACLIMB_API void has_bias() {
        static_assert(kConfig.enableSetBias, "aclimb: SetBias is switched off by MatmulConfig::enableSetBias");
        static_assert(!kConfig.isPartialOutput, "aclimb: a Matmul object with isPartialOutput takes no bias; add it to the sum");
        if (!side_.tiling.isBias)
            aclimb::misuse(aclimb::MisuseKind::unsupported,
                           "SetBias needs a tiling with isBias 1: call EnableBias(true) on the tiling before GetTiling");
        side_.state.has_bias = true;
    }
    // In the kernel's own code, so that a call without atomics leaves no trace of them.
    ACLIMB_API static void uses_atomics(uint8_t mode) {
        if (!mode) return;
        aclimb::require_range("enAtomic", mode, 1, 3);
        constexpr auto type = static_cast<uint64_t>(aclimb::dtype_of<C>());
        if constexpr (aclimb::is_one_of<C, half, bfloat16_t, float>) aclimb::fact<aclimb::Fact::float_atomic, type>();
        else aclimb::fact<aclimb::Fact::integer_atomic, type>();
    }

    std::conditional_t<kAsks, Client, Server> side_;
};

} // namespace AscendC
