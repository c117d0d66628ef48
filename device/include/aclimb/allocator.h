// SPDX-License-Identifier: Apache-2.0
// LocalMemAllocator: hands out a local memory from its first byte on, without TPipe. Nothing is given back; the order between pipes is the
// kernel's. The engine reports a tensor that reaches past the end of the memory when it is used.
#pragma once
#include "aclimb/local_tensor.h"

namespace aclimb {

constexpr TPosition usual_position(AscendC::Hardware hardware) {
    switch (hardware) {
    case AscendC::Hardware::L1: return TPosition::A1;
    case AscendC::Hardware::L0A: return TPosition::A2;
    case AscendC::Hardware::L0B: return TPosition::B2;
    case AscendC::Hardware::L0C: return TPosition::CO1;
    case AscendC::Hardware::BIAS: return TPosition::C2;
    case AscendC::Hardware::FIXBUF: return TPosition::C2PIPE2GM;
    default: return TPosition::VECCALC;
    }
}

} // namespace aclimb

namespace AscendC {

template <Hardware hardware = Hardware::UB> class LocalMemAllocator {
    static_assert(hardware != Hardware::GM && hardware != Hardware::MAX,
                  "aclimb: LocalMemAllocator serves UB, L1, L0A, L0B, L0C, BIAS and FIXBUF");
    static constexpr TPosition usual = aclimb::usual_position(hardware);

  public:
    template <typename T, uint32_t tileSize> ACLIMB_API LocalTensor<T> Alloc() { return take<usual, T>(tileSize); }
    template <typename T> ACLIMB_API LocalTensor<T> Alloc(uint32_t tileSize) { return take<usual, T>(tileSize); }
    template <TPosition pos, typename T, uint32_t tileSize> ACLIMB_API LocalTensor<T> Alloc() { return take<pos, T>(tileSize); }
    template <TPosition pos, typename T> ACLIMB_API LocalTensor<T> Alloc(uint32_t tileSize) { return take<pos, T>(tileSize); }
    ACLIMB_API uint32_t GetCurAddr() const { return next_; }

  private:
    template <TPosition pos, typename T> ACLIMB_API LocalTensor<T> take(uint32_t tileSize) {
        static_assert(aclimb::memory_of(pos) == aclimb::memory_of(usual),
                      "aclimb: this position does not lie in the memory of the LocalMemAllocator");
        LocalTensor<T> tensor(pos, next_, tileSize);
        next_ += static_cast<uint32_t>((aclimb::bytes_of<T>(tileSize) + 31) & ~uint64_t{31});
        return tensor;
    }

    uint32_t next_ = 0;
};

} // namespace AscendC
