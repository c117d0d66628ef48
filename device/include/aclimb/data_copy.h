// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad. The memories of the two tensors choose the pipe; a tensor in a memory of the other core means the call
// belongs to the other pass.
#pragma once
#include "aclimb/global_tensor.h"
#include "aclimb/params.h"

namespace aclimb {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;

template <typename T, typename U> constexpr void require_same_type() {
    static_assert(std::is_same_v<T, U>,
                  "aclimb: DataCopy and DataCopyPad move elements of one type; ReinterpretCast one of the two tensors, or Cast in between");
}

ACLIMB_API Memory memory_at(const Place& place) { return static_cast<Memory>(place.memory); }

// Which core a copy is for lies in its tensors, and those are values: what the optimiser can prove about them must not decide the type of
// a kernel. Where the copy stands may (src/aclimb/compile/kernel_type.py).
ACLIMB_API bool copies_here(Memory memory) {
    fact<Fact::copy>();
    if (has_memory(memory)) return true;
    leave_to_other_core();
    return false;
}

ACLIMB_API Copy bursts(const Place& dst, const Place& src, uint32_t count, uint32_t length, uint32_t element) {
    Copy record{};
    record.dst = dst;
    record.src = src;
    record.count = count;
    record.length = length;
    record.element = element;
    return record;
}

ACLIMB_API void copy_in(Copy& record, Dtype type) { // GM to UB or L1
    if (!copies_here(memory_at(record.dst))) return;
    if (record.dst.memory != static_cast<uint64_t>(Memory::UB) && record.dst.memory != static_cast<uint64_t>(Memory::L1))
        misuse(MisuseKind::unsupported, "DataCopy from GM reaches UB (VECIN, VECOUT, VECCALC) and L1 (A1, B1, C1); for L0 use LoadData");
    issue(record, Op::copy, Pipe::MTE2, type);
}

ACLIMB_API void copy_out(Copy& record, Dtype type) { // UB or L1 to GM
    if (!copies_here(memory_at(record.src))) return;
    if (record.src.memory != static_cast<uint64_t>(Memory::UB) && record.src.memory != static_cast<uint64_t>(Memory::L1))
        misuse(MisuseKind::unsupported, "DataCopy to GM starts from UB (VECIN, VECOUT, VECCALC) or L1 (A1, B1, C1); for L0C use Fixpipe");
    CoreView* view = core();
    record.atomic = static_cast<uint8_t>(view->atomic_op);
    if (view->atomic_op != AtomicOp::none) type = view->atomic_dtype;
    issue(record, Op::copy, Pipe::MTE3, type);
}

ACLIMB_API void copy_local(Copy& record, Dtype type, Dtype from_type = Dtype::none) {
    const Memory from = memory_at(record.src), to = memory_at(record.dst);
    if (!copies_here(from) || !copies_here(to)) return;
    if (from == Memory::UB && to == Memory::UB) return issue(record, Op::copy, Pipe::V, type);
    if (from == Memory::L1 && to == Memory::BT) return issue(record, Op::copy, Pipe::MTE1, type, from_type);
    if (from == Memory::L1 && to == Memory::FB) return issue(record, Op::copy, Pipe::FIX, type);
    misuse(MisuseKind::unsupported, "DataCopy between local memories goes from UB to UB, from L1 to the bias table (C2) and from L1 to the "
                                    "Fixpipe buffer (C2PIPE2GM) on Atlas A2 and A3");
}

// One block of DataCopyParams: 32 bytes, but 64 into the bias table and 128 into the Fixpipe buffer.
ACLIMB_API uint32_t block_bytes(const Place& dst) { return memory_at(dst) == Memory::BT ? 64 : memory_at(dst) == Memory::FB ? 128 : 32; }

ACLIMB_API Copy blocks(const Place& dst, const Place& src, const AscendC::DataCopyParams& params, uint32_t element) {
    const uint32_t unit = block_bytes(dst);
    Copy record = bursts(dst, src, params.blockCount, params.blockLen * unit, element);
    record.src_gap = static_cast<int64_t>(params.srcStride) * 32;
    record.dst_gap = static_cast<int64_t>(params.dstStride) * unit;
    return record;
}

// Whole blocks of 32 bytes. Hardware leaves out what does not fill one; that is hardly ever meant. A count of int4b_t is taken times
// sizeof, which is 1 for it too: 32 of them move 32 bytes, which hold 64.
template <typename T> ACLIMB_API Copy whole_blocks(const Place& dst, const Place& src, uint32_t count) {
    const uint64_t bytes = uint64_t{count} * sizeof(T);
    if (__builtin_expect((bytes & 31u) != 0, 0) && has_memory(memory_at(dst)) && has_memory(memory_at(src)))
        misuse(MisuseKind::partial_block, "DataCopy", static_cast<int64_t>(bytes));
    return bursts(dst, src, 1, static_cast<uint32_t>(bytes) & ~31u, sizeof(T));
}

// Without isPad, padding that is asked for has the value of SetPadValue, or an undefined one where nobody called that; the filler of a
// block that asks for none repeats its first element.
template <typename Params> ACLIMB_API void set_padding(Copy& record, const Params& pad, uint64_t value) {
    const CoreView* view = core();
    record.left = pad.leftPadding;
    record.right = pad.rightPadding;
    record.pad_value = pad.isPad ? value : view->pad_value;
    record.pad = pad.isPad ? 2 : !pad.leftPadding && !pad.rightPadding ? 1 : view->pad_value_set ? 2 : 3;
}

template <typename Params> ACLIMB_API Copy byte_bursts(const Place& dst, const Place& src, const Params& params, uint32_t element) {
    Copy record = bursts(dst, src, params.blockCount, params.blockLen, element);
    const bool in = memory_at(src) == Memory::GM;
    record.src_gap = static_cast<int64_t>(params.srcStride) * (in ? 1 : 32);
    record.dst_gap = static_cast<int64_t>(params.dstStride) * (in ? 32 : 1);
    return record;
}

template <typename T>
ACLIMB_API void nd2nz_to_ub(const Place& dst, const Place& src, const AscendC::Nd2NzParams& params); // data_copy_forms.h

ACLIMB_API void refuse_unless_ub(const Place& place) {
    if (has_memory(memory_at(place)) && memory_at(place) != Memory::UB)
        misuse(MisuseKind::unsupported, "DataCopyPad works between GM and UB on Atlas A2 and A3; for L1 use DataCopy");
}

ACLIMB_API void refuse_enhanced(const AscendC::DataCopyEnhancedParams& params) {
    if (params.blockMode != AscendC::BlockMode::BLOCK_MODE_NORMAL || params.deqScale != AscendC::DeqScale::DEQ_NONE || params.isRelu)
        misuse(MisuseKind::unsupported, "DataCopyEnhancedParams with a block mode, a dequantisation or relu is not supported; use Fixpipe "
                                        "for L0C, Cast and Relu for UB");
}

} // namespace aclimb

