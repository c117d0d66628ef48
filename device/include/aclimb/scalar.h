// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the scalar unit, its view of global memory, and its clock. Plain C++ where that is enough.
#pragma once
#include "aclimb/global_tensor.h"
#include "aclimb/std.h"

namespace aclimb {

// Rounds to an integral value without calling a library. Beyond 2^52 a double has no fraction.
constexpr double round_to_integral(double value, AscendC::RoundMode mode) {
    if (!(value > -4503599627370496.0 && value < 4503599627370496.0)) return value;
    const double below =
        static_cast<double>(static_cast<int64_t>(value)) - (value < static_cast<double>(static_cast<int64_t>(value)) ? 1.0 : 0.0);
    const double rest = value - below; // 0 <= rest < 1
    switch (mode) {
    case AscendC::RoundMode::CAST_FLOOR: return below;
    case AscendC::RoundMode::CAST_CEIL: return rest > 0 ? below + 1 : below;
    case AscendC::RoundMode::CAST_TRUNC: return value < 0 && rest > 0 ? below + 1 : below;
    case AscendC::RoundMode::CAST_ROUND: return rest > 0.5 || (rest == 0.5 && value > 0) ? below + 1 : below;
    default: return rest > 0.5 || (rest == 0.5 && (static_cast<int64_t>(below) & 1)) ? below + 1 : below;
    }
}

template <typename T> constexpr T clamp_to(double value) {
    using Limits = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    constexpr int bits = sizeof(T) * 8 - std::is_signed_v<T>;
    constexpr double over = static_cast<double>(uint64_t{1} << (bits - 1)) * 2.0;
    constexpr T highest = static_cast<T>(static_cast<Limits>(~uint64_t{} >> (64 - bits)));
    constexpr T lowest = std::is_signed_v<T> ? static_cast<T>(-static_cast<int64_t>(highest) - 1) : T{};
    if (value != value) return T{};
    return value >= over ? highest : value < static_cast<double>(lowest) ? lowest : static_cast<T>(value);
}

// A whole number of any type.
struct Whole {
    template <typename N, if_integer<N> = 0> constexpr Whole(N number) : value(static_cast<uint64_t>(number)) {}
    uint64_t value;
};

} // namespace aclimb

namespace AscendC {

// A scalar to another type with a round mode: to an integer (clamped), or to half or bfloat16_t.
template <typename T, typename U, RoundMode roundMode> ACLIMB_API U ScalarCast(T valueIn) {
    if constexpr (std::is_integral_v<U>) {
        return aclimb::clamp_to<U>(aclimb::round_to_integral(static_cast<double>(static_cast<float>(valueIn)), roundMode));
    } else {
        static_assert(roundMode == RoundMode::CAST_NONE || roundMode == RoundMode::CAST_RINT || std::is_same_v<U, float>,
                      "aclimb: ScalarCast to half and bfloat16_t rounds to nearest even: RoundMode::CAST_RINT or CAST_NONE");
        return static_cast<U>(valueIn);
    }
}
// The newer names of ScalarCast, ToFloat and ToBfloat16.
template <typename T, typename U, RoundMode roundMode> ACLIMB_API U Cast(const T valueIn) { return ScalarCast<T, U, roundMode>(valueIn); }
ACLIMB_API float Cast(const bfloat16_t& bVal) { return static_cast<float>(bVal); }
ACLIMB_API bfloat16_t Cast(const float& fVal) { return bfloat16_t(fVal); }
ACLIMB_API float ToFloat(const bfloat16_t& value) { return static_cast<float>(value); }
ACLIMB_API bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }

// Bits of a 64-bit word: position of the first 0 or 1 (-1: none), how many there are, leading zeros.
template <int countValue> ACLIMB_API int64_t ScalarGetSFFValue(uint64_t valueIn) {
    static_assert(countValue == 0 || countValue == 1, "aclimb: ScalarGetSFFValue looks for bit value 0 or 1");
    const uint64_t ones = countValue ? valueIn : ~valueIn;
    return ones ? __builtin_ctzll(ones) : -1;
}
template <int countValue> ACLIMB_API int64_t ScalarGetCountOfValue(uint64_t valueIn) {
    static_assert(countValue == 0 || countValue == 1, "aclimb: ScalarGetCountOfValue counts bit value 0 or 1");
    uint64_t x = countValue ? valueIn : ~valueIn; // by hand: __builtin_popcountll may call a library
    x -= (x >> 1) & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return static_cast<int64_t>((x * 0x0101010101010101ull) >> 56);
}
ACLIMB_API int64_t ScalarCountLeadingZero(uint64_t valueIn) { return valueIn ? __builtin_clzll(valueIn) : 64; }
ACLIMB_API int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
    const uint64_t differing = static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn);
    return (differing ? __builtin_clzll(differing) : 64) - 1;
}
template <int countValue> ACLIMB_API int64_t GetSFFValue(uint64_t valueIn) { return ScalarGetSFFValue<countValue>(valueIn); }
template <int countValue> ACLIMB_API int64_t GetBitCount(uint64_t valueIn) { return ScalarGetCountOfValue<countValue>(valueIn); }
ACLIMB_API int64_t CountLeadingZero(uint64_t valueIn) { return ScalarCountLeadingZero(valueIn); }

