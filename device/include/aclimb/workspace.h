// SPDX-License-Identifier: Apache-2.0
// The workspace: one block of global memory, the system's part first, the kernel's own after it. And filling global memory from a core.
#pragma once
#include "aclimb/data_copy.h"
#include "aclimb/sync.h"
#include "aclimb/vector_fill.h"

namespace AscendC {

ACLIMB_API uint8_t* GetSysWorkSpacePtr() {
    aclimb::fact<aclimb::Fact::workspace>();
    return aclimb::core()->system_workspace;
}
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

// The UB behind what TPipe has handed out: scratch, as the device library takes it.
template <typename T> ACLIMB_API LocalTensor<T> free_ub(uint64_t wanted) {
    const uint32_t begin = core()->next_free[static_cast<int>(Memory::UB)];
    const uint32_t rest = begin < ASC_UB_SIZE ? (ASC_UB_SIZE - begin) & ~31u : 0;
    if (__builtin_expect(rest < 32, 0))
        misuse(MisuseKind::unsupported, "InitGlobalMemory needs free UB for its fill value, and InitBuffer has taken all of it; leave 32 bytes or more");
    const uint64_t elements = rest / sizeof(T);
    return LocalTensor<T>(TPosition::VECCALC, begin, static_cast<uint32_t>(wanted < elements ? wanted : elements));
}

} // namespace aclimb

namespace AscendC {

// `size` elements of global memory become `value`. Everything before it is finished first, and it is finished when the call returns.
template <typename T> ACLIMB_API void InitGlobalMemory(const GlobalTensor<T>& gm, uint64_t size, const aclimb::plain<T> value) {
    if constexpr (aclimb::kIsVector) {
        const uint64_t chunk = aclimb::min_of(size, uint64_t{16384});
        LocalTensor<T> fill = aclimb::free_ub<T>((chunk + 31) & ~uint64_t{31});
        PipeBarrier<PIPE_ALL>();
        Duplicate(fill, value, static_cast<int32_t>(fill.size));
        PipeBarrier<PIPE_ALL>();
        for (uint64_t done = 0; done < size; done += fill.size) {
            const uint32_t bytes = static_cast<uint32_t>(aclimb::min_of<uint64_t>(fill.size, size - done) * sizeof(T));
            DataCopyPad(gm[done], fill, DataCopyExtParams(1, bytes, 0, 0, 0));
        }
        PipeBarrier<PIPE_ALL>();
    }
}
template <typename T> ACLIMB_API void InitOutput(const GlobalTensor<T>& gm, uint64_t size, const aclimb::plain<T> value = T(0)) { InitGlobalMemory(gm, size, value); }
template <typename T> ACLIMB_API void Fill(const GlobalTensor<T>& gm, uint64_t size, const aclimb::plain<T> value) { InitGlobalMemory(gm, size, value); }

} // namespace AscendC
