// SPDX-License-Identifier: Apache-2.0
// Which core a worker runs next: the default order (scheduler.cpp), and what an adversarial schedule chooses (adversary.cpp).
#pragma once
#include <map>
#include <vector>

#include "core/launch.h"
#include "core/priorities.h"
#include "core/worker.h"

namespace aclimb {

// Each core has its own copy of the block-local variables; launches that have any run on one worker.
struct BlockLocal {
    std::vector<uint8_t> initial;
    std::vector<std::vector<uint8_t>> saved; // by unit
};

class Scheduler {
  public:
    Scheduler(Launch& launch, Worker& worker) : launch_(launch), worker_(worker) {}
    void run();

  private:
    int32_t claim();
    void start(int32_t unit);
    void resume(Core* core);
    void hand_over(Core* core);
    static void left_halfway(Core* core);
    bool settle(Core* core);
    void run_ready();
    void forget(Core* core);
    bool any_ready() const;
    void wait_for_progress();
    void wake_helpers();
    void swap_block_local(Core* core, bool in);
    void swap_block_local(Core* core, Image& image, bool in);

    enum class Action : uint8_t { start, resume, drain };
    struct Choice {
        Action action;
        int32_t unit; // of a core to start
        Core* core;
    };
    void run_scheduled();
    void run_by_priority(Priorities& order);
    void take_turn(Priorities& order, const Priorities::Turn& turn);
    bool resume_to_give_up(Priorities& order);
    void run_interleaved();
    void take(std::vector<Choice>& choices, std::vector<int32_t>& fresh);
    void go_on(const Choice& choice, std::vector<int32_t>& fresh);
    bool drained(Core* core);
    void give_up(const std::vector<Choice>& choices);

    Launch& launch_;
    Worker& worker_;
    std::vector<Core*> mine_; // started here, not ended
    Choice yielded_{Action::resume, -1, nullptr};
    std::map<Image*, BlockLocal> block_local_;
};

} // namespace aclimb
