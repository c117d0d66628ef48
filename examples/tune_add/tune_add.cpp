// SPDX-License-Identifier: Apache-2.0
// z = x + y on half vectors, as a kernel to be tuned: each choice is a macro, so a step of tuning is an option of the build.
//
//   TILE           elements of a tile
//   BUFFERS        sets of buffers in the UB; with two, a tile is loaded while the one before it is added
//   PAST_L2        1: the inputs are read past the L2, and what is there stays there
//   CONFLICT_FREE  1: no two operands of the Add meet in a bank of the UB
//
// For every set of buffers there are four flags: "full" goes forward (MTE2_V, V_MTE3), "free" comes back (V_MTE2, MTE3_V).
#include "kernel_operator.h"

#ifndef TILE
#define TILE 4096
#endif
#ifndef BUFFERS
#define BUFFERS 1
#endif
#ifndef PAST_L2
#define PAST_L2 0
#endif
#ifndef CONFLICT_FREE
#define CONFLICT_FREE 0
#endif

using namespace AscendC;

constexpr uint32_t kRow = 8192;                                  // elements; a row stays on one core
constexpr uint32_t kHalfBankRow = 256;                           // bytes after which the bank groups of the UB repeat, halved
constexpr uint32_t kTile = TILE - (CONFLICT_FREE ? kHalfBankRow / sizeof(half) : 0);
constexpr uint32_t kBytes = kTile * sizeof(half);
static_assert(3 * BUFFERS * TILE * sizeof(half) <= 192 * 1024, "x, y and z of every set of buffers must fit into the UB, 192 KiB");
static_assert(!CONFLICT_FREE || (BUFFERS <= 2 && 2 * kBytes <= 0x10000), "x and y of a set share 64 KiB when the addresses are free of conflicts");

struct Place { // byte addresses in the UB
    uint32_t x, y, z;
};

// Side by side, x and y begin in the same bank, and every repeat of the Add reads the two one after the other. Free of conflicts: a tile
// that is half a row of banks short moves y against x, and z lies in banks of its own.
__aicore__ inline Place PlaceOf(uint32_t buffer) {
    if (!CONFLICT_FREE) return {3 * buffer * kBytes, (3 * buffer + 1) * kBytes, (3 * buffer + 2) * kBytes};
    constexpr uint32_t third = 0x10000; // of the UB
    return {buffer * third, buffer * third + kBytes, 2 * third + buffer * kBytes};
}

class TuneAdd {
  public:
    __aicore__ inline TuneAdd(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
        const uint64_t rows = length / kRow, each = rows / GetBlockNum(), more = rows % GetBlockNum(), block = GetBlockIdx();
        const uint64_t begin = (block * each + (block < more ? block : more)) * kRow;
        share_ = (each + (block < more)) * kRow;
        x_.SetGlobalBuffer((__gm__ half*)x + begin, share_);
        y_.SetGlobalBuffer((__gm__ half*)y + begin, share_);
        z_.SetGlobalBuffer((__gm__ half*)z + begin, share_);
        if (PAST_L2) {
            x_.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
            y_.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
        }
    }

    __aicore__ inline void Process() {
        for (uint32_t i = 0; i < BUFFERS; ++i) { // everything is free
            SetFlag<HardEvent::V_MTE2>(i);
            SetFlag<HardEvent::MTE3_V>(i);
        }
        uint32_t buffer = 0;
        for (uint64_t offset = 0; offset < share_; offset += kTile, buffer = (buffer + 1) % BUFFERS) {
            ProcessTile(offset, share_ - offset < kTile ? share_ - offset : kTile, buffer);
        }
        for (uint32_t i = 0; i < BUFFERS; ++i) { // everything is free again
            WaitFlag<HardEvent::V_MTE2>(i);
            WaitFlag<HardEvent::MTE3_V>(i);
        }
    }

  private:
    __aicore__ inline void ProcessTile(uint64_t offset, uint32_t count, int32_t buffer) {
        const Place at = PlaceOf(buffer);
        LocalTensor<half> x(TPosition::VECIN, at.x, kTile), y(TPosition::VECIN, at.y, kTile), z(TPosition::VECOUT, at.z, kTile);

        WaitFlag<HardEvent::V_MTE2>(buffer); // x and y are free
        DataCopy(x, x_[offset], count);
        DataCopy(y, y_[offset], count);
        SetFlag<HardEvent::MTE2_V>(buffer);

        WaitFlag<HardEvent::MTE2_V>(buffer); // x and y are full
        WaitFlag<HardEvent::MTE3_V>(buffer); // z is free
        Add(z, x, y, count);
        SetFlag<HardEvent::V_MTE2>(buffer);
        SetFlag<HardEvent::V_MTE3>(buffer);

        WaitFlag<HardEvent::V_MTE3>(buffer); // z is full
        DataCopy(z_[offset], z, count);
        SetFlag<HardEvent::MTE3_V>(buffer);
    }

    GlobalTensor<half> x_, y_, z_;
    uint64_t share_ = 0; // elements of this block
};

// length: elements of each vector, a multiple of 8192.
extern "C" __global__ __aicore__ void tune_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) { TuneAdd(x, y, z, length).Process(); }
