// SPDX-License-Identifier: Apache-2.0
// load_2d  whole fractals of 512 bytes into L0A, L0B or L1.          Ascend C: LoadData (LoadData2DParams)
//
// Fractal i * (1 + dst_gap) of the destination = fractal start_index + i * src_stride of the source; transposed as a 16 x 16 matrix
// when asked, which only types of 16 bits have.
#include "isa/move.h"
#include "isa/move/geometry.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace aclimb {
namespace {

constexpr int kSide = 16; // of a fractal of 16-bit elements

#if defined(__SSE2__)
__m128i low(__m128i a, __m128i b) { return _mm_unpacklo_epi16(a, b); }
__m128i high(__m128i a, __m128i b) { return _mm_unpackhi_epi16(a, b); }

// Three rounds of interleaving rows i and i + 4 transpose 8 x 8.
void transpose_8x8(uint16_t* dst, const uint16_t* src) {
    __m128i a[8], b[8];
    for (int i = 0; i < 8; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i * kSide));
    for (int i = 0; i < 4; ++i) b[2 * i] = low(a[i], a[i + 4]), b[2 * i + 1] = high(a[i], a[i + 4]);
    for (int i = 0; i < 4; ++i) a[2 * i] = low(b[i], b[i + 4]), a[2 * i + 1] = high(b[i], b[i + 4]);
    for (int i = 0; i < 4; ++i) b[2 * i] = low(a[i], a[i + 4]), b[2 * i + 1] = high(a[i], a[i + 4]);
    for (int i = 0; i < 8; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i * kSide), b[i]);
}
#else
void transpose_8x8(uint16_t* dst, const uint16_t* src) {
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) dst[j * kSide + i] = src[i * kSide + j];
}
#endif

void transpose(uint8_t* dst, const uint8_t* src) {
    auto* to = reinterpret_cast<uint16_t*>(dst);
    const auto* from = reinterpret_cast<const uint16_t*>(src);
    for (int row = 0; row < kSide; row += 8)
        for (int column = 0; column < kSide; column += 8) transpose_8x8(to + column * kSide + row, from + row * kSide + column);
}

void require_fields(Datapath& core, const Load2D& load) {
    const Memory dst = memory_of(load.dst), src = memory_of(load.src);
    if ((dst != Memory::L0A && dst != Memory::L0B && dst != Memory::L1) || (src != Memory::L1 && src != Memory::GM) || dst == src)
        core.fail_unsupported("LoadData moves fractals from L1 (A1, B1) to L0A or L0B (A2, B2), or from global memory to any of them.");
    if (load.transpose && size_of(load.head.dtype) != 2)
        core.fail_unsupported("LoadData with ifTranspose takes element types of 16 bits; 8-bit and 32-bit fractals are not square.");
    if (load.address_mode)
        core.fail_unsupported(
            "LoadData with addrMode 1 (descending addresses) is not supported; use addrMode 0 and order the fractals yourself.");
}

} // namespace

bool execute_load_2d(Datapath& core, Head& head) {
    const auto& load = reinterpret_cast<const Load2D&>(head);
    if (load.repeat == 0) return true;
    require_fields(core, load);
    core.require_aligned(load.src, alignment_of(load.src, static_cast<uint32_t>(size_of(head.dtype))), 1);
    core.require_aligned(load.dst, alignment_of(load.dst, 0), 0);

    const Rectangle from = source_of(load), to = destination_of(load);
    const uint8_t* src = core.read(load.src, from.end() - load.src.addr, 1) + (from.begin - load.src.addr);
    uint8_t* dst = core.write(load.dst, to.end() - to.begin, 0);
    if (load.transpose)
        for (int i = 0; i < load.repeat; ++i, src += from.stride, dst += to.stride) transpose(dst, src);
    else
        for (int i = 0; i < load.repeat; ++i, src += from.stride, dst += to.stride) std::memcpy(dst, src, kFractal);
    return true;
}

} // namespace aclimb
