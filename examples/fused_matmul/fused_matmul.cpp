// SPDX-License-Identifier: Apache-2.0
// c[m, n] = leaky_relu(a[m, k] * b[k, n] + bias[n]): AIVs have the AIC multiply by a Matmul object, and apply the activation block by
// block. AHEAD 1: the AIC makes all blocks of a part while the AIV works on those it has. AHEAD 0: one block, then the other core's turn.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef AHEAD
#define AHEAD 1
#endif

using AType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using BType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using CType = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;
using BiasType = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using Product = Matmul<AType, BType, CType, BiasType, CFG_MDL>;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }
__aicore__ inline int32_t Parts(int32_t whole, int32_t part) { return (whole + part - 1) / part; }

class FusedMatmul {
  public:
    __aicore__ inline FusedMatmul(Product& mm, TPipe& pipe, const TCubeTiling& tiling, float slope)
        : mm_(mm), tiling_(tiling), slope_(slope) {
        pipe.InitBuffer(results_, 2, tiling.baseM * tiling.baseN * sizeof(float));
        pipe.InitBuffer(outputs_, 2, tiling.baseM * tiling.baseN * sizeof(float));
        const auto aiv = static_cast<int32_t>(GetBlockIdx()), rows = Parts(tiling.M, tiling.singleCoreM);
        m_ = aiv % rows * tiling.singleCoreM;
        n_ = aiv / rows * tiling.singleCoreN;
        height_ = Least(tiling.singleCoreM, tiling.M - m_); // the last parts may be smaller
        width_ = Least(tiling.singleCoreN, tiling.N - n_);
    }
    __aicore__ inline void Run(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace) {
        GlobalTensor<half> ga, gb;
        GlobalTensor<float> gbias, gworkspace;
        ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + static_cast<uint64_t>(m_) * tiling_.Ka);
        gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b) + n_);
        gbias.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias) + n_);
        c_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + static_cast<uint64_t>(m_) * tiling_.N + n_);
        const uint64_t room = static_cast<uint64_t>(tiling_.singleCoreM) * tiling_.singleCoreN;
        gworkspace.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(workspace) + GetBlockIdx() * room, room);
        mm_.SetTail(height_, width_);
        mm_.SetTensorA(ga);
        mm_.SetTensorB(gb);
        mm_.SetBias(gbias);
#if AHEAD
        mm_.SetWorkspace(gworkspace);
        mm_.template Iterate<false>();
        const int32_t blocks = Parts(height_, tiling_.baseM) * Parts(width_, tiling_.baseN);
        for (int32_t block = 0; block < blocks; ++block) Activate(block);
#else
        for (int32_t block = 0; mm_.Iterate(); ++block) Activate(block);
#endif
        mm_.End();
    }

  private:
    // Blocks come along m first.
    __aicore__ inline void Activate(int32_t block) {
        const int32_t rows = Parts(height_, tiling_.baseM), row = block % rows * tiling_.baseM, column = block / rows * tiling_.baseN;
        const int32_t height = Least(tiling_.baseM, height_ - row), width = Least(tiling_.baseN, width_ - column);
        LocalTensor<float> result = results_.AllocTensor<float>();
        mm_.template GetTensorC<!AHEAD>(result);
        results_.EnQue(result);
        result = results_.DeQue<float>();
        LocalTensor<float> output = outputs_.AllocTensor<float>();
        LeakyRelu(output, result, slope_, height * tiling_.baseN);
        results_.FreeTensor(result);
        outputs_.EnQue(output);
        output = outputs_.DeQue<float>();
        const uint32_t bytes = width * sizeof(float), skipped = (tiling_.baseN - width) * sizeof(float) / 32;
        DataCopyPad(c_[static_cast<uint64_t>(row) * tiling_.N + column], output,
                    DataCopyExtParams(static_cast<uint16_t>(height), bytes, skipped, (tiling_.N - width) * sizeof(float), 0));
        outputs_.FreeTensor(output);
    }

    Product& mm_;
    const TCubeTiling& tiling_;
    float slope_;
    int32_t m_, n_, height_, width_; // this AIV's part of c
    GlobalTensor<float> c_;
    TQue<TPosition::VECIN, 2> results_;
    TQue<TPosition::VECOUT, 2> outputs_;
};

extern "C" __global__ __aicore__ void fused_matmul(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, __kfc_workspace__ GM_ADDR workspace,
                                                   TCubeTiling tiling, float slope) {
    TPipe pipe;
    Product mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling); // the AIC serves, and returns here
    if (GetBlockIdx() >= tiling.usedCoreNum) return;
    FusedMatmul(mm, pipe, tiling, slope).Run(a, b, bias, c, workspace);
}
