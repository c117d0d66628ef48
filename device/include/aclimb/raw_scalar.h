// SPDX-License-Identifier: Apache-2.0
// The scalar unit by its raw intrinsics: bits of words, the CTRL register, the data cache; and names of the compiler that stand beside
// them. In the namespace of raw_vector.h, for the same reason.
#pragma once
#include "aclimb/scalar.h"
#include "aclimb/system.h"

namespace aclimb_raw {

enum cache_line_t : uint8_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t : uint8_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum pad_t : uint8_t { PAD_NONE, PAD_MODE1, PAD_MODE2, PAD_MODE3, PAD_MODE4, PAD_MODE5, PAD_MODE6, PAD_MODE7, PAD_MODE8 };

// --- bits of a word
ACLIMB_API uint64_t sbitset0(uint64_t value, int64_t bit) { return value & ~(uint64_t{1} << (bit & 63)); }
ACLIMB_API uint64_t sbitset1(uint64_t value, int64_t bit) { return value | uint64_t{1} << (bit & 63); }
ACLIMB_API int64_t bcnt0(uint64_t value) { return AscendC::ScalarGetCountOfValue<0>(value); }
ACLIMB_API int64_t bcnt1(uint64_t value) { return AscendC::ScalarGetCountOfValue<1>(value); }
ACLIMB_API int64_t sff0(uint64_t value) { return AscendC::ScalarGetSFFValue<0>(value); }
ACLIMB_API int64_t sff1(uint64_t value) { return AscendC::ScalarGetSFFValue<1>(value); }
ACLIMB_API int64_t clz(uint64_t value) { return AscendC::ScalarCountLeadingZero(value); }
ACLIMB_API int64_t sflbits(int64_t value) { return AscendC::CountBitsCntSameAsSignBit(value); }

// --- CTRL. Bit 46: HF32; 47: HF32 rounds towards zero; 48: infinity and NaN stay; 56: the mask register counts. The others change no value
// here, and are read as 0.
ACLIMB_API uint64_t get_ctrl() {
    const auto* view = aclimb::core();
    const auto bit = [](bool is_set, int at) { return uint64_t{is_set} << at; };
    return bit(view->ctrl & aclimb::kCtrlHf32, 46) | bit(view->ctrl & aclimb::kCtrlHf32Trunc, 47) |
           bit(!(view->ctrl & aclimb::kCtrlSaturate), 48) | bit(view->mask_counted, 56);
}
ACLIMB_API void set_ctrl(uint64_t value) {
    AscendC::SetHF32Mode((value >> 46 & 1) != 0);
    AscendC::SetHF32TransMode((value >> 47 & 1) != 0);
    AscendC::SetSaturationFlag((value >> 48 & 1) == 0);
    aclimb::core()->mask_counted = value >> 56 & 1;
}

// --- caches
template <typename T> ACLIMB_API void dcci(T* address, uint64_t lines, uint64_t to = CACHELINE_ALL) {
    const aclimb::Place place = {reinterpret_cast<uint64_t>(address), 0, 0, aclimb::kNoSlot, 0};
    aclimb::clean_data_cache(place, aclimb::Dtype::u8, lines != SINGLE_CACHE_LINE, to);
}
ACLIMB_API void PRELOAD(int64_t length) { AscendC::ICachePreLoad(length); }

} // namespace aclimb_raw

using namespace aclimb_raw;

#if !defined(ACLIMB_HOST_PASS) && !defined(__aarch64__)
#define __fp16 half
#endif
