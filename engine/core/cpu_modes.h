// SPDX-License-Identifier: Apache-2.0
// What a kernel can change in the host's CPU beyond the registers that a switch of stacks keeps: rounding, flush to zero and the
// exception masks of floating point, the x87 stack, the alignment check. A core has its own modes, as a thread would; whoever runs after
// it, another core or the program itself, finds his. Reading them costs a few nanoseconds, writing them many: only what differs is written.
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
    bool usual() const { return ((mxcsr ^ 0x1f80) & kControl) == 0 && ((x87 ^ 0x37f) & kX87Control) == 0; }
    bool same_bits(const CpuModes& other) const { return mxcsr == other.mxcsr && x87 == other.x87; }

  private:
    static constexpr uint32_t kControl = 0xffc0, kX87Control = 0x1f3f; // the rest are results, or reserved
};

// Values on the x87 stack, or MMX registers in its place, would make the next user's long doubles NaN. fnstsw before fxam, which would
// raise an exception that is pending: st(0) is to be empty at the top of the stack, with no exception pending.
inline void clean_x87() {
    uint16_t before, status;
    asm volatile("fnstsw %0" : "=a"(before));
    if (!(before & 0x80)) {
        asm volatile("fxam\n\tfnstsw %0" : "=a"(status));
        if (__builtin_expect((status & 0x7d00) == 0x4100, 1)) return;
    }
    asm volatile("fninit");
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
    bool same_bits(const CpuModes& other) const { return fpcr == other.fpcr && fpsr == other.fpsr; }
};

inline void clean_x87() {}
inline void clean_flags() {}

#endif

// What the core leaves behind, taken from the CPU: the usual modes are in force again.
inline CpuModes take_modes() {
    clean_flags();
    const CpuModes left = CpuModes::now();
    clean_x87();
    if (__builtin_expect(!left.usual(), 0)) CpuModes{}.apply();
    return left;
}

// While it lives, the usual modes are in force, whatever the program uses for itself.
struct UsualModes {
    UsualModes() : before(CpuModes::now()) {
        if (!before.usual()) CpuModes{}.apply();
    }
    ~UsualModes() {
        if (!CpuModes::now().same_bits(before)) before.apply();
    }
    UsualModes(const UsualModes&) = delete;
    UsualModes& operator=(const UsualModes&) = delete;
    const CpuModes before;
};

} // namespace aclimb
