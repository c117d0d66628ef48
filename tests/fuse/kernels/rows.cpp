// Rows of 256 halves, a 16 x 16 matrix each, spread over the blocks. The vector kernel adds, the cube kernel multiplies matrices, the mixed
// ones multiply on the AIC and scale the product on its AIVs, which share a row where there are two. Row r reads row (r + shift) % rows,
// which another block wrote in the kernel before.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kSide = 16, kRow = kSide * kSide;

__aicore__ inline GlobalTensor<half> Rows(GM_ADDR address, uint32_t rows) {
    GlobalTensor<half> tensor;
    tensor.SetGlobalBuffer((__gm__ half*)address, rows * kRow);
    return tensor;
}

class Product {
  public:
    __aicore__ inline void Init() {
        pipe.InitBuffer(a1, 1, kRow * sizeof(half));
        pipe.InitBuffer(b1, 1, kRow * sizeof(half));
        pipe.InitBuffer(a2, 1, kRow * sizeof(half));
        pipe.InitBuffer(b2, 1, kRow * sizeof(half));
        pipe.InitBuffer(c1, 1, kRow * sizeof(float));
    }
    __aicore__ inline void Run(const GlobalTensor<half>& a, const GlobalTensor<half>& b, const GlobalTensor<half>& c) {
        Load(a1, a2, a, false);
        Load(b1, b2, b, true);
        LocalTensor<half> left = a2.DeQue<half>(), right = b2.DeQue<half>();
        LocalTensor<float> sum = c1.AllocTensor<float>();
        MmadParams shape;
        shape.m = shape.n = shape.k = kSide;
        Mmad(sum, left, right, shape);
        c1.EnQue(sum);
        a2.FreeTensor(left);
        b2.FreeTensor(right);
        sum = c1.DeQue<float>();
        FixpipeParamsV220 out;
        out.nSize = out.mSize = out.srcStride = out.dstStride = kSide;
        out.quantPre = QuantMode_t::F322F16;
        Fixpipe(c, sum, out);
        c1.FreeTensor(sum);
    }

  private:
    template <typename Far, typename Near>
    __aicore__ inline void Load(Far& far, Near& near, const GlobalTensor<half>& from, bool transposed) {
        LocalTensor<half> whole = far.template AllocTensor<half>();
        DataCopy(whole, from, Nd2NzParams(1, kSide, kSide, 0, kSide, kSide, 1, 0));
        far.EnQue(whole);
        whole = far.template DeQue<half>();
        LocalTensor<half> part = near.template AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = params.srcStride = 1;
        params.ifTranspose = transposed;
        LoadData(part, whole, params);
        near.EnQue(part);
        far.FreeTensor(whole);
    }

    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 1> b1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> c1;
};

class Scale { // y = x / 2 + z / 2, or y = x / 8 where there is no z
  public:
    __aicore__ inline void Init() {
        pipe.InitBuffer(xs, 2, kRow * sizeof(half));
        pipe.InitBuffer(zs, 2, kRow * sizeof(half));
        pipe.InitBuffer(ys, 2, kRow * sizeof(half));
    }
    template <bool adds>
    __aicore__ inline void Run(const GlobalTensor<half>& x, const GlobalTensor<half>& z, const GlobalTensor<half>& y, uint32_t count) {
        LocalTensor<half> a = xs.AllocTensor<half>();
        DataCopy(a, x, count);
        xs.EnQue(a);
        a = xs.DeQue<half>();
        LocalTensor<half> c = ys.AllocTensor<half>();
        if constexpr (adds) {
            LocalTensor<half> b = zs.AllocTensor<half>();
            DataCopy(b, z, count);
            zs.EnQue(b);
            b = zs.DeQue<half>();
            Add(c, a, b, count);
            zs.FreeTensor(b);
        }
        Muls(c, adds ? c : a, (half)(adds ? 0.5f : 0.125f), count);
        ys.EnQue(c);
        xs.FreeTensor(a);
        c = ys.DeQue<half>();
        DataCopy(y, c, count);
        ys.FreeTensor(c);
    }

  private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xs, zs;
    TQue<TPosition::VECOUT, 2> ys;
};

#define PARAMETERS GM_ADDR x, GM_ADDR z, GM_ADDR y, GM_ADDR product, uint32_t rows, uint32_t shift

