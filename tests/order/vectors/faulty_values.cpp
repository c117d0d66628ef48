// SPDX-License-Identifier: Apache-2.0
// Bytes that nobody wrote, the data cache, and a tensor that was given back, M28 to M31 and M36.
#include "tiles.h"

extern "C" __global__ __vector__ void m28_no_duplicate(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    Tiles a(in, out, work);
    DataCopy(a.x, a.gx, kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    //+ Duplicate(a.z, 1, kTile);
    Add(a.z, a.z, a.x, kTile);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(a.gz, a.z, kTile);
}

// The sum of 16 floats, of which 15 were written.
extern "C" __global__ __vector__ void m29_one_less(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    LocalTensor<float> t(TPosition::VECCALC, 0, 64), scratch(TPosition::VECCALC, 256, 64), sum(TPosition::VECCALC, 512, 8);
    Duplicate(t, 1.0f, 15); //-
    //+ Duplicate(t, 1.0f, 16);
    ReduceSum(sum, t, scratch, 16);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)out + GetBlockIdx() * kTile, kTile);
    DataCopyPad(to, sum, DataCopyExtParams(1, sizeof(float), 0, 0, 0));
}

__aicore__ inline void CleanLine(const Global& at) { DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(at); }

// Block 0 stores a word, block 1 reads it behind a flag.
extern "C" __global__ __mix__(0, 1) void m30_not_written_back(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Global word = Gm(work, 0);
    if (GetBlockIdx() == 0) {
        word.SetValue(0, 7);
        //+ CleanLine(word);
        DataSyncBarrier<MemDsbT::ALL>();
    }
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    if (GetBlockIdx() == 1) {
        CleanLine(word);
        Gm(out, 0).SetValue(0, word.GetValue(0));
    }
}

// Block 1 has had the line in its cache from before.
extern "C" __global__ __mix__(0, 1) void m30_stale(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Global word = Gm(work, 0);
    const int32_t before = GetBlockIdx() == 1 ? word.GetValue(8) : 0;
    CrossCoreSetFlag<0, PIPE_MTE3>(1);
    CrossCoreWaitFlag(1);
    if (GetBlockIdx() == 0) {
        word.SetValue(0, 7);
        CleanLine(word);
        DataSyncBarrier<MemDsbT::ALL>();
    }
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    if (GetBlockIdx() == 1) {
        //+ CleanLine(word);
        Gm(out, 0).SetValue(0, word.GetValue(0) + before);
    }
}

// Words of one line of 64 bytes, one for each block.
extern "C" __global__ __vector__ void m31_shared_line(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    InitSocState();
    Global word = Gm(out, 0, 64)[GetBlockIdx()]; //-
    //+ Global word = Gm(out, GetBlockIdx());
    word.SetValue(0, 3);
    CleanLine(word);
    DataSyncBarrier<MemDsbT::ALL>();
}

extern "C" __global__ __vector__ void m36_free_too_early(GM_ADDR in, GM_ADDR out, GM_ADDR work) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inputs;
    TQue<TPosition::VECOUT, 2> outputs;
    pipe.InitBuffer(inputs, 2, kTileBytes);
    pipe.InitBuffer(outputs, 2, kTileBytes);
    for (int i = 0; i < 4; ++i) {
        const int64_t tile = GetBlockIdx() * 4 + i;
        Local x = inputs.AllocTensor<int32_t>();
        DataCopy(x, Gm(in, tile), kTile);
        inputs.EnQue(x);
        x = inputs.DeQue<int32_t>();
        Local z = outputs.AllocTensor<int32_t>();
        inputs.FreeTensor(x); //-
        Adds(z, x, 1, kTile);
        //+ inputs.FreeTensor(x);
        outputs.EnQue(z);
        z = outputs.DeQue<int32_t>();
        DataCopy(Gm(out, tile), z, kTile);
        outputs.FreeTensor(z);
    }
}
