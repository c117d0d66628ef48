// SPDX-License-Identifier: Apache-2.0
// Who this core is, and its mode registers: mask, atomics, saturation, HF32. A setter writes a field of CoreView; instructions take a copy
// of what they need when they are issued, as the hardware does.
#pragma once
#include "aclimb/issue.h"

namespace AscendC {

ACLIMB_API int64_t GetBlockIdx() {
    aclimb::fact<aclimb::Fact::block_index>();
    return aclimb::core()->block_idx;
}
ACLIMB_API int64_t GetBlockNum() { return aclimb::core()->block_num; }
ACLIMB_API int64_t GetSubBlockIdx() {
    aclimb::fact<aclimb::Fact::sub_block>();
    return aclimb::core()->sub_block_idx;
}
ACLIMB_API int64_t GetSubBlockNum() {
    aclimb::fact<aclimb::Fact::sub_block>();
    return aclimb::core()->sub_block_num;
}
ACLIMB_API int64_t GetTaskRatio() {
    aclimb::fact<aclimb::Fact::sub_block>();
    return aclimb::core()->task_ratio;
}
ACLIMB_API int64_t GetTaskRation() { return GetTaskRatio(); }
constexpr ACLIMB_API int16_t GetDataBlockSizeInBytes() { return ONE_BLK_SIZE; }

// --- the mask register: NORMAL, one bit an element of a repeat; COUNTER, the number of elements
ACLIMB_API void SetMaskNorm() { aclimb::core()->mask_counted = 0; }
ACLIMB_API void SetMaskCount() { aclimb::core()->mask_counted = 1; }
ACLIMB_API void ResetMask() { aclimb::core()->mask[0] = aclimb::core()->mask[1] = FULL_MASK; }

} // namespace AscendC

namespace aclimb {

ACLIMB_API void set_mask_bits(uint64_t high, uint64_t low) {
    CoreView* view = core();
    view->mask[0] = low;
    view->mask[1] = high;
}
// The first n elements of a repeat.
ACLIMB_API void set_mask_first(uint64_t n) {
    const uint64_t low = n >= 64 ? ~uint64_t{} : (uint64_t{1} << n) - 1;
    const uint64_t high = n >= 128 ? ~uint64_t{} : n > 64 ? (uint64_t{1} << (n - 64)) - 1 : 0;
    set_mask_bits(high, low);
}
ACLIMB_API void reset_mask() {
    core()->mask_counted = 0;
    set_mask_bits(~uint64_t{}, ~uint64_t{});
}

template <typename T> ACLIMB_API void set_atomic(AtomicOp op) {
    constexpr Dtype type = dtype_of<T>();
    static_assert(
        is_one_of<T, int8_t, int16_t, int32_t, half, bfloat16_t, float>,
        "aclimb: SetAtomicAdd, SetAtomicMax, SetAtomicMin and SetAtomicType take int8_t, int16_t, int32_t, half, bfloat16_t and float");
    if constexpr (is_one_of<T, half, bfloat16_t, float>) fact<Fact::float_atomic, static_cast<uint64_t>(type)>();
    else fact<Fact::integer_atomic, static_cast<uint64_t>(type)>();
    core()->atomic_op = op;
    core()->atomic_dtype = type;
}

} // namespace aclimb

namespace AscendC {

template <typename T, MaskMode mode = MaskMode::NORMAL> ACLIMB_API void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
    aclimb::set_mask_bits(maskHigh, maskLow);
}
template <typename T, MaskMode mode = MaskMode::NORMAL> ACLIMB_API void SetVectorMask(int32_t len) {
    if constexpr (mode == MaskMode::COUNTER) aclimb::set_mask_bits(0, static_cast<uint64_t>(len));
    else aclimb::set_mask_first(static_cast<uint64_t>(len));
}

// --- atomics: later transfers from a local memory to GM add, take the maximum or the minimum
template <typename T> ACLIMB_API void SetAtomicAdd() { aclimb::set_atomic<T>(aclimb::AtomicOp::add); }
template <typename T> ACLIMB_API void SetAtomicMax() { aclimb::set_atomic<T>(aclimb::AtomicOp::max); }
template <typename T> ACLIMB_API void SetAtomicMin() { aclimb::set_atomic<T>(aclimb::AtomicOp::min); }
template <typename T> ACLIMB_API void SetAtomicType() { aclimb::set_atomic<T>(aclimb::core()->atomic_op); }
ACLIMB_API void SetAtomicNone() { aclimb::core()->atomic_op = aclimb::AtomicOp::none; }
ACLIMB_API void DisableDmaAtomic() { SetAtomicNone(); }

