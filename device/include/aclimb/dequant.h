// SPDX-License-Identifier: Apache-2.0
// Arithmetic that converts on the way: CastDequant with the parameters of SetDeqScale, AddDeqRelu, MulCast, AddReluCast, SubReluCast.
#pragma once
#include "aclimb/cast.h"

namespace AscendC {

constexpr uint8_t VDEQ_TENSOR_SIZE = 16;

struct VdeqInfo {
    constexpr VdeqInfo() = default;
    ACLIMB_API VdeqInfo(const float scales[VDEQ_TENSOR_SIZE], const int16_t offsets[VDEQ_TENSOR_SIZE], const bool signs[VDEQ_TENSOR_SIZE]) {
        for (int i = 0; i < VDEQ_TENSOR_SIZE; i++) {
            vdeqScale[i] = scales[i];
            vdeqOffset[i] = offsets[i];
            vdeqSignMode[i] = signs[i];
        }
    }
    float vdeqScale[VDEQ_TENSOR_SIZE] = {0};
    int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {0};
    bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {0};
};

} // namespace AscendC

namespace aclimb {

// Bits 0 to 31 the scale, 37 to 45 the offset, 46 the sign of the results.
ACLIMB_API uint64_t deq_word(float scale, int16_t offset, bool signMode) {
    require_range("offset of SetDeqScale", offset, -256, 255);
    return bits_of(scale) | (static_cast<uint64_t>(offset) & 0x1ff) << 37 | static_cast<uint64_t>(signMode) << 46;
}

// The 16 words that SetDeqScale wrote: their address is in the register, in units of 32 bytes.
ACLIMB_API Place deq_table() {
    const uint64_t block = core()->deq_scale & 0x3fff;
    return {block * AscendC::ONE_BLK_SIZE, AscendC::VDEQ_TENSOR_SIZE * sizeof(uint64_t), 0, kNoSlot, static_cast<uint64_t>(Memory::UB)};
}

template <typename T, typename U> constexpr bool check_dequant() {
    constexpr bool has =
        (is_one_of<T, int8_t, uint8_t> && std::is_same_v<U, int16_t>) || (std::is_same_v<T, half> && std::is_same_v<U, int32_t>);
    static_assert(has, "aclimb: AscendC::CastDequant converts int16_t to int8_t or uint8_t, and int32_t to half, on Atlas A2 and A3");
    return has;
}
template <bool isVecDeq, bool halfBlock, typename T> ACLIMB_API Vector dequant_operands(const Place& dst, const Place& src) {
    Vector record = operands(dst, src, isVecDeq && !std::is_same_v<T, half> ? deq_table() : kNowhere);
    record.scalar = core()->deq_scale;
    if constexpr (!std::is_same_v<T, half>) record.mode = (isVecDeq ? 1 : 0) | (halfBlock ? 2 : 0);
    return record;
}
template <typename T> constexpr Op dequant_op() { return std::is_same_v<T, half> ? Op::vconv : Op::vdeq; }

// Which pairs of destination and source a call has.
template <Op op, typename T, typename U> constexpr bool check_binary_cast() {
    constexpr bool deq = std::is_same_v<T, half> && std::is_same_v<U, int32_t>,
                   mul = is_one_of<T, int8_t, uint8_t> && std::is_same_v<U, half>;
    constexpr bool relu =
        (std::is_same_v<T, int8_t> && is_one_of<U, half, int16_t>) || (std::is_same_v<T, half> && std::is_same_v<U, float>);
    static_assert(op != Op::vadddeqrelu || deq, "aclimb: AscendC::AddDeqRelu converts int32_t to half");
    static_assert(op != Op::vmulconv || mul, "aclimb: AscendC::MulCast converts half to int8_t or uint8_t on Atlas A2 and A3");
    static_assert(op == Op::vadddeqrelu || op == Op::vmulconv || relu,
                  "aclimb: AscendC::AddReluCast and SubReluCast convert half or int16_t to int8_t, and float to half, on Atlas A2 and A3");
    return op == Op::vadddeqrelu ? deq : op == Op::vmulconv ? mul : relu;
}

template <Op op, typename T, typename U>
ACLIMB_API void binary_cast(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, int32_t count) {
    if constexpr (vector_call(); kIsVector && check_binary_cast<op, T, U>()) {
        Vector record = operands(dst.place, src0.place, src1.place);
        record.scalar = core()->deq_scale;
        issue_counted<op>(record, record, count, dtype_of<T>(), dtype_of<U>());
    }
}
template <Op op, bool isSetMask, typename T, typename U, typename Mask>
ACLIMB_API void binary_cast(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, Mask mask, int32_t repeat,
                            const AscendC::BinaryRepeatParams& params) {
    if constexpr (vector_call(); kIsVector && check_binary_cast<op, T, U>()) {
        Vector record = operands(dst.place, src0.place, src1.place);
        set_strides(record, params);
        record.scalar = core()->deq_scale;
        issue_masked<op, isSetMask, cast_lanes<T, U>()>(record, record, mask, repeat, dtype_of<T>(), dtype_of<U>());
    }
}

} // namespace aclimb

