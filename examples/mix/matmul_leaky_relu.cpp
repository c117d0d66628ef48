// SPDX-License-Identifier: Apache-2.0
// C = leaky_relu(A * B). One AI Core is one AIC and two AIVs. The AIC multiplies a tile of A with B and leaves the product in a workspace
// in global memory; the two AIVs take half of its rows each, apply the activation and write C. Both sides go on to the next tile:
//   kReady   AIC -> AIVs   the product is in the workspace
//   kFree    AIVs -> AIC   it has been fetched, the workspace may be overwritten (counts when both AIVs have set it)
#include "kernel_operator.h"

constexpr uint16_t kRows = 32, kInner = 64, kColumns = 64; // of one tile of A, of B, of C
constexpr uint16_t kFractal = 16;                          // a fractal has 16 x 16 halves
constexpr uint32_t kFractalSize = kFractal * kFractal;
constexpr uint32_t kProduct = kRows * kColumns;
constexpr uint16_t kReady = 0, kFree = 1;

class Multiply { // on the AIC
  public:
    __aicore__ inline Multiply() {}

    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR workspace) {
        aGm.SetGlobalBuffer((__gm__ half*)a);
        bGm.SetGlobalBuffer((__gm__ half*)b, kInner * kColumns);
        workspaceGm.SetGlobalBuffer((__gm__ float*)workspace + AscendC::GetBlockIdx() * kProduct, kProduct);
        pipe.InitBuffer(a1Queue, 1, kRows * kInner * sizeof(half));
        pipe.InitBuffer(b1Queue, 1, kInner * kColumns * sizeof(half));
        pipe.InitBuffer(a2Queue, 1, kRows * kInner * sizeof(half));
        pipe.InitBuffer(b2Queue, 1, kInner * kColumns * sizeof(half));
        pipe.InitBuffer(c1Queue, 1, kProduct * sizeof(float));
    }

    __aicore__ inline void Process(uint32_t tiles) {
        bool first = true;
        for (uint32_t tile = AscendC::GetBlockIdx(); tile < tiles; tile += AscendC::GetBlockNum()) {
            FetchMatrix(a1Queue, aGm[(uint64_t)tile * kRows * kInner], kRows, kInner);
            FetchMatrix(b1Queue, bGm, kInner, kColumns);
            LoadA();
            LoadB();
            Product();
            if (!first) AscendC::CrossCoreWaitFlag(kFree);
            Store();
            AscendC::CrossCoreSetFlag<2, PIPE_FIX>(kReady);
            first = false;
        }
        if (!first) AscendC::CrossCoreWaitFlag(kFree);
    }

  private:
    // Rows in global memory become fractals in L1, column of fractals after column of fractals.
    template <typename Queue>
    __aicore__ inline void FetchMatrix(Queue& queue, const AscendC::GlobalTensor<half>& from, uint16_t rows, uint16_t columns) {
        AscendC::LocalTensor<half> matrix = queue.template AllocTensor<half>();
        AscendC::DataCopy(matrix, from, AscendC::Nd2NzParams(1, rows, columns, 0, columns, rows, 1, 0));
        queue.EnQue(matrix);
    }

    // L0A wants row of fractals after row of fractals.
    __aicore__ inline void LoadA() {
        AscendC::LocalTensor<half> a1 = a1Queue.DeQue<half>();
        AscendC::LocalTensor<half> a2 = a2Queue.AllocTensor<half>();
        AscendC::LoadData2DParams params;
        params.repeatTimes = kInner / kFractal;
        params.srcStride = kRows / kFractal;
        for (uint32_t row = 0; row < kRows / kFractal; ++row) {
            AscendC::LoadData(a2[row * params.repeatTimes * kFractalSize], a1[row * kFractalSize], params);
        }
        a2Queue.EnQue(a2);
        a1Queue.FreeTensor(a1);
    }

    // L0B wants the same, with every fractal transposed.
    __aicore__ inline void LoadB() {
        AscendC::LocalTensor<half> b1 = b1Queue.DeQue<half>();
        AscendC::LocalTensor<half> b2 = b2Queue.AllocTensor<half>();
        AscendC::LoadData2DParams params;
        params.repeatTimes = kColumns / kFractal;
        params.srcStride = kInner / kFractal;
        params.ifTranspose = true;
        for (uint32_t row = 0; row < kInner / kFractal; ++row) {
            AscendC::LoadData(b2[row * params.repeatTimes * kFractalSize], b1[row * kFractalSize], params);
        }
        b2Queue.EnQue(b2);
        b1Queue.FreeTensor(b1);
    }

    __aicore__ inline void Product() {
        AscendC::LocalTensor<half> a2 = a2Queue.DeQue<half>();
        AscendC::LocalTensor<half> b2 = b2Queue.DeQue<half>();
        AscendC::LocalTensor<float> c1 = c1Queue.AllocTensor<float>();
        AscendC::MmadParams params;
        params.m = kRows;
        params.n = kColumns;
        params.k = kInner;
        AscendC::Mmad(c1, a2, b2, params);
        c1Queue.EnQue(c1);
        a2Queue.FreeTensor(a2);
        b2Queue.FreeTensor(b2);
    }

    __aicore__ inline void Store() {
        AscendC::LocalTensor<float> c1 = c1Queue.DeQue<float>();
        AscendC::FixpipeParamsV220 params;
        params.nSize = kColumns;
        params.mSize = kRows;
        params.srcStride = kRows;
        params.dstStride = kColumns;
        AscendC::Fixpipe(workspaceGm, c1, params);
        c1Queue.FreeTensor(c1);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::A1, 1> a1Queue;
    AscendC::TQue<AscendC::TPosition::B1, 1> b1Queue;
    AscendC::TQue<AscendC::TPosition::A2, 1> a2Queue;
    AscendC::TQue<AscendC::TPosition::B2, 1> b2Queue;
    AscendC::TQue<AscendC::TPosition::CO1, 1> c1Queue;
    AscendC::GlobalTensor<half> aGm, bGm;
    AscendC::GlobalTensor<float> workspaceGm;
};

