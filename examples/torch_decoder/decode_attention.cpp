// SPDX-License-Identifier: Apache-2.0
// One new token of each sequence looks at all before it and at itself. qkv is half[tokens, 3 * heads * 128], the caches of k and v are
// half[tokens, heads, length, 128], o is half[tokens, heads * 128]. An AIV takes one head of one token: scores = k * q, soft-max, sum of v.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t kDepth = 128, kHalf = 64, kRows = 64; // rows of k or v in UB at a time

struct DecodeAttentionTiling {
    int32_t tokens, heads, length; // of the cache: the new token comes behind it
    float scale;
};

class Head {
  public:
    __aicore__ inline Head(TPipe& pipe, const DecodeAttentionTiling& shape) : shape_(shape), all_(shape.length + 1) {
        const int32_t scores = (all_ + kRows - 1) / kRows * kRows;
        pipe.InitBuffer(in_, 2, kRows * kDepth * sizeof(half));
        pipe.InitBuffer(out_, 1, kDepth * sizeof(half));
        pipe.InitBuffer(wide_, kRows * kDepth * sizeof(float));
        pipe.InitBuffer(spread_, kRows * 32);
        pipe.InitBuffer(scores_, scores * sizeof(float));
        pipe.InitBuffer(sums_, 3 * kDepth * sizeof(float));
    }
    // `q`, `k` and `v` of the new token, then the caches.
    __aicore__ inline void Run(const GlobalTensor<half>& q, const GlobalTensor<half>& k, const GlobalTensor<half>& v,
                               const GlobalTensor<half>& ks, const GlobalTensor<half>& vs, const GlobalTensor<half>& o) {
        LocalTensor<float> wide = wide_.Get<float>(), scores = scores_.Get<float>(), sums = sums_.Get<float>();
        Fetch(q, 1);
        Muls(sums, wide, shape_.scale, kDepth);
        for (int32_t row = 0; row < all_; row += kRows) {
            const int32_t rows = Part(ks, k, row);
            Products(wide, sums, rows);
            WholeReduceSum(scores[row], wide, kHalf, rows, 1, 1, 16);
        }
        SoftMax(scores, sums[kDepth]);
        LocalTensor<float> result = sums;
        Duplicate(result, 0.0f, kDepth);
        for (int32_t row = 0; row < all_; row += kRows) {
            const int32_t rows = Part(vs, v, row);
            Weigh(wide, scores[row], rows);
            for (int32_t each = 0; each < rows; each++) Add(result, result, wide[each * kDepth], kDepth);
        }
        Store(o, result);
    }

  private:
    __aicore__ inline void Fetch(const GlobalTensor<half>& from, int32_t rows) {
        LocalTensor<half> local = in_.AllocTensor<half>();
        DataCopy(local, from, rows * kDepth);
        in_.EnQue(local);
        local = in_.DeQue<half>();
        Cast(wide_.Get<float>(), local, RoundMode::CAST_NONE, rows * kDepth);
        in_.FreeTensor(local);
    }
    // Rows of the cache, and the new one behind the last of them.
    __aicore__ inline int32_t Part(const GlobalTensor<half>& cache, const GlobalTensor<half>& fresh, int32_t row) {
        const int32_t rows = row + kRows < all_ ? kRows : all_ - row, old = row + rows < all_ ? rows : rows - 1;
        LocalTensor<half> local = in_.AllocTensor<half>();
        if (old > 0) DataCopy(local, cache[row * kDepth], old * kDepth);
        if (old < rows) DataCopy(local[old * kDepth], fresh, kDepth);
        in_.EnQue(local);
        local = in_.DeQue<half>();
        Cast(wide_.Get<float>(), local, RoundMode::CAST_NONE, rows * kDepth);
        in_.FreeTensor(local);
        return rows;
    }
    // Each row times q, its two halves added: 64 floats a row are left to sum up.
    __aicore__ inline void Products(const LocalTensor<float>& wide, const LocalTensor<float>& q, int32_t rows) {
        const auto repeats = static_cast<uint8_t>(rows);
        const BinaryRepeatParams by_row(1, 1, 1, 16, 16, 0);
        Mul(wide, wide, q, kHalf, repeats, by_row);
        Mul(wide[kHalf], wide[kHalf], q[kHalf], kHalf, repeats, by_row);
        Add(wide, wide, wide[kHalf], kHalf, repeats, BinaryRepeatParams(1, 1, 1, 16, 16, 16));
    }
    __aicore__ inline void SoftMax(const LocalTensor<float>& scores, const LocalTensor<float>& scratch) {
        LocalTensor<float> work = wide_.Get<float>();
        ReduceMax(scratch, scores, work, all_);
        Adds(scores, scores, -scratch.GetValue(0), all_);
        Exp(scores, scores, all_);
        ReduceSum(scratch, scores, work, all_);
        Muls(scores, scores, 1.0f / scratch.GetValue(0), all_);
    }
    // A score becomes a block of eight, which meets all blocks of its row.
    __aicore__ inline void Weigh(const LocalTensor<float>& wide, const LocalTensor<float>& scores, int32_t rows) {
        LocalTensor<float> spread = spread_.Get<float>();
        Brcb(spread, scores, static_cast<uint8_t>((rows + 7) / 8), {1, 8});
        const auto repeats = static_cast<uint8_t>(rows);
        const BinaryRepeatParams by_row(1, 1, 0, 16, 16, 1);
        Mul(wide, wide, spread, kHalf, repeats, by_row);
        Mul(wide[kHalf], wide[kHalf], spread, kHalf, repeats, by_row);
    }
    __aicore__ inline void Store(const GlobalTensor<half>& to, const LocalTensor<float>& result) {
        LocalTensor<half> local = out_.AllocTensor<half>();
        Cast(local, result, RoundMode::CAST_RINT, kDepth);
        out_.EnQue(local);
        local = out_.DeQue<half>();
        DataCopy(to, local, kDepth);
        out_.FreeTensor(local);
    }

    const DecodeAttentionTiling& shape_;
    const int32_t all_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> wide_, spread_, scores_, sums_;
};

extern "C" __global__ __vector__ void decode_attention(GM_ADDR qkv, GM_ADDR keys, GM_ADDR values, GM_ADDR o, GM_ADDR workspace,
                                                       GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(DecodeAttentionTiling);
    GET_TILING_DATA(shape, tiling);
    const int32_t width = shape.heads * kDepth, cache = shape.length * kDepth;
    GlobalTensor<half> fresh, ks, vs, to;
    fresh.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(qkv), shape.tokens * 3 * width);
    ks.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(keys), static_cast<uint64_t>(shape.tokens) * shape.heads * cache);
    vs.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(values), static_cast<uint64_t>(shape.tokens) * shape.heads * cache);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(o), shape.tokens * width);
    TPipe pipe;
    Head head(pipe, shape);
    for (int32_t item = GetBlockIdx(); item < shape.tokens * shape.heads; item += GetBlockNum()) {
        const int32_t at = item / shape.heads * 3 * width + item % shape.heads * kDepth;
        head.Run(fresh[at], fresh[at + width], fresh[at + 2 * width], ks[item * cache], vs[item * cache], to[item * kDepth]);
    }
}
