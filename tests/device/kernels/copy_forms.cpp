// SPDX-License-Identifier: Apache-2.0
// The forms of DataCopy that are made of several: slices, NZ to ND, ND to NZ in UB.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

// A slice of x into the UB, all of the UB to y, and from there as a slice into z.
extern "C" __global__ __aicore__ void slices(GM_ADDR x, GM_ADDR info, GM_ADDR y, GM_ADDR z, uint32_t dims) {
    InitSocState();
    LocalTensor<float> ub(TPosition::VECIN, 0, 4096);
    Duplicate(ub, -1.0f, 4096);
    PipeBarrier<PIPE_ALL>();
    SliceInfo from[8], to[8], out[8];
    SliceInfo* all[3] = {from, to, out};
    __gm__ uint32_t* words = (__gm__ uint32_t*)info;
    for (uint32_t which = 0; which < 3; which++)
        for (uint32_t dim = 0; dim < dims; dim++, words += 5) all[which][dim] = SliceInfo(words[0], words[1], words[2], words[3], words[4]);
    DataCopy(ub, At<float>(x), to, from, dims);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<float>(y), ub, 4096);
    DataCopy(At<float>(z), ub, out, to, dims);
}

extern "C" __global__ __aicore__ void nz_to_nd(GM_ADDR x, GM_ADDR z, uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t src_matrix, uint16_t src_group, uint16_t pitch, uint16_t dst_matrix) {
    InitSocState();
    LocalTensor<half> ub(TPosition::VECOUT, 0, 8192);
    DataCopy(ub, At<half>(x), 8192);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), ub, Nz2NdParamsFull(matrices, rows, columns, src_matrix, src_group, pitch, dst_matrix));
}
extern "C" __global__ __aicore__ void nz_to_nd_float(GM_ADDR x, GM_ADDR z, uint16_t rows, uint16_t columns, uint16_t src_group, uint16_t pitch) {
    InitSocState();
    LocalTensor<float> ub(TPosition::VECOUT, 0, 8192);
    DataCopy(ub, At<float>(x), 8192);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<float>(z), ub, Nz2NdParamsFull(1, rows, columns, 1, src_group, pitch, 1));
}

extern "C" __global__ __aicore__ void nd_to_nz(GM_ADDR x, GM_ADDR z, uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t src_matrix, uint16_t pitch, uint16_t group, uint16_t row, uint16_t dst_matrix) {
    InitSocState();
    LocalTensor<half> ub(TPosition::VECIN, 0, 8192);
    Duplicate(ub, static_cast<half>(-1), 8192);
    PipeBarrier<PIPE_ALL>();
    DataCopy(ub, At<half>(x), Nd2NzParams(matrices, rows, columns, src_matrix, pitch, group, row, dst_matrix));
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), ub, 8192);
}

// Hints, and cache lines cleaned between two scalar accesses.
extern "C" __global__ __aicore__ void hints(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<int32_t> from = At<int32_t>(x), to = At<int32_t>(z);
    ICachePreLoad(2);
    DataCachePreload(At<uint64_t>(x), static_cast<int64_t>(0));
    to.SetValue(0, from.GetValue(0) + static_cast<int32_t>(GetICachePreloadStatus()));
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(to);
    DataSyncBarrier<MemDsbT::DDR>();
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(to);
    DataSyncBarrier();
    to.SetValue(1, to.GetValue(0) + 1);
}
