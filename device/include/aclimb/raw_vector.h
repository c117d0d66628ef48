// SPDX-License-Identifier: Apache-2.0
// The vector unit by its raw intrinsics: thin names over the calls that issue the same records. They take pointers into UB, which are byte
// offsets here as everywhere (LocalTensor::GetPhyAddr), and work under the mask register as it is.
#pragma once
#include "aclimb/cast.h"
#include "aclimb/reduce.h"
#include "aclimb/vector_binary.h"
#include "aclimb/vector_fill.h"
#include "aclimb/vector_scalar.h"
#include "aclimb/vector_unary.h"

// What vcmax and vcmin leave; the numbers are ReduceOrder's.
enum Order_t : uint8_t { VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };

namespace aclimb {

// A tensor from a pointer into a local memory to the end of that memory.
template <TPosition position, typename T> ACLIMB_API LocalTensor<std::remove_const_t<T>> raw(T* pointer) {
    LocalTensor<std::remove_const_t<T>> tensor;
    put_tensor(tensor, position, reinterpret_cast<uint64_t>(pointer), 0);
    return tensor;
}
template <typename T> ACLIMB_API auto raw_ub(T* pointer) { return raw<TPosition::VECCALC>(pointer); }
template <typename T> ACLIMB_API GlobalTensor<std::remove_const_t<T>> raw_gm(T* pointer) {
    GlobalTensor<std::remove_const_t<T>> tensor;
    tensor.SetGlobalBuffer(const_cast<std::remove_const_t<T>*>(pointer));
    return tensor;
}

// A field of the instruction, which has no more bits than this.
template <typename Field> ACLIMB_API Field raw_field(const char* name, int64_t value) {
    require_range(name, value, 0, static_cast<int64_t>(static_cast<Field>(-1)));
    return static_cast<Field>(value);
}
ACLIMB_API AscendC::UnaryRepeatParams raw_unary(int64_t dst_block, int64_t src_block, int64_t dst_repeat, int64_t src_repeat) {
    return {raw_field<uint16_t>("dstBlockStride", dst_block), raw_field<uint16_t>("srcBlockStride", src_block),
            raw_field<uint8_t>("dstRepeatStride", dst_repeat), raw_field<uint8_t>("srcRepeatStride", src_repeat)};
}

} // namespace aclimb

#define ACLIMB_RAW_BINARY(name, api)                                                                                                       \
    template <typename T> ACLIMB_API void name(T* dst, T* src0, T* src1, int32_t repeat, int64_t dstBlockStride, int64_t src0BlockStride,  \
                                               int64_t src1BlockStride, int64_t dstRepeatStride, int64_t src0RepeatStride,                 \
                                               int64_t src1RepeatStride) {                                                                 \
        const AscendC::BinaryRepeatParams params(aclimb::raw_field<uint8_t>("dstBlockStride", dstBlockStride),                             \
                                                 aclimb::raw_field<uint8_t>("src0BlockStride", src0BlockStride),                           \
                                                 aclimb::raw_field<uint8_t>("src1BlockStride", src1BlockStride),                           \
                                                 aclimb::raw_field<uint8_t>("dstRepeatStride", dstRepeatStride),                           \
                                                 aclimb::raw_field<uint8_t>("src0RepeatStride", src0RepeatStride),                         \
                                                 aclimb::raw_field<uint8_t>("src1RepeatStride", src1RepeatStride));                        \
        AscendC::api<T, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src0), aclimb::raw_ub(src1), AscendC::MASK_PLACEHOLDER, repeat,         \
                               params);                                                                                                    \
    }
ACLIMB_RAW_BINARY(vadd, Add)
ACLIMB_RAW_BINARY(vsub, Sub)
ACLIMB_RAW_BINARY(vmul, Mul)
ACLIMB_RAW_BINARY(vdiv, Div)
ACLIMB_RAW_BINARY(vmax, Max)
ACLIMB_RAW_BINARY(vmin, Min)
ACLIMB_RAW_BINARY(vand, And)
ACLIMB_RAW_BINARY(vor, Or)
ACLIMB_RAW_BINARY(vmla, MulAddDst)

