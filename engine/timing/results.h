// SPDX-License-Identifier: Apache-2.0
// What the model says about one launch.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/kernel.h"
#include "timing/entry.h"

namespace aclimb::timing {

// Where the time of a pipe went, from the start of its core to its end. The four parts sum to the whole.
enum class Part : uint8_t { busy, memory, flag, empty, count };
constexpr int kParts = static_cast<int>(Part::count);

struct PipeTiming {
    Time part[kParts] = {};
    uint64_t instructions = 0, bytes = 0;
    Time active() const { return part[0] + part[1]; } // an instruction is in flight
};

// Those that are one number; Python has them by these names.
// clang-format off
#define ACLIMB_COUNTERS(X) \
    X(read_hit) X(read_miss) X(write_hit) X(write_miss) X(hbm_read) X(hbm_write) \
    X(lanes_f32) X(lanes_f16) X(lanes_int) X(vec_f32) X(vec_f16) X(vec_int32) \
    X(vec_int16) X(vec_misc) X(bank_conflict) X(mmads) X(mmads_int) X(macs) \
    X(macs_int) X(cube_fp16) X(cube_int8) X(vector_read) X(vector_write) X(scalar_flag)
// clang-format on
struct Counters {
    uint64_t path_bytes[static_cast<int>(Path::count)] = {};
    uint64_t read_hit = 0, read_miss = 0, write_hit = 0, write_miss = 0; // bytes at the L2
    uint64_t hbm_read = 0, hbm_write = 0;                                // bytes
    uint64_t lanes_f32 = 0, lanes_f16 = 0, lanes_int = 0;
    Time vec_f32 = 0, vec_f16 = 0, vec_int32 = 0, vec_int16 = 0, vec_misc = 0;
    Time bank_conflict = 0;
    uint64_t mmads = 0, mmads_int = 0, macs = 0, macs_int = 0;
    Time cube_fp16 = 0, cube_int8 = 0;
    uint64_t vector_read = 0, vector_write = 0; // bytes of UB
    Time queue_full[kPipes] = {};               // the scalar unit waited for room in that pipe's queue
    Time scalar_flag = 0;                       // it waited for a flag or a barrier
};

struct CoreTiming {
    int32_t unit = 0, slot = 0; // slot: which modelled core of its kind
    int64_t block = 0;
    int32_t sub = 0;
    CoreType type = CoreType::AIV;
    Time start = 0, end = 0;
    PipeTiming pipes[kPipes];
    Counters counters;
};

enum class Cause : uint8_t { flag, barrier, queue_full, cross, memory, empty, dependency, sync, message };

constexpr uint32_t kByAic = 1 << 16; // Stall::what of a flag between cores: an AIC set it

struct Stall {
    Pipe pipe;
    Part part;
    Cause cause;
    CoreType type;
    uint32_t what = 0; // flag: source << 8 | destination << 4 | id; queue full: the pipe; cross: id
    uint32_t site = 0, set_site = 0;
    Time total = 0;
    uint64_t count = 0;
};

struct LaunchTiming {
    Time task = 0; // scheduler start to the end of the last block
    std::vector<CoreTiming> cores;
    std::vector<Stall> stalls;                // biggest first
    std::vector<std::vector<Result>> results; // by unit, when the trace is kept
    uint64_t instructions = 0;
    bool cut = false; // the recording stopped before the launch did
};

} // namespace aclimb::timing
