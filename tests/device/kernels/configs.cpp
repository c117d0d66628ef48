// SPDX-License-Identifier: Apache-2.0
// Configs that are constants of a member function of a template: g++ 12 dies where such a one is taken by reference.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, int outter, int inner> class Scan {
  public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, GM_ADDR last, bool columns) {
        constexpr uint32_t count = outter * inner;
        GlobalTensor<T> in, out, lastOut;
        in.SetGlobalBuffer((__gm__ T*)x, count);
        out.SetGlobalBuffer((__gm__ T*)y, count);
        lastOut.SetGlobalBuffer((__gm__ T*)last, inner);
        pipe.InitBuffer(source, count * sizeof(T));
        pipe.InitBuffer(result, count * sizeof(T));
        pipe.InitBuffer(row, inner * sizeof(T));
        LocalTensor<T> a = source.Get<T>(), b = result.Get<T>(), c = row.Get<T>();
        DataCopy(a, in, count);
        PipeBarrier<PIPE_ALL>();
        const CumSumInfo info{outter, inner};
        static constexpr CumSumConfig alongRows{true, false, true};
        static constexpr CumSumConfig alongColumns = {false, false, true};
        if (columns) CumSum<T, alongColumns>(b, c, a, info);
        else CumSum<T, alongRows>(b, c, a, info);
        PipeBarrier<PIPE_ALL>();
        DataCopy(out, b, count);
        DataCopy(lastOut, c, inner);
    }

  private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> source, result, row;
};

extern "C" __global__ __aicore__ void cumulated(GM_ADDR x, GM_ADDR y, GM_ADDR last, bool columns) {
    Scan<float, 8, 16> scan;
    scan.Run(x, y, last, columns);
}

// The other way to hand a config on: as the parameter of a template of the kernel's own.
template <typename T, const PowerConfig& config> __aicore__ inline void Squares(LocalTensor<T> to, LocalTensor<T> from) {
    Power<T, false, config>(to, from, static_cast<T>(2), 64);
}
template <typename T> struct Squared {
    static constexpr PowerConfig config = {PowerAlgo::INTRINSIC};
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
        GlobalTensor<T> in, out;
        in.SetGlobalBuffer((__gm__ T*)x, 64);
        out.SetGlobalBuffer((__gm__ T*)y, 64);
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, 128 * sizeof(T));
        LocalTensor<T> a = buffer.Get<T>(), b = a[64];
        DataCopy(a, in, 64);
        PipeBarrier<PIPE_ALL>();
        Squares<T, config>(b, a);
        PipeBarrier<PIPE_ALL>();
        DataCopy(out, b, 64);
    }
};
extern "C" __global__ __aicore__ void squared(GM_ADDR x, GM_ADDR y) {
    Squared<float> kernel;
    kernel.Run(x, y);
}
