// SPDX-License-Identifier: Apache-2.0
// Reductions with their template arguments written out, in every form that the headers declare.
#include "kernel_operator.h"
using namespace AscendC;

// 128 floats of x; each form leaves its first result in the next element of y.
extern "C" __global__ __aicore__ void reduce_forms(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 128);
    out.SetGlobalBuffer((__gm__ float*)y, 24);
    LocalTensor<float> a(TPosition::VECIN, 0, 128), r(TPosition::VECCALC, 1024, 64), tmp(TPosition::VECCALC, 2048, 128),
        all(TPosition::VECOUT, 4096, 24);
    DataCopy(a, in, 128);
    Duplicate(all, 0.0f, 24);
    PipeBarrier<PIPE_ALL>();
    const uint64_t bits[2] = {~uint64_t{}, 0};
    int at = 0;
    auto keep = [&]() { all.SetValue(at++, r.GetValue(0)); };
    ReduceSum<float, true>(r, a, tmp, 128), keep();
    ReduceSum<float, true>(r, a, tmp, 64, 2, 8), keep();
    ReduceSum<float, true>(r, a, tmp, bits, 2, 8), keep();
    ReduceMax<float, true>(r, a, tmp, 128, false), keep();
    ReduceMax<float, true>(r, a, tmp, 64, 2, 8), keep();
    ReduceMin<float, true>(r, a, tmp, bits, 2, 8, true), keep();
    WholeReduceSum<float, true>(r, a, 64, 1, 1, 1, 8), keep();
    WholeReduceSum<float, float>(r, a, 64, 1, 1, 1, 8), keep();
    WholeReduceSum<float, float, true>(r, a, bits, 1, 1, 1, 8), keep();
    WholeReduceMax<float, true>(r, a, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE), keep();
    BlockReduceSum<float, true>(r, a, 1, 64, 1, 1, 8), keep();
    PairReduceSum<float, true>(r, a, 1, 64, 1, 1, 8), keep();
    RepeatReduceSum<float, true>(r, a, 1, 64, 1, 1, 1, 8), keep();
    ReduceRepeat<ReduceType::SUM, float>(r, a, 64, 1, 1, 1, 8), keep();
    ReduceRepeat<ReduceType::SUM, float, float>(r, a, 64, 1, 1, 1, 8), keep();
    ReduceRepeat<ReduceType::MAX, float, float, true>(r, a, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE), keep();
    ReduceDataBlock<ReduceType::SUM, float, float, true>(r, a, 64, 1, 1, 1, 8), keep();
    ReducePairElem<ReduceType::SUM, float, float>(r, a, 64, 1, 1, 1, 8), keep();
    SetVectorMask<float, MaskMode::NORMAL>(0, 0xff); // the mask that isSetMask = false leaves in place: the first eight
    ReduceSum<float, false>(r, a, tmp, 64, 1, 8), keep();
    ReduceMax<float, false>(r, a, tmp, 64, 1, 8), keep();
    WholeReduceSum<float, float, false>(r, a, 64, 1, 1, 1, 8), keep();
    ReduceRepeat<ReduceType::SUM, float, float, false>(r, a, MASK_PLACEHOLDER, 1, 1, 1, 8), keep();
    ReduceDataBlock<ReduceType::MAX, float, float, false>(r, a, MASK_PLACEHOLDER, 1, 1, 1, 8), keep();
    ResetMask();
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, all, 24);
}
