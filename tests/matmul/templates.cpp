// SPDX-License-Identifier: Apache-2.0
// A product in layers of templates, without the Matmul object: coordinates and layouts, tiles that copy, a block that multiplies with flags
// of its own and L1 in stages, an order of blocks, an epilogue on AIVs, and a kernel that puts them together. This is how libraries of
// kernel templates are built; nothing here is part of one.
#include "kernel_operator.h"

using namespace AscendC;

#define DEVICE __forceinline__[aicore]

// --- shapes and layouts

template <uint32_t M_, uint32_t N_, uint32_t K_> struct Shape {
    static constexpr uint32_t M = M_, N = N_, K = K_;
};
struct Coord {
    uint32_t m, n, k;
    DEVICE friend Coord operator+(const Coord& a, const Coord& b) { return {a.m + b.m, a.n + b.n, a.k + b.k}; }
};
template <typename T> DEVICE constexpr T CeilDiv(T a, T b) { return (a + b - 1) / b; }
template <uint32_t ALIGN> DEVICE constexpr uint32_t RoundUp(uint32_t a) { return (a + ALIGN - 1) / ALIGN * ALIGN; }

namespace layout {
struct RowMajor {
    uint32_t rows, columns, pitch;
    DEVICE uint64_t Offset(uint32_t row, uint32_t column) const { return uint64_t{row} * pitch + column; }
};
struct ColumnMajor {
    uint32_t rows, columns, pitch;
    DEVICE uint64_t Offset(uint32_t row, uint32_t column) const { return uint64_t{column} * pitch + row; }
};
} // namespace layout

template <class Element_, class Layout_> struct Operand {
    using Element = Element_;
    using Layout = Layout_;
};

// --- memories of a core, without TPipe

template <TPosition POSITION, uint32_t BYTES> class Memory {
  public:
    DEVICE Memory() {
        TBuffAddr address;
        address.logicPos = static_cast<uint8_t>(POSITION);
        address.bufferAddr = 0;
        address.dataLen = BYTES;
        tensor_.SetAddr(address);
    }
    template <class Element> DEVICE LocalTensor<Element> At(uint32_t bytes) const {
        return tensor_[bytes].template ReinterpretCast<Element>();
    }

  private:
    LocalTensor<uint8_t> tensor_;
};
struct Memories {
    Memory<TPosition::A1, 512 * 1024> l1;
    Memory<TPosition::A2, 64 * 1024> l0a;
    Memory<TPosition::B2, 64 * 1024> l0b;
    Memory<TPosition::CO1, 128 * 1024> l0c;
};

// --- tiles

// Rows and columns as they lie in memory: a column-major matrix is the transposed one.
template <class Type> struct GmToL1;
template <class Element> struct GmToL1<Operand<Element, layout::RowMajor>> {
    DEVICE void operator()(const LocalTensor<Element>& l1, const GlobalTensor<Element>& gm, uint32_t rows, uint32_t columns,
                           uint32_t pitch) const {
        DataCopy(l1, gm, Nd2NzParams(1, rows, columns, 0, pitch, RoundUp<16>(rows), 1, 0));
    }
};
template <class Element> struct GmToL1<Operand<Element, layout::ColumnMajor>> {
    DEVICE void operator()(const LocalTensor<Element>& l1, const GlobalTensor<Element>& gm, uint32_t rows, uint32_t columns,
                           uint32_t pitch) const {
        DataCopy(l1, gm, Nd2NzParams(1, columns, rows, 0, pitch, RoundUp<16>(columns), 1, 0));
    }
};

template <class Type> struct L1ToL0A;
template <class Element> struct L1ToL0A<Operand<Element, layout::RowMajor>> {
    DEVICE void operator()(const LocalTensor<Element>& l0, const LocalTensor<Element>& l1, uint32_t m, uint32_t k) const {
        for (uint32_t row = 0; row < CeilDiv(m, 16u); ++row) { // zZ
            LoadData2DParams params;
            params.repeatTimes = CeilDiv(k, 16u);
            params.srcStride = CeilDiv(m, 16u);
            LoadData(l0[row * CeilDiv(k, 16u) * 256], l1[row * 256], params);
        }
    }
};
template <class Type> struct L1ToL0B;
template <class Element> struct L1ToL0B<Operand<Element, layout::RowMajor>> {
    DEVICE void operator()(const LocalTensor<Element>& l0, const LocalTensor<Element>& l1, uint32_t k, uint32_t n) const {
        for (uint32_t row = 0; row < CeilDiv(k, 16u); ++row) { // nZ, each fractal turned
            LoadData2DParams params;
            params.repeatTimes = CeilDiv(n, 16u);
            params.srcStride = CeilDiv(k, 16u);
            params.ifTranspose = true;
            LoadData(l0[row * CeilDiv(n, 16u) * 256], l1[row * 256], params);
        }
    }
};
template <class Element> struct L1ToL0B<Operand<Element, layout::ColumnMajor>> {
    DEVICE void operator()(const LocalTensor<Element>& l0, const LocalTensor<Element>& l1, uint32_t k, uint32_t n) const {
        LoadData2DParams params;
        params.repeatTimes = CeilDiv(k, 16u) * CeilDiv(n, 16u);
        params.srcStride = 1;
        LoadData(l0, l1, params);
    }
};

