// SPDX-License-Identifier: Apache-2.0
// z = x + y on half vectors, tile by tile, in the steps of tuning that published measurements have: the tile, one or two buffers, how many
// Adds a tile gets, inputs that go past the L2, and addresses whose banks do not collide.
//
// Buffers stand at fixed addresses of the UB. With one set of them the copy of the next tile waits for the Add of this one; the copy out
// overlaps. For every set there are four flags: "full" goes forward, "free" comes back.
#include "kernel_operator.h"

using namespace AscendC;

struct Pieces { // byte addresses of one set of buffers
    uint32_t x, y, z;
};

class AddKernel {
  public:
    // unit: elements that stay on one core; the blocks share the units evenly, the first ones take one more.
    __aicore__ inline AddKernel(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length, uint32_t unit, uint32_t tile, bool bypass) : tile_(tile) {
        const uint64_t units = length / unit, each = units / GetBlockNum(), more = units % GetBlockNum(), block = GetBlockIdx();
        const uint64_t begin = (block * each + (block < more ? block : more)) * unit;
        share_ = (each + (block < more)) * unit;
        x_.SetGlobalBuffer((__gm__ half*)x + begin, share_);
        y_.SetGlobalBuffer((__gm__ half*)y + begin, share_);
        z_.SetGlobalBuffer((__gm__ half*)z + begin, share_);
        if (bypass) {
            x_.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
            y_.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
        }
    }

    __aicore__ inline void Process(uint32_t buffers, uint32_t adds, bool spread) {
        for (uint32_t i = 0; i < buffers; ++i) { // everything is free
            SetFlag<HardEvent::V_MTE2>(i);
            SetFlag<HardEvent::MTE3_V>(i);
        }
        uint32_t buffer = 0;
        for (uint64_t offset = 0; offset < share_; offset += tile_, buffer = (buffer + 1) % buffers) {
            const uint32_t count = share_ - offset < tile_ ? share_ - offset : tile_;
            ProcessTile(Place(buffer, spread), offset, count, adds, buffer);
        }
        for (uint32_t i = 0; i < buffers; ++i) { // everything is free again
            WaitFlag<HardEvent::V_MTE2>(i);
            WaitFlag<HardEvent::MTE3_V>(i);
        }
    }

  private:
    // Side by side, x and y begin in the same bank group. Spread: a tile that is half a row of banks short shifts y against x, and z has a
    // bank of its own.
    __aicore__ inline Pieces Place(uint32_t buffer, bool spread) const {
        constexpr uint32_t bank = 0x10000;
        const uint32_t bytes = tile_ * sizeof(half);
        if (!spread) return {buffer * 3 * bytes, (buffer * 3 + 1) * bytes, (buffer * 3 + 2) * bytes};
        return {buffer * bank, buffer * bank + bytes, 2 * bank + buffer * bytes};
    }

    __aicore__ inline void ProcessTile(const Pieces& at, uint64_t offset, uint32_t count, uint32_t adds, int32_t flag) {
        LocalTensor<half> x(TPosition::VECIN, at.x, tile_), y(TPosition::VECIN, at.y, tile_), z(TPosition::VECOUT, at.z, tile_);
        WaitFlag<HardEvent::V_MTE2>(flag);
        DataCopy(x, x_[offset], count);
        DataCopy(y, y_[offset], count);
        SetFlag<HardEvent::MTE2_V>(flag);
        WaitFlag<HardEvent::MTE2_V>(flag);
        WaitFlag<HardEvent::MTE3_V>(flag);
        for (uint32_t i = 0; i < adds; ++i) Add(z, x, y, count);
        SetFlag<HardEvent::V_MTE2>(flag);
        SetFlag<HardEvent::V_MTE3>(flag);
        WaitFlag<HardEvent::V_MTE3>(flag);
        DataCopy(z_[offset], z, count);
        SetFlag<HardEvent::MTE3_V>(flag);
    }

    GlobalTensor<half> x_, y_, z_;
    uint64_t share_ = 0;
    uint32_t tile_;
};

extern "C" __global__ __aicore__ void add_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length, uint32_t unit, uint32_t tile,
                                               uint32_t buffers, uint32_t adds, uint32_t bypass, uint32_t spread) {
    AddKernel(x, y, z, length, unit, tile, bypass).Process(buffers, adds, spread);
}

// The same, element by element on the scalar unit: one tile of 4096 after the other.
extern "C" __global__ __aicore__ void add_scalars(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
    constexpr uint32_t tile = 4096;
    GlobalTensor<half> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ half*)x, length);
    gy.SetGlobalBuffer((__gm__ half*)y, length);
    gz.SetGlobalBuffer((__gm__ half*)z, length);
    LocalTensor<half> a(TPosition::VECCALC, 0, tile), b(TPosition::VECCALC, 0x8000, tile), c(TPosition::VECCALC, 0x10000, tile);
    for (uint32_t offset = 0; offset < length; offset += tile) {
        if (offset) WaitFlag<HardEvent::V_MTE2>(0);
        DataCopy(a, gx[offset], tile);
        DataCopy(b, gy[offset], tile);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        if (offset) WaitFlag<HardEvent::MTE3_V>(0);
        for (uint32_t i = 0; i < tile; ++i) c.SetValue(i, (half)((float)a.GetValue(i) + (float)b.GetValue(i)));
        if (offset + tile < length) SetFlag<HardEvent::V_MTE2>(0);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(gz[offset], c, tile);
        if (offset + tile < length) SetFlag<HardEvent::MTE3_V>(0);
    }
}

// The same with barriers in place of flags: no pipe works while another one does.
extern "C" __global__ __aicore__ void add_barriers(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length, uint32_t tile) {
    const uint64_t share = length / GetBlockNum(), begin = share * GetBlockIdx();
    GlobalTensor<half> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ half*)x + begin, share);
    gy.SetGlobalBuffer((__gm__ half*)y + begin, share);
    gz.SetGlobalBuffer((__gm__ half*)z + begin, share);
    LocalTensor<half> a(TPosition::VECCALC, 0, tile), b(TPosition::VECCALC, 0x10100, tile), c(TPosition::VECCALC, 0x20000, tile);
    for (uint64_t offset = 0; offset < share; offset += tile) {
        DataCopy(a, gx[offset], tile);
        DataCopy(b, gy[offset], tile);
        PipeBarrier<PIPE_ALL>();
        Add(c, a, b, tile);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gz[offset], c, tile);
        PipeBarrier<PIPE_ALL>();
    }
}
