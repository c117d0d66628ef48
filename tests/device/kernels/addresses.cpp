// SPDX-License-Identifier: Apache-2.0
// Tensors of buffer classes that put them somewhere by hand: address_, TBuffAddr, SetAddr.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline LocalTensor<T> at(TPosition position, uint64_t address) {
    LocalTensor<T> tensor;
    tensor.address_.logicPos = static_cast<uint8_t>(position);
    tensor.address_.bufferAddr = address;
    return tensor;
}

// y = x + x, and what the members read; x has 64 floats.
extern "C" __global__ __aicore__ void by_members(GM_ADDR x, GM_ADDR y, GM_ADDR facts) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    out.SetGlobalBuffer((__gm__ float*)y, 64);
    LocalTensor<float> a = at<float>(TPosition::VECIN, 4096), b;
    b.address_ = a.address_;
    b.address_.bufferAddr = a.address_.bufferAddr + 256;
    b.address_.dataLen = 256;
    DataCopy(a, in, 64);
    PipeBarrier<PIPE_ALL>();
    Add(b, a, a, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, b, 64);
    auto* told = (__gm__ uint64_t*)facts;
    told[0] = a.GetPhyAddr();
    told[1] = b.address_.bufferAddr;
    told[2] = b.address_.dataLen;
    told[3] = b.address_.logicPos;
    told[4] = b.GetSize();
    LocalTensor<half> l1;
    l1.address_.bufferAddr = 64;
    l1.address_.logicPos = static_cast<uint8_t>(TPosition::A1);
    told[5] = l1.address_.dataLen;
    told[6] = static_cast<uint64_t>(l1.GetPosition());
    b.address_.logicPos = a.address_.logicPos;
    told[7] = b.address_.bufferAddr;
    told[8] = sizeof(LocalTensor<float>) == sizeof(LocalTensor<int8_t>) && sizeof(aclimb::TensorAddress<float>) == 1;
}

// y = -x: the address of a pointer into UB, in a tensor that knows nothing else.
extern "C" __global__ __aicore__ void by_record(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    out.SetGlobalBuffer((__gm__ float*)y, 64);
    __ubuf__ float* pointer = reinterpret_cast<__ubuf__ float*>(2048);
    TBuffAddr address;
    address.bufferAddr = reinterpret_cast<uint64_t>(pointer);
    LocalTensor<float> local;
    local.SetAddr(address);
    DataCopy(local, in, 64);
    PipeBarrier<PIPE_ALL>();
    Muls(local, local, -1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, local, 64);
}

// A tensor with a length of its own ends there.
extern "C" __global__ __aicore__ void too_long(GM_ADDR x) {
    GlobalTensor<float> in;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    LocalTensor<float> local = at<float>(TPosition::VECIN, 0);
    local.address_.dataLen = 128;
    DataCopy(local, in, 64);
}