namespace AscendC {

template <typename T, typename U> ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<U>& src, const uint32_t count) {
    aclimb::require_same_type<T, U>();
    aclimb::Copy record = aclimb::whole_blocks<T>(dst.place, src.place, count);
    aclimb::copy_in(record, aclimb::dtype_of<T>());
}
template <typename T, typename U> ACLIMB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    aclimb::require_same_type<T, U>();
    aclimb::Copy record = aclimb::whole_blocks<T>(dst.place, src.place, count);
    aclimb::copy_out(record, aclimb::dtype_of<T>());
}
template <typename T, typename U> ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    aclimb::require_same_type<T, U>();
    aclimb::Copy record = aclimb::whole_blocks<T>(dst.place, src.place, count);
    aclimb::copy_local(record, aclimb::dtype_of<T>());
}

template <typename T, typename U>
ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<U>& src, const DataCopyParams& repeatParams) {
    aclimb::require_same_type<T, U>();
    aclimb::Copy record = aclimb::blocks(dst.place, src.place, repeatParams, sizeof(T));
    aclimb::copy_in(record, aclimb::dtype_of<T>());
}
template <typename T, typename U>
ACLIMB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& repeatParams) {
    aclimb::require_same_type<T, U>();
    aclimb::Copy record = aclimb::blocks(dst.place, src.place, repeatParams, sizeof(T));
    aclimb::copy_out(record, aclimb::dtype_of<T>());
}
template <typename T, typename U>
ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& repeatParams) {
    aclimb::Copy record = aclimb::blocks(dst.place, src.place, repeatParams, sizeof(U));
    constexpr bool widens = std::is_same_v<T, float> && std::is_same_v<U, half>; // into the bias table, which has floats
    aclimb::copy_local(record, aclimb::dtype_of<T>(), widens ? aclimb::Dtype::half : aclimb::Dtype::none);
}
template <typename Dst, typename Src>
ACLIMB_API void DataCopy(const Dst& dst, const Src& src, const DataCopyParams& intriParams, const DataCopyEnhancedParams& enhancedParams) {
    aclimb::refuse_enhanced(enhancedParams);
    DataCopy(dst, src, intriParams);
}

