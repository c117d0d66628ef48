// SPDX-License-Identifier: Apache-2.0
// Cast between element types. Which round modes a pair has is the engine's to check; which pairs exist is known here.
#pragma once
#include "aclimb/vector_shapes.h"

namespace aclimb {

template <typename To, typename From> constexpr bool is_cast() {
    if constexpr (std::is_same_v<From, half>) return is_one_of<To, int4b_t, int8_t, uint8_t, int16_t, int32_t, float>;
    else if constexpr (std::is_same_v<From, float>) return is_one_of<To, int16_t, int32_t, int64_t, float, half, bfloat16_t>;
    else if constexpr (std::is_same_v<From, bfloat16_t>) return is_one_of<To, int32_t, float>;
    else if constexpr (is_one_of<From, int4b_t, int8_t, uint8_t>) return std::is_same_v<To, half>;
    else if constexpr (std::is_same_v<From, int16_t>) return is_one_of<To, half, float>;
    else if constexpr (std::is_same_v<From, int32_t>) return is_one_of<To, int16_t, half, float, int64_t>;
    else if constexpr (std::is_same_v<From, int64_t>) return is_one_of<To, int32_t, float>;
    else return false;
}

#define ACLIMB_REFUSE_CAST(from, targets)                                                                                                  \
    static_assert(!std::is_same_v<From, from> || is_cast<To, From>(),                                                                      \
                  "aclimb: AscendC::Cast has no such pair on Atlas A2 and A3; from " #from " it goes to " targets                          \
                  ". Cast in two steps, over half or float");
template <typename To, typename From> constexpr bool check_cast() {
    ACLIMB_REFUSE_CAST(half, "int4b_t, int8_t, uint8_t, int16_t, int32_t, float")
    ACLIMB_REFUSE_CAST(float, "int16_t, int32_t, int64_t, float, half, bfloat16_t")
    ACLIMB_REFUSE_CAST(bfloat16_t, "int32_t, float")
    ACLIMB_REFUSE_CAST(int4b_t, "half")
    ACLIMB_REFUSE_CAST(int8_t, "half")
    ACLIMB_REFUSE_CAST(uint8_t, "half")
    ACLIMB_REFUSE_CAST(int16_t, "half, float")
    ACLIMB_REFUSE_CAST(int32_t, "int16_t, half, float, int64_t")
    ACLIMB_REFUSE_CAST(int64_t, "int32_t, float")
    static_assert(is_one_of<From, half, float, bfloat16_t, int4b_t, int8_t, uint8_t, int16_t, int32_t, int64_t>,
                  "aclimb: AscendC::Cast starts from half, float, bfloat16_t, int4b_t, int8_t, uint8_t, int16_t, int32_t or int64_t on "
                  "Atlas A2 and A3");
    return is_cast<To, From>();
}
#undef ACLIMB_REFUSE_CAST

// A repeat covers what fits into 256 bytes of the wider type.
template <typename T, typename U> constexpr int cast_lanes() { return lanes_of<T>() < lanes_of<U>() ? lanes_of<T>() : lanes_of<U>(); }

template <typename T, typename U>
ACLIMB_API Vector cast_operands(const LocalTensor<T>& dst, const LocalTensor<U>& src, AscendC::RoundMode mode) {
    Vector record = operands(dst.place, src.place, kNowhere);
    record.mode = static_cast<uint8_t>(mode);
    if constexpr (std::is_same_v<T, half> && std::is_same_v<U, int32_t>) record.scalar = core()->deq_scale;
    return record;
}

} // namespace aclimb

namespace AscendC {

template <typename T, typename U>
ACLIMB_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count) {
    if constexpr (aclimb::kIsVector && aclimb::check_cast<T, U>()) {
        aclimb::Vector record = aclimb::cast_operands(dst, src, roundMode);
        aclimb::issue_counted<aclimb::Op::vconv>(record, record, static_cast<int32_t>(count), aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const Mask& mask,
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
    if constexpr (aclimb::kIsVector && aclimb::check_cast<T, U>()) {
        aclimb::Vector record = aclimb::cast_operands(dst, src, roundMode);
        aclimb::set_strides(record, repeatParams);
        aclimb::issue_masked<aclimb::Op::vconv, isSetMask, aclimb::cast_lanes<T, U>()>(
            record, record, aclimb::mask_argument(mask), repeatTime, aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}

} // namespace AscendC
