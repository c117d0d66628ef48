// SPDX-License-Identifier: Apache-2.0
// What the cores of a launch issued, written down as it was: for a second opinion on their order, from a program that shares nothing with
// the checker. It judges nothing.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "check/in_flight.h"
#include "core/core.h"
#include "core/kernel.h"
#include "core/observer.h"
#include "host/queue_observer.h"
#include "isa/ranges.h"

namespace aclimb::check {

struct IssuedRecord {
    Op op{};
    Pipe pipe = Pipe::S;
    Dtype dtype = Dtype::none;
    int32_t sub = -1; // member of a SuperKernel
    uint64_t pc = 0;
    int32_t core_idx = 0, cores = 0; // of its kind, in the member that issues
    bool in_superkernel = false;
    std::vector<uint8_t> record; // its bytes; of one that answers, with the answer
    std::vector<Bytes> touched;  // when it has run
    std::vector<Memory> memories;
    bool has_run = false;
};

class IssuedOfLaunch final : public Observer {
  public:
    explicit IssuedOfLaunch(const Launch& launch);

    Then issued(Core& core, Head& head) override;
    bool wants_executed() const override { return true; }
    void executed(Core& core, const Head& head, const Ranges& touched) override;

    struct OfCore {
        CoreType type;
        int64_t block;
        std::vector<IssuedRecord> rows; // as they were issued
        InFlight in_flight;
    };
    std::vector<OfCore> cores; // by unit
    bool early_start;          // the product has it
};

struct RecordedLaunch {
    std::shared_ptr<Kernel> kernel;
    std::shared_ptr<IssuedOfLaunch> records;
};

class IssuedSession final : public QueueObserver {
  public:
    void queued(Stream& stream, Task& task) override;
    std::vector<RecordedLaunch> launches() const;

  private:
    mutable std::mutex mutex_;
    std::vector<RecordedLaunch> launches_;
};

} // namespace aclimb::check
