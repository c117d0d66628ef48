// SPDX-License-Identifier: Apache-2.0
// Order between cores: cross-core flags, SyncAll in its hard and soft form, IBSet and IBWait, and the early start of a SuperKernel.
#pragma once
#include "aclimb/global_tensor.h"
#include "aclimb/qualifiers.h"
#include "aclimb/sync.h"

namespace aclimb {

// The flag ids SyncAll keeps for itself. Each core counts its own sixteen, so that no two of these uses meet.
constexpr uint8_t kSyncAllCubes = 11;      // all AICs
constexpr uint8_t kSyncVectorsToCube = 12; // counted on the AIC
constexpr uint8_t kSyncCubeToVectors = 13; // counted on the AIVs
constexpr uint8_t kSyncAllVectors = 14;    // all AIVs

ACLIMB_API void cross_set(uint8_t mode, Pipe pipe, uint8_t id, bool sync_all) {
    CrossFlag record{};
    record.mode = mode;
    record.id = id;
    record.sync_all = sync_all;
    issue(record, Op::cross_set, pipe);
}
ACLIMB_API void cross_wait(uint8_t id, bool sync_all) {
    CrossFlag record{};
    record.id = id;
    record.sync_all = sync_all;
    issue(record, Op::cross_wait, Pipe::S);
}

// Everybody of this kind sets, everybody waits.
ACLIMB_API void meet(Pipe pipe, uint8_t id) {
    cross_set(0, pipe, id, true);
    cross_wait(id, true);
}

ACLIMB_API void gm_sync(Op op, const Place& gm, int32_t used_cores, int32_t block_idx, int32_t event_id) {
    fact<Fact::gm_sync>();
    GmSync record{};
    record.gm = gm;
    record.used_cores = used_cores;
    record.block_idx = block_idx;
    record.event_id = event_id;
    issue(record, op, Pipe::S);
}

} // namespace aclimb

namespace AscendC {

// The set takes effect when what `pipe` has before it is complete. Modes: 0 all cores of a kind, 1 the AIVs of one AI Core, 2 AIC and its
// AIVs.
template <uint8_t modeId, pipe_t pipe> ACLIMB_API void CrossCoreSetFlag(uint16_t flagId) {
    static_assert(modeId <= 2, "aclimb: CrossCoreSetFlag has the modes 0 (all AICs or all AIVs), 1 (the AIVs of one AI Core) and "
                               "2 (AIC and its AIVs) on Atlas A2 and A3");
    static_assert(
        pipe != PIPE_S && pipe != PIPE_ALL,
        "aclimb: CrossCoreSetFlag takes PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3 or PIPE_FIX: the set waits for that pipe");
    if constexpr (aclimb::has_pipe(static_cast<aclimb::Pipe>(pipe))) {
        aclimb::fact<aclimb::Fact::cross_core>();
        aclimb::require_range("flagId of CrossCoreSetFlag", flagId, 0, 15);
        aclimb::cross_set(modeId, static_cast<aclimb::Pipe>(pipe), static_cast<uint8_t>(flagId), false);
    }
}

// On Atlas A2 and A3 the wait stops the whole core, whatever mode and pipe say.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S> ACLIMB_API void CrossCoreWaitFlag(uint16_t flagId) {
    static_assert(modeId <= 2, "aclimb: CrossCoreWaitFlag has the modes 0, 1 and 2 on Atlas A2 and A3");
    aclimb::fact<aclimb::Fact::cross_core>();
    aclimb::require_range("flagId of CrossCoreWaitFlag", flagId, 0, 15);
    aclimb::cross_wait(static_cast<uint8_t>(flagId), false);
}

// Hard form. isAIVOnly: the cores of this kind meet. Otherwise, in a mixed kernel, AIVs report to their AIC, the AICs meet, and
// each AIC lets its AIVs go on.
template <bool isAIVOnly = true> ACLIMB_API void SyncAll() {
    using namespace aclimb;
    fact<Fact::sync_all>();
    barrier(Pipe::ALL);
    if constexpr (g_coreType == AIC) {
        if (isAIVOnly || !core()->mixed) return meet(Pipe::FIX, kSyncAllCubes);
        cross_wait(kSyncVectorsToCube, true);
        meet(Pipe::FIX, kSyncAllCubes);
        cross_set(2, Pipe::FIX, kSyncCubeToVectors, true);
    } else {
        if (isAIVOnly || !core()->mixed) return meet(Pipe::MTE3, kSyncAllVectors);
        cross_set(2, Pipe::MTE3, kSyncVectorsToCube, true);
        cross_wait(kSyncCubeToVectors, true);
    }
}

// Soft form, AIVs only: 32 bytes of zeroed global memory for every core, and as much UB. The UB is scratch on hardware; it is not used
// here.
template <bool isAIVOnly = true>
ACLIMB_API void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>&, int32_t usedCores = 0) {
    static_assert(isAIVOnly,
                  "aclimb: the soft SyncAll(gmWorkspace, ubWorkspace) synchronises AIVs only; use SyncAll<false>() in a mixed kernel");
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        aclimb::barrier(aclimb::Pipe::ALL);
        aclimb::gm_sync(aclimb::Op::gm_sync_all, gmWorkspace.place, usedCores, static_cast<int32_t>(aclimb::core()->block_idx), 0);
    }
}

