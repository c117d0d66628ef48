// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 bytes: x, z, y and t of the UB from byte 0 on, and those of global memory by their index.
//
// A faulty vector and the same put right are one text:  //+ code  stands only in the one put right,  code //-  only in the faulty one.
#pragma once
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kTile = 16, kTileBytes = 64; // 16 words
using Local = LocalTensor<int32_t>;
using Global = GlobalTensor<int32_t>;

__aicore__ inline Local Ub(uint32_t byte, uint32_t words = kTile) { return Local(TPosition::VECCALC, byte, words); }
__aicore__ inline Global Gm(GM_ADDR base, int64_t tile, uint32_t words = kTile) {
    Global made;
    made.SetGlobalBuffer((__gm__ int32_t*)base + tile * kTile, words);
    return made;
}

// Each block's own tiles.
struct Tiles {
    Local x = Ub(0), z = Ub(64), y = Ub(128), t = Ub(192);
    Global gx, gz, gw;
    __aicore__ inline Tiles(GM_ADDR inputs, GM_ADDR outputs, GM_ADDR workspace, int64_t tile = GetBlockIdx())
        : gx(Gm(inputs, tile)), gz(Gm(outputs, tile)), gw(Gm(workspace, tile)) {
        InitSocState();
    }
};

__aicore__ inline int64_t Neighbour() { return (GetBlockIdx() + 1) % GetBlockNum(); }
