// SPDX-License-Identifier: Apache-2.0
// The workspace: one block of global memory, the system's part first, the kernel's own after it. And filling global memory from a core.
#pragma once
#include "aclimb/data_copy.h"
#include "aclimb/sync.h"
#include "aclimb/vector_fill.h"

// Kernels name it with and without AscendC::.
ACLIMB_API uint8_t* GetSysWorkSpacePtr() {
    aclimb::fact<aclimb::Fact::workspace>();
    return aclimb::core()->system_workspace;
}

namespace AscendC {

using ::GetSysWorkSpacePtr;
ACLIMB_API void SetSysWorkspaceForce(uint8_t* workspace) { aclimb::core()->system_workspace = workspace; }
ACLIMB_API void SetSysWorkspace(uint8_t* workspace) {
    if (!aclimb::core()->system_workspace) SetSysWorkspaceForce(workspace);
}
// Behind the system's part. In a launch that has no system workspace the argument already is the kernel's own.
ACLIMB_API uint8_t* GetUserWorkspace(uint8_t* workspace) {
    aclimb::fact<aclimb::Fact::workspace>();
    uint8_t* system = aclimb::core()->system_workspace;
    return system ? system + RESERVED_WORKSPACE : workspace;
}

} // namespace AscendC

namespace aclimb {

// The UB behind what TPipe has handed out: scratch, as the device library takes it. Whole repeats of 256 bytes.
template <typename T> ACLIMB_API LocalTensor<T> free_ub(uint64_t wanted) {
    const uint32_t begin = core()->next_free[static_cast<int>(Memory::UB)];
    const uint32_t rest = begin < ASC_UB_SIZE ? (ASC_UB_SIZE - begin) & ~255u : 0;
    if (__builtin_expect(!rest, 0)) misuse(MisuseKind::unsupported, "InitGlobalMemory needs 256 bytes of UB that InitBuffer has not taken");
    const uint64_t bytes = min_of<uint64_t>((bytes_of<T>(wanted) + 255) & ~uint64_t{255}, rest);
    return LocalTensor<T>(TPosition::VECCALC, begin, static_cast<uint32_t>(bytes / sizeof(T)));
}

// Duplicate has 16 and 32 bits: a byte is doubled, 64 bits are written as two halves in turn.
template <typename T> ACLIMB_API void fill_ub(const LocalTensor<T>& ub, T value) {
    const uint64_t bits = bits_of(value);
    if constexpr (sizeof(T) == 1) {
        AscendC::Duplicate(ub.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(bits | bits << 8),
                           static_cast<int32_t>(ub.size / 2));
    } else if constexpr (sizeof(T) == 2) {
        AscendC::Duplicate(ub.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(bits), static_cast<int32_t>(ub.size));
    } else if constexpr (sizeof(T) == 4) {
        AscendC::Duplicate(ub.template ReinterpretCast<uint32_t>(), static_cast<uint32_t>(bits), static_cast<int32_t>(ub.size));
    } else {
        const uint64_t low[2] = {0x5555555555555555ull, 0}, high[2] = {0xaaaaaaaaaaaaaaaaull, 0};
        const auto words = ub.template ReinterpretCast<uint32_t>();
        reset_mask();
        AscendC::Duplicate(words, static_cast<uint32_t>(bits), low, static_cast<int32_t>(words.size / 64), 1, 8);
        AscendC::Duplicate(words, static_cast<uint32_t>(bits >> 32), high, static_cast<int32_t>(words.size / 64), 1, 8);
        reset_mask();
    }
}

} // namespace aclimb

namespace AscendC {

// `size` elements of global memory become `value`. Everything before it is finished first, and it is finished when the call returns.
template <typename T> ACLIMB_API void InitGlobalMemory(const GlobalTensor<T>& gm, uint64_t size, const aclimb::plain<T> value) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        constexpr uint64_t chunk = 32 * 1024 / sizeof(T);
        LocalTensor<T> fill = aclimb::free_ub<T>(aclimb::min_of(size, chunk));
        PipeBarrier<PIPE_ALL>();
        aclimb::fill_ub<T>(fill, value);
        PipeBarrier<PIPE_ALL>();
        for (uint64_t done = 0; done < size; done += fill.size) {
            const uint32_t bytes = static_cast<uint32_t>(aclimb::min_of<uint64_t>(fill.size, size - done) * sizeof(T));
            DataCopyPad(gm[done], fill, DataCopyExtParams(1, bytes, 0, 0, 0));
        }
        PipeBarrier<PIPE_ALL>();
    }
}
template <typename T> ACLIMB_API void InitOutput(const GlobalTensor<T>& gm, uint64_t size, const aclimb::plain<T> value = T(0)) {
    InitGlobalMemory(gm, size, value);
}
template <typename T> ACLIMB_API void Fill(const GlobalTensor<T>& gm, uint64_t size, const aclimb::plain<T> value) {
    InitGlobalMemory(gm, size, value);
}

} // namespace AscendC
