// SPDX-License-Identifier: Apache-2.0
// Gather, index, transpose and sort calls in their forms, a row of 256 floats each.
#include "rows.h"

constexpr uint32_t SCRATCH = 8192; // bytes: behind everything of Rows

template <typename T> __aicore__ inline LocalTensor<T> Scratch(uint32_t bytes, uint32_t at = SCRATCH) {
    return LocalTensor<T>(TPosition::VECCALC, at, bytes / sizeof(T));
}

// y holds offsets: 200 of elements, from 208 on 16 of blocks
extern "C" __global__ __aicore__ void gathers(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<uint32_t> offsets = rows.b.ReinterpretCast<uint32_t>();
    Gather(rows.Next(), rows.a, offsets, 0, 100);
    Gather(rows.Next(), rows.a, offsets, 64, static_cast<uint64_t>(7), 3, 8);
    uint64_t bits[2] = {0x5555555555555555ull, 0};
    Gather(rows.Next(), rows.a, offsets, 0, bits, 2, 16);
    Gatherb(rows.Next().ReinterpretCast<uint32_t>(), rows.a.ReinterpretCast<uint32_t>(), offsets[208], 2, {1, 16});
}

extern "C" __global__ __aicore__ void indices(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    CreateVecIndex(rows.Next().ReinterpretCast<int32_t>(), 5, 100);
    LocalTensor<float> row = rows.Next();
    CreateVecIndex(row, 3.5f, static_cast<uint64_t>(7), 2, 1, 16);
    row = rows.Next();
    uint64_t bits[2] = {0x8000000000000001ull, 0};
    CreateVecIndex(row, 0.0f, bits, 3, 1, 8);
    Arange(rows.Next(), 0.1f, 0.3f, 251);
    ArithProgression<int32_t>(rows.Next().ReinterpretCast<int32_t>(), -7, 3, 250);
    Arange(rows.Next().ReinterpretCast<half>(), half(1), half(0.3f), 500);
    ArithProgression<int16_t>(rows.Next().ReinterpretCast<int16_t>(), 32000, 7, 300);
    ArithProgression(rows.Next(), 2.0f, 1.0f, 3);
}

