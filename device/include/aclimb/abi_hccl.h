// SPDX-License-Identifier: Apache-2.0
// What Hccl tells the communication server of its ranks, and asks it: one record for all its instructions.
#pragma once
#include <stdint.h>

#include "aclimb/abi_operands.h"

namespace aclimb {

// Rows of one round in a buffer: `count` of them, `length` bytes each, `stride` bytes from one to the next.
struct HcclRows {
    uint64_t addr, length;
    int64_t stride;
    uint32_t count, reserved;
};

struct HcclTask {
    Head head;
    Place recv, send;              // commit: the buffers of this round, so that who watches a kernel sees what it touches
    HcclRows recv_rows, send_rows; // prepare: out, of the first round. commit: in, of this one
    uint64_t value;         // init: in the context, out the number of ranks. window: in a rank, out an address. Otherwise: out the answer
    uint64_t round;         // wait: how many rounds have to be done. commit: which one, from 1. init: out the own rank
    uint64_t count, stride; // prepare, in elements. init, tiling: count is the word that GetTiling leaves
    const uint64_t* lists;  // AlltoAllV: sendCounts, sdispls, recvCounts, rdispls; as many numbers each as there are ranks
    int32_t handle;
    uint8_t group;                // init: out
    uint8_t type, reduce, repeat; // HcclDataType, HcclReduceOp
    uint8_t skips_own;            // AllGather, AlltoAll: a rank does not send to itself
    uint8_t window_out;           // window: windowsOut instead of windowsIn
    uint8_t recv_type, reserved;
    uint32_t command, expected; // HcclCMDType of the Mc2CcTiling in use, 0 for none, and of the call
};
constexpr int kMostHcclTasks = 63; // that one Hccl object may prepare

} // namespace aclimb
