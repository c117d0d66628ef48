// SPDX-License-Identifier: Apache-2.0
// One instruction behind another: what follows from the order of two that nothing orders. Everything runs as it is issued, until `first`
// would be next on its agent. That agent then stands still, all others go on until `second` has run, the core of `second` before the rest,
// so that no more than this changes; then it goes on too. When nothing can go on before that, something does order the two.
//
// Two instructions of one pipe may overlap on a chip, whatever the order they begin in: there `first` is set aside, with the flags behind
// it that say it is done. A store of the scalar unit is set aside too, as its program goes on while the store is under way.
#pragma once
#include "core/priorities.h"

namespace aclimb {

struct Instruction {
    int32_t unit = 0;
    Pipe pipe = Pipe::S;
    uint64_t number = 0; // from 1, among those of that pipe of that core that touch memory
};

// How many numbers a record takes: one, where it moves or computes data or is an access of the scalar unit; one for each range of words
// where cores synchronise through global memory; none otherwise. As the race detector counts.
uint32_t numbers_in(const Core& core, const Head& head);

class Directed final : public Priorities {
  public:
    Directed(Instruction first, Instruction second)
        : Priorities({PriorityRules::late_core, Pipe::S, {-1}, 0, {}}), first_(first), second_(second) {}
    bool wants_scalar() const override { return first_.pipe == Pipe::S || second_.pipe == Pipe::S; } // plain pointers count too
    void launched(Launch& launch) override;
    bool relent() override;
    void ended(int32_t unit) override;

    const Instruction& first() const { return first_; }
    const Instruction& second() const { return second_; }
    void adopt(bool was_held, bool happened, uint64_t first, uint64_t second) { // of a launch in another process
        was_held_ = was_held;
        happened_ = happened;
        number_[0] = first;
        number_[1] = second;
    }
    bool was_held() const { return was_held_; }                     // `first` was; not so where `second` runs before it anyway
    bool has_happened() const { return happened_; }                 // `second` ran before `first`
    uint64_t reached(bool second) const { return number_[second]; } // how many such instructions the agents of the two had

  protected:
    void comes_to(Core& core, const Head& head) override;
    bool keeps(Core& core, const Head& head) override;
    void queued(Core& core, int pipe) override;
    void ran(Core& core, const Head& head, int agent) override;

  private:
    bool is_agent_of(const Instruction& one, int32_t unit, int agent) const;
    bool is_next(const Core& core, const Head& head) const; // it is `first`, or `first` is in it
    bool on_one_pipe() const;
    bool waits_for_store(Core& core, const Head& head) const;
    void hold_first(int agent);
    void note_held();
    void take_back();
    void look(Core& core);
    void set_aside(Core& core);
    void put_back();
    void finish();

    const Instruction first_, second_;
    uint64_t number_[2] = {0, 0}; // of the last instruction that was run, or set aside
    bool over_ = false, was_held_ = false, happened_ = false;
    Core* core_ = nullptr;        // whose records were set aside,
    std::vector<uint8_t> aside_;  // in their order
    uint8_t* store_to_ = nullptr; // the store that was set aside, and what it stores;
    ScalarAccess store_{};
    std::vector<uint8_t> stored_, before_; // what lay there, while the kernel's own code makes a store that is to be set aside
};

} // namespace aclimb