// The number of elements that were kept comes last in each row.
extern "C" __global__ __aicore__ void gather_masks(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    uint64_t kept = 0;
    for (uint8_t pattern = 1; pattern <= 7; pattern++) {
        LocalTensor<float> row = rows.Next();
        GatherMask(row, rows.a, pattern, false, 0, {1, 3, 8, 0}, kept);
        row.SetValue(255, static_cast<float>(kept));
    }
    LocalTensor<float> row = rows.Next();
    LocalTensor<uint8_t> above = Scratch<uint8_t>(32);
    CompareScalar(above, rows.a, 0.0f, CMPMODE::GT, 256);
    GatherMask(row, rows.a, above.ReinterpretCast<uint32_t>(), true, 200, {1, 1, 8, 0}, kept);
    row.SetValue(255, static_cast<float>(kept));
    // Bits of 16-bit elements, in place; a mask register in COUNTER mode is left NORMAL and full
    row = rows.Next();
    LocalTensor<half> halves = Scratch<half>(512, SCRATCH + 256);
    Cast(halves, rows.a, RoundMode::CAST_NONE, 256);
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(10);
    GatherMask(halves, halves, above.ReinterpretCast<uint16_t>(), true, 256, {1, 1, 8, 0}, kept);
    Cast(row, halves, RoundMode::CAST_NONE, static_cast<uint32_t>(kept));
    row.SetValue(255, static_cast<float>(kept));
    row = rows.Next();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(10);
    GatherMask(halves, halves, 7, false, 0, {1, 1, 8, 0}, kept);
    Adds<float, false>(row, rows.a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
}

extern "C" __global__ __aicore__ void transposes(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    LocalTensor<half> square = rows.a.ReinterpretCast<half>();
    LocalTensor<uint8_t> scratch = Scratch<uint8_t>(8192);
    Transpose(rows.Next().ReinterpretCast<half>(), square);
    LocalTensor<half> row = rows.Next().ReinterpretCast<half>();
    DataCopy(row, square, 256);
    Transpose(row, row);
    Transpose(rows.Next().ReinterpretCast<uint16_t>(), square.ReinterpretCast<uint16_t>(), scratch, TransposeParamsExt());
    Transpose(rows.Next(), rows.a, scratch, {2, 4, 4, 8, TransposeType::TRANSPOSE_NCHW2NHWC});
    Transpose(rows.Next(), rows.a, scratch, {2, 4, 4, 8, TransposeType::TRANSPOSE_NHWC2NCHW});
    // 16 blocks of 8 floats, as addresses, as addresses in the UB, as tensors
    uint64_t to[16], from[16];
    LocalTensor<float> row5 = rows.Next(), into[16], out[16];
    for (uint32_t i = 0; i < 16; i++) {
        to[i] = row5[8 * i].GetPhyAddr();
        from[i] = rows.a[8 * i].GetPhyAddr();
    }
    TransDataTo5HD<float>(to, from, {false, false, 2, 16, 16});
    LocalTensor<float> row6 = rows.Next();
    LocalTensor<uint64_t> list = Scratch<uint64_t>(128), other = Scratch<uint64_t>(128, SCRATCH + 128);
    for (uint32_t i = 0; i < 16; i++) {
        list.SetValue(i, row6[8 * i].GetPhyAddr());
        other.SetValue(i, rows.a[8 * i].GetPhyAddr());
    }
    TransDataTo5HD<float>(list, other, {false, false, 1, 0, 0});
    LocalTensor<float> row7 = rows.Next();
    for (uint32_t i = 0; i < 16; i++) {
        into[i] = row7[8 * i];
        out[i] = rows.a[8 * i];
    }
    TransDataTo5HD<float>(into, out, {false, false, 1, 0, 0});
}

// a: 32 blocks of 16 halfs; b: 32 offsets, then 32 weights.
extern "C" __global__ __aicore__ void interpolations(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    const LocalTensor<half> blocks = rows.a.ReinterpretCast<half>();
    const LocalTensor<uint32_t> offsets(TPosition::VECIN, ROW_BYTES, 32);
    const LocalTensor<half> weights(TPosition::VECIN, ROW_BYTES + 128, 32);
    const LocalTensor<uint8_t> scratch = Scratch<uint8_t>(2048);
    uint64_t bits[2] = {0x00ff00ff00ff00ffULL, 0x5555555555555555ULL};
    BilinearInterpolation(rows.Next().ReinterpretCast<half>(), blocks, offsets, weights, 128, 2, false, 1, 128, 2, scratch);
    BilinearInterpolation(rows.Next().ReinterpretCast<half>(), blocks, offsets, weights, bits, 2, true, 2, 256, 2, scratch);
    BilinearInterpolation(rows.Next().ReinterpretCast<half>(), blocks, offsets, weights, 100, 3, true, 1, 0, 1, scratch);
    BilinearInterpolation(rows.Next().ReinterpretCast<half>(), blocks, offsets, weights, 64, 1, false, 1, 128, 4, scratch);
}

// Image settings: only LoadImageToLocal would read them, and the copy is one.
extern "C" __global__ __aicore__ void image_settings(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    GlobalTensor<uint8_t> image;
    image.SetGlobalBuffer((__gm__ uint8_t*)x, ROW_BYTES);
    AippParams<int8_t> settings;
    settings.swapParams.isSwapRB = true;
    SetAippFunctions(image, AippInputFormat::RGB888_U8, settings);
    SetAippFunctions(image, image, AippInputFormat::YUV420SP_U8, AippParams<half>());
    DataCopy(rows.Next().ReinterpretCast<uint8_t>(), image, ROW_BYTES);
}

// 32 * repeat scores: pairs sorted in full, and apart again.
template <typename T, bool full> __aicore__ inline void SortAll(GM_ADDR x, GM_ADDR y, GM_ADDR values, GM_ADDR order, uint32_t repeat) {
    const uint32_t n = 32 * repeat, bytes = 8 * n;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffers[4];
    pipe.InitBuffer(buffers[0], bytes);
    pipe.InitBuffer(buffers[1], bytes);
    pipe.InitBuffer(buffers[2], 4 * n);
    pipe.InitBuffer(buffers[3], 4 * n);
    LocalTensor<T> dst = buffers[0].Get<T>(), tmp = buffers[1].Get<T>(), scores = buffers[2].Get<T>(), concat;
    LocalTensor<uint32_t> index = buffers[3].Get<uint32_t>();
    GlobalTensor<T> gm, pairs, sorted;
    gm.SetGlobalBuffer((__gm__ T*)x, n);
    pairs.SetGlobalBuffer((__gm__ T*)y, GetSortLen<T>(n));
    sorted.SetGlobalBuffer((__gm__ T*)values, n);
    GlobalTensor<uint32_t> indices;
    indices.SetGlobalBuffer((__gm__ uint32_t*)order, n);
    DataCopy(scores, gm, n);
    PipeBarrier<PIPE_ALL>();
    ArithProgression<int32_t>(index.ReinterpretCast<int32_t>(), 0, 1, n);
    Concat(concat, scores, tmp, repeat);
    Sort<T, full>(dst, concat, index, tmp, repeat);
    Extract(scores, index, dst, repeat);
    PipeBarrier<PIPE_ALL>();
    DataCopy(pairs, dst, GetSortLen<T>(n));
    DataCopy(sorted, scores, n);
    DataCopy(indices, index, n);
}
extern "C" __global__ __aicore__ void sort_float(GM_ADDR x, GM_ADDR y, GM_ADDR v, GM_ADDR i, uint32_t repeat) {
    SortAll<float, true>(x, y, v, i, repeat);
}
extern "C" __global__ __aicore__ void sort_half(GM_ADDR x, GM_ADDR y, GM_ADDR v, GM_ADDR i, uint32_t repeat) {
    SortAll<half, true>(x, y, v, i, repeat);
}
extern "C" __global__ __aicore__ void sort_groups(GM_ADDR x, GM_ADDR y, GM_ADDR v, GM_ADDR i, uint32_t repeat) {
    SortAll<float, false>(x, y, v, i, repeat);
}

// Two sorted lists of 32 and 96 pairs of row x, merged until one is used up; how many of each at the end.
extern "C" __global__ __aicore__ void merge_some(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    Rows rows(x, y, z);
    const uint16_t lengths[4] = {32, 96, 0, 0};
    LocalTensor<float> none;
    LocalTensor<float> row = rows.Next();
    uint16_t used[4];
    MrgSort(row, MrgSortSrcList<float>(rows.a, rows.a[64], none, none), MrgSort4Info(lengths, true, 3, 1));
    GetMrgSortResult(used[0], used[1], used[2], used[3]);
    row = rows.Next();
    for (uint32_t i = 0; i < 4; i++) row.SetValue(i, static_cast<float>(used[i]));
    uint32_t sorted[4] = {};
    MrgSort<float, true>(rows.Next(), {rows.a, rows.a[64], none, none}, lengths, sorted, 3, 1);
    row = rows.Next();
    for (uint32_t i = 0; i < 4; i++) row.SetValue(i, static_cast<float>(sorted[i]));
}
