// SPDX-License-Identifier: Apache-2.0
// The communication server of a group of ranks: what the AI CPUs do on chips. Kernels tell it tasks, each rank in the same order; a round
// of a task is moved when every rank has committed it and all rounds before it are done. Assumed: nobody publishes in which order a server
// takes tasks; here it is the one in which they were prepared.
//
// A launch of each rank makes a meeting, the first with the first and so on. A launch that fails closes its meeting, so that those after it
// meet again.
//
// State map
//   meetings_   by number, from 1; gone when every rank has left
//   last_       by rank: the last meeting it entered
//   Meeting     `task` and `round` are the next to be moved; `broken` says why nothing will be moved any more
//   Side        what one rank has told; its buffers stay mapped until it leaves
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "memory/global.h"
#include "ranks/collective.h"

namespace aclimb {

class HcclServer {
  public:
    explicit HcclServer(int32_t ranks) : ranks_(ranks), last_(static_cast<size_t>(ranks), 0) {}

    struct Speaker { // the core that tells tasks, and where it told the first
        int32_t unit = -1;
        uint64_t pc = 0;
    };
    struct Answer {
        int32_t rounds = 0;        // of that task that are done
        int32_t committed = -1;    // by the rank that asks; -1: it has not prepared the task
        bool done = false;         // every round of it
        std::string name;          // "AllReduce 0"
        std::string broken, never; // why nothing will come
    };

    int32_t size() const { return ranks_; }
    uint64_t enter(int32_t rank, const std::string& kernel);
    void leave(uint64_t meeting, int32_t rank, bool failed);

    // A sentence where the rank told something that cannot be.
    std::string prepare(uint64_t meeting, int32_t rank, int32_t handle, Speaker by, Collective task);
    std::string commit(uint64_t meeting, int32_t rank, int32_t handle);
    void finalize(uint64_t meeting, int32_t rank);

    Answer ask(uint64_t meeting, int32_t rank, int32_t handle);       // moves what can be moved
    std::string unfinished(uint64_t meeting, int32_t rank);           // the first task of which not every round is done; "": none
    Speaker left_open(uint64_t meeting, int32_t rank);                // who told tasks and did not finalize
    std::vector<std::string> missing(uint64_t meeting, int32_t rank); // what the other ranks still have to tell, a line each

  private:
    struct Pin {
        GlobalMemory* memory;
        uint64_t addr;
    };
    struct Side {
        bool here = false, left = false, finalized = false;
        std::string kernel;
        Speaker speaker;
        std::vector<Collective> tasks;
        std::vector<Pin> pins;
    };
    struct Meeting {
        std::vector<Side> sides;
        size_t task = 0;
        int32_t round = 0;
        bool closed = false;
        std::string broken;
    };
    Meeting& at(uint64_t number) { return meetings_.at(number); }
    static void move_on(Meeting& meeting);
    static bool has_told(const Side& side, const Meeting& meeting); // what is next to be moved
    static std::string lacks(const Side& side, const Meeting& meeting);
    static bool pin(Side& side, const HcclRows& first);
    static void release(Side& side);

    const int32_t ranks_;
    std::mutex mutex_;
    std::map<uint64_t, Meeting> meetings_;
    std::vector<uint64_t> last_;
};

// "AllReduce 0": how messages call a task.
std::string task_name(const Collective& task, int32_t handle);

} // namespace aclimb
