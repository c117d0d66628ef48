// SPDX-License-Identifier: Apache-2.0
// c[rows of group g] = half(a[rows of group g] * b[g] * scales[g]) for groups of different, also no rows: a is [rows, k] and b [groups, k,
// n] of int8_t, with sums in int32_t; scales is [groups, n], a quantisation word for each column. `ends` says where each group ends in a
// and c. Every group is cut into tiles of singleCoreM x singleCoreN; an AIV takes every so many-th of all tiles and has its AIC multiply
// it.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using Byte = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Word = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;
using Object = Matmul<Byte, Byte, Half, Word, CFG_MDL>;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }
__aicore__ inline int32_t Parts(int32_t whole, int32_t part) { return (whole + part - 1) / part; }

class Groups { // on an AIV
  public:
    __aicore__ inline Groups(Object& mm, const TCubeTiling& cut, bool waits) : mm_(mm), cut_(cut), waits_(waits) {}

    __aicore__ inline void Point(GM_ADDR a, GM_ADDR b, GM_ADDR scales, GM_ADDR ends, GM_ADDR c) {
        a_.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(a));
        b_.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(b));
        scales_.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(scales));
        ends_.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(ends));
        c_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(c));
    }

    __aicore__ inline void Process(int32_t groups) {
        const auto aivs = static_cast<int32_t>(GetBlockNum() * GetTaskRation());
        auto mine = static_cast<int32_t>(GetBlockIdx()); // the next tile of this AIV, counted from the first one of the group
        for (int32_t group = 0, begin = 0; group < groups; ++group) {
            const int32_t end = ends_.GetValue(group);
            const int32_t down = Parts(end - begin, cut_.singleCoreM), tiles = down * Parts(cut_.N, cut_.singleCoreN);
            for (; mine < tiles; mine += aivs) // the two AIVs of a block have the same columns of b
                Multiply(group, begin + mine % down * cut_.singleCoreM, end, mine / down * cut_.singleCoreN);
            mine -= tiles;
            begin = end;
        }
    }

  private:
    __aicore__ inline void Multiply(int32_t group, int32_t row, int32_t end, int32_t column) {
        mm_.SetTail(Least(cut_.singleCoreM, end - row), Least(cut_.singleCoreN, cut_.N - column));
        mm_.SetTensorA(a_[static_cast<uint64_t>(row) * cut_.Ka]);
        mm_.SetTensorB(b_[static_cast<uint64_t>(group) * cut_.Kb * cut_.N + column]);
        mm_.SetQuantVector(scales_[static_cast<uint64_t>(group) * cut_.N + column]);
        const GlobalTensor<half> c = c_[static_cast<uint64_t>(row) * cut_.N + column];
        if (waits_) mm_.IterateAll(c);
        else mm_.IterateAll<false>(c); // nobody reads c in this kernel, so nobody waits for it
    }

    Object& mm_;
    const TCubeTiling& cut_;
    const bool waits_;
    GlobalTensor<int8_t> a_, b_;
    GlobalTensor<uint64_t> scales_;
    GlobalTensor<int32_t> ends_;
    GlobalTensor<half> c_;
};

extern "C" __global__ __mix__(1, 2) void grouped_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR scales, GM_ADDR ends, GM_ADDR c, TCubeTiling tiling,
                                                        int32_t groups, int32_t waits) {
    TPipe pipe;
    Object mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    Groups work(mm, tiling, waits);
    work.Point(a, b, scales, ends, c);
    work.Process(groups);
    mm.End();
}
