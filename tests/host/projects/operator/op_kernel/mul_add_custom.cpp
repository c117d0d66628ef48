// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "mul_add_custom_tiling.h"

using namespace AscendC;

class MulAdd {
  public:
    __aicore__ inline MulAdd() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const MulAddTiling& tiling) {
        tiling_ = tiling;
        x_.SetGlobalBuffer((__gm__ float*)x, tiling.total);
        y_.SetGlobalBuffer((__gm__ float*)y, tiling.total);
        z_.SetGlobalBuffer((__gm__ float*)z, tiling.total);
        pipe_.InitBuffer(in_, 2, 2 * tiling.piece * sizeof(float));
        pipe_.InitBuffer(out_, 2, tiling.piece * sizeof(float));
    }
    __aicore__ inline void Process() {
        for (uint32_t at = GetBlockIdx() * tiling_.piece; at < tiling_.total; at += GetBlockNum() * tiling_.piece) {
            const uint32_t count = at + tiling_.piece < tiling_.total ? tiling_.piece : tiling_.total - at;
            CopyIn(at, count);
            Compute(count);
            CopyOut(at, count);
        }
    }

  private:
    __aicore__ inline void CopyIn(uint32_t at, uint32_t count) {
        LocalTensor<float> local = in_.AllocTensor<float>();
        DataCopyPad(local, x_[at], DataCopyExtParams(1, count * sizeof(float), 0, 0, 0), DataCopyPadExtParams<float>());
        DataCopyPad(local[tiling_.piece], y_[at], DataCopyExtParams(1, count * sizeof(float), 0, 0, 0), DataCopyPadExtParams<float>());
        in_.EnQue(local);
    }
    __aicore__ inline void Compute(uint32_t count) {
        LocalTensor<float> local = in_.DeQue<float>();
        LocalTensor<float> made = out_.AllocTensor<float>();
        Muls(made, local, tiling_.factor, count);
        PLUS(made, made, local[tiling_.piece], count);
        out_.EnQue(made);
        in_.FreeTensor(local);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
        LocalTensor<float> made = out_.DeQue<float>();
        DataCopyPad(z_[at], made, DataCopyExtParams(1, count * sizeof(float), 0, 0, 0));
        out_.FreeTensor(made);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<float> x_, y_, z_;
    MulAddTiling tiling_;
};

extern "C" __global__ __aicore__ void mul_add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(MulAddTiling);
    GET_TILING_DATA(data, tiling);
    MulAdd op;
    op.Init(x, y, z, data);
    op.Process();
}
