// SPDX-License-Identifier: Apache-2.0
// One launch in time: every core's tape against the model. What a core does by itself is computed at once; what it shares with others
// (memory, the dispatch of blocks) goes through one list of events in order of time, so the result does not depend on the host.
#pragma once
#include <map>
#include <queue>
#include <tuple>

#include "timing/core_model.h"
#include "timing/cross_model.h"

namespace aclimb::timing {

struct Work {
    KernelType type = KernelType::AIV_ONLY;
    int64_t num_blocks = 0;
    std::vector<Tape> tapes; // by unit: every block's AIC first, then its AIVs
    bool cut = false;
    bool second_buffer = false; // what if there were one more buffer behind every flag that frees one
};

class Simulation {
  public:
    Simulation(const Parameters& parameters, L2& l2, const Work& work, bool trace);
    LaunchTiming run();

  private:
    static constexpr uint8_t kBlockEnd = 100;
    struct Event {
        Time when;
        uint32_t core; // index in cores_; kBlockEnd: of the group
        uint8_t pipe;
        bool operator>(const Event& other) const { return std::tie(when, core, pipe) > std::tie(other.when, other.core, other.pipe); }
    };

    double multiplying() const;
    void start_block(int64_t block, uint32_t group, Time when);
    void advance(CoreModel& core);
    void advance_raised();
    void end_core(CoreModel& core);
    void handle(const Event& event);
    Time serve(CoreModel& core, PipeModel& pipe, Time now, bool& last);
    void end_transfer(CoreModel& core, PipeModel& pipe, Time served);

    // The scalar unit. False: it cannot go on yet.
    bool run_scalar(CoreModel& core);
    Time issue_time(const TapeEntry& entry) const;
    bool issue(CoreModel& core, const TapeEntry& entry);
    bool push(CoreModel& core, const TapeEntry& entry, Time issued);
    bool scalar_post(CoreModel& core, const TapeEntry& entry, Time issued);
    bool scalar_wait(CoreModel& core, const TapeEntry& entry, Time issued);
    bool scalar_memory(CoreModel& core, const TapeEntry& entry, Time issued);
    bool sub_kernel(CoreModel& core, const TapeEntry& entry, Time issued);
    bool wait_drained(CoreModel& core, const TapeEntry& entry, Time issued, Time extra, Cause cause);
    void scalar_done(CoreModel& core, const TapeEntry& entry, Time issued, Time until, Part part, Cause cause, uint32_t what,
                     uint32_t set_site);

    // A pipe. False: its first entry cannot go on yet.
    bool run_pipe(CoreModel& core, Pipe which);
    bool step_pipe(CoreModel& core, Pipe which, PipeModel& pipe);
    bool pipe_wait(CoreModel& core, Pipe which, PipeModel& pipe, const TapeEntry& entry, uint32_t index, Time arrival);
    Time follow(const CoreModel& core, PipeModel& pipe, const TapeEntry& entry, Time taken);
    void compute(CoreModel& core, Pipe which, PipeModel& pipe, const TapeEntry& entry, uint32_t index, Time arrival);
    void count_vector(Counters& counters, const TapeEntry& entry, Time cost, Time conflict);

    void stall(const CoreModel& core, Pipe pipe, Part part, Cause cause, uint32_t what, uint32_t site, uint32_t set_site, Time spent);
    void keep(CoreModel& core, uint32_t index, Time start, Time free, Time done, Time waits);

    const Parameters& p_;
    L2& l2_;
    const Work& work_;
    MemorySystem memory_;
    CrossModel cross_;
    const bool trace_;
    const int aics_, aivs_;
    LaunchTiming out_;
    std::vector<CoreModel> cores_;      // by group and place in it
    std::vector<int32_t> core_of_unit_; // -1: its block does not run now
    std::vector<int32_t> running_;      // cores of each group that have not ended
    std::vector<int32_t> raised_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    int64_t next_block_ = 0;
    Time dispatcher_free_ = 0;
    using StallKey = std::tuple<uint8_t, uint8_t, uint8_t, int32_t, uint32_t, uint32_t, uint32_t>;
    std::map<StallKey, std::pair<Time, uint64_t>> stalls_;
    // costs that do not change
    const Time flag_issue_, api_issue_, handover_, barrier_, mte_issue_, head_;
    const uint32_t depth_;
};

} // namespace aclimb::timing
