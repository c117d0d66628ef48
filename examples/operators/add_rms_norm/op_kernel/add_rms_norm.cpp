// SPDX-License-Identifier: Apache-2.0
// AddRmsNorm: x = x1 + x2, and for every row of x
//   rstd = 1 / sqrt(mean(x * x) + epsilon)         y = x * rstd * gamma
// x has the type of the inputs, and y is made of x as it was rounded to that type. Squares, sums and products are float throughout.
// The tiling key says the element type, and whether a row fits into UB:
//   1 half  2 bfloat16  3 float    whole rows: a tile holds several rows, and a block does everything for them
//   11      12          13         split rows: a tile is a piece of one row. Every tile leaves its sum of squares in the workspace;
//                                  when all blocks have done so, the sums of a row are added up and its pieces are scaled
// In UB a row starts at a block of 32 bytes.
#include "kernel_operator.h"
using namespace AscendC;

struct AddRmsNormTiling {
    uint32_t rows;
    uint32_t columns;
    uint32_t tileRows;    // at most 4095; 1 for split rows
    uint32_t tileColumns; // all columns, or those of a piece
    float epsilon;
    float inverse; // 1 / columns
};

struct AddRmsNormTensors {
    __gm__ uint8_t *x1, *x2, *gamma, *y, *rstd, *x, *workspace;
};

constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kBlockFloats = kBlockBytes / sizeof(float);
constexpr uint32_t kPartials = 1024; // sums that are read from the workspace at once

