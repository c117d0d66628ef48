// SPDX-License-Identifier: Apache-2.0
// y = x * scale + shift, where scale, shift and length lie elsewhere in the tiling data of each key.
#include "kernel_operator.h"
using namespace AscendC;

struct Short {
    uint32_t length;
    float scale;
};
struct Long {
    uint64_t reserved[3];
    float scale, shift;
    uint32_t length;
};
struct Bytes {
    uint8_t scale, shift;
    uint16_t length;
};

class ScaleShift {
  public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, float scale, float shift, uint32_t length) {
        GlobalTensor<float> source, target;
        source.SetGlobalBuffer((__gm__ float*)x, length);
        target.SetGlobalBuffer((__gm__ float*)y, length);
        pipe.InitBuffer(buffer, length * sizeof(float));
        LocalTensor<float> local = buffer.Get<float>();
        DataCopy(local, source, length);
        PipeBarrier<PIPE_ALL>();
        Muls(local, local, scale, length);
        Adds(local, local, shift, length);
        PipeBarrier<PIPE_ALL>();
        DataCopy(target, local, length);
    }

  private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
};

#define REGISTER_ALL                                                                                                                       \
    REGISTER_TILING_DEFAULT(Short);                                                                                                        \
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", Long);                                                                            \
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR >= 10 && TILING_KEY_VAR < 20", Bytes)

// One read for all keys, before any of them is tested.
extern "C" __global__ __aicore__ void read_first(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    REGISTER_ALL;
    GET_TILING_DATA(data, tiling);
    ScaleShift op;
    if (TILING_KEY_IS(1)) {
        op.Run(x, y, data.scale, 0, data.length);
    } else if (TILING_KEY_IS(2) || TILING_KEY_IS(12UL)) {
        op.Run(x, y, data.scale, data.shift, data.length);
    }
}

// A read in the branch of each key, in the ways in which a branch is written.
namespace deep {
__global__ __aicore__ void read_in_branches(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    REGISTER_ALL;
    ScaleShift op;
    if (TILING_KEY_IS(12)) {
        GET_TILING_DATA(data, tiling);
        static_assert(sizeof(data) == sizeof(Bytes));
        op.Run(x, y, data.scale, data.shift, data.length);
        return;
    }
    if (TILING_KEY_IS(2)) {
        GET_TILING_DATA_WITH_STRUCT(Long, data, tiling);
        op.Run(x, y, data.scale, data.shift, data.length);
    } else {
        GET_TILING_DATA(data, tiling);
        Short& same = data;
        if (TILING_KEY_IS(1)) op.Run(x, y, same.scale, 0, same.length);
    }
}
} // namespace deep

// A mistake, to see where the message points.
extern "C" __global__ __aicore__ void too_long(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    REGISTER_ALL;
    GET_TILING_DATA(data, tiling);
    if (TILING_KEY_IS(1)) return;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 32);
    if (TILING_KEY_IS(2)) {
        Duplicate(buffer.Get<float>(), data.shift, data.length);
    }
}
