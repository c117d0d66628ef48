// SPDX-License-Identifier: Apache-2.0
// What cores tell each other. A set is handed in before the engine counts it, a wait asks after the engine has let it pass; so whatever the
// host's threads do, what is asked for has been handed in.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "check/clock.h"
#include "check/fifo.h"
#include "check/findings.h"
#include "check/order.h"
#include "core/cross_core.h"

namespace aclimb::check {

class CrossOrder {
  public:
    CrossOrder(int32_t units, std::vector<CrossGroup> groups);

    struct Set { // by one core
        Start said;
        Pipe pipe;
        Spot spot{};
    };
    // Flags between cores. Two sets that need not come in this order: of two pipes of a core, or of two groups of cores for one that waits.
    // Which of the sets is named does not depend on the order in which they came.
    struct Mixed {
        enum Kind : uint8_t { no, pipes, groups } kind = no;
        int32_t unit = 0;
        Spot spot{};
        uint64_t times = 1; // groups that it is mixed with
    };
    Mixed set(int32_t unit, int mode, int id, const Set& set);
    void wait(int32_t unit, int id, CoreOrder& core);
    bool has_token(int32_t unit, int id);

    // One to one, in order: IBSet and IBWait, messages. False: nothing was posted.
    void post(uint64_t box, int32_t unit, const Start& said);
    bool take(uint64_t box, int32_t unit, CoreOrder& core);
    bool has_post(uint64_t box);

    // All to all, by rounds.
    void arrive(uint64_t place, uint64_t round, int32_t unit, const Start& said);
    void pass(uint64_t place, uint64_t round, int32_t unit, CoreOrder& core);
    uint32_t arrivals(uint64_t place, uint64_t round);

    // A word that is polled: whoever reads the value has heard what its writer knew.
    void publish(uint64_t address, uint64_t value, int32_t unit, const Start& said);
    bool poll(uint64_t address, uint64_t value, int32_t unit, CoreOrder& core);

    uint64_t bytes();

  private:
    struct Token {
        const World* world;
        size_t group;
    };
    struct Last { // token that a core got
        size_t group;
        Spot spot;          // a set that raised it
        uint32_t taken = 0; // the number of the wait on its scalar unit; 0: nobody has waited
    };
    struct Group {
        CrossGroup who;
        std::map<int, std::vector<Fifo<Set>>> sets;                        // by id and member
        std::map<std::pair<int, size_t>, std::pair<Agent, uint32_t>> said; // by the same: the pipe that set it last, and what that had done
    };
    struct Word {
        uint64_t value;
        int32_t unit;
        Start said;
    };
    const World* world_of(int32_t unit, const Start& said);
    void hear(int32_t unit, CoreOrder& core, const World* world);
    Mixed release(Group& group, size_t index, int id); // what a token met
    Mixed named(const Last& last, size_t index, const Spot& spot) const;

    std::mutex mutex_;
    Worlds worlds_;
    std::vector<Group> groups_;
    std::vector<std::vector<std::pair<size_t, size_t>>> member_of_; // by unit: (group, place in it)
    std::vector<std::array<Fifo<Token>, kCrossFlags>> tokens_;
    std::map<std::pair<int32_t, int>, Last> last_; // by unit and id
    std::map<uint64_t, Fifo<const World*>> boxes_;
    struct Round {
        const World* all = nullptr;
        uint32_t arrivals = 0;
    };
    std::map<std::pair<uint64_t, uint64_t>, Round> rounds_;
    std::map<uint64_t, Word> words_;
};

} // namespace aclimb::check
