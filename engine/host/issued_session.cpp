// SPDX-License-Identifier: Apache-2.0
#include "host/issued_session.h"

#include "host/stream.h"

namespace aclimb::check {

void IssuedSession::queued(Stream&, Task& task) {
    auto* const* launch = std::get_if<Launch*>(&task.work);
    if (!launch) return;
    const RecordedLaunch recorded{(*launch)->kernel, std::make_shared<IssuedOfLaunch>(**launch)};
    (*launch)->observe(recorded.records);
    std::lock_guard lock(mutex_);
    launches_.push_back(recorded);
}

std::vector<RecordedLaunch> IssuedSession::launches() const {
    std::lock_guard lock(mutex_);
    return launches_;
}

} // namespace aclimb::check