template <uint32_t aivs, bool early> __aicore__ inline void Vector(PARAMETERS) {
    GlobalTensor<half> xs = Rows(x, rows), zs = Rows(z, rows), ys = Rows(y, rows);
    Scale scale;
    scale.Init();
    if constexpr (early) WaitPreTaskEnd();
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum())
        scale.Run<true>(xs[(r + shift) % rows * kRow], zs[r * kRow], ys[r * kRow], kRow);
    if constexpr (early) SetNextTaskStart();
}

template <uint32_t aivs, bool early> __aicore__ inline void Cube(PARAMETERS) {
    GlobalTensor<half> xs = Rows(x, rows), zs = Rows(z, rows), ys = Rows(y, rows);
    Product multiply;
    multiply.Init();
    if constexpr (early) WaitPreTaskEnd();
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) multiply.Run(xs[(r + shift) % rows * kRow], zs[r * kRow], ys[r * kRow]);
    if constexpr (early) SetNextTaskStart();
}

template <uint32_t aivs, bool early> __aicore__ inline void Mixed(PARAMETERS) {
    GlobalTensor<half> xs = Rows(x, rows), zs = Rows(z, rows), ys = Rows(y, rows), products = Rows(product, rows);
    if ASCEND_IS_AIC {
        Product multiply;
        multiply.Init();
        if constexpr (early) WaitPreTaskEnd();
        for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
            multiply.Run(xs[(r + shift) % rows * kRow], zs[r * kRow], products[r * kRow]);
            CrossCoreSetFlag<2, PIPE_FIX>(1);
            CrossCoreWaitFlag(2);
        }
        if constexpr (early) SetNextTaskStart();
    }
    if ASCEND_IS_AIV {
        Scale scale;
        scale.Init();
        constexpr uint32_t kShare = kRow / aivs;
        const uint32_t from = aivs == 2 ? GetSubBlockIdx() * kShare : 0;
        if constexpr (early) WaitPreTaskEnd();
        for (uint32_t r = GetBlockIdx() / GetSubBlockNum(); r < rows; r += GetBlockNum()) {
            CrossCoreWaitFlag(1);
            scale.Run<false>(products[r * kRow + from], zs, ys[r * kRow + from], kShare);
            CrossCoreSetFlag<2, PIPE_MTE2>(2);
        }
        if constexpr (early) SetNextTaskStart();
    }
}

#define BOTH(name, qualifier, Body, aivs)                                                                                                  \
    extern "C" __global__ qualifier void name(PARAMETERS) { Body<aivs, false>(x, z, y, product, rows, shift); }                            \
    extern "C" __global__ qualifier void name##_early(PARAMETERS) { Body<aivs, true>(x, z, y, product, rows, shift); }
BOTH(vector, __vector__, Vector, 1)
BOTH(cube, __cube__, Cube, 0)
BOTH(mixed1, __mix__(1, 1), Mixed, 1)
BOTH(mixed2, __mix__(1, 2), Mixed, 2)

template <bool sums> __aicore__ inline void Ones(GM_ADDR y, int64_t block) {
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t*)y + block * 8, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 32);
    LocalTensor<int32_t> ones = buffer.Get<int32_t>();
    Duplicate(ones, 1, 8);
    PipeBarrier<PIPE_ALL>();
    if constexpr (sums) SetAtomicAdd<int32_t>();
    DataCopy(to, ones, 8);
    if constexpr (sums) SetAtomicNone();
}

// Three MIX 1:1 kernels that are right in a launch of their own. Run by both AIVs of a block, the first goes to other rows and the second
// sums twice; only the third knows that there may be two.
extern "C" __global__ __mix__(1, 1) void by_index(GM_ADDR y) {
    if ASCEND_IS_AIV
        Ones<false>(y, GetBlockIdx());
}
extern "C" __global__ __mix__(1, 1) void by_sum(GM_ADDR y) {
    if ASCEND_IS_AIV
        Ones<true>(y, 0);
}
extern "C" __global__ __mix__(1, 1) void by_first_aiv(GM_ADDR y) {
    if ASCEND_IS_AIV
        if (GetSubBlockIdx() == 0) Ones<true>(y, GetBlockIdx() / GetSubBlockNum());
}
