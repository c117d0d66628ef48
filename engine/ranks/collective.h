// SPDX-License-Identifier: Apache-2.0
// A collective operation as one rank prepared it, and what one round of it moves.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aclimb/abi.h"
#include "aclimb/abi_hccl.h"

namespace aclimb {

enum class CollectiveKind : uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, all_to_all_v };

struct Collective {
    CollectiveKind kind{};
    uint8_t type = 0, reduce = 0; // HcclDataType, HcclReduceOp
    int32_t repeat = 0;           // rounds
    bool skips_own = false;
    int32_t ranks = 0;
    uint64_t count = 0, stride = 0; // of elements; stride from one rank's block to the next, where they do not lie one behind the other
    uint64_t send = 0, recv = 0;
    std::vector<uint64_t> lists; // AlltoAllV: sendCounts, sdispls, recvCounts, rdispls

    int32_t committed = 0; // rounds

    uint64_t list(int which, int32_t rank) const { return lists[static_cast<size_t>(which * ranks + rank)]; }
    HcclRows send_rows() const; // of the first round
    HcclRows recv_rows() const;
    uint64_t step() const; // bytes from one round to the next
    HcclRows rows(uint64_t addr, bool blocks, int counts, int starts) const;
    std::string words() const; // "AllReduce of 64 FP16"
};

size_t bytes_of_hccl_type(uint8_t type);   // 0: no such type
bool can_reduce(uint8_t type, uint8_t op); // of those that AllReduce and ReduceScatter have
bool reduces(CollectiveKind kind);
std::string_view name_of(CollectiveKind kind);                                                            // "AllReduce"
std::string difference(const Collective& one, int32_t rank, const Collective& other, int32_t other_rank); // "": they fit together

// One round, when all ranks are there. Everything is read before anything is written. A sum begins with rank 0 and is rounded to the
// element after each rank: which order a chip takes is not published.
void move_round(const std::vector<const Collective*>& all, int32_t round);

} // namespace aclimb
