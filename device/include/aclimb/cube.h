// SPDX-License-Identifier: Apache-2.0
// The cube: fractals into L0A and L0B, constants, and Mmad. All of it vanishes on an AIV.
#pragma once
#include "aclimb/cube_params.h"
#include "aclimb/data_copy.h"

namespace aclimb {

template <typename T> ACLIMB_API void load_2d(const Place& dst, const Place& src, const AscendC::LoadData2DParams& params, Pipe pipe) {
    if constexpr (cube_call(); kIsCube) {
        Load2D record{};
        record.dst = dst;
        record.src = src;
        record.start_index = params.startIndex;
        record.src_stride = params.srcStride;
        record.dst_gap = params.dstGap;
        record.repeat = params.repeatTimes;
        record.transpose = params.ifTranspose;
        record.address_mode = params.addrMode;
        issue(record, Op::load_2d, pipe, dtype_of<T>());
    }
}

template <typename C, typename A, typename B> constexpr bool check_mmad() {
    constexpr bool has = (std::is_same_v<C, float> && std::is_same_v<A, B> && is_one_of<A, half, bfloat16_t, float>) ||
                         (std::is_same_v<C, int32_t> && std::is_same_v<A, int8_t> && std::is_same_v<B, int8_t>);
    constexpr bool int4 = std::is_same_v<A, int4b_t> || std::is_same_v<B, int4b_t>;
    static_assert(!int4, "aclimb: AscendC::Mmad of int4b_t is not supported yet; nearest: int8_t * int8_t -> int32_t");
    static_assert(has || int4,
                  "aclimb: AscendC::Mmad takes half * half -> float, bfloat16_t * bfloat16_t -> float, float * float -> float and "
                  "int8_t * int8_t -> int32_t on Atlas A2 and A3; convert the inputs on the way to L1, and the result with Fixpipe");
    return has;
}

template <typename C, typename A>
ACLIMB_API void mmad(const Place& c, const Place& a, const Place& b, const Place& bias, bool has_bias, const AscendC::MmadParams& params) {
    if (params.enSsparse || params.enWinogradA || params.enWinogradB)
        misuse(MisuseKind::unsupported, "Mmad with enSsparse, enWinogradA or enWinogradB is not supported; leave them false");
    Mmad record{};
    record.dst = c;
    record.a = a;
    record.b = b;
    record.bias = bias;
    record.m = params.m;
    record.n = params.n;
    record.k = params.k;
    record.unit_flag = params.unitFlag;
    record.init = params.cmatrixInitVal;
    record.has_bias = has_bias;
    record.k_align = params.kDirectionAlign;
    issue(record, Op::mmad, Pipe::M, dtype_of<C>(), dtype_of<A>());
}

} // namespace aclimb

namespace AscendC {

// Whole fractals of 512 bytes, from L1 on MTE1 or straight from GM on MTE2.
template <typename T>
ACLIMB_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& loadDataParams) {
    aclimb::load_2d<T>(dst.place, src.place, loadDataParams, aclimb::Pipe::MTE1);
}
template <typename T>
ACLIMB_API void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const LoadData2DParams& loadDataParams) {
    aclimb::load_2d<T>(dst.place, src.place, loadDataParams, aclimb::Pipe::MTE2);
}

// C = A * B, or C += A * B when cmatrixInitVal is false.
template <typename C, typename A, typename B>
ACLIMB_API void Mmad(const LocalTensor<C>& dst, const LocalTensor<A>& fm, const LocalTensor<B>& filter, const MmadParams& mmadParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_mmad<C, A, B>()) {
        if (mmadParams.cmatrixSource || mmadParams.isBias)
            aclimb::misuse(aclimb::MisuseKind::unsupported,
                           "Mmad with cmatrixSource or isBias needs the bias tensor: call Mmad(dst, fm, filter, bias, params)");
        aclimb::mmad<C, A>(dst.place, fm.place, filter.place, aclimb::kNowhere, false, mmadParams);
    }
}
// ... plus a row of bias from the bias table.
template <typename C, typename A, typename B, typename V> ACLIMB_API void Mmad(const LocalTensor<C>& dst, const LocalTensor<A>& fm,
                                                                               const LocalTensor<B>& filter, const LocalTensor<V>& bias,
                                                                               const MmadParams& mmadParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_mmad<C, A, B>()) {
        static_assert(std::is_same_v<C, V>, "aclimb: the bias of AscendC::Mmad has the type of the result, float or int32_t");
        aclimb::mmad<C, A>(dst.place, fm.place, filter.place, bias.place, true, mmadParams);
    }
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

// Settings of LoadData 3D, which is not supported yet: nothing here reads them.
template <typename T> ACLIMB_API void SetLoadDataPaddingValue(const T) {}
ACLIMB_API void SetLoadDataBoundary(uint32_t) {}

} // namespace AscendC
