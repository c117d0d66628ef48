// SPDX-License-Identifier: Apache-2.0
// z = qkv[tokens, 3 * heads * 128] with its q and k turned by the angles of their token: in a head, element i and i + 64 are one pair.
// cosine and sine are float[tokens, 64]. A block takes every so many-th token.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t kDepth = 128, kHalf = 64;

struct RotaryTiling {
    int32_t tokens, heads;
};

class Rotary {
  public:
    __aicore__ inline Rotary(TPipe& pipe, const RotaryTiling& shape) : heads_(2 * shape.heads), row_(3 * shape.heads * kDepth) {
        pipe.InitBuffer(in_, 2, row_ * sizeof(half));
        pipe.InitBuffer(angles_, 2, 2 * kHalf * sizeof(float));
        pipe.InitBuffer(out_, 2, row_ * sizeof(half));
        pipe.InitBuffer(wide_, 2 * heads_ * kDepth * sizeof(float));
    }
    __aicore__ inline void Token(const GlobalTensor<half>& from, const GlobalTensor<float>& cosine, const GlobalTensor<float>& sine,
                                 const GlobalTensor<half>& to) {
        LocalTensor<half> row = in_.AllocTensor<half>();
        DataCopy(row, from, row_);
        in_.EnQue(row);
        LocalTensor<float> angles = angles_.AllocTensor<float>();
        DataCopy(angles, cosine, kHalf);
        DataCopy(angles[kHalf], sine, kHalf);
        angles_.EnQue(angles);
        row = in_.DeQue<half>();
        angles = angles_.DeQue<float>();
        LocalTensor<half> turned = out_.AllocTensor<half>();
        Turn(turned, row, angles);
        in_.FreeTensor(row);
        angles_.FreeTensor(angles);
        out_.EnQue(turned);
        turned = out_.DeQue<half>();
        DataCopy(to, turned, row_);
        out_.FreeTensor(turned);
    }

  private:
    // A repeat is one half of one head: 64 floats, 16 blocks from head to head.
    __aicore__ inline void Turn(const LocalTensor<half>& to, const LocalTensor<half>& from, const LocalTensor<float>& angles) {
        const int32_t count = heads_ * kDepth;
        const auto heads = static_cast<uint8_t>(heads_);
        LocalTensor<float> wide = wide_.Get<float>(), result = wide[count];
        const LocalTensor<float> low = wide, high = wide[kHalf], low_to = result, high_to = result[kHalf];
        const LocalTensor<float> cosine = angles, sine = angles[kHalf];
        const BinaryRepeatParams by_head(1, 1, 1, 16, 16, 0);
        Cast(wide, from, RoundMode::CAST_NONE, count);
        Mul(low_to, high, sine, kHalf, heads, by_head);
        Mul(high_to, low, sine, kHalf, heads, by_head);
        Mul(wide, wide, cosine, kHalf, heads, by_head);
        Mul(high, high, cosine, kHalf, heads, by_head);
        const BinaryRepeatParams pairs(1, 1, 1, 16, 16, 16);
        Sub(low_to, low, low_to, kHalf, heads, pairs);
        Add(high_to, high, high_to, kHalf, heads, pairs);
        Cast(to, result, RoundMode::CAST_RINT, count);
        Adds(to[count], from[count], static_cast<half>(0), row_ - count); // v stays
    }

    const int32_t heads_, row_; // of q and k together; elements of a token
    TQue<TPosition::VECIN, 2> in_, angles_;
    TQue<TPosition::VECOUT, 2> out_;
    TBuf<TPosition::VECCALC> wide_;
};

extern "C" __global__ __vector__ void rotary(GM_ADDR qkv, GM_ADDR cosine, GM_ADDR sine, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(RotaryTiling);
    GET_TILING_DATA(shape, tiling);
    const int32_t row = 3 * shape.heads * kDepth;
    GlobalTensor<half> from, to;
    GlobalTensor<float> cosines, sines;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(qkv), shape.tokens * row);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(z), shape.tokens * row);
    cosines.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(cosine), shape.tokens * kHalf);
    sines.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(sine), shape.tokens * kHalf);
    TPipe pipe;
    Rotary all(pipe, shape);
    for (int32_t token = GetBlockIdx(); token < shape.tokens; token += GetBlockNum())
        all.Token(from[token * row], cosines[token * kHalf], sines[token * kHalf], to[token * row]);
}
