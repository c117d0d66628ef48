// SPDX-License-Identifier: Apache-2.0
// z = x + y without TPipe and queues: tensors lie where the kernel puts them, and raw flags order the pipes. This is what the queues
// of the add example do behind the scenes, written out.
//
// Two halves of the UB take turns. A flag exists for every (pipe, pipe, id); the id is the half it speaks of.
//   MTE2_V   x and y have arrived          V_MTE2   x and y have been read, the half may be filled again
//   V_MTE3   z has been computed           MTE3_V   z has been stored, it may be overwritten
#include "kernel_operator.h"

constexpr uint32_t kTile = 256; // elements
constexpr uint32_t kBytes = kTile * sizeof(half);
constexpr int32_t kHalves = 2;

using AscendC::HardEvent;

__aicore__ inline AscendC::LocalTensor<half> At(AscendC::TPosition position, uint32_t tile) {
    return AscendC::LocalTensor<half>(position, tile * kBytes, kTile);
}

extern "C" __global__ __aicore__ void add_flags(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
    AscendC::InitSocState(); // a TPipe would do this
    const uint32_t share = length / AscendC::GetBlockNum();
    const uint64_t begin = share * AscendC::GetBlockIdx();
    AscendC::GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + begin, share);
    yGm.SetGlobalBuffer((__gm__ half*)y + begin, share);
    zGm.SetGlobalBuffer((__gm__ half*)z + begin, share);

    // Both halves are free to begin with.
    for (int32_t id = 0; id < kHalves; ++id) {
        AscendC::SetFlag<HardEvent::V_MTE2>(id);
        AscendC::SetFlag<HardEvent::MTE3_V>(id);
    }
    for (uint32_t offset = 0, turn = 0; offset < share; offset += kTile, ++turn) {
        const int32_t id = turn % kHalves;
        AscendC::LocalTensor<half> xLocal = At(AscendC::TPosition::VECIN, 3 * id);
        AscendC::LocalTensor<half> yLocal = At(AscendC::TPosition::VECIN, 3 * id + 1);
        AscendC::LocalTensor<half> zLocal = At(AscendC::TPosition::VECOUT, 3 * id + 2);

        AscendC::WaitFlag<HardEvent::V_MTE2>(id);
        AscendC::DataCopy(xLocal, xGm[offset], kTile);
        AscendC::DataCopy(yLocal, yGm[offset], kTile);
        AscendC::SetFlag<HardEvent::MTE2_V>(id);

        AscendC::WaitFlag<HardEvent::MTE2_V>(id);
        AscendC::WaitFlag<HardEvent::MTE3_V>(id);
        AscendC::Add(zLocal, xLocal, yLocal, kTile);
        AscendC::SetFlag<HardEvent::V_MTE2>(id);
        AscendC::SetFlag<HardEvent::V_MTE3>(id);

        AscendC::WaitFlag<HardEvent::V_MTE3>(id);
        AscendC::DataCopy(zGm[offset], zLocal, kTile);
        AscendC::SetFlag<HardEvent::MTE3_V>(id);
    }
    // Whatever is set must be waited for: a flag left over would leak into the next kernel.
    for (int32_t id = 0; id < kHalves; ++id) {
        AscendC::WaitFlag<HardEvent::V_MTE2>(id);
        AscendC::WaitFlag<HardEvent::MTE3_V>(id);
    }
}
