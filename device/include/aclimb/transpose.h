// SPDX-License-Identifier: Apache-2.0
// Transpose and TransDataTo5HD: rows become columns.
#pragma once
#include "aclimb/vector_shapes.h"

namespace AscendC {

struct TransDataTo5HDParams {
    constexpr TransDataTo5HDParams() = default;
    constexpr TransDataTo5HDParams(bool dstHighHalfIn, bool srcHighHalfIn, uint8_t repeatTimesIn, uint16_t dstRepStrideIn,
                                   uint16_t srcRepStrideIn)
        : dstHighHalf(dstHighHalfIn), srcHighHalf(srcHighHalfIn), repeatTimes(repeatTimesIn), dstRepStride(dstRepStrideIn),
          srcRepStride(srcRepStrideIn) {}
    bool dstHighHalf = false;
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0;
    uint16_t srcRepStride = 0;
};

// The types that only ConfusionTranspose has are here because kernels name them.
enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE,
    TRANSPOSE_NZ2ND_0213,
    TRANSPOSE_NZ2NZ_0213,
    TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N,
    TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM,
    TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16,
    TRANSPOSE_NCHW2NHWC,
    TRANSPOSE_NHWC2NCHW,
};

struct TransposeParamsExt {
    constexpr TransposeParamsExt() = default;
    constexpr TransposeParamsExt(uint16_t nSizeIn, uint16_t cSizeIn, uint16_t hSizeIn, uint16_t wSizeIn, TransposeType transposeTypeIn)
        : nSize(nSizeIn), cSize(cSizeIn), hSize(hSizeIn), wSize(wSizeIn), transposeType(transposeTypeIn) {}
    uint16_t nSize = 0;
    uint16_t cSize = 0;
    uint16_t hSize = 0;
    uint16_t wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

ACLIMB_TYPES(Transpose, half, int16_t, uint16_t)
ACLIMB_TYPES(TransposeExt, half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t)
ACLIMB_TYPES(TransDataTo5HD, half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t)

} // namespace AscendC

namespace aclimb {

constexpr int kTransDataBlocks = AscendC::NCHW_CONV_ADDR_LIST_SIZE;

// The lowest of 16 addresses as a place that reaches to the end of the UB, and how far from it each block is.
ACLIMB_API Place block_list(const uint64_t* addresses, uint32_t (&offsets)[kTransDataBlocks]) {
    uint64_t lowest = addresses[0];
    for (int i = 1; i < kTransDataBlocks; i++) lowest = min_of(lowest, addresses[i]);
    for (int i = 0; i < kTransDataBlocks; i++) offsets[i] = static_cast<uint32_t>(addresses[i] - lowest);
    return {lowest, 1ull << 30, 0, kNoSlot, static_cast<uint64_t>(Memory::UB)};
}

template <typename T> ACLIMB_API void trans_data(const uint64_t* dst, const uint64_t* src, const AscendC::TransDataTo5HDParams& params) {
    TransData record{};
    const Place to = block_list(dst, record.dst), from = block_list(src, record.src);
    record.vector = operands(to, from, kNowhere);
    record.vector.dst_stride = {1, params.dstRepStride};
    record.vector.a_stride = {1, params.srcRepStride};
    record.vector.mask[0] = record.vector.mask[1] = ~uint64_t{};
    record.vector.repeat = params.repeatTimes;
    record.vector.mode = static_cast<uint8_t>((params.dstHighHalf ? 1 : 0) | (params.srcHighHalf ? 2 : 0));
    issue_vector<Op::vnchwconv>(record, dtype_of<T>());
}

// Tensors know their length, addresses do not: what the repeats reach has to be in each.
ACLIMB_API void require_blocks(const char* what, const Place& place, uint32_t repeats, uint32_t stride) {
    if (repeats == 0) return;
    const uint32_t moved = repeats == 1 ? stride : (repeats - 1) * stride;
    require_range(what, static_cast<int64_t>(place.size), int64_t{moved + 1} * AscendC::ONE_BLK_SIZE, AscendC::TOTAL_UB_SIZE);
}

} // namespace aclimb

namespace AscendC {

// 16 x 16; dst may be src.
template <typename T> ACLIMB_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Transpose::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src.place, aclimb::kNowhere);
        record.mask[0] = record.mask[1] = FULL_MASK;
        aclimb::issue_vector<aclimb::Op::vtranspose>(record, aclimb::dtype_of<T>());
    }
}
template <typename T> ACLIMB_API void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                const LocalTensor<uint8_t>& sharedTmpBuffer, const TransposeParamsExt& transposeParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_TransposeExt::check<T>()) {
        const TransposeType type = transposeParams.transposeType;
        if constexpr (sizeof(T) == 2) {
            if (type == TransposeType::TRANSPOSE_ND2ND_B16)
                return Transpose(dst.template ReinterpretCast<half>(), src.template ReinterpretCast<half>());
        }
        aclimb::require_range("transposeType", static_cast<int64_t>(type), static_cast<int64_t>(TransposeType::TRANSPOSE_NCHW2NHWC),
                              static_cast<int64_t>(TransposeType::TRANSPOSE_NHWC2NCHW));
        aclimb::Vector record = aclimb::operands(dst.place, src.place, sharedTmpBuffer.place);
        record.scalar = uint64_t{transposeParams.nSize} | uint64_t{transposeParams.cSize} << 16 | uint64_t{transposeParams.hSize} << 32 |
                        uint64_t{transposeParams.wSize} << 48;
        record.mode = type == TransposeType::TRANSPOSE_NHWC2NCHW;
        record.mask[0] = record.mask[1] = FULL_MASK;
        aclimb::issue_vector<aclimb::Op::transpose_4d>(record, aclimb::dtype_of<T>());
    }
}

// 16 blocks in, 16 blocks out: as addresses that GetPhyAddr gave, as addresses in the UB, or as tensors.
template <typename T> ACLIMB_API void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                                     const TransDataTo5HDParams& nchwconvParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_TransDataTo5HD::check<T>())
        aclimb::trans_data<T>(dstList, srcList, nchwconvParams);
}
template <typename T> ACLIMB_API void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                                                     const TransDataTo5HDParams& nchwconvParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_TransDataTo5HD::check<T>()) {
        uint64_t to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
        for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; i++) {
            to[i] = dst.GetValue(i);
            from[i] = src.GetValue(i);
        }
        aclimb::trans_data<T>(to, from, nchwconvParams);
    }
}
template <typename T> ACLIMB_API void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                                                     const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                                                     const TransDataTo5HDParams& nchwconvParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_TransDataTo5HD::check<T>()) {
        uint64_t to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
        for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; i++) {
            aclimb::require_blocks("bytes of a tensor of dstList", dstList[i].place, nchwconvParams.repeatTimes,
                                   nchwconvParams.dstRepStride);
            aclimb::require_blocks("bytes of a tensor of srcList", srcList[i].place, nchwconvParams.repeatTimes,
                                   nchwconvParams.srcRepStride);
            to[i] = dstList[i].GetPhyAddr();
            from[i] = srcList[i].GetPhyAddr();
        }
        aclimb::trans_data<T>(to, from, nchwconvParams);
    }
}

} // namespace AscendC
