// SPDX-License-Identifier: Apache-2.0
// load_sparse  fractals of kept weights from L1 into L0B, and their positions into the buffer of positions.   Ascend C: LoadDataWithSparse
//
// Positions of the fractal at byte b of L0B lie at b / 4 of that buffer, which only MmadWithSparse reads.
#include "isa/move.h"
#include "isa/move/geometry.h"

namespace aclimb {

bool execute_load_sparse(Datapath& core, Head& head) {
    const auto& load = reinterpret_cast<const LoadSparse&>(head);
    if (load.repeat == 0) return true;
    if (memory_of(load.dst) != Memory::L0B || memory_of(load.src) != Memory::L1 || memory_of(load.index) != Memory::L1)
        core.fail_unsupported("LoadDataWithSparse moves weights and positions from L1 (B1) to L0B (B2).");
    core.require_aligned(load.dst, kFractal, 0);
    core.require_aligned(load.src, kBlock, 1);
    core.require_aligned(load.index, kBlock, 2);
    const Rectangle weights = source_of(load), positions = index_of(load);
    const uint8_t* src = core.read(load.src, weights.end() - load.src.addr, 1);
    const uint8_t* index = core.read(load.index, positions.end() - load.index.addr, 2);
    uint8_t* dst = core.write(load.dst, weights.length, 0);
    std::memcpy(dst, src + (weights.begin - load.src.addr), weights.length);
    std::memcpy(core.memory->sparse_index + load.dst.addr / 4, index + (positions.begin - load.index.addr), positions.length);
    core.memory->sparse_index_written = true;
    return true;
}

} // namespace aclimb
