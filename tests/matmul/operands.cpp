// SPDX-License-Identifier: Apache-2.0
// Matmul objects whose operands come in other ways, or are read in another mode: one number, a matrix in L1, HF32; and parts of a product.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <typename T> struct Tensors {
    GlobalTensor<T> a, b;
    GlobalTensor<float> c;
    TCubeTiling tiling;
    __aicore__ inline Tensors(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR cut) {
        a.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
        b.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y));
        c.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(z));
        for (uint32_t i = 0; i < sizeof(tiling) / 4; ++i)
            reinterpret_cast<int32_t*>(&tiling)[i] = reinterpret_cast<__gm__ int32_t*>(cut)[i];
    }
};

template <typename T> using Plain = MatmulType<TPosition::GM, CubeFormat::ND, T>;
using Out = Plain<float>;

// --- one number for all of A

extern "C" __global__ __cube__ void one_number(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors<half> tensors(a, b, c, cut);
    Matmul<MatmulType<TPosition::GM, CubeFormat::SCALAR, half>, Plain<half>, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetTensorA(tensors.a.GetValue(0));
    mm.SetTensorB(tensors.b);
    mm.IterateAll(tensors.c);
    mm.End();
}

// --- matrices that the kernel brought to L1 itself

template <typename T>
__aicore__ inline LocalTensor<T> Bring(TSCM<TPosition::GM>& room, const GlobalTensor<T>& from, int32_t rows, int32_t columns) {
    LocalTensor<T> l1 = room.AllocTensor<T>();
    Nd2NzParams params;
    params.ndNum = 1;
    params.nValue = static_cast<uint16_t>(rows);
    params.dValue = params.srcDValue = static_cast<uint16_t>(columns);
    params.dstNzC0Stride = static_cast<uint16_t>((rows + 15) / 16 * 16);
    params.dstNzNStride = 1;
    DataCopy(l1, from, params);
    room.EnQue(l1);
    return room.DeQue<T>();
}

extern "C" __global__ __cube__ void both_in_l1(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t turn_a, int32_t turn_b) {
    TPipe pipe;
    Tensors<half> tensors(a, b, c, cut);
    using InL1 = MatmulType<TPosition::TSCM, CubeFormat::NZ, half, true>;
    TSCM<TPosition::GM> room_a, room_b;
    const int32_t m = tensors.tiling.M, n = tensors.tiling.N, k = tensors.tiling.Ka;
    pipe.InitBuffer(room_a, 1, static_cast<uint32_t>((m + 15) / 16 * 16 * ((k + 15) / 16 * 16) * 2));
    pipe.InitBuffer(room_b, 1, static_cast<uint32_t>((n + 15) / 16 * 16 * ((k + 15) / 16 * 16) * 2));
    Matmul<InL1, InL1, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    LocalTensor<half> left = Bring(room_a, tensors.a, turn_a ? k : m, turn_a ? m : k);
    LocalTensor<half> right = Bring(room_b, tensors.b, turn_b ? n : k, turn_b ? k : n);
    mm.SetTensorA(left, turn_a);
    mm.SetTensorB(right, turn_b);
    mm.IterateAll(tensors.c);
    mm.End();
    room_a.FreeTensor(left);
    room_b.FreeTensor(right);
}

// --- floats as HF32, and as floats again

extern "C" __global__ __cube__ void rounded_first(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors<float> tensors(a, b, c, cut);
    const uint64_t size = static_cast<uint64_t>(tensors.tiling.M) * tensors.tiling.N;
    Matmul<Plain<float>, Plain<float>, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetTensorA(tensors.a);
    mm.SetTensorB(tensors.b);
    mm.SetHF32(true);
    mm.IterateAll(tensors.c);
    mm.SetHF32(true, 1);
    mm.IterateAll(tensors.c[size]);
    mm.SetHF32(false);
    mm.IterateAll(tensors.c[2 * size]);
    mm.End();
}

// --- three by three blocks of A that stay in L1

extern "C" __global__ __cube__ void kept_in_l1(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut) {
    TPipe pipe;
    Tensors<half> tensors(a, b, c, cut);
    Matmul<Plain<half>, Plain<half>, Out, Out, CFG_MDL, MatmulCallBackFunc<nullptr, nullptr, nullptr>,
           AscendC::Impl::Detail::NBuffer33MatmulPolicy>
        mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetTensorA(tensors.a);
    mm.SetTensorB(tensors.b);
    mm.IterateAll(tensors.c);
    mm.End();
}

// --- a product piece by piece; what belongs to mixed kernels is taken and changes nothing

extern "C" __global__ __cube__ void piece_by_piece(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t rows) {
    TPipe pipe;
    Tensors<half> tensors(a, b, c, cut);
    const TCubeTiling& tiling = tensors.tiling;
    Matmul<Plain<half>, Plain<half>, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    mm.SetSubBlockIdx(1);
    mm.SetWorkspace(tensors.c);
    mm.SetLocalWorkspace(LocalTensor<uint8_t>());
    for (int32_t row = 0; row < tiling.M; row += rows) {
        mm.SetTensorA(tensors.a[static_cast<uint64_t>(row) * tiling.Ka]);
        mm.SetTensorB(tensors.b);
        mm.SetSingleShape(row + rows > tiling.M ? tiling.M - row : rows, tiling.N, tiling.Ka);
        mm.IterateAll(tensors.c[static_cast<uint64_t>(row) * tiling.N]);
        mm.WaitIterateAll();
    }
    mm.End();
    PRINTF("%d\n", mm.GetSubBlockIdx());
}

// --- a result for each block along k

constexpr MatmulConfig kEach = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(
    MatmulFuncParams{false, false, false, false, 0, IterateOrder::UNDEF, ScheduleType::INNER_PRODUCT, true, false, true});

extern "C" __global__ __cube__ void each_block_along_k(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR cut, int32_t behind) {
    TPipe pipe;
    Tensors<half> tensors(a, b, c, cut);
    Matmul<Plain<half>, Plain<half>, Out, Out, kEach> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tensors.tiling);
    mm.SetTensorA(tensors.a);
    mm.SetTensorB(tensors.b);
    uint64_t at = 0;
    for (; mm.Iterate(); at += static_cast<uint64_t>(tensors.tiling.baseM) * tensors.tiling.baseN) mm.GetTensorC(tensors.c[at], 0, behind);
    mm.End();
}
