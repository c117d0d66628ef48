// SPDX-License-Identifier: Apache-2.0
// What a kernel can change in the host's CPU beyond the registers that a switch of stacks keeps: rounding, flush to zero and the
// exception masks of floating point, the x87 stack, the alignment check. A core has its own modes, as a thread would; whoever runs after
// it, another core or the program itself, finds his.
#pragma once
#include <cstdint>

namespace aclimb {

#if defined(__x86_64__)

struct CpuModes {
    uint32_t mxcsr = 0x1f80;
    uint16_t x87 = 0x37f;

    static CpuModes now() {
        CpuModes modes;
        asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(modes.mxcsr), "=m"(modes.x87));
        return modes;
    }
    void apply() const { asm volatile("fldcw %1\n\tldmxcsr %0" : : "m"(mxcsr), "m"(x87)); }
    bool usual() const { return ((mxcsr ^ 0x1f80) & 0xffc0) == 0 && usual_x87(x87); } // the low bits of MXCSR are results
    static bool usual_x87(uint16_t control) { return ((control ^ 0x37f) & 0x1f3f) == 0; }
};

// Values left on the x87 stack, or in the MMX registers in its place, would make the next long doubles NaN. With all exceptions masked
// none is pending, and emms, which is cheap, cannot raise one. MXCSR costs more to read than to write.
inline void use_usual_modes() {
    constexpr uint32_t kUsual = CpuModes{}.mxcsr;
    uint16_t x87;
    asm volatile("fnstcw %0" : "=m"(x87));
    if (__builtin_expect(!CpuModes::usual_x87(x87), 0)) asm volatile("fninit");
    else asm volatile("emms");
    asm volatile("ldmxcsr %0" : : "m"(kUsual));
}

constexpr uint64_t kTrapFlag = 1 << 8, kDirection = 1 << 10, kNested = 1 << 14, kAlignmentCheck = 1 << 18, kIdFlag = 1 << 21;
constexpr uint64_t kForeignFlags = kTrapFlag | kDirection | kNested | kAlignmentCheck | kIdFlag; // that compiled code never sets

inline void clean_flags() {
    const uint64_t flags = __builtin_ia32_readeflags_u64();
    if (__builtin_expect((flags & kForeignFlags) != 0, 0)) __builtin_ia32_writeeflags_u64(flags & ~kForeignFlags);
}

#else

struct CpuModes {
    uint64_t fpcr = 0, fpsr = 0;

    static CpuModes now() {
        CpuModes modes;
        asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(modes.fpcr), "=r"(modes.fpsr));
        return modes;
    }
    void apply() const { asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(fpcr), "r"(fpsr)); }
    bool usual() const { return fpcr == 0; }
};

inline void use_usual_modes() {
    uint64_t fpcr;
    asm volatile("mrs %0, fpcr" : "=r"(fpcr));
    if (__builtin_expect(fpcr != 0, 0)) asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
}

inline void clean_flags() {}

#endif

// While it lives, the usual modes are in force, whatever the program uses for itself.
struct UsualModes {
    UsualModes() : before(CpuModes::now()) { use_usual_modes(); }
    ~UsualModes() { before.apply(); }
    UsualModes(const UsualModes&) = delete;
    UsualModes& operator=(const UsualModes&) = delete;
    const CpuModes before;
};

} // namespace aclimb