namespace AscendC {

ACLIMB_API void SetDeqScale(float scale, int16_t offset, bool signMode) {
    aclimb::core()->deq_scale = aclimb::deq_word(scale, offset, signMode);
}
// One set of parameters for each element of a block: written into vdeq, whose address the register takes.
template <typename T> ACLIMB_API void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
    static_assert(aclimb::is_one_of<T, uint64_t, int64_t>, "aclimb: the tensor of AscendC::SetDeqScale has the element type uint64_t");
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        for (uint32_t i = 0; i < VDEQ_TENSOR_SIZE; i++)
            vdeq.SetValue(i, aclimb::deq_word(vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i], vdeqInfo.vdeqSignMode[i]));
        aclimb::core()->deq_scale = vdeq.GetPhyAddr() / ONE_BLK_SIZE;
    }
}

// int32_t to half as Cast does; int16_t to 8 bits: the 16 results of a block fill the low half of one, or the high half.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
ACLIMB_API void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb::check_dequant<T, U>()) {
        aclimb::Vector record = aclimb::dequant_operands<isVecDeq, halfBlock, T>(dst.place, src.place);
        aclimb::issue_counted<aclimb::dequant_op<T>()>(record, record, static_cast<int32_t>(count), aclimb::dtype_of<T>(),
                                                       aclimb::dtype_of<U>());
    }
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true, typename Mask>
ACLIMB_API void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Mask& mask, const int32_t repeatTime,
                            const UnaryRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb::check_dequant<T, U>()) {
        aclimb::Vector record = aclimb::dequant_operands<isVecDeq, halfBlock, T>(dst.place, src.place);
        aclimb::set_strides(record, repeatParams);
        aclimb::issue_masked<aclimb::dequant_op<T>(), isSetMask, aclimb::lanes_of<U>()>(
            record, record, aclimb::mask_argument(mask), repeatTime, aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}
// The older name.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
ACLIMB_API void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    CastDequant<T, U, isVecDeq, halfBlock>(dst, src, count);
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true, typename Mask>
ACLIMB_API void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Mask& mask, const int32_t repeatTime,
                        const UnaryRepeatParams& repeatParams) {
    CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}

#define ACLIMB_BINARY_CAST(api, instruction)                                                                                               \
    template <typename T, typename U>                                                                                                      \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint32_t count) {         \
        aclimb::binary_cast<aclimb::Op::instruction>(dst, src0, src1, static_cast<int32_t>(count));                                        \
    }                                                                                                                                      \
    template <typename T, typename U, bool isSetMask = true, typename Mask>                                                                \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const Mask& mask,               \
                        const int32_t repeatTime, const BinaryRepeatParams& repeatParams) {                                                \
        aclimb::binary_cast<aclimb::Op::instruction, isSetMask>(dst, src0, src1, aclimb::mask_argument(mask), repeatTime, repeatParams);   \
    }
ACLIMB_BINARY_CAST(AddDeqRelu, vadddeqrelu)
ACLIMB_BINARY_CAST(MulCast, vmulconv)
ACLIMB_BINARY_CAST(AddReluCast, vaddreluconv)
ACLIMB_BINARY_CAST(SubReluCast, vsubreluconv)
#undef ACLIMB_BINARY_CAST
// AddDeqRelu<isSetMask>(...): its types are known.
template <bool isSetMask, typename Mask> ACLIMB_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                                                                    const LocalTensor<int32_t>& src1, const Mask& mask,
                                                                    const int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
    AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

} // namespace AscendC
