// SPDX-License-Identifier: Apache-2.0
// load_3d  a window of the im2col matrix of a map in L1, into L0A or L0B.          Ascend C: LoadData (LoadData3DParamsV2)
//
// Which bytes: im2col.h. Into L0B, and into L0A with enTranspose, the window is transposed. Rows beyond the window or the matrix are not
// written; along k whole blocks of 32 bytes move.
#include "isa/move.h"
#include "isa/move/im2col.h"
#include "isa/move/transpose.h"

namespace aclimb {
namespace {

void require_types(Datapath& core, const Load3D& load) {
    const Memory dst = memory_of(load.dst);
    const bool narrow = load.head.dtype == Dtype::i4 || size_of(load.head.dtype) == 1;
    if ((dst != Memory::L0A && dst != Memory::L0B) || memory_of(load.src) != Memory::L1)
        core.fail_unsupported("LoadData with LoadData3DParamsV2 moves from L1 (A1, B1) to L0A or L0B (A2, B2).");
    if (size_of(load.head.dtype) > 4)
        core.fail_unsupported("LoadData with LoadData3DParamsV2 takes int4b_t and element types of 8, 16 and 32 bits.");
    if (narrow && dst == Memory::L0B)
        core.fail_unsupported(
            "LoadData with LoadData3DParamsV2 into L0B (B2) takes element types of 16 and 32 bits on Atlas A2 and A3; use "
            "LoadDataWithTranspose for 4 and 8 bits.");
    if (narrow && load.transpose)
        core.fail_unsupported(
            "LoadData with LoadData3DParamsV2 and enTranspose takes element types of 16 and 32 bits on Atlas A2 and A3; use "
            "LoadDataWithTranspose for 8 bits.");
}

void require_fields(Datapath& core, const Load3D& load, const Im2col& windows) {
    const Load3DState& state = load.state;
    const int64_t c0 = c0_of(load.head.dtype);
    core.require_range("l1H", state.height, 0, 32767);
    core.require_range("l1W", state.width, 0, 32767);
    core.require_range("strideW", load.stride_w, 1, 63);
    core.require_range("strideH", load.stride_h, 1, 63);
    core.require_range("mStartPt", load.m_start, 0, 32767);
    core.require_range("kStartPt modulo the elements of 32 bytes", load.k_start % c0, 0, 0);
    if (load.channels % c0)
        core.fail_unsupported(
            "LoadData with LoadData3DParamsV2 takes a channelSize of whole blocks of 32 bytes: how the map keeps the rest of "
            "its channels in L1 is not published; pad the channels.");
    if (state.boundary) core.require_range("the value of SetLoadDataBoundary", state.boundary, 1024, INT32_MAX);
    if (!windows.fits())
        core.fail_unsupported(
            "LoadData with LoadData3DParamsV2: the filter is larger than the padded map; l1H, l1W, padList, filterH, filterW "
            "and the dilations leave no place for it.");
    core.require_range("kStartPt + kExtension in blocks of 32 bytes", int64_t{windows.last_block()} + 1, 1, windows.blocks());
    core.require_aligned(load.dst, kFractal, 0);
    core.require_aligned(load.src, kBlock, 1);
}

// The first byte of L1 that offsets count from, with everything that is read inside the tensor.
const uint8_t* checked_source(Datapath& core, const Load3D& load, const Im2col& windows) {
    if (load.state.boundary) { // reading comes back to the start of L1, where the tensor has no say
        const Place all{0, load.state.boundary, 0, kNoSlot, static_cast<uint64_t>(Memory::L1)};
        return core.read(all, load.state.boundary, 1);
    }
    int64_t last = -int64_t{kBlock};
    if (windows.is_plain()) { // the last row of each fractal, and the last block of that, are the farthest
        for (uint32_t fractal = 0; fractal < windows.height(); ++fractal)
            if (const uint32_t rows = windows.rows_of(fractal))
                last = std::max(last, windows.offset(fractal, rows - 1, windows.width() - 1));
    } else {
        windows.each([&](uint32_t, uint32_t, uint32_t, int64_t offset) { last = std::max(last, offset); });
    }
    return core.read(load.src, static_cast<uint64_t>(last + kBlock), 1) - load.src.addr;
}

// 16 rows of one column block, padding filled in.
void gather(uint8_t* rows, const uint8_t* l1, const Load3D& load, const Im2col& windows, uint32_t fractal, uint32_t block) {
    const uint32_t count = windows.rows_of(fractal), element = static_cast<uint32_t>(size_of(load.head.dtype));
    if (windows.is_plain() && count) {
        std::memcpy(rows, l1 + windows.address(windows.offset(fractal, 0, block)), count * kBlock);
        return;
    }
    for (uint32_t row = 0; row < count; ++row, rows += kBlock) {
        const int64_t offset = windows.offset(fractal, row, block);
        if (offset >= 0) std::memcpy(rows, l1 + windows.address(offset), kBlock);
        else
            for (uint32_t at = 0; at < kBlock; at += element) std::memcpy(rows + at, &load.state.pad_value, element);
    }
}

// `count` rows of 32 bytes become columns. A fractal that is not whole keeps the rest of its rows.
void put_transposed_16(uint8_t* to, const uint8_t* rows, uint32_t count) {
    if (count == kRowsOfFractal) return transpose_fractal(to, rows);
    alignas(16) uint8_t turned[kFractal];
    transpose_fractal(turned, rows);
    for (uint32_t k = 0; k < kRowsOfFractal; ++k) std::memcpy(to + k * kBlock, turned + k * kBlock, count * 2);
}

void put_transposed_32(uint8_t* dst, const uint8_t* rows, uint32_t count, const Load3DTarget& target, uint32_t fractal, uint32_t block) {
    const auto* from = reinterpret_cast<const uint32_t*>(rows);
    for (uint32_t m = 0; m < count; ++m) {
        auto* to = reinterpret_cast<uint32_t*>(dst + target.fractal(fractal, block, m / 8)) + target.row(block) * 8 + m % 8;
        for (uint32_t k = 0; k < 8; ++k) to[k * 8] = from[m * 8 + k];
    }
}

} // namespace

bool execute_load_3d(Datapath& core, Head& head) {
    const auto& load = reinterpret_cast<const Load3D&>(head);
    const Im2col windows(load);
    if (windows.is_empty()) return true;
    require_types(core, load);
    require_fields(core, load, windows);
    const Load3DTarget target(load, windows);
    const uint8_t* l1 = checked_source(core, load, windows);
    uint8_t* dst = core.write(load.dst, target.bytes(), 0);
    const bool whole = windows.is_plain() && (!target.transposes || target.blocks == 1);
    for (uint32_t fractal = 0; fractal < windows.height(); ++fractal) {
        const uint32_t count = windows.rows_of(fractal);
        for (uint32_t block = 0; block < windows.width(); ++block) {
            if (whole && count == kRowsOfFractal) {
                const uint8_t* from = l1 + windows.address(windows.offset(fractal, 0, block));
                uint8_t* to = dst + target.fractal(fractal, block, 0);
                if (target.transposes) transpose_fractal(to, from);
                else copy_fractal(to, from);
                continue;
            }
            alignas(16) uint8_t rows[kFractal] = {};
            gather(rows, l1, load, windows, fractal, block);
            if (!target.transposes) std::memcpy(dst + target.fractal(fractal, block, 0), rows, count * kBlock);
            else if (target.blocks == 1) put_transposed_16(dst + target.fractal(fractal, block, 0), rows, count);
            else put_transposed_32(dst, rows, count, target, fractal, block);
        }
    }
    return true;
}

} // namespace aclimb
