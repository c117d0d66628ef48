// SPDX-License-Identifier: Apache-2.0
// The cube: Mmad, and constants in L1 and L0. All of it vanishes on an AIV. What comes into L0A and L0B: cube_load.h.
#pragma once
#include "aclimb/cube_params.h"
#include "aclimb/data_copy.h"

namespace aclimb {

template <typename C, typename A, typename B> constexpr bool check_mmad() {
    constexpr bool has = std::is_same_v<A, B> && ((std::is_same_v<C, float> && is_one_of<A, half, bfloat16_t, float>) ||
                                                  (std::is_same_v<C, int32_t> && is_one_of<A, int8_t, int4b_t>));
    static_assert(has, "aclimb: AscendC::Mmad takes half * half -> float, bfloat16_t * bfloat16_t -> float, float * float -> float, "
                       "int8_t * int8_t -> int32_t and int4b_t * int4b_t -> int32_t on Atlas A2 and A3; convert the inputs on the way to "
                       "L1, and the result with Fixpipe");
    return has;
}

// fmOffset, enSsparse, enWinogradA and enWinogradB are of older products: A2 and A3 take them and do nothing with them. isBias, the older
// word for adding to what L0C holds, still does that.
template <typename C, typename A> ACLIMB_API void mmad(Op op, const Place& c, const Place& a, const Place& b, const Place& bias,
                                                       bool has_bias, const AscendC::MmadParams& params) {
    Mmad record{};
    record.dst = c;
    record.a = a;
    record.b = b;
    record.bias = bias;
    record.m = params.m;
    record.n = params.n;
    record.k = params.k;
    record.unit_flag = params.unitFlag;
    record.init = params.cmatrixInitVal && (has_bias || !params.isBias);
    record.has_bias = has_bias;
    record.k_align = params.kDirectionAlign;
    issue(record, op, Pipe::M, dtype_of<C>(), dtype_of<A>());
}

} // namespace aclimb

namespace AscendC {

// C = A * B, or C += A * B when cmatrixInitVal is false.
template <typename C, typename A, typename B>
ACLIMB_API void Mmad(const LocalTensor<C>& dst, const LocalTensor<A>& fm, const LocalTensor<B>& filter, const MmadParams& mmadParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_mmad<C, A, B>()) {
        if (mmadParams.cmatrixSource)
            aclimb::misuse(aclimb::MisuseKind::unsupported,
                           "Mmad with cmatrixSource needs the bias tensor: call Mmad(dst, fm, filter, bias, params)");
        aclimb::mmad<C, A>(aclimb::Op::mmad, dst.place, fm.place, filter.place, aclimb::kNowhere, false, mmadParams);
    }
}
// ... plus a row of bias from the bias table.
template <typename C, typename A, typename B, typename V> ACLIMB_API void Mmad(const LocalTensor<C>& dst, const LocalTensor<A>& fm,
                                                                               const LocalTensor<B>& filter, const LocalTensor<V>& bias,
                                                                               const MmadParams& mmadParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_mmad<C, A, B>()) {
        static_assert(std::is_same_v<C, V>, "aclimb: the bias of AscendC::Mmad has the type of the result, float or int32_t");
        aclimb::mmad<C, A>(aclimb::Op::mmad, dst.place, fm.place, filter.place, bias.place, true, mmadParams);
    }
}
// Of every four rows of the right matrix two are kept; LoadDataWithSparse brought them and their positions.
template <typename C = int32_t, typename A = int8_t> ACLIMB_API void
MmadWithSparse(const LocalTensor<C>& dst, const LocalTensor<A>& fm, const LocalTensor<A>& filter, const MmadParams& mmadParams) {
    static_assert(std::is_same_v<C, int32_t> && std::is_same_v<A, int8_t>,
                  "aclimb: AscendC::MmadWithSparse takes int8_t * int8_t -> int32_t");
    if constexpr (aclimb::cube_call(); aclimb::kIsCube)
        aclimb::mmad<C, A>(aclimb::Op::mmad_sparse, dst.place, fm.place, filter.place, aclimb::kNowhere, false, mmadParams);
}

// A constant into L1 (blocks of 32 bytes) or L0A, L0B (fractals of 512 bytes).
template <typename T, typename U = T>
ACLIMB_API void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<U>& initConstValueParams) {
    static_assert(sizeof(T) == sizeof(U), "aclimb: InitConstValueParams has a value of another size than the tensor's elements");
    if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
        aclimb::Fill record{};
        record.dst = dst.place;
        record.value = aclimb::bits_of(initConstValueParams.initValue);
        record.repeat = initConstValueParams.repeatTimes;
        record.blocks = initConstValueParams.blockNum;
        record.dst_gap = initConstValueParams.dstGap;
        record.element = sizeof(T);
        const bool l1 = dst.place.memory == static_cast<uint64_t>(aclimb::Memory::L1);
        aclimb::issue(record, aclimb::Op::fill, l1 ? aclimb::Pipe::MTE2 : aclimb::Pipe::MTE1, aclimb::dtype_of<T>());
    }
}
template <typename T, typename U = T> ACLIMB_API void Fill(const LocalTensor<T>& dst, const InitConstValueParams<U>& initConstValueParams) {
    InitConstValue(dst, initConstValueParams);
}

} // namespace AscendC
