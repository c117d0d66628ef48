// SPDX-License-Identifier: Apache-2.0
// BilinearInterpolation: blocks from where offsets say, each with its weight, added up. A2 and A3 have no instruction for it; the call is
// the published row of vector instructions, with its scratch.
#pragma once
#include "aclimb/gather.h"
#include "aclimb/sync.h"
#include "aclimb/vector_binary.h"

namespace AscendC {

ACLIMB_TYPES(BilinearInterpolation, half)

} // namespace AscendC

namespace aclimb {

constexpr uint32_t kBlocksOfRepeat = 8;

// What the weights become: a block of 32 bytes each, behind the gathered blocks. `each_block`: eight weights a repeat, else one.
ACLIMB_API void require_weights(uint32_t have, uint32_t repeats, bool each_block) {
    require_range("elements of src1", have, int64_t{repeats} * (each_block ? kBlocksOfRepeat : 1), INT32_MAX);
    require_range("rest of 8 of the elements of src1", have % kBlocksOfRepeat, 0, 0);
}

} // namespace aclimb

namespace AscendC {

// Each of hRepeat horizontal iterations takes 8 blocks of src0 and multiplies them, all with one weight of src1 or (repeatMode) each with one
// of its own; their sum is one of vRepeat results, vROffset elements apart in dst. The mask holds for the sums and for what is written.
// sharedTmpBuffer: 32 bytes for each offset that is read and for each element of src1.
template <typename T, typename Mask>
ACLIMB_API void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
                                      const LocalTensor<T>& src1, const Mask& mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                                      uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_BilinearInterpolation::check<T>()) {
        constexpr uint32_t lanes = aclimb::lanes_of<T>(), block = lanes / aclimb::kBlocksOfRepeat;
        const uint32_t repeats = uint32_t{hRepeat} * vRepeat;
        aclimb::require_range("hRepeat * vRepeat", repeats, 1, 255);
        aclimb::require_range("hRepeat with several vRepeat", vRepeat > 1 ? hRepeat : 1, 1, 255 / aclimb::kBlocksOfRepeat);
        aclimb::require_range("vROffset", vROffset, 0, 255 * block);
        aclimb::require_range("rest of 16 of vROffset", vROffset % block, 0, 0);
        aclimb::require_weights(src1.GetSize(), repeats, repeatMode);

        const LocalTensor<T> blocks = sharedTmpBuffer.template ReinterpretCast<T>(), weights = blocks[repeats * lanes];
        Gatherb(blocks, src0, src0Offset, static_cast<int32_t>(repeats), GatherRepeatParams());
        Brcb(weights, src1, static_cast<int32_t>(src1.GetSize() / aclimb::kBlocksOfRepeat), BrcbRepeatParams());
        PipeBarrier<PIPE_V>();
        const BinaryRepeatParams weighted = repeatMode ? BinaryRepeatParams(1, 1, 1, 8, 8, 8) : BinaryRepeatParams(1, 0, 1, 8, 1, 8);
        Mul(blocks, weights, blocks, uint64_t{lanes}, static_cast<uint8_t>(repeats), weighted);
        PipeBarrier<PIPE_V>();
        for (uint32_t row = 0; row < vRepeat && hRepeat > 1; row++) {
            const LocalTensor<T> sum = blocks[row * hRepeat * lanes];
            Add(sum, sum[lanes], sum, mask, static_cast<uint8_t>(hRepeat - 1), BinaryRepeatParams(1, 1, 1, 0, 8, 0));
        }
        PipeBarrier<PIPE_V>();
        const UnaryRepeatParams out(dstBlkStride, 1, static_cast<uint8_t>(vROffset / block),
                                    static_cast<uint8_t>(hRepeat * aclimb::kBlocksOfRepeat));
        Adds(dst, blocks, static_cast<T>(0), mask, vRepeat, out);
    }
}

} // namespace AscendC