// --- modes
template <SaturationMode mode = SaturationMode::FLOAT> ACLIMB_API void SetSaturationFlag(bool saturate) {
    static_assert(mode == SaturationMode::FLOAT || mode == SaturationMode::CAST,
                  "aclimb: SetSaturationFlag has SaturationMode::FLOAT and SaturationMode::CAST on Atlas A2 and A3");
    uint8_t& ctrl = aclimb::core()->ctrl;
    constexpr uint8_t bit = mode == SaturationMode::FLOAT ? aclimb::kCtrlSaturate : aclimb::kCtrlCastTruncates;
    const bool set = mode == SaturationMode::FLOAT ? saturate : !saturate;
    ctrl = static_cast<uint8_t>(set ? ctrl | bit : ctrl & ~bit);
}
template <SaturationMode mode = SaturationMode::FLOAT> ACLIMB_API bool GetSaturationFlag() {
    const uint8_t ctrl = aclimb::core()->ctrl;
    return mode == SaturationMode::FLOAT ? (ctrl & aclimb::kCtrlSaturate) != 0 : (ctrl & aclimb::kCtrlCastTruncates) == 0;
}
// The CTRL register by its bits. Bit 48: 0 saturates, 1 keeps infinity and NaN. Others belong to later products and stay 0.
template <int8_t startBit, int8_t endBit> ACLIMB_API void SetCtrlSpr(int64_t value) {
    static_assert(0 <= startBit && startBit <= endBit && endBit < 64, "aclimb: SetCtrlSpr takes bits 0 to 63, startBit not above endBit");
    if constexpr (startBit <= 48 && endBit >= 48) SetSaturationFlag((value >> (48 - startBit) & 1) == 0);
}
template <int8_t startBit, int8_t endBit> ACLIMB_API int64_t GetCtrlSpr() {
    static_assert(0 <= startBit && startBit <= endBit && endBit < 64, "aclimb: GetCtrlSpr takes bits 0 to 63, startBit not above endBit");
    if constexpr (startBit <= 48 && endBit >= 48) return int64_t{!GetSaturationFlag()} << (48 - startBit);
    else return 0;
}
ACLIMB_API void SetHF32Mode(bool enable) {
    uint8_t& ctrl = aclimb::core()->ctrl;
    ctrl = static_cast<uint8_t>(enable ? ctrl | aclimb::kCtrlHf32 : ctrl & ~aclimb::kCtrlHf32);
}
ACLIMB_API void SetHF32TransMode(bool towardsZero) {
    uint8_t& ctrl = aclimb::core()->ctrl;
    ctrl = static_cast<uint8_t>(towardsZero ? ctrl | aclimb::kCtrlHf32Trunc : ctrl & ~aclimb::kCtrlHf32Trunc);
}
enum class HF32Mode : uint8_t { DISABLE = 0, ENABLE = 1 };
enum class HF32TransMode : uint8_t { NEAREST_EVEN = 0, NEAREST_ZERO = 1 };
ACLIMB_API void SetHF32Mode(HF32Mode mode) { SetHF32Mode(mode == HF32Mode::ENABLE); }
ACLIMB_API void SetHF32TransMode(HF32TransMode mode) { SetHF32TransMode(mode == HF32TransMode::NEAREST_ZERO); }
// Whether Mmad goes through M or through N first changes time only.
ACLIMB_API void SetMMLayoutTransform(bool) {}
ACLIMB_API void SetMMRowMajor() {}
ACLIMB_API void SetMMColumnMajor() {}

ACLIMB_API void SetDeqScale(half scale) { aclimb::core()->deq_scale = scale.bits; }
// The padding of DataCopyPad without isPad.
template <typename T, TPosition = TPosition::MAX> ACLIMB_API void SetPadValue(T paddingValue) {
    aclimb::core()->pad_value = aclimb::bits_of(paddingValue);
    aclimb::core()->pad_value_set = 1;
}

// The state a kernel starts from. TPipe's constructor calls it; a kernel without TPipe does so itself.
ACLIMB_API void InitSocState() {
    aclimb::reset_mask();
    SetAtomicNone();
    aclimb::core()->deq_scale = half(1).bits;
    aclimb::core()->pad_value = 0;
    aclimb::core()->pad_value_set = 0;
    aclimb::core()->load_3d = {};
    aclimb::core()->load_3d.repeat_time = 1;
}

// Internals that kernels in the field call by name.
struct AscendCUtils {
    template <typename T, bool isSetMask = true> ACLIMB_API static void SetMask(uint64_t maskHigh, uint64_t maskLow) {
        if constexpr (isSetMask) aclimb::set_mask_bits(maskHigh, maskLow);
    }
    template <typename T, bool isSetMask = true> ACLIMB_API static void SetMask(int32_t len) {
        if constexpr (isSetMask) aclimb::set_mask_first(static_cast<uint64_t>(len));
    }
    template <typename T> ACLIMB_API static void SetMaskCount() { AscendC::SetMaskCount(); }
    template <typename T> ACLIMB_API static void SetMaskNorm() { AscendC::SetMaskNorm(); }
    ACLIMB_API static void ResetMask() { AscendC::ResetMask(); }
    template <bool isSetMask = true> ACLIMB_API static void ResetMask() {
        if constexpr (isSetMask) AscendC::ResetMask();
    }
    ACLIMB_API static void SetOverflow(uint64_t ctrlValue) { SetCtrlSpr<48, 48>(static_cast<int64_t>(ctrlValue)); }
    ACLIMB_API static int32_t GetC0Size() { return DEFAULT_C0_SIZE; }
    ACLIMB_API static int32_t GetC0Count(int32_t dtypeSize) { return DEFAULT_C0_SIZE / dtypeSize; }
    ACLIMB_API static int32_t GetBitSize(int32_t byteSize) { return byteSize * 8; }
};

} // namespace AscendC

// The built-in block_idx: both AIVs of a group see the same value, unlike GetBlockIdx().
namespace aclimb {
struct RawBlockIdx {
    ACLIMB_API operator int64_t() const {
        fact<Fact::raw_index>();
        return core()->raw_block_idx;
    }
};
} // namespace aclimb
static constexpr aclimb::RawBlockIdx block_idx [[maybe_unused]]{};
ACLIMB_API int64_t get_block_idx() {
    aclimb::fact<aclimb::Fact::raw_index>();
    return aclimb::core()->raw_block_idx;
}
ACLIMB_API int64_t get_block_num() {
    aclimb::fact<aclimb::Fact::raw_index>();
    return aclimb::core()->block_num;
}
ACLIMB_API int64_t get_subblockid() { return AscendC::GetSubBlockIdx(); }
ACLIMB_API int64_t get_subblockdim() { return AscendC::GetSubBlockNum(); }