// GM rows of any length into UB blocks, and back.
template <typename T, typename U> ACLIMB_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<U>& src,
                                                              const DataCopyExtParams& dataCopyParams,
                                                              const DataCopyPadExtParams<aclimb::plain<T>>& padParams) {
    aclimb::require_same_type<T, U>();
    aclimb::refuse_unless_ub(dst.place);
    aclimb::Copy record = aclimb::byte_bursts(dst.place, src.place, dataCopyParams, sizeof(T));
    aclimb::set_padding(record, padParams, aclimb::bits_of(padParams.paddingValue));
    aclimb::copy_in(record, aclimb::dtype_of<T>());
}
template <typename T, typename U> ACLIMB_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<U>& src,
                                                              const DataCopyParams& dataCopyParams, const DataCopyPadParams& padParams) {
    aclimb::require_same_type<T, U>();
    aclimb::refuse_unless_ub(dst.place);
    aclimb::Copy record = aclimb::byte_bursts(dst.place, src.place, dataCopyParams, sizeof(T));
    aclimb::set_padding(record, padParams, padParams.paddingValue);
    aclimb::copy_in(record, aclimb::dtype_of<T>());
}
template <typename T, typename U>
ACLIMB_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyExtParams& dataCopyParams) {
    aclimb::require_same_type<T, U>();
    aclimb::refuse_unless_ub(src.place);
    aclimb::Copy record = aclimb::byte_bursts(dst.place, src.place, dataCopyParams, sizeof(T));
    aclimb::copy_out(record, aclimb::dtype_of<T>());
}
template <typename T, typename U>
ACLIMB_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& dataCopyParams) {
    aclimb::require_same_type<T, U>();
    aclimb::refuse_unless_ub(src.place);
    aclimb::Copy record = aclimb::byte_bursts(dst.place, src.place, dataCopyParams, sizeof(T));
    aclimb::copy_out(record, aclimb::dtype_of<T>());
}

// Rows of a matrix in GM into the fractal order of L1. For int4b_t the parameters count bytes, as published.
template <typename T, bool enableSmallC0 = false, typename U>
ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<U>& src, const Nd2NzParams& intriParams) {
    aclimb::require_same_type<T, U>();
    static_assert(!enableSmallC0,
                  "aclimb: DataCopy with Nd2NzParams and enableSmallC0 belongs to later products; leave it out on Atlas A2 and A3");
    if constexpr (!std::is_same_v<T, int4b_t>)
        if (aclimb::memory_at(dst.place) == aclimb::Memory::UB) return aclimb::nd2nz_to_ub<T>(dst.place, src.place, intriParams);
    if (!aclimb::copies_here(aclimb::memory_at(dst.place))) return;
    if (dst.place.memory != static_cast<uint64_t>(aclimb::Memory::L1))
        aclimb::misuse(aclimb::MisuseKind::unsupported, "DataCopy with Nd2NzParams writes L1 (A1, B1, C1) or UB (VECIN)");
    aclimb::Nd2Nz record{};
    record.dst = dst.place;
    record.src = src.place;
    record.nd_num = intriParams.ndNum;
    record.n_value = intriParams.nValue;
    record.d_value = intriParams.dValue;
    record.src_d_value = intriParams.srcDValue;
    record.dst_c0_stride = intriParams.dstNzC0Stride;
    record.dst_n_stride = intriParams.dstNzNStride;
    record.src_nd_stride = intriParams.srcNdMatrixStride;
    record.dst_nd_stride = intriParams.dstNzMatrixStride;
    aclimb::issue(record, aclimb::Op::nd2nz, aclimb::Pipe::MTE2, aclimb::dtype_of<T>());
}

} // namespace AscendC

#include "aclimb/data_copy_forms.h"