template <typename T> class AddRmsNorm {
    static constexpr bool kWiden = !std::is_same_v<T, float>;
    using InQueue = TQue<TPosition::VECIN, 1>;
    using OutQueue = TQue<TPosition::VECOUT, 1>;
    using Scratch = TBuf<TPosition::VECCALC>;

  public:
    __aicore__ inline AddRmsNorm(const AddRmsNormTensors& tensors, const AddRmsNormTiling& tiling) : tiling(tiling) {
        const uint64_t size = static_cast<uint64_t>(tiling.rows) * tiling.columns;
        firstGm.SetGlobalBuffer((__gm__ T*)tensors.x1, size);
        secondGm.SetGlobalBuffer((__gm__ T*)tensors.x2, size);
        gammaGm.SetGlobalBuffer((__gm__ T*)tensors.gamma, tiling.columns);
        yGm.SetGlobalBuffer((__gm__ T*)tensors.y, size);
        rstdGm.SetGlobalBuffer((__gm__ float*)tensors.rstd, tiling.rows);
        xGm.SetGlobalBuffer((__gm__ T*)tensors.x, size);
        width = AlignUp(tiling.tileColumns, kBlockBytes / sizeof(T));
        InitBuffers(tiling.tileRows * width);
    }

    __aicore__ inline void ProcessWholeRows() {
        LoadGamma();
        const uint32_t tiles = CeilDivision(tiling.rows, tiling.tileRows);
        for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
            const uint32_t row = tile * tiling.tileRows;
            NormRows(row, min(tiling.tileRows, tiling.rows - row));
        }
    }

    // The pieces of a block lie one behind the other, so it needs the sum of few rows.
    __aicore__ inline void ProcessSplitRows(GM_ADDR workspace) {
        pieces = CeilDivision(tiling.columns, tiling.tileColumns);
        const uint64_t tiles = static_cast<uint64_t>(tiling.rows) * pieces;
        const uint64_t begin = tiles * GetBlockIdx() / GetBlockNum(), end = tiles * (GetBlockIdx() + 1) / GetBlockNum();
        partialGm.SetGlobalBuffer((__gm__ float*)workspace, tiles);
        pipe.InitBuffer(partialQueue, 1, kPartials * sizeof(float));
        if constexpr (!kWiden) pipe.InitBuffer(yBuffer, width * sizeof(float));
        for (uint64_t tile = begin; tile < end; ++tile) AddPiece(tile);
        SyncAll();
        for (uint64_t tile = begin; tile < end; ++tile) ScalePiece(tile);
    }

  private:
    __aicore__ inline void InitBuffers(uint32_t area) {
        pipe.InitBuffer(firstQueue, 2, area * sizeof(T));
        pipe.InitBuffer(secondQueue, 2, area * sizeof(T));
        pipe.InitBuffer(xQueue, 2, area * sizeof(T));
        pipe.InitBuffer(yQueue, 2, area * sizeof(T));
        pipe.InitBuffer(rstdQueue, 2, tiling.tileRows * kBlockBytes);
        if constexpr (kWiden) {
            pipe.InitBuffer(xBuffer, area * sizeof(float));
            pipe.InitBuffer(yBuffer, area * sizeof(float));
        }
        pipe.InitBuffer(reduceBuffer, CeilDivision(max(width, kPartials), 64) * sizeof(float));
        pipe.InitBuffer(sumBuffer, kBlockBytes);
        pipe.InitBuffer(onesBuffer, tiling.tileRows * kBlockBytes);
        Duplicate(onesBuffer.Get<float>(), 1.0f, tiling.tileRows * kBlockFloats);
    }

    // --- whole rows

    __aicore__ inline void LoadGamma() {
        pipe.InitBuffer(gammaQueue, 1, width * sizeof(T));
        if constexpr (kWiden) pipe.InitBuffer(gammaBuffer, width * sizeof(float));
        Load(gammaQueue, gammaGm, 1, tiling.columns);
        gamma = Widened(gammaQueue.DeQue<T>(), gammaBuffer, tiling.columns); // stays until the end
    }

    __aicore__ inline void NormRows(uint32_t row, uint32_t rows) {
        const uint64_t offset = static_cast<uint64_t>(row) * tiling.columns;
        Load(firstQueue, firstGm[offset], rows, tiling.columns);
        Load(secondQueue, secondGm[offset], rows, tiling.columns);
        ComputeRows(rows);
        Store(xQueue, xGm[offset], rows, tiling.columns);
        Store(yQueue, yGm[offset], rows, tiling.columns);
        Store(rstdQueue, rstdGm[row], rows, 1);
    }

    __aicore__ inline void ComputeRows(uint32_t rows) {
        LocalTensor<T> x = xQueue.AllocTensor<T>(), y = yQueue.AllocTensor<T>();
        const LocalTensor<float> xs = AddInputs(x, rows * width), ys = Floats(y, yBuffer);
        const LocalTensor<float> rstd = RstdOfRows(xs, ys, rows);
        for (uint32_t row = 0; row < rows; ++row)
            ScaleTo(ys[row * width], xs[row * width], gamma, rstd.GetValue(row * kBlockFloats), tiling.columns);
        if constexpr (kWiden) Cast(y, ys, RoundMode::CAST_RINT, rows * width);
        xQueue.EnQue(x);
        yQueue.EnQue(y);
        rstdQueue.EnQue(rstd);
    }

    // A block of 32 bytes for each row, with rstd in its first element.
    __aicore__ inline LocalTensor<float> RstdOfRows(const LocalTensor<float>& xs, const LocalTensor<float>& squares, uint32_t rows) {
        LocalTensor<float> rstd = rstdQueue.AllocTensor<float>();
        Duplicate(rstd, 0.0f, rows * kBlockFloats);
        for (uint32_t row = 0; row < rows; ++row)
            SumSquares(rstd[row * kBlockFloats], xs[row * width], squares[row * width], tiling.columns);
        ToRstd(rstd, rows * kBlockFloats);
        return rstd;
    }

    // --- split rows

    __aicore__ inline uint32_t ColumnOf(uint64_t tile) { return tile % pieces * tiling.tileColumns; }
    __aicore__ inline uint64_t OffsetOf(uint64_t tile) { return tile / pieces * tiling.columns + ColumnOf(tile); }
    __aicore__ inline uint32_t CountOf(uint64_t tile) { return min(tiling.tileColumns, tiling.columns - ColumnOf(tile)); }

    // x, and the sum of its squares.
    __aicore__ inline void AddPiece(uint64_t tile) {
        const uint32_t count = CountOf(tile);
        Load(firstQueue, firstGm[OffsetOf(tile)], 1, count);
        Load(secondQueue, secondGm[OffsetOf(tile)], 1, count);
        LocalTensor<T> x = xQueue.AllocTensor<T>();
        LocalTensor<float> sum = rstdQueue.AllocTensor<float>();
        SumSquares(sum, AddInputs(x, count), yBuffer.Get<float>(), count);
        xQueue.EnQue(x);
        rstdQueue.EnQue(sum);
        Store(xQueue, xGm[OffsetOf(tile)], 1, count);
        Store(rstdQueue, partialGm[tile], 1, 1);
    }

    // y, from the x that this block wrote before.
    __aicore__ inline void ScalePiece(uint64_t tile) {
        const uint32_t count = CountOf(tile);
        const float rstd = RstdOfRow(tile / pieces);
        if (tile % pieces == 0) StoreRstd(tile / pieces, rstd);
        Load(firstQueue, xGm[OffsetOf(tile)], 1, count);
        Load(secondQueue, gammaGm[ColumnOf(tile)], 1, count);
        const LocalTensor<T> x = firstQueue.DeQue<T>(), factors = secondQueue.DeQue<T>();
        LocalTensor<T> y = yQueue.AllocTensor<T>();
        const LocalTensor<float> ys = Floats(y, xBuffer);
        ScaleTo(ys, Widened(x, xBuffer, count), Widened(factors, yBuffer, count), rstd, count);
        if constexpr (kWiden) Cast(y, ys, RoundMode::CAST_RINT, count);
        firstQueue.FreeTensor(x);
        secondQueue.FreeTensor(factors);
        yQueue.EnQue(y);
        Store(yQueue, yGm[OffsetOf(tile)], 1, count);
    }

    __aicore__ inline float RstdOfRow(uint64_t row) {
        if (row == knownRow) return knownRstd;
        const LocalTensor<float> sum = sumBuffer.Get<float>();
        Duplicate(sum, SumOfPartials(row), kBlockFloats);
        ToRstd(sum, kBlockFloats);
        knownRow = row;
        return knownRstd = sum.GetValue(0);
    }

    __aicore__ inline float SumOfPartials(uint64_t row) {
        float total = 0;
        for (uint32_t begin = 0; begin < pieces; begin += kPartials) {
            const uint32_t count = min(kPartials, pieces - begin);
            Load(partialQueue, partialGm[row * pieces + begin], 1, count);
            const LocalTensor<float> partials = partialQueue.DeQue<float>(), sum = sumBuffer.Get<float>();
            ReduceSum(sum, partials, reduceBuffer.Get<float>(), count);
            partialQueue.FreeTensor(partials);
            total += sum.GetValue(0);
        }
        return total;
    }

    __aicore__ inline void StoreRstd(uint64_t row, float value) {
        LocalTensor<float> rstd = rstdQueue.AllocTensor<float>();
        Duplicate(rstd, value, kBlockFloats);
        rstdQueue.EnQue(rstd);
        Store(rstdQueue, rstdGm[row], 1, 1);
    }

    // --- the arithmetic

    // x = first + second, rounded to T; the result is x as floats. Uses yBuffer.
    __aicore__ inline LocalTensor<float> AddInputs(const LocalTensor<T>& x, uint32_t count) {
        const LocalTensor<T> first = firstQueue.DeQue<T>(), second = secondQueue.DeQue<T>();
        if constexpr (kWiden) {
            const LocalTensor<float> xs = Widened(first, xBuffer, count);
            Add(xs, xs, Widened(second, yBuffer, count), count);
            Cast(x, xs, RoundMode::CAST_RINT, count);
        } else {
            Add(x, first, second, count);
        }
        firstQueue.FreeTensor(first);
        secondQueue.FreeTensor(second);
        return Widened(x, xBuffer, count);
    }

    __aicore__ inline void SumSquares(const LocalTensor<float>& sum, const LocalTensor<float>& xs, const LocalTensor<float>& squares,
                                      uint32_t count) {
        Mul(squares, xs, xs, count);
        ReduceSum(sum, squares, reduceBuffer.Get<float>(), count);
    }

    // Sums of squares become rstd, in place. Sqrt and Div, because the hardware's Rsqrt is coarse.
    __aicore__ inline void ToRstd(const LocalTensor<float>& sums, uint32_t count) {
        Muls(sums, sums, tiling.inverse, count);
        Adds(sums, sums, tiling.epsilon, count);
        Sqrt(sums, sums, count);
        Div(sums, onesBuffer.Get<float>(), sums, count);
    }

    __aicore__ inline void ScaleTo(const LocalTensor<float>& ys, const LocalTensor<float>& xs, const LocalTensor<float>& factors,
                                   float rstd, uint32_t count) {
        Muls(ys, xs, rstd, count);
        Mul(ys, ys, factors, count);
    }

    // --- a tensor as floats: itself, or the buffer that stands for it

    __aicore__ inline LocalTensor<float> Floats(const LocalTensor<T>& tensor, const Scratch& buffer) {
        if constexpr (kWiden) return buffer.Get<float>();
        else return tensor;
    }

    __aicore__ inline LocalTensor<float> Widened(const LocalTensor<T>& tensor, const Scratch& buffer, uint32_t count) {
        const LocalTensor<float> floats = Floats(tensor, buffer);
        if constexpr (kWiden) Cast(floats, tensor, RoundMode::CAST_NONE, count);
        return floats;
    }

    // --- movement; rows lie one behind the other in global memory

    template <typename U> __aicore__ inline void Load(InQueue& queue, const GlobalTensor<U>& from, uint32_t rows, uint32_t columns) {
        const LocalTensor<U> local = queue.template AllocTensor<U>();
        DataCopyPad(local, from, DataCopyExtParams(rows, columns * sizeof(U), 0, 0, 0), DataCopyPadExtParams<U>());
        queue.EnQue(local);
    }

    template <typename U> __aicore__ inline void Store(OutQueue& queue, const GlobalTensor<U>& to, uint32_t rows, uint32_t columns) {
        const LocalTensor<U> local = queue.template DeQue<U>();
        DataCopyPad(to, local, DataCopyExtParams(rows, columns * sizeof(U), 0, 0, 0));
        queue.FreeTensor(local);
    }

    const AddRmsNormTiling& tiling;
    uint32_t width = 0;        // columns of a row in UB
    uint32_t pieces = 1;       // of a split row
    uint64_t knownRow = ~0ull; // whose rstd was asked for last
    float knownRstd = 0;
    TPipe pipe;
    InQueue firstQueue, secondQueue, gammaQueue, partialQueue;
    OutQueue xQueue, yQueue, rstdQueue;
    Scratch xBuffer, yBuffer, gammaBuffer, reduceBuffer, sumBuffer, onesBuffer;
    GlobalTensor<T> firstGm, secondGm, gammaGm, xGm, yGm;
    GlobalTensor<float> rstdGm, partialGm;
    LocalTensor<float> gamma;
};

