// SPDX-License-Identifier: Apache-2.0
// An add of 512 halves that tells a SuperKernel when the next kernel may begin. SetNextTaskStart comes behind the last copy to global
// memory, once on every core; what this kernel still has to do then runs beside its successor. Outside a SuperKernel it has no effect.
#include "kernel_operator.h"

constexpr uint32_t kLength = 512; // elements

class KernelEarlyStart {
  public:
    __aicore__ inline KernelEarlyStart() {}

    __aicore__ inline void Init(__gm__ uint8_t* left, __gm__ uint8_t* right, __gm__ uint8_t* sum) {
        leftGm.SetGlobalBuffer((__gm__ half*)left, kLength);
        rightGm.SetGlobalBuffer((__gm__ half*)right, kLength);
        sumGm.SetGlobalBuffer((__gm__ half*)sum, kLength);
        pipe.InitBuffer(leftQueue, 1, kLength * sizeof(half));
        pipe.InitBuffer(rightQueue, 1, kLength * sizeof(half));
        pipe.InitBuffer(sumQueue, 1, kLength * sizeof(half));
    }

    __aicore__ inline void Process() {
        Fetch(leftQueue, leftGm);
        Fetch(rightQueue, rightGm);
        Compute();
        Store();
    }

  private:
    using InQueue = AscendC::TQue<AscendC::TPosition::VECIN, 1>;

    __aicore__ inline void Fetch(InQueue& queue, const AscendC::GlobalTensor<half>& from) {
        AscendC::LocalTensor<half> tensor = queue.AllocTensor<half>();
        AscendC::DataCopy(tensor, from, kLength);
        queue.EnQue(tensor);
    }

    __aicore__ inline void Compute() {
        AscendC::LocalTensor<half> left = leftQueue.DeQue<half>();
        AscendC::LocalTensor<half> right = rightQueue.DeQue<half>();
        AscendC::LocalTensor<half> sum = sumQueue.AllocTensor<half>();
        AscendC::Add(sum, left, right, kLength);
        sumQueue.EnQue<half>(sum);
        leftQueue.FreeTensor(left);
        rightQueue.FreeTensor(right);
    }

    __aicore__ inline void Store() {
        AscendC::LocalTensor<half> sum = sumQueue.DeQue<half>();
        AscendC::DataCopy(sumGm, sum, kLength);
        AscendC::SetNextTaskStart();
        sumQueue.FreeTensor(sum);
    }

    AscendC::TPipe pipe;
    InQueue leftQueue, rightQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> sumQueue;
    AscendC::GlobalTensor<half> leftGm, rightGm, sumGm;
};

extern "C" __global__ __aicore__ void early_start(__gm__ uint8_t* left, __gm__ uint8_t* right, __gm__ uint8_t* sum) {
    KernelEarlyStart op;
    op.Init(left, right, sum);
    op.Process();
}
