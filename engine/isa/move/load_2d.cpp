// SPDX-License-Identifier: Apache-2.0
// load_2d  whole fractals of 512 bytes into L0A, L0B or L1.          Ascend C: LoadData (LoadData2DParams)
//
// Fractal i * (1 + dst_gap) of the destination = fractal start_index + i * src_stride of the source; transposed as a 16 x 16 matrix
// when asked, which only types of 16 bits have.
#include "isa/move.h"
#include "isa/move/geometry.h"
#include "isa/move/transpose.h"

namespace aclimb {
namespace {

void require_fields(Datapath& core, const Load2D& load) {
    const Memory dst = memory_of(load.dst), src = memory_of(load.src);
    if ((dst != Memory::L0A && dst != Memory::L0B && dst != Memory::L1) || (src != Memory::L1 && src != Memory::GM) || dst == src)
        core.fail_unsupported("LoadData moves fractals from L1 (A1, B1) to L0A or L0B (A2, B2), or from global memory to any of them.");
    if (load.transpose && size_of(load.head.dtype) != 2)
        core.fail_unsupported("LoadData with ifTranspose takes element types of 16 bits; 8-bit and 32-bit fractals are not square.");
    if (load.address_mode && !(src == Memory::GM && dst == Memory::L1))
        core.fail_unsupported("LoadData with addrMode 1 (descending addresses) goes from global memory to L1 only; leave it 0 elsewhere.");
    if (load.address_mode)
        core.require_range("startIndex with addrMode 1", load.start_index, (load.repeat - 1) * int64_t{load.src_stride}, 65535);
}

} // namespace

bool execute_load_2d(Datapath& core, Head& head) {
    const auto& load = reinterpret_cast<const Load2D&>(head);
    if (load.repeat == 0) return true;
    require_fields(core, load);
    core.require_aligned(load.src, alignment_of(load.src, static_cast<uint32_t>(size_of(head.dtype))), 1);
    core.require_aligned(load.dst, alignment_of(load.dst, 0), 0);

    const Rectangle from = source_of(load), to = destination_of(load);
    const uint8_t* src = core.read(load.src, from.end() - load.src.addr, 1) - load.src.addr;
    uint8_t* dst = core.write(load.dst, to.end() - to.begin, 0);
    for (uint32_t i = 0; i < load.repeat; ++i, dst += to.stride) {
        const uint8_t* fractal = src + fractal_address(load, i);
        if (load.transpose) transpose_fractal(dst, fractal);
        else copy_fractal(dst, fractal);
    }
    return true;
}

} // namespace aclimb
