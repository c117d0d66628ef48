// SPDX-License-Identifier: Apache-2.0
// Gather of a tile in the UB, over and over; and a sort of more pairs than the UB holds: tiles are sorted in the UB, then four runs at a time
// are merged from global memory, a piece of each in the UB, filled up when MrgSort stops at the end of one.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gather(GM_ADDR x, GM_ADDR o, GM_ADDR z, uint32_t n, uint32_t times) {
    GlobalTensor<float> from, to;
    GlobalTensor<uint32_t> offset;
    from.SetGlobalBuffer((__gm__ float*)x, n);
    offset.SetGlobalBuffer((__gm__ uint32_t*)o, n);
    to.SetGlobalBuffer((__gm__ float*)z, n);
    LocalTensor<float> src(TPosition::VECIN, 0, n), dst(TPosition::VECOUT, 8 * n, n);
    LocalTensor<uint32_t> offsets(TPosition::VECIN, 4 * n, n);
    DataCopy(src, from, n);
    DataCopy(offsets, offset, n);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < times; i++) Gather(dst, src, offsets, 0, n);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, dst, n);
}

constexpr uint32_t TILE = 4096, PIECE = 2048; // pairs
constexpr uint32_t PAIR = GetSortLen<float>(1);

// Scores of a tile to sorted pairs.
__aicore__ inline void SortTile(const GlobalTensor<float>& scores, const GlobalTensor<float>& pairs, uint32_t first) {
    LocalTensor<float> dst(TPosition::VECCALC, 0, TILE * PAIR), tmp(TPosition::VECCALC, 8 * TILE, TILE * PAIR),
        score(TPosition::VECIN, 16 * TILE, TILE);
    LocalTensor<int32_t> index(TPosition::VECCALC, 20 * TILE, TILE);
    DataCopy(score, scores[first], TILE);
    PipeBarrier<PIPE_ALL>();
    CreateVecIndex(index, static_cast<int32_t>(first), TILE);
    Sort<float, true>(dst, score, index.ReinterpretCast<uint32_t>(), tmp, TILE / 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(pairs[first * PAIR], dst, TILE * PAIR);
    PipeBarrier<PIPE_ALL>();
}

// Four runs of `length` pairs, one behind the other in global memory.
__aicore__ inline void MergeRuns(const GlobalTensor<float>& from, const GlobalTensor<float>& to, uint32_t length) {
    LocalTensor<float> list[4], dst(TPosition::VECOUT, 4 * 8 * PIECE, 4 * PIECE * PAIR);
    uint32_t at[4], held[4] = {}, start[4] = {}, done = 0;
    for (uint32_t i = 0; i < 4; i++) {
        list[i] = LocalTensor<float>(TPosition::VECIN, i * 8 * PIECE, PIECE * PAIR);
        at[i] = i * length;
    }
    while (done < 4 * length) {
        uint16_t lengths[4] = {};
        uint32_t lists = 0, which[4];
        for (uint32_t i = 0; i < 4; i++) {
            if (held[i] == 0 && at[i] < (i + 1) * length) {
                held[i] = min(PIECE, (i + 1) * length - at[i]);
                start[i] = 0;
                DataCopy(list[i], from[at[i] * PAIR], held[i] * PAIR);
                at[i] += held[i];
            }
            if (held[i]) {
                which[lists] = i;
                lengths[lists++] = static_cast<uint16_t>(held[i]);
            }
        }
        PipeBarrier<PIPE_ALL>();
        for (uint32_t i = lists; i < 4; i++) which[i] = which[0];
        const auto piece = [&](uint32_t i) { return list[which[i]][start[which[i]] * PAIR]; };
        uint16_t used[4];
        const uint16_t valid = lists == 4 ? 15 : lists == 3 ? 7 : 3; // of the last run, the second list is empty
        MrgSort(dst, MrgSortSrcList<float>(piece(0), piece(1), piece(2), piece(3)), MrgSort4Info(lengths, true, valid, 1));
        GetMrgSortResult(used[0], used[1], used[2], used[3]);
        uint32_t total = 0;
        for (uint32_t i = 0; i < lists; i++) {
            total += used[i];
            held[which[i]] -= used[i];
            start[which[i]] += used[i];
        }
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(to[done * PAIR], dst, DataCopyParams(1, static_cast<uint16_t>(total * 8), 0, 0));
        PipeBarrier<PIPE_ALL>();
        done += total;
    }
}

// 16 tiles: 4 runs of 4 tiles, then one; x holds scores, y and z pairs, and the result is in y.
extern "C" __global__ __aicore__ void sort(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> scores, pairs, other;
    scores.SetGlobalBuffer((__gm__ float*)x, 16 * TILE);
    pairs.SetGlobalBuffer((__gm__ float*)y, 16 * TILE * PAIR);
    other.SetGlobalBuffer((__gm__ float*)z, 16 * TILE * PAIR);
    for (uint32_t tile = 0; tile < 16; tile++) SortTile(scores, pairs, tile * TILE);
    for (uint32_t run = 0; run < 4; run++) MergeRuns(pairs[run * 4 * TILE * PAIR], other[run * 4 * TILE * PAIR], TILE);
    MergeRuns(other, pairs, 4 * TILE);
}
