// SPDX-License-Identifier: Apache-2.0
// o = softmax(q * k^T * scale) * v for every head: q, k, v, o are [heads, length, 128] of half, sums are float. The scores of a whole row
// are never in one place. An AIV takes some rows of q and goes along k and v, so many columns of scores at a step:
//
//   AIC   scores = q * k^T                      Matmul object, into the workspace
//   AIV   p = exp(scale * (scores - maximum))   the largest score so far; how much that shrinks what came before is `fade`
//   AIC   product = p * v                       another Matmul object, into the workspace
//   AIV   o = o * fade + product                behind the last step: / sum
//
// One after the other, each waits for what is before it. Ahead, the AIC has the next scores and the last product to work on while the AIV
// makes p of this step. The vector work goes through UB in slices of a few rows.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
#include "rows.h"

using namespace AscendC;

constexpr int32_t kDepth = 128;
constexpr float kNothing = -1e37f; // a score that adds nothing

struct Shape {
    TCubeTiling scores, product; // of one step
    int32_t heads, length;
    int32_t rows, columns;         // of one step: of q, and of k and v
    int32_t slice, buffers, ahead; // rows of a slice, slices in UB, 1 or 0
    float scale;
};

using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using HalfTurned = MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
using Float = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using ScoresObject = Matmul<Half, HalfTurned, Float, Float, CFG_MDL>;
using ProductObject = Matmul<Half, Half, Float, Float, CFG_MDL>;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }
__aicore__ inline int32_t Parts(int32_t whole, int32_t part) { return (whole + part - 1) / part; }

class Attention { // on an AIV
  public:
    __aicore__ inline Attention(TPipe* pipe, ScoresObject& scores, ProductObject& product, const Shape& shape)
        : scores_(scores), product_(product), shape_(shape), slice_(shape.slice) {
        q_parts_ = Parts(shape.length, shape.rows);
        k_parts_ = Parts(shape.length, shape.columns);
        const auto aiv = static_cast<int32_t>(GetBlockIdx());
        aivs_ = static_cast<int32_t>(GetBlockNum() * GetTaskRation());
        const int32_t items = shape.heads * q_parts_; // an AIV takes every aivs_-th
        steps_ = aiv < items ? Parts(items - aiv, aivs_) * k_parts_ : 0;

        const int32_t width = shape.columns > kDepth ? shape.columns : kDepth;
        pipe->InitBuffer(in_, shape.buffers, slice_ * width * sizeof(float));
        pipe->InitBuffer(out_, shape.buffers, slice_ * width * sizeof(half));
        Take(pipe, numbers_, slice_);
        Take(pipe, spread_, slice_ * rows::kBlock);
        Take(pipe, scale_, slice_ * rows::kBlock);
        Take(pipe, folded_, slice_ * rows::kLanes);
        Take(pipe, o_, shape.rows * kDepth);
        Take(pipe, maximum_, shape.rows);
        Take(pipe, sum_, 2 * shape.rows);
        Take(pipe, fade_, 2 * shape.rows);
        Duplicate(scale_, shape.scale, slice_ * rows::kBlock);
        written_ = pipe->AllocEventID<HardEvent::MTE3_S>();
    }

