// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace matmul;

template <typename In> class KernelMixedProduct {
  public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, const MixedProductTilingData& data, AscendC::TPipe* pipe) {
        tiling = data.cubeTilingData;
        addend = data.addend;
        const int32_t parts = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM;
        rowOfPart = AscendC::GetBlockIdx() % parts * tiling.singleCoreM;
        columnOfPart = AscendC::GetBlockIdx() / parts * tiling.singleCoreN;
        aGm.SetGlobalBuffer(reinterpret_cast<__gm__ In*>(a) + rowOfPart * tiling.Ka, tiling.M * tiling.Ka);
        bGm.SetGlobalBuffer(reinterpret_cast<__gm__ In*>(b) + columnOfPart, tiling.Kb * tiling.N);
        cGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + rowOfPart * tiling.N + columnOfPart, tiling.M * tiling.N);
        pipe->InitBuffer(queue, 1, data.bytesOfC);
    }
    __aicore__ inline void Process() {
        if (static_cast<int32_t>(AscendC::GetBlockIdx()) >= tiling.usedCoreNum) return;
        mm.SetTensorA(aGm);
        mm.SetTensorB(bGm);
        for (uint32_t block = 0; mm.template Iterate<true>(); ++block) {
            auto local = queue.template AllocTensor<float>();
            mm.template GetTensorC<true>(local, false, true);
            AscendC::Adds(local, local, addend, tiling.baseM * tiling.baseN);
            queue.EnQue(local);
            CopyOut(block);
        }
        mm.End();
    }

    Matmul<MatmulType<AscendC::TPosition::GM, CubeFormat::ND, In>, MatmulType<AscendC::TPosition::GM, CubeFormat::ND, In>,
           MatmulType<AscendC::TPosition::VECIN, CubeFormat::ND, float>>
        mm;
    TCubeTiling tiling;

  private:
    __aicore__ inline void CopyOut(uint32_t block) {
        auto local = queue.template DeQue<float>();
        const uint32_t down = tiling.singleCoreM / tiling.baseM;
        const uint32_t row = block % down * tiling.baseM, column = block / down * tiling.baseN;
        AscendC::DataCopyExtParams params(tiling.baseM, tiling.baseN * sizeof(float), 0, (tiling.N - tiling.baseN) * sizeof(float), 0);
        AscendC::DataCopyPad(cGm[row * tiling.N + column], local, params);
        queue.FreeTensor(local);
    }

    AscendC::TQue<AscendC::TPosition::VECOUT, 1> queue;
    AscendC::GlobalTensor<In> aGm, bGm;
    AscendC::GlobalTensor<float> cGm;
    int32_t rowOfPart, columnOfPart;
    float addend;
};

extern "C" __global__ __aicore__ void mixed_product(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KERNEL_TASK_TYPE(1, KERNEL_TYPE_MIX_AIC_1_2);
    AscendC::TPipe pipe;
    KernelMixedProduct<DTYPE_A> op;
    op.Init(a, b, c, tilingData, &pipe);
    if (TILING_KEY_IS(1)) {
        REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &op.tiling);
        op.Process();
    }
}
