// SPDX-License-Identifier: Apache-2.0
// The matrix that LoadData 3D reads a window of. Row m is a place (ho, wo) of the filter on the map, column block b (32 bytes) is
// (c1, fh, fw): the block of channels c1 at the point (fh, fw) of the filter.
//
//   block (m, b) = map[c1][ho * stride_h + fh * dilation_h - top][wo * stride_w + fw * dilation_w - left], or padding outside the map
//
// Repeats (SetLoadDataRepeat) put windows side by side, along the rows (mode 0) or along the columns (mode 1), into one matrix.
#pragma once
#include "isa/move/layout.h"

namespace aclimb {

constexpr uint32_t kRowsOfFractal = 16;

inline uint32_t c0_of(Dtype type) { return type == Dtype::i4 ? 64 : kBlock / static_cast<uint32_t>(size_of(type)); }

class Im2col {
  public:
    explicit Im2col(const Load3D& load)
        : load_(load), s_(load.state), c0_(c0_of(load.head.dtype)), blocks_once_(ceil_div(load.k_extension, c0_)),
          fractals_once_(ceil_div(load.m_extension, kRowsOfFractal)) {
        if (is_empty()) return;
        rows_ = places(s_.height + s_.pad_top + s_.pad_bottom, load.filter_h, load.dilation_h, load.stride_h);
        columns_ = places(s_.width + s_.pad_left + s_.pad_right, load.filter_w, load.dilation_w, load.stride_w);
    }

    bool is_empty() const {
        return !s_.height || !s_.width || !load_.channels || !load_.k_extension || !load_.m_extension || !load_.filter_w ||
               !load_.filter_h || !s_.repeat_time;
    }
    bool fits() const { return rows_ > 0 && columns_ > 0; }
    int64_t rows() const { return rows_ * columns_; } // of the whole matrix
    int64_t blocks() const { return int64_t{ceil_div(load_.channels, c0_)} * load_.filter_h * load_.filter_w; }
    uint32_t last_block() const {
        return load_.k_start / c0_ + (along_k() ? (s_.repeat_time - 1u) * s_.repeat_stride : 0) + blocks_once_ - 1;
    }

    // The windows together: column blocks, and fractals of 16 rows.
    uint32_t width() const { return blocks_once_ * (along_k() ? s_.repeat_time : 1u); }
    uint32_t height() const { return fractals_once_ * (along_k() ? 1u : s_.repeat_time); }

    // How many of the 16 rows of a fractal there are: none beyond the window, none beyond the matrix.
    uint32_t rows_of(uint32_t fractal) const {
        const int64_t in_window = int64_t{load_.m_extension} - int64_t{fractal % fractals_once_} * kRowsOfFractal;
        const int64_t left = std::min(in_window, rows() - first_row(fractal));
        return static_cast<uint32_t>(std::clamp<int64_t>(left, 0, kRowsOfFractal));
    }

    // Where the map keeps the block at that place of the windows, in bytes from its start; -1: padding.
    int64_t offset(uint32_t fractal, uint32_t row, uint32_t block) const {
        const int64_t m = first_row(fractal) + row;
        const int64_t b =
            load_.k_start / c0_ + (along_k() ? int64_t{block / blocks_once_} * s_.repeat_stride + block % blocks_once_ : block);
        if (plain_) return (b * s_.height * s_.width + m) * kBlock; // no divisions: this is what a matrix product asks for
        const int64_t fw = b % load_.filter_w, fh = b / load_.filter_w % load_.filter_h, c1 = b / load_.filter_w / load_.filter_h;
        const int64_t h = m / columns_ * load_.stride_h + fh * load_.dilation_h - s_.pad_top;
        const int64_t w = m % columns_ * load_.stride_w + fw * load_.dilation_w - s_.pad_left;
        if (h < 0 || h >= s_.height || w < 0 || w >= s_.width) return -1;
        return ((c1 * s_.height + h) * s_.width + w) * kBlock;
    }
    // The address in L1: behind the boundary reading goes on at the start.
    uint64_t address(int64_t offset) const {
        const uint64_t addr = load_.src.addr + static_cast<uint64_t>(offset);
        return s_.boundary && addr >= s_.boundary ? addr - s_.boundary : addr;
    }

    // f(fractal, row, block, offset) for every block of the windows that exists.
    template <class F> void each(F&& f) const {
        for (uint32_t fractal = 0; fractal < height(); ++fractal)
            for (uint32_t row = 0, rows = rows_of(fractal); row < rows; ++row)
                for (uint32_t block = 0; block < width(); ++block) f(fractal, row, block, offset(fractal, row, block));
    }

    // A map that is read as a plain matrix: 16 rows of a column block lie one behind the other.
    bool is_plain() const { return plain_; }

  private:
    static int64_t places(int64_t size, int64_t filter, int64_t dilation, int64_t stride) {
        const int64_t room = size - ((filter - 1) * dilation + 1);
        return room < 0 || stride == 0 ? 0 : room / stride + 1;
    }
    static bool reads_plainly(const Load3D& load) {
        const Load3DState& state = load.state;
        return load.filter_w == 1 && load.filter_h == 1 && load.stride_w == 1 && load.stride_h == 1 && !state.boundary &&
               !(state.pad_left | state.pad_right | state.pad_top | state.pad_bottom);
    }
    bool along_k() const { return s_.repeat_mode == 1; }
    int64_t first_row(uint32_t fractal) const {
        const int64_t repeat = fractal / fractals_once_, in_window = fractal % fractals_once_;
        return load_.m_start + repeat * s_.repeat_stride * kRowsOfFractal + in_window * kRowsOfFractal;
    }

    const Load3D& load_;
    const Load3DState& s_;
    uint32_t c0_, blocks_once_, fractals_once_;
    int64_t rows_ = 0, columns_ = 0;
    bool plain_ = reads_plainly(load_);
};

// Where the windows go, in fractals of 512 bytes. Rows of the windows are 16 to a fractal, column blocks 32 bytes.
//   L0A              m blocks by k blocks, as they are
//   L0A, transposed  the matrix K x M: fractals of 16 k by 32 bytes of m
//   L0B              the matrix M x K as B: fractals of 16 k by 32 bytes of m, m blocks outermost
struct Load3DTarget {
    uint32_t width, height; // of the windows, as Im2col has them
    uint32_t blocks;        // of 32 bytes in 16 rows' worth of elements: 1 for 16 bits, 2 for 32
    bool transposes, to_l0b;

    Load3DTarget(const Load3D& load, const Im2col& windows)
        : width(windows.width()), height(windows.height()), blocks(kRowsOfFractal / c0_of(load.head.dtype)),
          transposes(load.transpose || memory_of(load.dst) == Memory::L0B), to_l0b(memory_of(load.dst) == Memory::L0B) {}

    uint32_t fractals_of_k() const { return transposes ? ceil_div(width, blocks) : width; }
    uint64_t bytes() const { return uint64_t{fractals_of_k()} * height * (transposes ? blocks : 1) * kFractal; }
    // The fractal of `block`, and of the part of 32 bytes of m that a transposed one is split into.
    uint64_t fractal(uint32_t fractal, uint32_t block, uint32_t part) const {
        if (!transposes) return (uint64_t{fractal} * width + block) * kFractal;
        const uint64_t k = block / blocks, m = uint64_t{fractal} * blocks + part;
        return (to_l0b ? m * fractals_of_k() + k : k * height * blocks + m) * kFractal;
    }
    // ... and the row in it that the first element of the block becomes.
    uint32_t row(uint32_t block) const { return block % blocks * (kRowsOfFractal / blocks); }
};

} // namespace aclimb