    __aicore__ inline void Point(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR o, GM_ADDR workspace) {
        q_gm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(q));
        k_gm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(k));
        v_gm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(v));
        o_gm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(o));
        const uint64_t scores = 2 * shape_.rows * shape_.columns, product = 2 * shape_.rows * kDepth; // of two steps
        auto* mine = workspace + GetBlockIdx() * (scores * (sizeof(float) + sizeof(half)) + product * sizeof(float));
        scores_gm_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(mine), scores);
        product_gm_.SetGlobalBuffer(scores_gm_.GetPhyAddr() + scores, product);
        p_gm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(product_gm_.GetPhyAddr() + product), scores);
    }

    __aicore__ inline void OneAfterTheOther() {
        for (int32_t step = 0; step < steps_; ++step) {
            SetScores(step);
            scores_.IterateAll(scores_gm_);
            Probabilities(step, scores_gm_, p_gm_);
            SetProduct(step, p_gm_);
            product_.IterateAll(product_gm_);
            Join(step, product_gm_);
        }
    }
    // The AIV never waits for what it has just asked for. Two steps are in work, so that each has a side of its own in the workspace.
    __aicore__ inline void Ahead() {
        if (steps_ > 0) AskScores(0);
        for (int32_t step = 0; step < steps_; ++step) {
            if (step + 1 < steps_) AskScores(step + 1);
            scores_.WaitIterateAll();
            Probabilities(step, Side(scores_gm_, step), Side(p_gm_, step));
            SetProduct(step, Side(p_gm_, step));
            product_.IterateAll<false>(Side(product_gm_, step), 0, false, true);
            if (step > 0) JoinWhenMade(step - 1);
        }
        if (steps_ > 0) JoinWhenMade(steps_ - 1);
    }

  private:
    __aicore__ inline static void Take(TPipe* pipe, LocalTensor<float>& tensor, int32_t floats) {
        TBuf<TPosition::VECCALC> buffer;
        pipe->InitBuffer(buffer, floats * sizeof(float));
        tensor = buffer.Get<float>();
    }
    template <typename T> __aicore__ inline static GlobalTensor<T> Side(const GlobalTensor<T>& both, int32_t step) {
        return step % 2 ? both[both.GetSize() / 2] : both;
    }

    // --- where a step is

    __aicore__ inline int32_t Item(int32_t step) const { return static_cast<int32_t>(GetBlockIdx()) + step / k_parts_ * aivs_; }
    __aicore__ inline int32_t FirstRow(int32_t step) const { return Item(step) % q_parts_ * shape_.rows; }
    __aicore__ inline int32_t FirstColumn(int32_t step) const { return step % k_parts_ * shape_.columns; }
    __aicore__ inline int32_t Rows(int32_t step) const { return Least(shape_.rows, shape_.length - FirstRow(step)); }
    __aicore__ inline int32_t Columns(int32_t step) const { return Least(shape_.columns, shape_.length - FirstColumn(step)); }
    __aicore__ inline bool IsFirst(int32_t step) const { return step % k_parts_ == 0; }
    __aicore__ inline bool IsLast(int32_t step) const { return step % k_parts_ == k_parts_ - 1; }
    __aicore__ inline uint64_t At(int32_t step, int32_t row) const { // in q, k, v and o
        return (static_cast<uint64_t>(Item(step) / q_parts_) * shape_.length + row) * kDepth;
    }
    // The sum of a row is there until o goes out, a step after the next row of q may have begun; fade until o is joined, a step later.
    __aicore__ inline LocalTensor<float> Sum(int32_t step, int32_t row) const { return sum_[step / k_parts_ % 2 * shape_.rows + row]; }
    __aicore__ inline LocalTensor<float> Fade(int32_t step, int32_t row) const { return fade_[step % 2 * shape_.rows + row]; }

    // --- what the AIC does

    __aicore__ inline void SetScores(int32_t step) {
        scores_.SetTail(Rows(step), Columns(step));
        scores_.SetTensorA(q_gm_[At(step, FirstRow(step))]);
        scores_.SetTensorB(k_gm_[At(step, FirstColumn(step))], true);
    }
    __aicore__ inline void SetProduct(int32_t step, const GlobalTensor<half>& p) {
        product_.SetTail(Rows(step), -1, Columns(step));
        product_.SetTensorA(p);
        product_.SetTensorB(v_gm_[At(step, FirstColumn(step))]);
    }
    __aicore__ inline void AskScores(int32_t step) {
        SetScores(step);
        scores_.IterateAll<false>(Side(scores_gm_, step), 0, false, true);
    }
    __aicore__ inline void JoinWhenMade(int32_t step) {
        product_.WaitIterateAll();
        Join(step, Side(product_gm_, step));
    }

    // --- what the AIV does

    __aicore__ inline LocalTensor<float> Fetch(const GlobalTensor<float>& from, int32_t count) {
        LocalTensor<float> local = in_.AllocTensor<float>();
        DataCopy(local, from, count);
        in_.EnQue(local);
        return in_.DeQue<float>();
    }
    __aicore__ inline void Store(const GlobalTensor<half>& to, const LocalTensor<float>& rows, int32_t count) {
        LocalTensor<half> local = out_.AllocTensor<half>();
        Cast(local, rows, RoundMode::CAST_RINT, count);
        out_.EnQue(local);
        DataCopy(to, out_.DeQue<half>(), count);
        out_.FreeTensor(local);
    }
    // When it returns, p is in global memory, where the AIC reads it.
    __aicore__ inline void Probabilities(int32_t step, const GlobalTensor<float>& scores, const GlobalTensor<half>& p) {
        const rows::Size size{slice_, shape_.columns};
        const int32_t count = size.rows * size.columns;
        for (int32_t row = 0; row < Rows(step); row += slice_) {
            LocalTensor<float> slice = Fetch(scores[row * size.columns], count);
            rows::Fill(slice, size, Columns(step), kNothing); // behind the end of k: left over from another step
            NewMaximum(step, row, slice, size);
            Muls(numbers_, maximum_[row], -shape_.scale, slice_);
            rows::Spread(spread_, numbers_, slice_);
            rows::MulAdd(slice, size, scale_, spread_);
            Exp(slice, slice, count);
            NewSum(step, row, slice, size);
            Store(p[row * size.columns], slice, Least(slice_, Rows(step) - row) * size.columns);
            in_.FreeTensor(slice);
        }
        SetFlag<HardEvent::MTE3_S>(written_);
        WaitFlag<HardEvent::MTE3_S>(written_);
    }
    __aicore__ inline void NewMaximum(int32_t step, int32_t row, const LocalTensor<float>& slice, rows::Size size) {
        LocalTensor<float> maximum = maximum_[row], fade = Fade(step, row);
        if (IsFirst(step)) return rows::Reduce<true>(maximum, slice, size, folded_);
        rows::Reduce<true>(numbers_, slice, size, folded_);
        Max(numbers_, numbers_, maximum, slice_);
        Sub(fade, maximum, numbers_, slice_);
        Muls(fade, fade, shape_.scale, slice_);
        Exp(fade, fade, slice_);
        Adds(maximum, numbers_, 0.0f, slice_);
    }
    __aicore__ inline void NewSum(int32_t step, int32_t row, const LocalTensor<float>& slice, rows::Size size) {
        if (IsFirst(step)) return rows::Reduce<false>(Sum(step, row), slice, size, folded_);
        rows::Reduce<false>(numbers_, slice, size, folded_);
        FusedMulAdd(Sum(step, row), Fade(step, row), numbers_, slice_);
    }
    __aicore__ inline void Join(int32_t step, const GlobalTensor<float>& made) {
        const rows::Size size{slice_, kDepth};
        for (int32_t row = 0; row < Rows(step); row += slice_) {
            LocalTensor<float> product = Fetch(made[row * kDepth], slice_ * kDepth), o = o_[row * kDepth];
            if (IsFirst(step)) {
                Adds(o, product, 0.0f, slice_ * kDepth);
            } else {
                rows::Spread(spread_, Fade(step, row), slice_);
                rows::MulAddMatrix(o, size, spread_, product);
            }
            in_.FreeTensor(product);
            if (!IsLast(step)) continue;
            rows::Spread(spread_, Sum(step, row), slice_);
            rows::Divide(o, size, spread_);
            Store(o_gm_[At(step, FirstRow(step) + row)], o, Least(slice_, Rows(step) - row) * kDepth);
        }
    }

    ScoresObject& scores_;
    ProductObject& product_;
    const Shape& shape_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    LocalTensor<float> numbers_, spread_, scale_, folded_; // of a slice
    LocalTensor<float> o_, maximum_, sum_, fade_;          // of the rows of a step
    GlobalTensor<half> q_gm_, k_gm_, v_gm_, o_gm_, p_gm_;
    GlobalTensor<float> scores_gm_, product_gm_;
    int32_t slice_, q_parts_, k_parts_, aivs_, steps_;
    TEventID written_;
};

extern "C" __global__ __mix__(1, 2) void flash_attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR o, GM_ADDR workspace, Shape shape) {
    TPipe pipe;
    ScoresObject scores;
    ProductObject product;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), scores, &shape.scores, product, &shape.product); // the AIC serves here
    Attention attention(&pipe, scores, product, shape);
    attention.Point(q, k, v, o, workspace);
    if (shape.ahead) attention.Ahead();
    else attention.OneAfterTheOther();
    scores.End();
    product.End();
}
