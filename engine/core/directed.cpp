// SPDX-License-Identifier: Apache-2.0
#include "core/directed.h"

#include "aclimb/op.h"
#include "core/issue.h"
#include "core/launch.h"
#include "isa/ranges.h"

namespace aclimb {
namespace {

// A store of the scalar unit that may still be under way when its program goes on.
bool is_store(const Effect& effect, const Head& head) {
    const auto& access = reinterpret_cast<const ScalarAccess&>(head);
    return effect.stores && effect.is_access() && (!effect.is_raw || access.at.memory == static_cast<uint64_t>(Memory::GM));
}

} // namespace

uint32_t numbers_in(const Core& core, const Head& head) {
    const Row& row = row_of(head.op);
    if (handles_data(row.kind)) return 1;
    const Effect effect = effect_of(core, head);
    if (effect.reads_results) return static_cast<uint32_t>(__builtin_popcount(row.reads));
    if (!effect.is_soft) return effect.is_access();
    Ranges touched;
    ranges_of(core, head, touched);
    return static_cast<uint32_t>(touched.size());
}

bool Directed::is_next(const Core& core, const Head& head) const {
    return !over_ && number_[0] < first_.number && number_[0] + numbers_in(core, head) >= first_.number;
}

void Directed::launched(Launch& launch) {
    Priorities::launched(launch);
    number_[0] = number_[1] = 0;
    over_ = was_held_ = happened_ = false;
    core_ = nullptr;
    aside_.clear();
    store_to_ = nullptr;
    before_.clear();
}

bool Directed::is_agent_of(const Instruction& one, int32_t unit, int agent) const {
    return one.unit == unit && static_cast<int>(one.pipe) == agent;
}

bool Directed::on_one_pipe() const { return is_agent_of(first_, second_.unit, static_cast<int>(second_.pipe)); }

void Directed::hold_first(int agent) {
    hold(first_.unit, agent);
    note_held();
}

void Directed::note_held() {
    if (!was_held_) prefer(second_.unit);
    was_held_ = true;
}

// --- the scalar unit

void Directed::comes_to(Core& core, const Head& head) {
    if (over_ || core.unit != first_.unit) return;
    if (!before_.empty()) take_back();
    const bool is_first = first_.pipe == Pipe::S && head.pipe == Pipe::S && is_next(core, head) && !store_to_;
    if ((is_first && !is_store(effect_of(core, head), head)) || (store_to_ && waits_for_store(core, head))) hold_first(kScalar);
}

// Accesses of the scalar unit are in order; its flags, messages and barriers wait for them; and so does what the compiler orders behind
// them.
bool Directed::waits_for_store(Core& core, const Head& head) const {
    const Effect effect = effect_of(core, head);
    if (effect.is_scalar_barrier || effect.signals == Meet::box) return true;
    const bool on_scalar = head.pipe == Pipe::S || head.pipe == Pipe::ALL;
    if (on_scalar) return effect.after == kAllPipes || effect.loads || effect.stores || effect.signals != Meet::nothing;
    return handles_data(row_of(head.op).kind) && effect_of(core, store_.head).is_listed && conflicts(core, head, store_);
}

bool Directed::keeps(Core& core, const Head& head) {
    if (first_.pipe != Pipe::S || core.unit != first_.unit || store_to_ || !is_next(core, head)) return false;
    const Effect effect = effect_of(core, head);
    if (!is_store(effect, head)) return false;
    store_ = reinterpret_cast<const ScalarAccess&>(head);
    const bool plain = effect.is_raw;
    const uint64_t bytes = plain ? store_.at.size : size_of(head.dtype);
    if (!plain) core.require_aligned(store_.at, static_cast<uint32_t>(bytes), 0);
    store_to_ = core.write(store_.at, bytes, 0);
    const uint8_t* value = plain ? store_to_ : reinterpret_cast<const uint8_t*>(&store_.value);
    (plain ? before_ : stored_).assign(value, value + bytes);
    core_ = &core;
    note_held();
    return true;
}

// A plain store is made by the kernel's own code, behind its record: at the next one it is there, and is undone for a while.
void Directed::take_back() {
    stored_.assign(store_to_, store_to_ + before_.size());
    memcpy(store_to_, before_.data(), before_.size());
    before_.clear();
}

// --- pipes

void Directed::queued(Core& core, int pipe) {
    if (is_agent_of(first_, core.unit, pipe)) look(core);
}

void Directed::ran(Core& core, const Head& head, int agent) {
    const bool of_first = is_agent_of(first_, core.unit, agent), of_second = is_agent_of(second_, core.unit, agent);
    const uint32_t numbers = of_first || of_second ? numbers_in(core, head) : 0;
    if (!numbers) return;
    number_[0] += of_first ? numbers : 0;
    number_[1] += of_second ? numbers : 0;
    if (!over_ && of_second && number_[1] >= second_.number) {
        happened_ = number_[0] < first_.number || !aside_.empty();
        finish();
    }
    if (of_first && agent != kScalar) look(core);
}

// The next record of the pipe of `first`.
void Directed::look(Core& core) {
    if (over_) return;
    const PipeQueue& queue = core.queues[static_cast<int>(first_.pipe)];
    if (!on_one_pipe()) {
        if (!queue.empty() && is_next(core, first_of(queue))) hold_first(static_cast<int>(first_.pipe));
        return;
    }
    // What fires when everything before it in its pipe is done stays with it.
    const auto says_done = [&] { return effect_of_first(core, queue).signals != Meet::nothing; };
    while (!queue.empty() && (aside_.empty() ? is_next(core, first_of(queue)) : says_done())) set_aside(core);
    if (aside_.empty()) return;
    core.pending |= static_cast<uint8_t>(1 << static_cast<int>(first_.pipe)); // not done, even if nothing else is left
    if (queue.empty() || effect_of_first(core, queue).is_barrier) hold_first(static_cast<int>(first_.pipe));
    else release();
}

void Directed::set_aside(Core& core) {
    PipeQueue& queue = core.queues[static_cast<int>(first_.pipe)];
    const uint8_t* from = queue.records.data() + queue.head;
    const Head& head = first_of(queue);
    if (numbers_in(core, head)) number_[0]++, number_[1]++;
    aside_.insert(aside_.end(), from, from + bytes_in_queue(head));
    core_ = &core;
    note_held();
    queue.head += bytes_in_queue(head);
    if (queue.empty()) queue.clear();
}

void Directed::put_back() {
    PipeQueue& queue = core_->queues[static_cast<int>(first_.pipe)];
    aside_.insert(aside_.end(), queue.records.begin() + queue.head, queue.records.begin() + queue.tail);
    queue.clear();
    queue.tail = static_cast<uint32_t>(aside_.size());
    queue.records = std::move(aside_);
    aside_.clear();
    number_[0]--, number_[1]--; // it is counted when it runs
    of(*core_).stands &= static_cast<uint8_t>(~(1 << static_cast<int>(first_.pipe)));
}

void Directed::finish() {
    over_ = true;
    if (was_held_) prefer(-1);
    if (!aside_.empty()) put_back();
    if (store_to_) {
        if (before_.empty()) memcpy(store_to_, stored_.data(), stored_.size());
        before_.clear();
        store_to_ = nullptr;
        number_[0]++;
    }
    release();
}

bool Directed::relent() {
    if (over_ || (!is_holding() && !store_to_)) return false;
    finish();
    return true;
}

// What it stored arrives at the latest then. Its own memory nobody can see any more.
void Directed::ended(int32_t unit) {
    Priorities::ended(unit);
    if (unit != first_.unit || !store_to_) return;
    if (!before_.empty()) take_back();
    if (store_.at.memory == static_cast<uint64_t>(Memory::GM)) return;
    store_to_ = nullptr;
    number_[0]++;
}

} // namespace aclimb
