// SPDX-License-Identifier: Apache-2.0
// The next token of each sequence: of its k likeliest tokens, the one at which the sum of probabilities passes a uniform random number.
// A vocabulary is longer than a TopK. First the AIVs find the k greatest logits of each piece, with their tokens; when all have, of each
// sequence the k greatest of these candidates, and SoftMax, CumSum and the choice.
#include "kernel_operator.h"

using namespace AscendC;

struct Plan { // as in run.py
    TopkTiling ofPiece, ofCandidates;
    SoftMaxTiling ofBest;
    uint32_t sequences, vocabulary, k;
    uint32_t piece, pieces, together; // elements of a piece; pieces of a sequence, and of them for one AIV at a time
    uint32_t candidates;              // of a sequence, up to a multiple of 32
    uint32_t scratch;
};

__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }
__aicore__ inline uint32_t Blocks(uint32_t count) { return (count + 7) / 8 * 8; } // whole blocks of 32 bytes
constexpr float kLast = -__builtin_inff();                                        // sorts behind every logit

class Sampling {
  public:
    __aicore__ inline Sampling(TPipe& pipe, const Plan& plan) : pipe_(pipe), plan_(plan), k_(Blocks(plan.k)) {
        pipe.InitBuffer(logitsIn_, 2, plan.piece * sizeof(float));
        pipe.InitBuffer(candidatesIn_, 2, 2 * plan.candidates * sizeof(float)); // logits, and tokens behind them
        pipe.InitBuffer(bestOut_, 2, 2 * k_ * sizeof(float));
        pipe.InitBuffer(tokenOut_, 2, 32);
        pipe.InitBuffer(tokens_, plan.piece * sizeof(int32_t));
        pipe.InitBuffer(sums_, 2 * k_ * sizeof(float));
        pipe.InitBuffer(scratch_, plan.scratch); // what is left is CumSum's
    }

