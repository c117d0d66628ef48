// SPDX-License-Identifier: Apache-2.0
// Concat: the tensors of a list, one behind the other along an axis. Seen from memory every tensor is a matrix: a row holds everything
// from the axis on, so row r of the output is row r of the first input, then row r of the second, and so on. One launch copies one input
// into its columns, as bytes, whatever the element type:
//
//   y   row 0  [ .. columnBytes .. | rowBytes of x | ... ]   outRowBytes in all
//       row 1  [ .. columnBytes .. | rowBytes of x | ... ]
//
// A tile is tileRows whole rows, or, for long rows, tileBytes of one row. Blocks take the tiles in turn. Two kernels:
//   concat_copy          any size and any offset; in UB every row starts at a block of 32 bytes
//   concat_copy_aligned  sizes and offset are multiples of 32 bytes: plain DataCopy, rows lie in UB without gaps
#include "kernel_operator.h"
using namespace AscendC;

struct ConcatTiling {
    uint64_t rows;
    uint64_t rowBytes;    // of this input
    uint64_t outRowBytes; // of the output
    uint64_t columnBytes; // where this input begins in a row of the output
    uint32_t tileRows;    // at most 4095; 1 when tileBytes is less than rowBytes
    uint32_t tileBytes;   // bytes that a tile takes of each of its rows
};

constexpr uint32_t kBlockBytes = 32;
constexpr uint8_t kBuffers = 2; // one is written out while the next one is read

template <bool aligned> class RowCopy {
  public:
    __aicore__ inline explicit RowCopy(const ConcatTiling& tiling) : tiling(tiling) {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        xGm.SetGlobalBuffer((__gm__ uint8_t*)x, tiling.rows * tiling.rowBytes);
        yGm.SetGlobalBuffer((__gm__ uint8_t*)y, tiling.rows * tiling.outRowBytes);
        const uint32_t rowInUb = (tiling.tileBytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
        pipe.InitBuffer(queue, kBuffers, tiling.tileRows * rowInUb);
    }

    __aicore__ inline void Process() {
        const uint64_t pieces = CeilOf(tiling.rowBytes, tiling.tileBytes); // of a row
        const uint64_t tiles = CeilOf(tiling.rows, tiling.tileRows) * pieces;
        for (uint64_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) Copy(tile / pieces, tile % pieces);
    }

  private:
    // What a tile covers.
    struct Tile {
        uint64_t row, begin;   // its first row, and its first byte in every row
        uint32_t count, bytes; // rows, and bytes of each
    };

    __aicore__ inline void Copy(uint64_t group, uint64_t piece) {
        Tile tile;
        tile.row = group * tiling.tileRows;
        tile.begin = piece * tiling.tileBytes;
        tile.count = Least(tiling.tileRows, tiling.rows - tile.row);
        tile.bytes = Least(tiling.tileBytes, tiling.rowBytes - tile.begin);
        CopyIn(tile);
        CopyOut(tile);
    }

    // Several rows are whole rows, so they lie one behind the other in x.
    __aicore__ inline void CopyIn(const Tile& tile) {
        const uint64_t from = tile.row * tiling.rowBytes + tile.begin;
        LocalTensor<uint8_t> rows = queue.template AllocTensor<uint8_t>();
        if constexpr (aligned) {
            DataCopy(rows, xGm[from], tile.count * tile.bytes);
        } else {
            DataCopyPad(rows, xGm[from], DataCopyExtParams(tile.count, tile.bytes, 0, 0, 0), DataCopyPadExtParams<uint8_t>());
        }
        queue.EnQue(rows);
    }

    __aicore__ inline void CopyOut(const Tile& tile) {
        const uint64_t to = tile.row * tiling.outRowBytes + tiling.columnBytes + tile.begin;
        const uint64_t gap = tile.count > 1 ? tiling.outRowBytes - tile.bytes : 0;
        LocalTensor<uint8_t> rows = queue.template DeQue<uint8_t>();
        if constexpr (aligned) {
            DataCopy(yGm[to], rows, DataCopyParams(tile.count, tile.bytes / kBlockBytes, 0, gap / kBlockBytes));
        } else {
            DataCopyPad(yGm[to], rows, DataCopyExtParams(tile.count, tile.bytes, 0, gap, 0));
        }
        queue.FreeTensor(rows);
    }

    __aicore__ static inline uint64_t CeilOf(uint64_t all, uint64_t each) { return each ? (all + each - 1) / each : 0; }
    __aicore__ static inline uint32_t Least(uint64_t a, uint64_t b) { return static_cast<uint32_t>(a < b ? a : b); }

    const ConcatTiling& tiling;
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    GlobalTensor<uint8_t> xGm, yGm;
};

extern "C" __global__ __aicore__ void concat_copy(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ConcatTiling);
    GET_TILING_DATA(data, tiling);
    RowCopy<false> op(data);
    op.Init(x, y);
    op.Process();
}

extern "C" __global__ __aicore__ void concat_copy_aligned(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ConcatTiling);
    GET_TILING_DATA(data, tiling);
    RowCopy<true> op(data);
    op.Init(x, y);
    op.Process();
}
