// SPDX-License-Identifier: Apache-2.0
// Kernels have functions of their own that are called like an API which is not here yet. Theirs are meant.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline int64_t Ceil(int64_t a, int64_t b) { return (a + b - 1) / b; }
template <typename T> __aicore__ inline void Sum(const LocalTensor<T>& x, uint64_t n) { Muls(x, x, static_cast<T>(2), static_cast<int32_t>(n)); }
template <typename T> __aicore__ inline void Broadcast(LocalTensor<T>& x, LocalTensor<T>& y, uint16_t n) { Add(x, x, y, n); }
template <typename T> __aicore__ inline T abs(T x) { return x < 0 ? static_cast<T>(-x) : static_cast<T>(x); }
template <typename T> __aicore__ inline T Max(T a, T b) { return a > b ? a : b; }
template <typename A, typename B> __aicore__ inline A Min(A a, B b) { return a < b ? a : static_cast<A>(b); }
template <typename T> __aicore__ inline T CeilDiv(T a, T b) { return (a + b - 1) / b; }
class Sort {};
class Matmul {};
namespace matmul {
inline int Sign(int x) { return x < 0 ? -1 : 1; }
} // namespace matmul

extern "C" __global__ __aicore__ void own_names(GM_ADDR x) {
    LocalTensor<float> a(TPosition::VECIN, 0, 64), b(TPosition::VECIN, 256, 64);
    const uint32_t n = 7;
    Sum(a, static_cast<int32_t>(Ceil(n, 2)));
    Broadcast(a, b, 5);
    a.SetValue(matmul::Sign(1), 2);
    a.SetValue(abs(-2), Max(1.0f, Min(2.0f, 3)));
    a.SetValue(CeilDiv(7u, n), Max(1, 2));
    Matmul own;
    int block_idx = 3;
    b.SetValue(block_idx, sizeof(own));
}