template <typename T> __aicore__ inline void WholeRows(const AddRmsNormTensors& tensors, const AddRmsNormTiling& tiling) {
    AddRmsNorm<T> op(tensors, tiling);
    op.ProcessWholeRows();
}

template <typename T> __aicore__ inline void SplitRows(const AddRmsNormTensors& tensors, const AddRmsNormTiling& tiling) {
    AddRmsNorm<T> op(tensors, tiling);
    op.ProcessSplitRows(GetUserWorkspace(tensors.workspace));
}

extern "C" __global__ __aicore__ void add_rms_norm(GM_ADDR x1, GM_ADDR x2, GM_ADDR gamma, GM_ADDR y, GM_ADDR rstd, GM_ADDR x,
                                                   GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(AddRmsNormTiling);
    GET_TILING_DATA(data, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE(11, KERNEL_TYPE_MIX_AIV_1_0); // vector cores that wait for each other
    KERNEL_TASK_TYPE(12, KERNEL_TYPE_MIX_AIV_1_0);
    KERNEL_TASK_TYPE(13, KERNEL_TYPE_MIX_AIV_1_0);
    const AddRmsNormTensors tensors = {x1, x2, gamma, y, rstd, x, workspace};
    if (TILING_KEY_IS(1)) WholeRows<half>(tensors, data);
    else if (TILING_KEY_IS(2)) WholeRows<bfloat16_t>(tensors, data);
    else if (TILING_KEY_IS(3)) WholeRows<float>(tensors, data);
    else if (TILING_KEY_IS(11)) SplitRows<half>(tensors, data);
    else if (TILING_KEY_IS(12)) SplitRows<bfloat16_t>(tensors, data);
    else if (TILING_KEY_IS(13)) SplitRows<float>(tensors, data);
}