// --- a block of C

template <uint32_t STAGES_> struct Pingpong {
    static constexpr uint32_t STAGES = STAGES_;
};

template <class Policy, class Tile, class A, class B, class C> class BlockMmad;
template <uint32_t STAGES, class Tile, class A, class B, class C> class BlockMmad<Pingpong<STAGES>, Tile, A, B, C> {
    using Element = typename A::Element;
    static constexpr uint32_t kBytesA = Tile::M * Tile::K * sizeof(Element), kBytesB = Tile::K * Tile::N * sizeof(Element);
    static_assert((kBytesA + kBytesB) * STAGES <= 512 * 1024 && kBytesA * 2 <= 64 * 1024 && kBytesB * 2 <= 64 * 1024);

  public:
    DEVICE BlockMmad(const Memories& memories) : memories_(memories) {
        for (uint32_t i = 0; i < STAGES; ++i) SetFlag<HardEvent::MTE1_MTE2>(i);
        for (uint32_t i = 0; i < 2; ++i) SetFlag<HardEvent::M_MTE1>(i);
        SetFlag<HardEvent::FIX_M>(EVENT_ID0);
    }
    DEVICE ~BlockMmad() {
        for (uint32_t i = 0; i < STAGES; ++i) WaitFlag<HardEvent::MTE1_MTE2>(i);
        for (uint32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::M_MTE1>(i);
        WaitFlag<HardEvent::FIX_M>(EVENT_ID0);
    }
    DEVICE void operator()(const GlobalTensor<Element>& a, const typename A::Layout& la, const GlobalTensor<Element>& b,
                           const typename B::Layout& lb, const GlobalTensor<typename C::Element>& c, const typename C::Layout& lc,
                           const Coord& size) {
        const uint32_t steps = CeilDiv(size.k, Tile::K);
        Fetch(a, la, b, lb, size, 0);
        WaitFlag<HardEvent::FIX_M>(EVENT_ID0);
        for (uint32_t step = 0; step < steps; ++step) {
            if (step + 1 < steps) Fetch(a, la, b, lb, size, step + 1);
            Multiply(size, step);
        }
        SetFlag<HardEvent::M_FIX>(EVENT_ID0);
        WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
        FixpipeParamsV220 params;
        params.nSize = size.n;
        params.mSize = size.m;
        params.srcStride = RoundUp<16>(size.m);
        params.dstStride = lc.pitch;
        if constexpr (std::is_same_v<typename C::Element, half>) params.quantPre = QuantMode_t::F322F16;
        Fixpipe<typename C::Element, float, CFG_ROW_MAJOR>(c, memories_.l0c.template At<float>(0), params);
        SetFlag<HardEvent::FIX_M>(EVENT_ID0);
    }

  private:
    DEVICE LocalTensor<Element> L1A(uint32_t stage) const { return memories_.l1.template At<Element>(stage * kBytesA); }
    DEVICE LocalTensor<Element> L1B(uint32_t stage) const { return memories_.l1.template At<Element>(STAGES * kBytesA + stage * kBytesB); }
    DEVICE void Fetch(const GlobalTensor<Element>& a, const typename A::Layout& la, const GlobalTensor<Element>& b,
                      const typename B::Layout& lb, const Coord& size, uint32_t step) {
        const uint32_t k = step * Tile::K, depth = size.k - k < Tile::K ? size.k - k : Tile::K;
        WaitFlag<HardEvent::MTE1_MTE2>(fetched_);
        GmToL1<A>()(L1A(fetched_), a[la.Offset(0, k)], size.m, depth, la.pitch);
        GmToL1<B>()(L1B(fetched_), b[lb.Offset(k, 0)], depth, size.n, lb.pitch);
        SetFlag<HardEvent::MTE2_MTE1>(fetched_);
        fetched_ = (fetched_ + 1) % STAGES;
    }
    DEVICE void Multiply(const Coord& size, uint32_t step) {
        const uint32_t k = step * Tile::K, depth = size.k - k < Tile::K ? size.k - k : Tile::K;
        const auto l0a = memories_.l0a.template At<Element>(l0_ * 32 * 1024), l0b = memories_.l0b.template At<Element>(l0_ * 32 * 1024);
        WaitFlag<HardEvent::MTE2_MTE1>(used_);
        WaitFlag<HardEvent::M_MTE1>(l0_);
        L1ToL0A<A>()(l0a, L1A(used_), size.m, depth);
        L1ToL0B<B>()(l0b, L1B(used_), depth, size.n);
        SetFlag<HardEvent::MTE1_MTE2>(used_);
        SetFlag<HardEvent::MTE1_M>(l0_);
        WaitFlag<HardEvent::MTE1_M>(l0_);
        MmadParams params;
        params.m = size.m == 1 ? 16 : size.m;
        params.n = size.n;
        params.k = depth;
        params.cmatrixInitVal = step == 0;
        Mmad(memories_.l0c.template At<float>(0), l0a, l0b, params);
        PipeBarrier<PIPE_M>();
        SetFlag<HardEvent::M_MTE1>(l0_);
        used_ = (used_ + 1) % STAGES;
        l0_ ^= 1;
    }

    const Memories& memories_;
    uint32_t fetched_ = 0, used_ = 0, l0_ = 0;
};

// --- the order of blocks: bands of OFFSET rows, so that neighbours share columns of B

template <uint32_t OFFSET> struct BandedOrder {
    uint32_t rows, columns;
    DEVICE uint32_t Count() const { return rows * columns; }
    DEVICE Coord At(uint32_t index) const {
        const uint32_t band = index / (OFFSET * columns), first = band * OFFSET, inside = index % (OFFSET * columns);
        const uint32_t height = rows - first < OFFSET ? rows - first : OFFSET, column = inside / height;
        return {first + inside % height, band % 2 ? columns - 1 - column : column, 0};
    }
};

// --- the kernel

template <class Block, class Tile, class Order, class A, class B, class C> class Kernel {
  public:
    struct Params {
        Coord size;
        __gm__ uint8_t *a, *b, *c;
        typename A::Layout la;
        typename B::Layout lb;
        typename C::Layout lc;
    };
    template <int32_t CORE = g_coreType> DEVICE void operator()(const Params& params);

#ifdef IN_CLASS // as clang takes it
    template <> DEVICE void operator()<AscendC::AIC>(const Params& params) { Multiply(params); }
    template <> DEVICE void operator()<AscendC::AIV>(const Params& params) {}
#endif

    DEVICE void Multiply(const Params& params) {
        GlobalTensor<typename A::Element> a;
        GlobalTensor<typename B::Element> b;
        GlobalTensor<typename C::Element> c;
        a.SetGlobalBuffer(reinterpret_cast<__gm__ typename A::Element*>(params.a));
        b.SetGlobalBuffer(reinterpret_cast<__gm__ typename B::Element*>(params.b));
        c.SetGlobalBuffer(reinterpret_cast<__gm__ typename C::Element*>(params.c));
        const Order order{CeilDiv(params.size.m, Tile::M), CeilDiv(params.size.n, Tile::N)};
        Memories memories;
        Block block(memories);
        for (uint32_t i = GetBlockIdx(); i < order.Count(); i += GetBlockNum()) {
            const Coord at = order.At(i);
            const uint32_t m = at.m * Tile::M, n = at.n * Tile::N;
            const Coord size{params.size.m - m < Tile::M ? params.size.m - m : Tile::M,
                             params.size.n - n < Tile::N ? params.size.n - n : Tile::N, params.size.k};
            block(a[params.la.Offset(m, 0)], params.la, b[params.lb.Offset(0, n)], params.lb, c[params.lc.Offset(m, n)], params.lc, size);
        }
    }
};
#ifndef IN_CLASS
template <class Block, class Tile, class Order, class A, class B, class C> template <int32_t CORE>
DEVICE void Kernel<Block, Tile, Order, A, B, C>::operator()(const Params& params) {
    if constexpr (CORE == AscendC::AIC) Multiply(params);
}
#endif

template <class Run> __global__[aicore] void Launch(typename Run::Params params) {
    Run kernel;
    kernel(params);
}

using Tile = Shape<128, 128, 64>;
template <class LayoutB, class Out> struct Make {
    using A = Operand<half, layout::RowMajor>;
    using B = Operand<half, LayoutB>;
    using C = Operand<Out, layout::RowMajor>;
    using Type = Kernel<BlockMmad<Pingpong<2>, Tile, A, B, C>, Tile, BandedOrder<3>, A, B, C>;
};
using Plain = Make<layout::RowMajor, float>::Type;
using Turned = Make<layout::ColumnMajor, half>::Type;
template __global__[aicore] void Launch<Plain>(Plain::Params params);
template __global__[aicore] void Launch<Turned>(Turned::Params params);
