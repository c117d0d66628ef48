// SPDX-License-Identifier: Apache-2.0
// Hccl: a kernel's side of collective operations. A core prepares a task, commits each of its rounds and waits for them; the communication
// server of the ranks (engine/ranks/hccl_server.h) moves the data, as the AI CPU does on a chip.
#pragma once
#include "aclimb/abi_hccl.h"
#include "aclimb/issue.h"
#include "hccl/hccl_types.h"
#include "kernel_tiling/hccl_tilings.h"

namespace AscendC {

using HcclHandle = int8_t;
constexpr int8_t INVALID_HANDLE_ID = -1;
constexpr int32_t HCCL_SUCCESS = 0;
constexpr int32_t HCCL_FAILED = -1;
constexpr uint32_t HCCL_MAX_RANK_NUM = 32;

enum HcclServerType { HCCL_SERVER_TYPE_AICPU = 0, HCCL_SERVER_TYPE_CCU, HCCL_SERVER_TYPE_END };
enum class CoreType : uint8_t { DEFAULT, ON_AIV, ON_AIC };
struct HcclServerConfig { // which core speaks to the server
    CoreType type;
    int64_t blockId;
};
constexpr HcclServerConfig DEFAULT_CFG = {CoreType::DEFAULT, 0};

using ::HCCL_CMD_ALLGATHER;
using ::HCCL_CMD_ALLREDUCE;
using ::HCCL_CMD_ALLTOALL;
using ::HCCL_CMD_ALLTOALLV;
using ::HCCL_CMD_REDUCE_SCATTER;
using ::HCCL_DATA_TYPE_BFP16;
using ::HCCL_DATA_TYPE_FP16;
using ::HCCL_DATA_TYPE_FP32;
using ::HCCL_DATA_TYPE_FP64;
using ::HCCL_DATA_TYPE_INT128;
using ::HCCL_DATA_TYPE_INT16;
using ::HCCL_DATA_TYPE_INT32;
using ::HCCL_DATA_TYPE_INT64;
using ::HCCL_DATA_TYPE_INT8;
using ::HCCL_DATA_TYPE_RESERVED;
using ::HCCL_DATA_TYPE_UINT16;
using ::HCCL_DATA_TYPE_UINT32;
using ::HCCL_DATA_TYPE_UINT64;
using ::HCCL_DATA_TYPE_UINT8;
using ::HCCL_REDUCE_MAX;
using ::HCCL_REDUCE_MIN;
using ::HCCL_REDUCE_PROD;
using ::HCCL_REDUCE_RESERVED;
using ::HCCL_REDUCE_SUM;
using ::HcclCMDType;
using ::HcclDataType;
using ::HcclReduceOp;

// What a communicator's context leads to where ranks sit in several servers. aclimb's contexts have none of them.
struct MemDetails {
    uint64_t size, addr;
    uint32_t key;
};
struct IbVerbsData {
    MemDetails remoteInput, remoteOutput, localInput, localOutput;
    uint8_t res[24];
};

template <HcclServerType serverType = HcclServerType::HCCL_SERVER_TYPE_AICPU, const auto& config = DEFAULT_CFG> class Hccl {
    static_assert(serverType == HcclServerType::HCCL_SERVER_TYPE_AICPU,
                  "aclimb: Atlas A2 and A3 have one communication server: Hccl<HcclServerType::HCCL_SERVER_TYPE_AICPU>");

  public:
    ACLIMB_API void InitV2(GM_ADDR context, const void* initTiling) { start(context, initTiling); }
    // The older form; without a tiling, tasks need no SetCcTiling.
    ACLIMB_API void Init(GM_ADDR context, __gm__ void* initTiling = nullptr) { start(context, initTiling); }
    // `offset`: of the Mc2CcTiling, from the start of the Mc2InitTiling.
    ACLIMB_API int32_t SetCcTilingV2(uint64_t offset) { return use(tiling_ ? tiling_ + offset : nullptr); }
    ACLIMB_API int32_t SetCcTiling(__gm__ void* ccOpTilingData) { return use(static_cast<const uint8_t*>(ccOpTilingData)); }

    template <bool commit = false> ACLIMB_API HcclHandle AllReduce(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t count, HcclDataType dataType,
                                                                   HcclReduceOp op, uint8_t repeat = 1) {
        return prepare<commit>(aclimb::Op::hccl_all_reduce, HcclCMDType::HCCL_CMD_ALLREDUCE, sendBuf, recvBuf, count, dataType, op, 0,
                               repeat);
    }
    template <bool commit = false> ACLIMB_API HcclHandle AllGather(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t sendCount,
                                                                   HcclDataType dataType, uint64_t strideCount, uint8_t repeat = 1) {
        return prepare<commit>(aclimb::Op::hccl_all_gather, HcclCMDType::HCCL_CMD_ALLGATHER, sendBuf, recvBuf, sendCount, dataType,
                               HCCL_REDUCE_RESERVED, strideCount, repeat);
    }
    template <bool commit = false> ACLIMB_API HcclHandle ReduceScatter(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t recvCount,
                                                                       HcclDataType dataType, HcclReduceOp op, uint64_t strideCount,
                                                                       uint8_t repeat = 1) {
        return prepare<commit>(aclimb::Op::hccl_reduce_scatter, HcclCMDType::HCCL_CMD_REDUCE_SCATTER, sendBuf, recvBuf, recvCount, dataType,
                               op, strideCount, repeat);
    }
    template <bool commit = false> ACLIMB_API HcclHandle AlltoAll(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t dataCount,
                                                                  HcclDataType dataType, uint64_t strideCount = 0, uint8_t repeat = 1) {
        return prepare<commit>(aclimb::Op::hccl_all_to_all, HcclCMDType::HCCL_CMD_ALLTOALL, sendBuf, recvBuf, dataCount, dataType,
                               HCCL_REDUCE_RESERVED, strideCount, repeat);
    }
    // The four lists have a number for each rank.
    template <bool commit = false> ACLIMB_API HcclHandle AlltoAllV(GM_ADDR sendBuf, void* sendCounts, void* sdispls, HcclDataType sendType,
                                                                   GM_ADDR recvBuf, void* recvCounts, void* rdispls, HcclDataType recvType,
                                                                   uint8_t repeat = 1) {
        uint64_t lists[4 * kMostRanks] = {};
        const void* given[4] = {sendCounts, sdispls, recvCounts, rdispls};
        for (uint32_t i = 0; i < 4 && speaks(); i++)
            for (uint32_t rank = 0; rank < ranks_ && rank < kMostRanks; rank++)
                lists[i * ranks_ + rank] = static_cast<const uint64_t*>(given[i])[rank];
        return prepare<commit>(aclimb::Op::hccl_all_to_all_v, HcclCMDType::HCCL_CMD_ALLTOALLV, sendBuf, recvBuf, 0, sendType,
                               HCCL_REDUCE_RESERVED, 0, repeat, lists, recvType);
    }

    // One round of the task may begin.
    ACLIMB_API void Commit(HcclHandle handleId) {
        if (!speaks()) return;
        aclimb::HcclTask record = task(handleId);
        if (handleId >= 0 && handleId < prepared_) {
            const Rows& rows = rows_[static_cast<int>(handleId)];
            record.recv_rows = moved(rows.recv, rows.step, committed_[static_cast<int>(handleId)]);
            record.send_rows = moved(rows.send, rows.step, committed_[static_cast<int>(handleId)]);
            record.round = ++committed_[static_cast<int>(handleId)];
        }
        record.recv = place_of(record.recv_rows);
        record.send = place_of(record.send_rows);
        aclimb::issue(record, aclimb::Op::hccl_commit, aclimb::Pipe::S);
    }
    // For one round more than the last time.
    ACLIMB_API int32_t Wait(HcclHandle handleId) {
        aclimb::HcclTask record = task(handleId);
        if (handleId >= 0 && handleId < aclimb::kMostHcclTasks) record.round = ++waited_[static_cast<int>(handleId)];
        aclimb::issue(record, aclimb::Op::hccl_wait, aclimb::Pipe::S);
        return static_cast<int32_t>(record.value);
    }
    ACLIMB_API int32_t Query(HcclHandle handleId) { // how many rounds are done
        aclimb::HcclTask record = task(handleId);
        aclimb::issue(record, aclimb::Op::hccl_query, aclimb::Pipe::S);
        return static_cast<int32_t>(record.value);
    }
    template <bool sync = true> ACLIMB_API void Finalize() {
        static_assert(sync, "aclimb: Finalize<false> is for BatchWrite, which aclimb does not have: write Finalize()");
        if (!speaks()) return;
        aclimb::HcclTask record = task(0);
        aclimb::issue(record, aclimb::Op::hccl_finalize, aclimb::Pipe::S);
    }

    ACLIMB_API GM_ADDR GetWindowsInAddr(uint32_t rankId) { return window(rankId, 0); }
    ACLIMB_API GM_ADDR GetWindowsOutAddr(uint32_t rankId) { return window(rankId, 1); }
    ACLIMB_API uint32_t GetRankId() { return rank_; }
    ACLIMB_API uint32_t GetRankDim() { return ranks_; }

  private:
    static constexpr uint32_t kMostRanks = 64;
    struct Rows { // of a task's first round, and how far the next one lies behind it
        aclimb::HcclRows recv, send;
        uint64_t step;
    };

    ACLIMB_API bool speaks() const {
        if constexpr (config.type == CoreType::ON_AIV && g_coreType != AIV) return false;
        if constexpr (config.type == CoreType::ON_AIC && g_coreType != AIC) return false;
        return aclimb::core()->block_idx == config.blockId;
    }
    static ACLIMB_API aclimb::HcclRows moved(aclimb::HcclRows rows, uint64_t step, uint64_t round) {
        rows.addr += step * round;
        return rows;
    }
    static ACLIMB_API aclimb::Place place_of(const aclimb::HcclRows& rows) {
        aclimb::Place place = aclimb::kNowhere;
        place.addr = rows.addr;
        return place;
    }
    ACLIMB_API aclimb::HcclTask task(HcclHandle handle) const {
        aclimb::HcclTask record{};
        record.handle = handle;
        record.group = group_;
        return record;
    }
    ACLIMB_API void start(GM_ADDR context, const void* tiling) {
        aclimb::HcclTask record{};
        record.value = reinterpret_cast<uint64_t>(context);
        tiling_ = static_cast<const uint8_t*>(tiling);
        record.count = tiling_ ? words<aclimb::Mc2InitWords>(tiling_).made : aclimb::kMc2Made;
        aclimb::issue(record, aclimb::Op::hccl_init, aclimb::Pipe::S);
        group_ = record.group;
        ranks_ = static_cast<uint32_t>(record.value);
        rank_ = static_cast<uint32_t>(record.round);
    }
    ACLIMB_API int32_t use(const uint8_t* tiling) {
        const auto found = tiling ? words<aclimb::Mc2CcWords>(tiling) : aclimb::Mc2CcWords{};
        aclimb::HcclTask record = task(0);
        record.value = tiling != nullptr;
        record.count = found.made;
        aclimb::issue(record, aclimb::Op::hccl_tiling, aclimb::Pipe::S);
        command_ = found.command;
        skips_own_ = found.skips_own;
        return HCCL_SUCCESS;
    }
    template <typename T> static ACLIMB_API T words(const uint8_t* tiling) {
        T found;
        __builtin_memcpy(&found, tiling, sizeof found);
        return found;
    }

    template <bool commit> ACLIMB_API HcclHandle prepare(aclimb::Op op, HcclCMDType command, GM_ADDR send, GM_ADDR recv, uint64_t count,
                                                         HcclDataType type, HcclReduceOp reduce, uint64_t stride, uint8_t repeat,
                                                         const uint64_t* lists = nullptr, int recv_type = -1) {
        const int8_t handle = prepared_;
        if (handle < aclimb::kMostHcclTasks) prepared_++;
        if (!speaks()) return handle;
        aclimb::HcclTask record = task(handle);
        record.send.addr = reinterpret_cast<uint64_t>(send);
        record.recv.addr = reinterpret_cast<uint64_t>(recv);
        record.count = count;
        record.stride = stride;
        record.lists = lists;
        record.type = static_cast<uint8_t>(type);
        record.reduce = static_cast<uint8_t>(reduce);
        record.repeat = repeat;
        record.skips_own = skips_own_;
        record.recv_type = static_cast<uint8_t>(recv_type < 0 ? type : recv_type);
        record.expected = static_cast<uint32_t>(command);
        record.command = tiling_ ? command_ : record.expected;
        aclimb::issue(record, op, aclimb::Pipe::S);
        if (handle < aclimb::kMostHcclTasks) rows_[static_cast<int>(handle)] = {record.recv_rows, record.send_rows, record.value};
        if constexpr (commit)
            for (int i = 0; i < repeat; i++) Commit(handle);
        return handle;
    }
    ACLIMB_API GM_ADDR window(uint32_t rank, uint8_t out) {
        aclimb::HcclTask record = task(0);
        record.value = rank;
        record.window_out = out;
        aclimb::issue(record, aclimb::Op::hccl_window, aclimb::Pipe::S);
        return reinterpret_cast<GM_ADDR>(record.value);
    }

    const uint8_t* tiling_ = nullptr;
    uint32_t ranks_ = 0, rank_ = 0, command_ = 0;
    uint8_t group_ = 255, skips_own_ = 0; // 255: not initialised
    int8_t prepared_ = 0;
    uint8_t committed_[aclimb::kMostHcclTasks] = {}, waited_[aclimb::kMostHcclTasks] = {};
    Rows rows_[aclimb::kMostHcclTasks] = {};
};

} // namespace AscendC