class Activate {                                     // on each of the two AIVs
    static constexpr uint32_t kShare = kProduct / 2; // half of the rows

  public:
    __aicore__ inline Activate() {}

    __aicore__ inline void Init(GM_ADDR c, GM_ADDR workspace) {
        const uint64_t core = AscendC::GetBlockIdx() / AscendC::GetSubBlockNum();
        share = AscendC::GetSubBlockIdx() * kShare;
        workspaceGm.SetGlobalBuffer((__gm__ float*)workspace + core * kProduct, kProduct);
        cGm.SetGlobalBuffer((__gm__ float*)c);
        pipe.InitBuffer(inQueue, 1, kShare * sizeof(float));
        pipe.InitBuffer(outQueue, 1, kShare * sizeof(float));
    }

    __aicore__ inline void Process(uint32_t tiles, float slope) {
        const uint32_t core = AscendC::GetBlockIdx() / AscendC::GetSubBlockNum();
        for (uint32_t tile = core; tile < tiles; tile += AscendC::GetBlockNum()) {
            AscendC::CrossCoreWaitFlag(kReady);
            AscendC::LocalTensor<float> product = inQueue.AllocTensor<float>();
            AscendC::DataCopy(product, workspaceGm[share], kShare);
            AscendC::CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
            inQueue.EnQue(product);

            product = inQueue.DeQue<float>();
            AscendC::LocalTensor<float> activated = outQueue.AllocTensor<float>();
            AscendC::LeakyRelu(activated, product, slope, kShare);
            inQueue.FreeTensor(product);
            outQueue.EnQue(activated);

            activated = outQueue.DeQue<float>();
            AscendC::DataCopy(cGm[(uint64_t)tile * kProduct + share], activated, kShare);
            outQueue.FreeTensor(activated);
        }
    }

  private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<float> workspaceGm, cGm;
    uint64_t share = 0; // where this AIV's half of a tile begins, in elements
};

// A: 32 * tiles x 64 halves, B: 64 x 64 halves, C: 32 * tiles x 64 floats, workspace: 32 x 64 floats for every block.
extern "C" __global__ __aicore__ void matmul_leaky_relu(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, uint32_t tiles, float slope) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        Multiply op;
        op.Init(a, b, workspace);
        op.Process(tiles);
    }
    if ASCEND_IS_AIV {
        Activate op;
        op.Init(c, workspace);
        op.Process(tiles, slope);
    }
}