constexpr ACLIMB_API int32_t CeilDivision(int32_t num1, int32_t num2) { return num2 == 0 ? 0 : (num1 + num2 - 1) / num2; }
constexpr ACLIMB_API uint32_t DivCeil(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
constexpr ACLIMB_API uint32_t AlignUp(uint32_t a, uint32_t b) { return DivCeil(a, b) * b; }

// The rounding helper Ceil(a, b). Kernels often have one of their own; its parameters are the better match then.
constexpr ACLIMB_API uint64_t Ceil(aclimb::Whole a, aclimb::Whole b) { return b.value == 0 ? 0 : (a.value + b.value - 1) / b.value; }

ACLIMB_API int64_t GetSystemCycle() {
    aclimb::ScalarAccess record{};
    aclimb::issue(record, aclimb::Op::system_cycle, aclimb::Pipe::S);
    return static_cast<int64_t>(record.value);
}

} // namespace AscendC

namespace aclimb {

template <AscendC::CacheLine lines, AscendC::DcciDst to> ACLIMB_API void clean_data_cache(const Place& place, Dtype type) {
    ScalarAccess record{};
    record.at = place;
    record.value = (lines == AscendC::CacheLine::ENTIRE_DATA_CACHE ? kDcciEntire : 0) | static_cast<uint64_t>(to) << 8;
    issue(record, Op::dcci, Pipe::S, type);
}

} // namespace aclimb

namespace AscendC {

// Scalar accesses to global memory are coherent here: cleaning the data cache takes its place in the instruction stream, and says which
// lines it means (from the address to the end of its 64 bytes, or all of them).
template <typename T, CacheLine entireType, DcciDst dcciDst = DcciDst::CACHELINE_ALL>
ACLIMB_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
    aclimb::clean_data_cache<entireType, dcciDst>(dst.place, aclimb::dtype_of<T>());
}
template <typename T, CacheLine entireType, DcciDst dcciDst = DcciDst::CACHELINE_ALL>
ACLIMB_API void DataCacheCleanAndInvalid(const LocalTensor<T>& dst) {
    aclimb::clean_data_cache<entireType, dcciDst>(dst.place, aclimb::dtype_of<T>());
}
// Hints: what they bring nearer is as near already.
template <typename T> ACLIMB_API void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {
    static_assert(std::is_same_v<T, int16_t> || std::is_same_v<T, int64_t>,
                  "aclimb: AscendC::DataCachePreload takes an offset of int16_t or int64_t");
}
ACLIMB_API void ICachePreLoad(const int64_t) {}
ACLIMB_API int64_t GetICachePreloadStatus() { return 0; }
template <typename T> ACLIMB_API T ReadGmByPassDCache(T* addr) {
    return aclimb::scalar_load<T>({reinterpret_cast<uint64_t>(addr), 0, 0, aclimb::kNoSlot, 0});
}
template <typename T> ACLIMB_API void WriteGmByPassDCache(T* addr, aclimb::plain<T> value) {
    aclimb::scalar_store<T>({reinterpret_cast<uint64_t>(addr), 0, 0, aclimb::kNoSlot, 0}, value);
}

} // namespace AscendC

// What the device compiler has built in for scalars. They give way to the standard library's where a kernel includes that.
template <typename A, typename B, std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, int> = 0>
constexpr ACLIMB_API std::common_type_t<A, B> min(A a, B b) {
    const std::common_type_t<A, B> left = a, right = b;
    return right < left ? right : left;
}
template <typename A, typename B, std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, int> = 0>
constexpr ACLIMB_API std::common_type_t<A, B> max(A a, B b) {
    const std::common_type_t<A, B> left = a, right = b;
    return left < right ? right : left;
}
// One instruction on both architectures; the compiler's built-in may call a library for a negative argument.
template <typename F, std::enable_if_t<std::is_same_v<F, float>, int> = 0> ACLIMB_API F sqrt(F value) {
    F root;
#if defined(__x86_64__)
    asm("sqrtss %1, %0" : "=x"(root) : "x"(value));
#else
    asm("fsqrt %s0, %s1" : "=w"(root) : "w"(value));
#endif
    return root;
}
