// SPDX-License-Identifier: Apache-2.0
// What the cores of a launch issued, written down as it was: for a second opinion on their order, from a program that shares nothing with
// the checker. It judges nothing.
#pragma once
#include <deque>
#include <vector>

#include "core/core.h"
#include "core/observer.h"
#include "isa/ranges.h"

namespace aclimb::check {

struct IssuedRecord {
    Op op{};
    Pipe pipe = Pipe::S;
    Dtype dtype = Dtype::none;
    int32_t sub = -1; // member of a SuperKernel
    uint64_t pc = 0;
    // By record: flags source, target, id; cross-core flags mode, id; SetNextTaskStart whether it sets, id; scalar accesses way, value;
    // DataSyncBarrier its scope; Mmad m, n, unit flag; Fixpipe unit flag, atomic; copies atomic; words of a synchronisation address, cores,
    // block, event, own index; messages the peer's unit; sub-kernel marks index, end.
    std::vector<int64_t> numbers;
    std::vector<Bytes> touched; // when it has run
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
        std::vector<IssuedRecord> rows;        // as they were issued
        std::deque<size_t> queued[kPipes + 1]; // rows that have not run
    };
    std::vector<OfCore> cores; // by unit
};

} // namespace aclimb::check
