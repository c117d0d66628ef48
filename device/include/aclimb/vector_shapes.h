// SPDX-License-Identifier: Apache-2.0
// The call shapes of vector APIs, written once. README.md says how an API is added: one line next to its instruction.
//
//   count         Add(dst, a, b, n)                    n elements in a row; leaves the mask register NORMAL and full
//   mask, repeat  Add(dst, a, b, n, repeat, params)    the first n elements of every repeat
//   bits, repeat  Add(dst, a, b, bits[], repeat, ...)  the elements whose bit is set
// With isSetMask = false the mask register is used as it is; otherwise the call stores its mask there.
#pragma once
#include "aclimb/local_tensor.h"
#include "aclimb/params.h"
#include "aclimb/system.h"

namespace aclimb {

using AscendC::LocalTensor;

// Which types an API has. The sentence names API, type and way out; the compiler shows it at the user's line.
#define ACLIMB_REFUSE(api, type, advice, ...)                                                                                              \
    static_assert(has || !std::is_same_v<T, type>,                                                                                         \
                  "aclimb: AscendC::" #api " does not take " #type " on Atlas A2 and A3; it takes " #__VA_ARGS__ ". " advice);
#define ACLIMB_TYPES(api, ...)                                                                                                             \
    struct aclimb_types_##api {                                                                                                            \
        template <typename T> static constexpr bool check() {                                                                              \
            constexpr bool has = ::aclimb::is_one_of<T, __VA_ARGS__>;                                                                      \
            ACLIMB_REFUSE(api, bfloat16_t, "Cast to float first", __VA_ARGS__)                                                             \
            ACLIMB_REFUSE(api, half, "Cast to float first", __VA_ARGS__)                                                                   \
            ACLIMB_REFUSE(api, float, "Cast to one of them first", __VA_ARGS__)                                                            \
            ACLIMB_REFUSE(api, int8_t, "Cast to half first", __VA_ARGS__)                                                                  \
            ACLIMB_REFUSE(api, uint8_t, "Cast to half first", __VA_ARGS__)                                                                 \
            ACLIMB_REFUSE(api, int16_t, "Cast to one of them first", __VA_ARGS__)                                                          \
            ACLIMB_REFUSE(api, uint16_t, "Cast or ReinterpretCast to one of them first", __VA_ARGS__)                                      \
            ACLIMB_REFUSE(api, int32_t, "Cast or ReinterpretCast to one of them first", __VA_ARGS__)                                       \
            ACLIMB_REFUSE(api, uint32_t, "Cast or ReinterpretCast to one of them first", __VA_ARGS__)                                      \
            ACLIMB_REFUSE(api, int64_t, "Cast to int32_t or float first", __VA_ARGS__)                                                     \
            ACLIMB_REFUSE(api, uint64_t, "Cast to int32_t or float first", __VA_ARGS__)                                                    \
            static_assert(has || ::aclimb::is_one_of<T, bfloat16_t, half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,    \
                                                     int64_t, uint64_t>,                                                                   \
                          "aclimb: AscendC::" #api " does not take this type; on Atlas A2 and A3 it takes " #__VA_ARGS__);                 \
            return has;                                                                                                                    \
        }                                                                                                                                  \
    };

template <typename T, typename U, typename V = T> constexpr bool same_types() {
    static_assert(std::is_same_v<T, U> && std::is_same_v<T, V>,
                  "aclimb: the tensors of this call have different element types; Cast the sources to the type of the destination first");
    return std::is_same_v<T, U> && std::is_same_v<T, V>;
}

// --- the mask
template <int lanes> ACLIMB_API void set_mask(uint64_t first) {
    if (core()->mask_counted) set_mask_bits(0, first); // COUNTER: the number of elements of the whole call
    else set_mask_first(first);
}
template <int lanes> ACLIMB_API void set_mask(const uint64_t* bits) { set_mask_bits(lanes > 64 ? bits[1] : 0, bits[0]); }

// Both spellings of a mask behind one parameter: a number of elements, or an array of bits.
template <typename Mask> ACLIMB_API auto mask_argument(const Mask& mask) {
    if constexpr (std::is_array_v<Mask> || std::is_pointer_v<Mask>) return static_cast<const uint64_t*>(mask);
    else return static_cast<uint64_t>(mask);
}

ACLIMB_API void mask_from_register(Vector& record) {
    const CoreView* view = core();
    record.mask[0] = view->mask[0];
    record.mask[1] = view->mask[1];
    record.counted = view->mask_counted ? 2 : 0;
    record.count = view->mask_counted ? static_cast<uint32_t>(view->mask[0]) : 0;
}

// --- the two ways a filled record leaves. Vector APIs do nothing on an AIC.
template <Op op, typename Record> ACLIMB_API void issue_vector(Record& record, Dtype type, Dtype type2 = Dtype::none) {
    fact<Fact::vector>();
    issue(record, op, Pipe::V, type, type2);
}
template <Op op, typename Record>
ACLIMB_API void issue_counted(Record& record, Vector& vector, int32_t count, Dtype type, Dtype type2 = Dtype::none) {
    vector.counted = 1;
    vector.count = static_cast<uint32_t>(count);
    issue_vector<op>(record, type, type2);
    reset_mask();
}
template <Op op, bool isSetMask, int lanes, typename Record, typename Mask>
ACLIMB_API void issue_masked(Record& record, Vector& vector, Mask mask, int32_t repeat, Dtype type, Dtype type2 = Dtype::none) {
    if constexpr (isSetMask) set_mask<lanes>(mask);
    mask_from_register(vector);
    vector.repeat = repeat;
    issue_vector<op>(record, type, type2);
}

constexpr Stride kContiguous = {1, 8};

// Only the fields every reader looks at are set: a counted call has no mask, a call without a scalar no scalar. Clearing the rest
// would cost as much as a small instruction.
ACLIMB_API Vector operands(const Place& dst, const Place& a, const Place& b) {
    Vector record;
    record.head.where = nullptr;
    record.count = 0;
    record.repeat = 1;
    record.counted = record.mode = 0;
    record.extra = 0;
    record.scalar = 0;
    record.dst = dst;
    record.a = a;
    record.b = b;
    record.dst_stride = record.a_stride = record.b_stride = kContiguous;
    return record;
}
ACLIMB_API void set_strides(Vector& record, const AscendC::BinaryRepeatParams& params) {
    record.dst_stride = {params.dstBlkStride, params.dstRepStride};
    record.a_stride = {params.src0BlkStride, params.src0RepStride};
    record.b_stride = {params.src1BlkStride, params.src1RepStride};
}
ACLIMB_API void set_strides(Vector& record, const AscendC::UnaryRepeatParams& params) {
    record.dst_stride = {params.dstBlkStride, params.dstRepStride};
    record.a_stride = {params.srcBlkStride, params.srcRepStride};
}

// --- two sources
template <Op op, typename Types, typename T, typename U, typename V>
ACLIMB_API void binary(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<V>& src1, int32_t count) {
    if constexpr (kIsVector && same_types<T, U, V>() && Types::template check<T>()) {
        Vector record = operands(dst.place, src0.place, src1.place);
        issue_counted<op>(record, record, count, dtype_of<T>());
    }
}
template <Op op, typename Types, bool isSetMask, typename T, typename U, typename V, typename Mask>
ACLIMB_API void binary(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<V>& src1, Mask mask, int32_t repeat,
                       const AscendC::BinaryRepeatParams& params) {
    if constexpr (kIsVector && same_types<T, U, V>() && Types::template check<T>()) {
        Vector record = operands(dst.place, src0.place, src1.place);
        set_strides(record, params);
        issue_masked<op, isSetMask, lanes_of<T>()>(record, record, mask, repeat, dtype_of<T>());
    }
}

// --- one source, and a scalar when the instruction has one
template <Op op, typename Types, bool isSetMask, typename T, typename U>
ACLIMB_API void unary(const LocalTensor<T>& dst, const LocalTensor<U>& src, uint64_t scalar, int32_t count, uint8_t mode = 0) {
    if constexpr (kIsVector && same_types<T, U>() && Types::template check<T>()) {
        Vector record = operands(dst.place, src.place, kNowhere);
        record.scalar = scalar;
        record.mode = mode;
        if constexpr (isSetMask) issue_counted<op>(record, record, count, dtype_of<T>());
        else
            issue_masked<op, false, lanes_of<T>()>(record, record, uint64_t{}, 1,
                                                   dtype_of<T>()); // the register rules, the count is ignored
    }
}
template <Op op, typename Types, bool isSetMask, typename T, typename U, typename Mask>
ACLIMB_API void unary(const LocalTensor<T>& dst, const LocalTensor<U>& src, uint64_t scalar, Mask mask, int32_t repeat,
                      const AscendC::UnaryRepeatParams& params, uint8_t mode = 0) {
    if constexpr (kIsVector && same_types<T, U>() && Types::template check<T>()) {
        Vector record = operands(dst.place, src.place, kNowhere);
        set_strides(record, params);
        record.scalar = scalar;
        record.mode = mode;
        issue_masked<op, isSetMask, lanes_of<T>()>(record, record, mask, repeat, dtype_of<T>());
    }
}

} // namespace aclimb
