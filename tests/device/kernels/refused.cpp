// SPDX-License-Identifier: Apache-2.0
// Calls that must not compile. Each line ends with a piece of the sentence its error has to contain.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

struct Mine {};
template <typename T> struct Wrapped { void Call(LocalTensor<T>& x) { LoadImageToLocal(x, 0); } }; // never instantiated, so no error

extern "C" __global__ __aicore__ void kernel(GM_ADDR x) {}

void refused(LocalTensor<half>& h, LocalTensor<bfloat16_t>& w, LocalTensor<float>& f, LocalTensor<int8_t>& b, LocalTensor<int32_t>& i,
             LocalTensor<uint32_t>& u, GlobalTensor<float>& gm, uint64_t& kept, uint32_t shape) {
    Gather(b, b, u, 0, 128);                               // AscendC::Gather does not take int8_t on Atlas A2 and A3; it takes half, bfloat16_t, float
    LoadImageToLocal(h, 0);                                // AscendC::LoadImageToLocal is not supported yet; nearest: DataCopy
    GatherMask(h, h, u, true, 128, {1, 1, 8, 8}, kept);    // the pattern of AscendC::GatherMask is a tensor of uint16_t for 16-bit elements
    Sort32(i, i, u, 4);                                    // AscendC::Sort32 does not take int32_t on Atlas A2 and A3; it takes half, float
    SoftMax(i, i, SoftMaxTiling());                        // the soft-max family takes half and float on Atlas A2 and A3
    Transpose(f, f);                                       // AscendC::Transpose does not take float on Atlas A2 and A3; it takes half, int16_t, uint16_t
    MulCast(b, f, f, 128);                                 // AscendC::MulCast converts half to int8_t or uint8_t on Atlas A2 and A3
    Tanh(i, i, 64);                                        // AscendC::Tanh does not take int32_t on Atlas A2 and A3; it takes half, float
    LoadData(h, h, LoadData2DParamsV2());                  // LoadData with LoadData2DParamsV2 belongs to later products
    LoadData(h, h, LoadData3DParamsV1<half>());            // AscendC::LoadData3DParamsV1 does not exist on Atlas A2 and A3; nearest: LoadData3DParamsV2
    ReduceSum<float, Pattern::Reduce::ARA>(f, f, &shape, true); // take AscendC::Pattern::Reduce::AR or ::RA on Atlas A2 and A3
    Add(w, w, w, 128);                                     // AscendC::Add does not take bfloat16_t on Atlas A2 and A3; it takes half, float, int16_t, int32_t. Cast to float first
    Exp(i, i, 64);                                         // AscendC::Exp does not take int32_t on Atlas A2 and A3; it takes half, float
    And(f, f, f, 64);                                      // AscendC::And does not take float on Atlas A2 and A3; it takes int16_t, uint16_t, int8_t, uint8_t
    ProposalConcat(h, h, 1, 4);                            // AscendC::ProposalConcat does not exist on Atlas A2 and A3; nearest: Concat; Ascend310P and Ascend910 have ProposalConcat
    Fixpipe(gm, h, FixpipeParams<half>());                 // AscendC::Fixpipe reads float or int32_t from L0C and writes float, int32_t, half
    Duplicate(b, 1, 64);                                   // AscendC::Duplicate does not take int8_t
    Muls(u, u, 2, uint64_t{64}, 1, {1, 1, 8, 8});          // AscendC::Muls does not take uint32_t
    Add(h, h, f, 128);                                     // different element types; Cast the sources
    Cast(w, h, RoundMode::CAST_RINT, 64);                  // AscendC::Cast has no such pair on Atlas A2 and A3; from half it goes to int4b_t, int8_t
    DataCopy(h, gm, 64);                                   // move elements of one type; ReinterpretCast
    Mmad(h, h, h, MmadParams());                           // AscendC::Mmad takes half * half -> float
    PipeBarrier<PIPE_S>();                                 // PipeBarrier<PIPE_S> does not exist, the scalar unit runs in order
    CrossCoreSetFlag<4, PIPE_MTE3>(1);                     // CrossCoreSetFlag has the modes 0
    CrossCoreSetFlag<2, PIPE_S>(1);                        // CrossCoreSetFlag takes PIPE_V, PIPE_M
    SetNextTaskStart<PIPE_FIX>();                          // AIV_PIPE is one of PIPE_MTE2, PIPE_MTE3, PIPE_S, PIPE_V
    SetNextTaskStart<PIPE_V, PIPE_V>();                    // AIC_PIPE is one of PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_M
    SetAtomicAdd<uint32_t>();                              // SetAtomicMin and SetAtomicType take int8_t
    printf("%d", Mine{});                                  // printf takes integers, float, half, bfloat16_t, text and pointers
}
