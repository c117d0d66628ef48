// SPDX-License-Identifier: Apache-2.0
#include "isa/simd.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace aclimb {
namespace {

#if defined(__x86_64__)
// By hand: __builtin_cpu_supports needs a run-time library that not every linker brings.
bool os_saves(unsigned bits) {
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & bits) == bits;
}

Simd best() {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return Simd::scalar;
    const bool osxsave = c >> 27 & 1, fma = c >> 12 & 1, f16c = c >> 29 & 1;
    if (!osxsave || !fma || !f16c || !os_saves(6)) return Simd::scalar;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b >> 5 & 1)) return Simd::scalar;
    const bool f = b >> 16 & 1, dq = b >> 17 & 1, bw = b >> 30 & 1, vl = b >> 31 & 1;
    return f && dq && bw && vl && os_saves(0xe6) ? Simd::avx512 : Simd::avx2;
}
#else
Simd best() { return Simd::neon; }
#endif

} // namespace

Simd simd_in_use = best();

const char* name_of(Simd simd) {
    constexpr const char* names[] = {"scalar", "avx2", "avx512", "neon"};
    return names[static_cast<int>(simd)];
}

std::vector<std::string> simd_levels() {
    switch (best()) {
    case Simd::avx512: return {"scalar", "avx2", "avx512"};
    case Simd::avx2: return {"scalar", "avx2"};
    case Simd::neon: return {"scalar", "neon"};
    default: return {"scalar"};
    }
}

bool set_simd_level(const std::string& name) {
    if (name.empty()) {
        simd_in_use = best();
        return true;
    }
    for (const auto& each : simd_levels())
        if (each == name) {
            for (Simd simd : {Simd::scalar, Simd::avx2, Simd::avx512, Simd::neon})
                if (name == name_of(simd)) simd_in_use = simd;
            return true;
        }
    return false;
}

} // namespace aclimb