#define ACLIMB_RAW_UNARY(name, api)                                                                                                        \
    template <typename T> ACLIMB_API void name(T* dst, T* src, int32_t repeat, int64_t dstBlockStride, int64_t srcBlockStride,             \
                                               int64_t dstRepeatStride, int64_t srcRepeatStride) {                                         \
        AscendC::api<T, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src), AscendC::MASK_PLACEHOLDER, repeat,                                \
                               aclimb::raw_unary(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));                       \
    }
ACLIMB_RAW_UNARY(vexp, Exp)
ACLIMB_RAW_UNARY(vln, Ln)
ACLIMB_RAW_UNARY(vabs, Abs)
ACLIMB_RAW_UNARY(vsqrt, Sqrt)
ACLIMB_RAW_UNARY(vrsqrt, Rsqrt)
ACLIMB_RAW_UNARY(vrec, Reciprocal)
ACLIMB_RAW_UNARY(vrelu, Relu)
ACLIMB_RAW_UNARY(vnot, Not)

#define ACLIMB_RAW_SCALAR(name, api)                                                                                                       \
    template <typename T> ACLIMB_API void name(T* dst, T* src, aclimb::plain<T> scalar, int32_t repeat, int64_t dstBlockStride,            \
                                               int64_t srcBlockStride, int64_t dstRepeatStride, int64_t srcRepeatStride) {                 \
        AscendC::api<T, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src), scalar, AscendC::MASK_PLACEHOLDER, repeat,                        \
                               aclimb::raw_unary(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));                       \
    }
ACLIMB_RAW_SCALAR(vadds, Adds)
ACLIMB_RAW_SCALAR(vmuls, Muls)
ACLIMB_RAW_SCALAR(vmaxs, Maxs)
ACLIMB_RAW_SCALAR(vmins, Mins)

// vconv_<from>2<to> and how it rounds: r to even, f down, c up, z towards zero, a half away from zero, o to odd.
#define ACLIMB_RAW_CONVERSION(name, from, to, round)                                                                                       \
    ACLIMB_API void name(to* dst, from* src, int32_t repeat, int64_t dstBlockStride, int64_t srcBlockStride, int64_t dstRepeatStride,      \
                         int64_t srcRepeatStride) {                                                                                        \
        AscendC::Cast<to, from, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src), AscendC::RoundMode::round, AscendC::MASK_PLACEHOLDER,     \
                                       repeat, aclimb::raw_unary(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));       \
    }
