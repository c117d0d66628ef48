// SPDX-License-Identifier: Apache-2.0
// From the instructions a kernel issues to the entries the model reads.
#pragma once
#include <atomic>
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
    bool full = false;
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

    void prepare(KernelType type, int64_t num_blocks);
    uint64_t bytes() const;

    void launched(Launch& launch) override;
    Then issued(Core& core, Head& head) override;
    bool ended(Launch& launch) override;

  private:
    void record(Core& core, const Head& head);
    bool skips(Core& core, const Head& head); // a timing-only run leaves it out
    void restart();                           // from an empty tape, arithmetic included
};

} // namespace aclimb::timing