// One core tells another: a word of zeroed global memory for every (blockIdx, eventID). A second IBSet waits until the first was taken.
template <bool isAIVOnly = true>
ACLIMB_API void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>&, int32_t blockIdx, int32_t eventID) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        aclimb::barrier(aclimb::Pipe::ALL);
        aclimb::gm_sync(aclimb::Op::ib_set, gmWorkspace.place, 0, blockIdx, eventID);
    }
}
template <bool isAIVOnly = true>
ACLIMB_API void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>&, int32_t blockIdx, int32_t eventID) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        aclimb::barrier(aclimb::Pipe::ALL);
        aclimb::gm_sync(aclimb::Op::ib_wait, gmWorkspace.place, 0, blockIdx, eventID);
    }
}

} // namespace AscendC

namespace aclimb {

ACLIMB_API void block_order(Op op, const AscendC::GlobalTensor<int32_t>& gm, const AscendC::LocalTensor<int32_t>& ub) {
    const int64_t cores = core()->block_num * core()->task_ratio;
    require_range("bytes of ubWorkspace", static_cast<int64_t>(ub.place.size), cores * 32 + 32, INT64_MAX);
    barrier(Pipe::ALL);
    gm_sync(op, gm.place, 0, 0, 0);
}

} // namespace aclimb

namespace AscendC {

// AIVs one after the other in the order of GetBlockIdx, round by round: what stands between WaitPreBlock and NotifyNextBlock runs on one of
// them at a time. 32 bytes of global memory for every core, which need not be cleared.
ACLIMB_API void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) aclimb::block_order(aclimb::Op::pre_block_init, gmWorkspace, ubWorkspace);
}
ACLIMB_API void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) aclimb::block_order(aclimb::Op::pre_block_wait, gmWorkspace, ubWorkspace);
}
ACLIMB_API void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) aclimb::block_order(aclimb::Op::pre_block_notify, gmWorkspace, ubWorkspace);
}

// A group of AIVs waits until every AIV of another has arrived, round by round. 512 bytes of global memory for each that waits. Ascend C
// names Atlas A2 for it, not A3; here it runs on both.
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };
template <PipeMode pipeMode> class GroupBarrier {
  public:
    ACLIMB_API GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
        : place_{reinterpret_cast<uint64_t>(groupWorkspace), 0, 0, aclimb::kNoSlot, 0}, arrive_(arriveSizeIn), wait_(waitSizeIn) {}
    ACLIMB_API void Arrive(uint32_t arriveIndex) { meet(aclimb::Op::group_arrive, arriveIndex); }
    ACLIMB_API void Wait(uint32_t waitIndex) { meet(aclimb::Op::group_wait, waitIndex); }
    ACLIMB_API uint64_t GetWorkspaceLen() const { return uint64_t{wait_} * 512; }

  private:
    static_assert(pipeMode == PipeMode::MTE3_MODE, "aclimb: GroupBarrier takes PipeMode::MTE3_MODE");
    ACLIMB_API void meet(aclimb::Op op, uint32_t index) const {
        if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
            aclimb::barrier(aclimb::Pipe::ALL);
            aclimb::gm_sync(op, place_, static_cast<int32_t>(arrive_), static_cast<int32_t>(index), static_cast<int32_t>(wait_));
        }
    }
    aclimb::Place place_;
    uint32_t arrive_, wait_;
};

// Early start, experimental in Ascend C: what follows SetNextTaskStart may run beside the next task of a SuperKernel, what stands before
// WaitPreTaskEnd beside the one before. In effect on Atlas A3; on A2, and outside a SuperKernel, the engine only counts the calls.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false> ACLIMB_API void SetNextTaskStart() {
    static_assert(AIV_PIPE == PIPE_MTE2 || AIV_PIPE == PIPE_MTE3 || AIV_PIPE == PIPE_S || AIV_PIPE == PIPE_V,
                  "aclimb: SetNextTaskStart: AIV_PIPE is one of PIPE_MTE2, PIPE_MTE3, PIPE_S, PIPE_V");
    static_assert(AIC_PIPE == PIPE_MTE1 || AIC_PIPE == PIPE_MTE2 || AIC_PIPE == PIPE_MTE3 || AIC_PIPE == PIPE_FIX || AIC_PIPE == PIPE_M,
                  "aclimb: SetNextTaskStart: AIC_PIPE is one of PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_M");
    aclimb::fact<aclimb::Fact::early_set, static_cast<uint64_t>(AIV_PIPE) * 8 + static_cast<uint64_t>(AIC_PIPE)>();
    aclimb::EarlyStart record{};
    record.aiv_pipe = static_cast<aclimb::Pipe>(AIV_PIPE);
    record.aic_pipe = static_cast<aclimb::Pipe>(AIC_PIPE);
    record.force = FORCE;
    aclimb::issue(record, aclimb::Op::next_task_start, g_coreType == AIC ? record.aic_pipe : record.aiv_pipe);
}
template <bool FORCE = false> ACLIMB_API void WaitPreTaskEnd() {
    aclimb::fact<aclimb::Fact::early_wait>();
    aclimb::EarlyStart record{};
    record.force = FORCE;
    aclimb::issue(record, aclimb::Op::pre_task_end, aclimb::Pipe::S);
}

// Older mixed kernels hand over the address of the cross-core flags; here the engine has them.
ACLIMB_API void SetSyncBaseAddr(uint64_t) {}

} // namespace AscendC
