// SPDX-License-Identifier: Apache-2.0
// Tapes of every launch that is queued while it is open.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "check/issued.h"
#include "core/kernel.h"
#include "host/queue_observer.h"

namespace aclimb::check {

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
