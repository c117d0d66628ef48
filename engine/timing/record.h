// SPDX-License-Identifier: Apache-2.0
// From the instructions a kernel issues to the entries the model reads.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "core/core.h"
#include "core/kernel.h"
#include "core/observer.h"
#include "timing/simulation.h"

namespace aclimb::timing {

// How much may be recorded; shared by all launches of a profile.
struct Budget {
    explicit Budget(uint64_t bytes) : limit(bytes) {}
    const uint64_t limit;
    std::atomic<uint64_t> used{0};
};

constexpr uint32_t kCallerImage = 255; // its number, on AICs

bool asks_clock(const TapeEntry& entry); // GetSystemCycle

// What one core writes while it runs.
struct Recorder {
    Tape* tape = nullptr;
    uint64_t image_base = 0;       // of the code that runs
    uint32_t image_number = 0;     // 0: the kernel's own; 1 and up: those of a fused kernel's sub-kernels
    const Image* caller = nullptr; // the AIVs' image, on an AIC: of lines whose calls it does for them
    struct Range {
        uint64_t begin, end;
    };
    Range written[4] = {}; // by the last vector instructions that no barrier separates from the next
    int next_range = 0;
    uint32_t mmads = 0;
    Rounds rounds;
    uint64_t counted = 0; // of CoreView::scalar_work, up to the last entry
    bool full = false;
    // Of a loop that waits for another core: it loads, again and again, a line that it drops from the data cache.
    uint64_t polled = 0;
    uint32_t load_site = 0, drop_site = 0;
};

// What GetSystemCycle answers in a launch of a profile. A run without arithmetic goes first; the model says when each core came to each of
// its calls, and the run that counts hears that. Where what the kernel does depends on the answers, the two runs differ.
struct Clock {
    enum class State : uint8_t { unused, rehearses, follows, strays, host } state = State::unused;
    std::function<std::vector<std::vector<uint64_t>>(const Work&)> rehearsed; // by unit: what each call hears
    std::vector<std::vector<uint64_t>> answers;
    std::vector<uint32_t> asked, entries; // by unit: calls so far; entries of the first run
    bool timing_only_after = false;       // what was asked for
};

// One launch of a profile.
struct Recording final : Observer {
    Work work;
    std::vector<Recorder> recorders; // by unit
    std::shared_ptr<Budget> budget;
    bool timing_only = false;
    bool sampled = false;                                               // only the first block runs
    bool failed = false;                                                // the kernel ended with an error
    std::mutex mutex;                                                   // images
    std::map<std::pair<bool, uint32_t>, std::shared_ptr<Image>> images; // of sub-kernels, by (is AIC, number)
    std::atomic<bool> cut{false};                                       // the budget is used up
    std::atomic<bool> steers{false};                                    // a timing-only run read a value that was never computed
    Clock clock;

    void prepare(KernelType type, int64_t num_blocks);
    uint64_t bytes() const;

    bool leaves_out() const override { return timing_only || sampled; }
    void launched(Launch& launch) override;
    Then issued(Core& core, Head& head) override;
    void left(Core& core) override; // what it computed behind its last instruction
    bool ended(Launch& launch) override;

  private:
    void record(Core& core, const Head& head, const Effect& effect);
    TapeEntry* entry_after_work(Core& core); // null: the budget is used up
    TapeEntry* next_entry(Recorder& recorder);
    void add_lines(Recorder& recorder, TapeEntry first);
    bool polls_again(Core& core, const Head& head, const Effect& effect);
    bool skips(Core& core, const Head& head, const Effect& effect); // a timing-only run leaves it out
    bool answers(Core& core, Head& head);                           // GetSystemCycle
    bool ends_rehearsal(Launch& launch);
    void restart(bool without_arithmetic); // from an empty tape
};

} // namespace aclimb::timing
