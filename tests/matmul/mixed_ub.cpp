// SPDX-License-Identifier: Apache-2.0
// A product into UB.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Out = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;

extern "C" __global__ __mix__(1, 2) void to_ub(GM_ADDR a, GM_ADDR b, GM_ADDR tiling) {
    TPipe pipe;
    TCubeTiling cut;
    auto* numbers = reinterpret_cast<int32_t*>(&cut);
    for (uint32_t i = 0; i < sizeof(cut) / 4; ++i) numbers[i] = reinterpret_cast<__gm__ int32_t*>(tiling)[i];
    Matmul<In, In, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    GlobalTensor<half> ga, gb;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
    TBuf<TPosition::VECIN> buffer;
    pipe.InitBuffer(buffer, 64 * 64 * 4);
    mm.SetTensorA(ga);
    mm.SetTensorB(gb);
    mm.IterateAll(buffer.Get<float>());
    mm.End();
}
