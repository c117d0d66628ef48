// SPDX-License-Identifier: Apache-2.0
// y = x / sum(x), where the sum runs over all blocks. Three phases, with every block waiting for the others in between:
//   block 0 clears the total in global memory | every block adds the sum of its share | every block divides its share by the total
// Float atomics make aclimb run the blocks in block order, so the total has the same bits in every run.
#include "kernel_operator.h"

class Normalize {
  public:
    __aicore__ inline Normalize() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR total, uint32_t length) {
        share = length / AscendC::GetBlockNum();
        const uint64_t begin = share * AscendC::GetBlockIdx();
        xGm.SetGlobalBuffer((__gm__ float*)x + begin, share);
        yGm.SetGlobalBuffer((__gm__ float*)y + begin, share);
        totalGm.SetGlobalBuffer((__gm__ float*)total, 1);
        pipe.InitBuffer(shareBuffer, share * sizeof(float));
        pipe.InitBuffer(workBuffer, share * sizeof(float));
        pipe.InitBuffer(sumBuffer, 32);
        x_ = shareBuffer.Get<float>();
        sum = sumBuffer.Get<float>();
    }

    __aicore__ inline void Process() {
        if (AscendC::GetBlockIdx() == 0) ClearTotal();
        AscendC::SyncAll();
        AddShare();
        AscendC::SyncAll();
        Divide();
    }

  private:
    __aicore__ inline void ClearTotal() {
        AscendC::Duplicate(sum, 0.0f, 8);
        Order<AscendC::HardEvent::V_MTE3>();
        AscendC::DataCopyPad(totalGm, sum, OneFloat());
        Order<AscendC::HardEvent::MTE3_V>();
    }

    __aicore__ inline void AddShare() {
        AscendC::DataCopy(x_, xGm, share);
        Order<AscendC::HardEvent::MTE2_V>();
        AscendC::ReduceSum(sum, x_, workBuffer.Get<float>(), (int32_t)share);
        Order<AscendC::HardEvent::V_MTE3>();
        AscendC::SetAtomicAdd<float>();
        AscendC::DataCopyPad(totalGm, sum, OneFloat());
        AscendC::SetAtomicNone();
    }

    __aicore__ inline void Divide() {
        AscendC::DataCopyPad(sum, totalGm, OneFloat(), AscendC::DataCopyPadExtParams<float>());
        const float total = sum.GetValue(0); // the scalar unit waits for MTE2 by itself here
        AscendC::Muls(x_, x_, 1.0f / total, (int32_t)share);
        Order<AscendC::HardEvent::V_MTE3>();
        AscendC::DataCopy(yGm, x_, share);
    }

    // What comes later in the second pipe waits for what came before in the first.
    template <AscendC::HardEvent event> __aicore__ inline void Order() {
        const AscendC::TEventID id = pipe.FetchEventID(event);
        AscendC::SetFlag<event>(id);
        AscendC::WaitFlag<event>(id);
    }

    __aicore__ inline AscendC::DataCopyExtParams OneFloat() { return {1, sizeof(float), 0, 0, 0}; }

    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> shareBuffer, workBuffer, sumBuffer;
    AscendC::LocalTensor<float> x_, sum;
    AscendC::GlobalTensor<float> xGm, yGm, totalGm;
    uint32_t share = 0; // elements of this block
};

extern "C" __global__ __aicore__ void normalize(GM_ADDR x, GM_ADDR y, GM_ADDR total, uint32_t length) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0); // a vector kernel whose cores can wait for each other
    Normalize op;
    op.Init(x, y, total, length);
    op.Process();
}
