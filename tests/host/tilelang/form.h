// SPDX-License-Identifier: Apache-2.0
// What every kernel of TileLang's form begins with: one TBuf for each local memory, all of it, and tensors that are cut out by hand once
// the pipe is gone.
#pragma once
#include "acl/acl.h"
#include "kernel_operator.h"
#if __has_include("runtime/rt_ffts.h")
#include "runtime/rt_ffts.h"
#endif

#define HOST_DEVICE __forceinline__[host, aicore]
#define DEVICE __forceinline__[aicore]

namespace form {

template <typename T> HOST_DEVICE constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }

struct Memories {
    AscendC::TBuf<AscendC::TPosition::A2> l0a;
    AscendC::TBuf<AscendC::TPosition::B2> l0b;
    AscendC::TBuf<AscendC::TPosition::A1> l1;
    AscendC::TBuf<AscendC::TPosition::CO1> l0c;
    AscendC::TBuf<AscendC::TPosition::VECCALC> ub;

    DEVICE void take(AscendC::TPipe& pipe) {
        pipe.InitBuffer(l0a, 65536);
        pipe.InitBuffer(l0b, 65536);
        pipe.InitBuffer(l1, 524032);
        pipe.InitBuffer(l0c, 131072);
        pipe.InitBuffer(ub, 196352);
        pipe.Destroy();
    }
};

// Rows of halves in global memory -> fractals in L1.
DEVICE void to_l1(const AscendC::LocalTensor<half>& dst, const AscendC::GlobalTensor<half>& src, uint16_t rows, uint16_t columns,
                  uint16_t stride) {
    AscendC::DataCopy(dst, src, AscendC::Nd2NzParams(1, rows, columns, 0, stride, rows, 1, 0));
}
// Fractals of a rows x columns matrix in L1 -> rows of fractals in L0A, or transposed ones in L0B.
template <typename Tensor> DEVICE void to_l0(const Tensor& dst, const Tensor& src, uint32_t rows, uint32_t columns, bool transposed) {
    AscendC::LoadData2DParams params;
    params.repeatTimes = columns / 16;
    params.srcStride = rows / 16;
    params.ifTranspose = transposed;
    for (uint32_t row = 0; row < rows / 16; ++row) AscendC::LoadData(dst[row * columns * 16], src[row * 256], params);
}

inline uint64_t ffts() {
    uint64_t address = 0;
#if __has_include("runtime/rt_ffts.h")
    uint32_t length = 0;
    rtGetC2cCtrlAddr(&address, &length);
#endif
    return address;
}

// Calls of the library, as templates write them.
template <typename T>
DEVICE void later(const AscendC::LocalTensor<T>& a, const AscendC::LocalTensor<T>& b, const AscendC::LocalTensor<uint8_t>& tmp) {
    AscendC::ReduceMax<T, AscendC::Pattern::Reduce::AR, true>(a, b, tmp, (uint32_t[]){16, 128}, true);
    AscendC::ReduceSum<T, AscendC::Pattern::Reduce::RA, true>(a, b, tmp, (uint32_t[]){16, 128}, true);
    AscendC::Broadcast<T, 2, 1>(a, b, (uint32_t[]){16, 128}, (uint32_t[]){16, 1}, tmp);
    AscendC::Sum(a, b, AscendC::SumParams{1, 16, 16});
    AscendC::MrgSort4Info info;
    AscendC::GatherMaskParams mask;
    AscendC::GatherRepeatParams gather;
    AscendC::TransDataTo5HDParams trans;
    AscendC::MrgSortSrcList<T> list(a, a, b, b);
    AscendC::MrgSort(a, list, info);
    AscendC::ClampMax(a, b, tmp, T(1), 16);
    AscendC::Gatherb(a, b, a.template ReinterpretCast<uint32_t>(), 1, gather);
    uint64_t lists[16];
    AscendC::TransDataTo5HDImpl<T>(lists, lists, trans);
}

} // namespace form
