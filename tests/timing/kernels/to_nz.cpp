// SPDX-License-Identifier: Apache-2.0
// An 8192 x 8192 half matrix from rows to fractal columns of 16, tile by tile of 144 x 128 in two buffers. `apart` is the distance of two
// columns in the UB, in blocks: 144 puts all blocks of a repeat in one bank group, 145 in eight.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kSide = 8192, kRows = 144, kColumns = 128, kC0 = 16, kAcross = 8;

extern "C" __global__ __aicore__ void to_nz(GM_ADDR x, GM_ADDR z, uint32_t apart) {
    GlobalTensor<half> in, out;
    in.SetGlobalBuffer((__gm__ half*)x, kSide * kSide);
    out.SetGlobalBuffer((__gm__ half*)z, kSide * kSide);
    const uint32_t down = GetBlockNum() / kAcross, tiles = (kSide + kRows - 1) / kRows, mine = GetBlockIdx() / kAcross;
    const uint32_t each = tiles / down, more = tiles % down;
    const uint32_t first = mine * each + (mine < more ? mine : more), count = each + (mine < more), wide = kSide / kColumns / kAcross;
    for (uint32_t i = 0; i < 2; ++i) {
        SetFlag<HardEvent::V_MTE2>(i);
        SetFlag<HardEvent::MTE3_V>(i);
    }
    for (uint32_t i = 0; i < count * wide; ++i) {
        const uint32_t row = (first + i / wide) * kRows, column = (GetBlockIdx() % kAcross * wide + i % wide) * kColumns;
        const auto rows = static_cast<uint16_t>(kSide - row < kRows ? kSide - row : kRows);
        const auto flag = static_cast<int32_t>(i & 1);
        LocalTensor<half> nd(TPosition::VECIN, flag * kRows * kColumns * sizeof(half), kRows * kColumns);
        LocalTensor<half> nz(TPosition::VECOUT, 2 * kRows * kColumns * sizeof(half) + flag * (apart * 8 * 32), apart * 8 * kC0);
        WaitFlag<HardEvent::V_MTE2>(flag);
        DataCopy(nd, in[static_cast<uint64_t>(row) * kSide + column], DataCopyParams(rows, kColumns / kC0, (kSide - kColumns) / kC0, 0));
        SetFlag<HardEvent::MTE2_V>(flag);
        WaitFlag<HardEvent::MTE2_V>(flag);
        WaitFlag<HardEvent::MTE3_V>(flag);
        Copy(nz, nd, static_cast<uint64_t>(kColumns), static_cast<uint8_t>(rows), CopyRepeatParams(static_cast<uint16_t>(apart), 1, 1, 8));
        SetFlag<HardEvent::V_MTE2>(flag);
        SetFlag<HardEvent::V_MTE3>(flag);
        WaitFlag<HardEvent::V_MTE3>(flag);
        DataCopy(out[(static_cast<uint64_t>(column) / kC0 * kSide + row) * kC0], nz,
                 DataCopyParams(kColumns / kC0, rows, static_cast<uint16_t>(apart - rows), static_cast<uint16_t>(kSide - rows)));
        SetFlag<HardEvent::MTE3_V>(flag);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        WaitFlag<HardEvent::V_MTE2>(i);
        WaitFlag<HardEvent::MTE3_V>(i);
    }
}