    __aicore__ inline void Run(GM_ADDR logits, GM_ADDR uniform, GM_ADDR chosen, GM_ADDR candidates) {
        const uint64_t room = static_cast<uint64_t>(plan_.sequences) * plan_.pieces * plan_.k;
        logits_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(logits));
        uniform_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(uniform));
        chosen_.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(chosen));
        values_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(candidates), room);
        indices_.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(candidates) + room, room);
        const uint32_t all = plan_.sequences * plan_.pieces, step = GetBlockNum() * plan_.together;
        for (uint32_t first = GetBlockIdx() * plan_.together; first < all; first += step)
            for (uint32_t piece = first; piece < Least(first + plan_.together, all); ++piece) BestOfPiece(piece);
        SyncAll();
        for (uint32_t sequence = GetBlockIdx(); sequence < plan_.sequences; sequence += GetBlockNum()) Sample(sequence);
    }

  private:
    __aicore__ inline void BestOfPiece(uint32_t piece) {
        const uint32_t first = piece % plan_.pieces * plan_.piece, count = Least(plan_.piece, plan_.vocabulary - first);
        LocalTensor<float> logits = logitsIn_.AllocTensor<float>();
        Fetch(logits, logits_[static_cast<uint64_t>(piece / plan_.pieces) * plan_.vocabulary + first], count);
        logitsIn_.EnQue(logits);

        logits = logitsIn_.DeQue<float>();
        FillUp(logits, count, plan_.piece);
        LocalTensor<int32_t> tokens = tokens_.Get<int32_t>();
        CreateVecIndex(tokens, static_cast<int32_t>(first), plan_.piece);
        LocalTensor<float> best = bestOut_.AllocTensor<float>();
        const auto length = static_cast<int32_t>(plan_.piece);
        TopK<float, true>(best, best[k_].ReinterpretCast<int32_t>(), logits, tokens, LocalTensor<bool>(), scratch_.Get<uint8_t>(),
                          static_cast<int32_t>(plan_.k), plan_.ofPiece, TopKInfo{1, length, length});
        logitsIn_.FreeTensor(logits);
        bestOut_.EnQue(best);

        best = bestOut_.DeQue<float>();
        const DataCopyExtParams packed(1, plan_.k * sizeof(float), 0, 0, 0);
        DataCopyPad(values_[static_cast<uint64_t>(piece) * plan_.k], best, packed);
        DataCopyPad(indices_[static_cast<uint64_t>(piece) * plan_.k], best[k_].ReinterpretCast<int32_t>(), packed);
        bestOut_.FreeTensor(best);
    }

    __aicore__ inline void Sample(uint32_t sequence) {
        const uint32_t count = plan_.pieces * plan_.k;
        const uint64_t first = static_cast<uint64_t>(sequence) * count;
        LocalTensor<float> values = candidatesIn_.AllocTensor<float>();
        LocalTensor<int32_t> tokens = values[plan_.candidates].ReinterpretCast<int32_t>();
        Fetch(values, values_[first], count);
        Fetch(tokens, indices_[first], count);
        candidatesIn_.EnQue(values);

        values = candidatesIn_.DeQue<float>();
        FillUp(values, count, plan_.candidates);
        LocalTensor<int32_t> token = tokenOut_.AllocTensor<int32_t>();
        Duplicate(token, Choose(values, tokens, uniform_.GetValue(sequence)), 8);
        candidatesIn_.FreeTensor(values);
        tokenOut_.EnQue(token);

        token = tokenOut_.DeQue<int32_t>();
        DataCopyPad(chosen_[sequence], token, DataCopyExtParams(1, sizeof(int32_t), 0, 0, 0));
        tokenOut_.FreeTensor(token);
    }

    __aicore__ inline int32_t Choose(const LocalTensor<float>& values, const LocalTensor<int32_t>& tokens, float uniform) {
        LocalTensor<float> best = bestOut_.AllocTensor<float>(), sums = sums_.Get<float>(), odds = sums[k_];
        LocalTensor<int32_t> bestTokens = best[k_].ReinterpretCast<int32_t>();
        LocalTensor<uint8_t> scratch = scratch_.Get<uint8_t>();
        const auto length = static_cast<int32_t>(plan_.candidates);
        TopK<float, true>(best, bestTokens, values, tokens, LocalTensor<bool>(), scratch, static_cast<int32_t>(plan_.k), plan_.ofCandidates,
                          TopKInfo{1, length, length});
        Duplicate(odds, 0.0f, static_cast<int32_t>(k_)); // behind k there is nothing
        SoftMax(odds, best, scratch, plan_.ofBest, SoftMaxShapeInfo{1, k_, 1, plan_.k});
        CumSum(sums, sums, odds, CumSumInfo{1, k_});

        const TEventID summed = pipe_.FetchEventID(HardEvent::V_S);
        SetFlag<HardEvent::V_S>(summed);
        WaitFlag<HardEvent::V_S>(summed);
        uint32_t at = 0;
        while (at + 1 < plan_.k && sums.GetValue(at) <= uniform) ++at;
        const int32_t token = bestTokens.GetValue(at);
        bestOut_.FreeTensor(best);
        return token;
    }

    // What a copy leaves of the last block, and FillUp behind it, sorts last.
    template <typename T> __aicore__ inline void Fetch(const LocalTensor<T>& to, const GlobalTensor<T>& from, uint32_t count) {
        const auto behind = static_cast<uint8_t>(Blocks(count) - count);
        DataCopyPad(to, from, DataCopyExtParams(1, count * sizeof(T), 0, 0, 0),
                    DataCopyPadExtParams<T>(behind > 0, 0, behind, static_cast<T>(std::is_same_v<T, float> ? kLast : 0)));
    }
    __aicore__ inline void FillUp(const LocalTensor<float>& values, uint32_t count, uint32_t length) {
        if (Blocks(count) < length) Duplicate(values[Blocks(count)], kLast, static_cast<int32_t>(length - Blocks(count)));
    }

    TPipe& pipe_;
    const Plan& plan_;
    const uint32_t k_; // in whole blocks
    TQue<TPosition::VECIN, 1> logitsIn_, candidatesIn_;
    TQue<TPosition::VECOUT, 1> bestOut_, tokenOut_;
    TBuf<TPosition::VECCALC> tokens_, sums_, scratch_;
    GlobalTensor<float> logits_, uniform_, values_;
    GlobalTensor<int32_t> indices_, chosen_;
};

extern "C" __global__ __aicore__ void topk_sampling(GM_ADDR logits, GM_ADDR uniform, GM_ADDR chosen, GM_ADDR candidates, Plan plan) {
    TPipe pipe;
    Sampling(pipe, plan).Run(logits, uniform, chosen, candidates);
}