#define ACLIMB_RAW_CONVERSIONS(name, from, to)                                                                                             \
    ACLIMB_RAW_CONVERSION(name##r, from, to, CAST_RINT)                                                                                    \
    ACLIMB_RAW_CONVERSION(name##f, from, to, CAST_FLOOR)                                                                                   \
    ACLIMB_RAW_CONVERSION(name##c, from, to, CAST_CEIL)                                                                                    \
    ACLIMB_RAW_CONVERSION(name##z, from, to, CAST_TRUNC)                                                                                   \
    ACLIMB_RAW_CONVERSION(name##a, from, to, CAST_ROUND)
ACLIMB_RAW_CONVERSION(vconv_f162f32, half, float, CAST_NONE)
ACLIMB_RAW_CONVERSION(vconv_f322f16, float, half, CAST_NONE)
ACLIMB_RAW_CONVERSION(vconv_f322f16o, float, half, CAST_ODD)
ACLIMB_RAW_CONVERSIONS(vconv_f322f16, float, half)
ACLIMB_RAW_CONVERSION(vconv_bf162f32, bfloat16_t, float, CAST_NONE)
ACLIMB_RAW_CONVERSIONS(vconv_f322bf16, float, bfloat16_t)
ACLIMB_RAW_CONVERSION(vconv_s322f32, int32_t, float, CAST_NONE)
ACLIMB_RAW_CONVERSIONS(vconv_f322s32, float, int32_t)

// --- reductions
template <typename T>
ACLIMB_API void vcadd(T* dst, T* src, int32_t repeat, int64_t dstRepeatStride, int64_t srcBlockStride, int64_t srcRepeatStride, bool mode) {
    if (__builtin_expect(mode, 0))
        aclimb::misuse(aclimb::MisuseKind::unsupported, "vcadd with mode true, which adds up in a register, is not here: use false");
    AscendC::WholeReduceSum<T, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src), AscendC::MASK_PLACEHOLDER, repeat,
                                      static_cast<int32_t>(dstRepeatStride), static_cast<int32_t>(srcBlockStride),
                                      static_cast<int32_t>(srcRepeatStride));
}
#define ACLIMB_RAW_EXTREME(name, api)                                                                                                      \
    template <typename T> ACLIMB_API void name(T* dst, T* src, int32_t repeat, int64_t dstRepeatStride, int64_t srcBlockStride,            \
                                               int64_t srcRepeatStride, Order_t order) {                                                   \
        AscendC::api<T, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src), AscendC::MASK_PLACEHOLDER, repeat,                                \
                               static_cast<int32_t>(dstRepeatStride), static_cast<int32_t>(srcBlockStride),                                \
                               static_cast<int32_t>(srcRepeatStride), static_cast<AscendC::ReduceOrder>(order));                           \
    }
ACLIMB_RAW_EXTREME(vcmax, WholeReduceMax)
ACLIMB_RAW_EXTREME(vcmin, WholeReduceMin)
#define ACLIMB_RAW_BLOCKS(name, api)                                                                                                       \
    template <typename T>                                                                                                                  \
    ACLIMB_API void name(T* dst, T* src, int32_t repeat, int64_t dstRepeatStride, int64_t srcBlockStride, int64_t srcRepeatStride) {       \
        AscendC::api<T, false>(aclimb::raw_ub(dst), aclimb::raw_ub(src), repeat, AscendC::MASK_PLACEHOLDER,                                \
                               static_cast<int32_t>(dstRepeatStride), static_cast<int32_t>(srcBlockStride),                                \
                               static_cast<int32_t>(srcRepeatStride));                                                                     \
    }
ACLIMB_RAW_BLOCKS(vcgadd, BlockReduceSum)
ACLIMB_RAW_BLOCKS(vcgmax, BlockReduceMax)
ACLIMB_RAW_BLOCKS(vcgmin, BlockReduceMin)
ACLIMB_RAW_BLOCKS(vcpadd, PairReduceSum)

// --- fill
template <typename T> ACLIMB_API void vector_dup(T* dst, aclimb::plain<T> scalar, int32_t repeat, int64_t dstBlockStride, int64_t,
                                                 int64_t dstRepeatStride, int64_t) {
    AscendC::Duplicate<T, false>(aclimb::raw_ub(dst), scalar, AscendC::MASK_PLACEHOLDER, repeat,
                                 aclimb::raw_field<uint16_t>("dstBlockStride", dstBlockStride),
                                 aclimb::raw_field<uint8_t>("dstRepeatStride", dstRepeatStride));
}
template <typename T> ACLIMB_API void vbrcb(T* dst, T* src, int64_t dstBlockStride, int64_t dstRepeatStride, int32_t repeat) {
    AscendC::Brcb(aclimb::raw_ub(dst), aclimb::raw_ub(src), repeat,
                  AscendC::BrcbRepeatParams(aclimb::raw_field<uint16_t>("dstBlockStride", dstBlockStride),
                                            aclimb::raw_field<uint16_t>("dstRepeatStride", dstRepeatStride)));
}
