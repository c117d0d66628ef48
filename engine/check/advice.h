// SPDX-License-Identifier: Apache-2.0
// What could be faster, where a check asks for advice: operands in the same banks, many short copies, long ones that begin inside a line,
// barriers that order nothing. It says only what holds in all blocks of this launch.
//
// A barrier of one pipe orders what the pipe did before it with what it does later, and nothing else: a flag that is set covers the whole
// pipe by itself. So it can go when no two accesses on its two sides conflict. Whatever conflicts keeps every barrier between.
#pragma once
#include <map>
#include <memory>
#include <unordered_set>

#include "check/core_check.h"
#include "core/core.h"

namespace aclimb::check {

class Adviser {
  public:
    explicit Adviser(int32_t units) : cores_(static_cast<size_t>(units)) {}

    void issued(const Core& core, const Head& head); // notes lines whose instructions are a library's
    void data(const Core& core, const Head& head, const Spot& here, const std::vector<Touch>& touches);
    void barrier(const Core& core, Pipe pipe, const Spot& here);
    void signalled(const Core& core, Pipe pipe); // to another core
    // Of a launch that ended well, and in which nothing else was found.
    void finish(const std::vector<std::unique_ptr<CoreCheck>>& cores, Findings& findings);

  private:
    struct Told { // one finding, for each line of a core
        Spot spot;
        FindingKind kind;
        int operand;
        Memory memory;
        Agent agent;
        uint64_t begin, end, met;
        int64_t number;
    };
    struct Barrier {
        uint32_t behind; // instructions of its pipe before it
        uint64_t line;
    };
    struct Standing { // of one line
        Spot spot;
        Pipe pipe;
        uint64_t met = 0;
        bool needed = false;
    };
    struct Run { // copies from one line, one behind the other, each as far from the last in global memory
        uint64_t line = 0, at = 0, bytes = 0, length = 0;
        int64_t step = 0;
    };
    struct PipeState {
        uint32_t count = 0;
        Shadow touched[kMemories + 1]; // registers last
        std::vector<Barrier> barriers; // whose lines nothing needs so far
        Run run;
    };
    struct CoreState {
        PipeState pipes[kPipes];
        std::map<uint64_t, Standing> barriers; // by line
        std::map<std::pair<uint64_t, FindingKind>, Told> told;
        std::unordered_set<uint64_t> of_library; // lines
    };

    CoreState& of(const Core& core) { return cores_[static_cast<size_t>(core.unit)]; }
    void look_at_banks(CoreState& state, const Head& head, const Spot& here);
    void look_at_copy(CoreState& state, const Head& head, const Spot& here);
    void look_at_order(CoreState& state, Pipe pipe, const std::vector<Touch>& touches);
    static void need(CoreState& state, PipeState& pipe, uint32_t from);
    static void tell(CoreState& state, const Told& told);

    std::vector<CoreState> cores_;
};

} // namespace aclimb::check
