// SPDX-License-Identifier: Apache-2.0
// Which of the compiled SIMD levels runs. Every level gives the same bits; only the speed differs.
#pragma once
#include <string>
#include <vector>

namespace aclimb {

enum class Simd { scalar, avx2, avx512, neon };

extern Simd simd_in_use;
inline Simd simd_level() { return simd_in_use; }
const char* name_of(Simd level);
std::vector<std::string> simd_levels();       // those this host can run, slowest first
bool set_simd_level(const std::string& name); // "" picks the fastest; false: unknown here. Before the first launch.

} // namespace aclimb

// In a *.level.cpp file: everything lives in the namespace of its level, so that the linker never folds two levels into one.
#define ACLIMB_NAMESPACE_(level) level_##level
#define ACLIMB_NAMESPACE(level) ACLIMB_NAMESPACE_(level)
#ifdef ACLIMB_LEVEL
#define ACLIMB_LEVEL_BEGIN                                                                                                                 \
    namespace aclimb {                                                                                                                     \
    namespace ACLIMB_NAMESPACE(ACLIMB_LEVEL) {
#define ACLIMB_LEVEL_END                                                                                                                   \
    }                                                                                                                                      \
    }
#endif

// Picks the current level's table: ACLIMB_PICK(VectorLanes, vector_lanes) calls level_avx2::vector_lanes() and so on.
#if defined(__x86_64__)
#define ACLIMB_DECLARE_LEVELS(type, function)                                                                                              \
    namespace level_scalar {                                                                                                               \
    const type& function();                                                                                                                \
    }                                                                                                                                      \
    namespace level_avx2 {                                                                                                                 \
    const type& function();                                                                                                                \
    }                                                                                                                                      \
    namespace level_avx512 {                                                                                                               \
    const type& function();                                                                                                                \
    }
#define ACLIMB_PICK(function)                                                                                                              \
    (simd_level() == Simd::avx512 ? level_avx512::function()                                                                               \
     : simd_level() == Simd::avx2 ? level_avx2::function()                                                                                 \
                                  : level_scalar::function())
#else
#define ACLIMB_DECLARE_LEVELS(type, function)                                                                                              \
    namespace level_scalar {                                                                                                               \
    const type& function();                                                                                                                \
    }                                                                                                                                      \
    namespace level_neon {                                                                                                                 \
    const type& function();                                                                                                                \
    }
#define ACLIMB_PICK(function) (simd_level() == Simd::neon ? level_neon::function() : level_scalar::function())
#endif
