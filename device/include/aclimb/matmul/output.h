// SPDX-License-Identifier: Apache-2.0
// C of a Matmul object: a block of L0C to global memory, converted and placed as its type says.
#pragma once
#include "aclimb/matmul/geometry.h"

namespace aclimb {

// How Fixpipe turns what L0C holds into the type of C.
template <typename C, typename Sum> constexpr QuantMode_t quant_mode(bool per_column) {
    using namespace AscendC;
    if constexpr (std::is_same_v<C, Sum>) return QuantMode_t::NoQuant;
    else if constexpr (std::is_same_v<Sum, float> && std::is_same_v<C, half>) return QuantMode_t::F322F16;
    else if constexpr (std::is_same_v<Sum, float> && std::is_same_v<C, bfloat16_t>) return QuantMode_t::F322BF16;
    else if constexpr (std::is_same_v<Sum, float>) return per_column ? QuantMode_t::VQF322B8_PRE : QuantMode_t::QF322B8_PRE;
    else if constexpr (std::is_same_v<C, half>) return per_column ? QuantMode_t::VDEQF16 : QuantMode_t::DEQF16;
    else return per_column ? QuantMode_t::VREQ8 : QuantMode_t::REQ8;
}

struct BlockOfC {
    int32_t row, column, rows, columns; // where it begins in the part, and how large it is
};

template <class Type, typename Sum, const auto& CFG> class Output {
  public:
    using T = typename Type::T;
    static constexpr bool kSplits = config_of(CFG).isEnableChannelSplit;
    static constexpr bool kNz = Type::format == CubeFormat::NZ;

    uint64_t quant_word = 0;

    // `pitch`: elements from one row of C to the next, `height`: its rows. `in_place`: at the block's place in C; otherwise at its start.
    ACLIMB_API void write(const AscendC::GlobalTensor<T>& c, const AscendC::LocalTensor<Sum>& l0c, const BlockOfC& block, int32_t pitch,
                          int32_t height, int32_t base_n, bool in_place, const AscendC::LocalTensor<uint64_t>* words) const {
        AscendC::FixpipeParamsV220 params;
        params.nSize = static_cast<uint16_t>(block.columns);
        params.mSize = static_cast<uint16_t>(block.rows);
        params.srcStride = static_cast<uint16_t>(up_to(block.rows, 16));
        params.quantPre = quant_mode<T, Sum>(words != nullptr);
        params.deqScalar = quant_word;
        uint64_t offset = 0;
        if constexpr (kNz) {
            const int32_t width = kSplits ? 8 : sizeof(T) == 1 ? 32 : 16, rows = up_to(in_place ? height : block.rows, 16);
            params.nSize = static_cast<uint16_t>(up_to(block.columns, kSplits ? 8 : 16));
            params.dstStride = static_cast<uint32_t>(rows * width * static_cast<int32_t>(sizeof(T)) / 32);
            params.isChannelSplit = kSplits;
            if (in_place) offset = static_cast<uint64_t>(block.column) * rows + static_cast<uint64_t>(block.row) * width;
            send<AscendC::CFG_NZ>(c[offset], l0c, params, words);
        } else {
            constexpr bool aligned = Type::format == CubeFormat::ND_ALIGN;
            constexpr int32_t unit = aligned ? 32 / static_cast<int32_t>(sizeof(T)) : 1;
            const int32_t width = up_to(in_place ? pitch : base_n, unit);
            params.dstStride = static_cast<uint32_t>(width);
            if (in_place) offset = static_cast<uint64_t>(block.row) * width + block.column;
            send<AscendC::CFG_ROW_MAJOR>(c[offset], l0c, params, words);
        }
    }

  private:
    template <const AscendC::FixpipeConfig& layout>
    ACLIMB_API void send(const AscendC::GlobalTensor<T>& c, const AscendC::LocalTensor<Sum>& l0c, const AscendC::FixpipeParamsV220& params,
                         const AscendC::LocalTensor<uint64_t>* words) const {
        if (words) AscendC::Fixpipe<T, Sum, layout>(c, l0c, *words, params);
        else AscendC::Fixpipe<T, Sum, layout>(c, l0c, params);
    }
};

// An atomic mode for the writes of C only. In the kernel's own code, so that a call without one leaves no trace of atomics.
template <typename T> struct AtomicWhile {
    ACLIMB_API explicit AtomicWhile(uint8_t mode) : mode(mode) {
        if (!mode) return;
        if (mode == 1) AscendC::SetAtomicAdd<T>();
        else if (mode == 2) AscendC::SetAtomicMax<T>();
        else AscendC::SetAtomicMin<T>();
        require_range("enAtomic", mode, 1, 3);
    }
    ACLIMB_API ~AtomicWhile() {
        if (mode) AscendC::SetAtomicNone();
    }
    uint8_t mode;
};

} // namespace aclimb
