// SPDX-License-Identifier: Apache-2.0
// An event: the last record of it counts. Every record has a ticket, given when it is queued; who waits, waits for the ticket that
// was the last one when the wait was queued, so waits always point back in time and cannot form a ring.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace aclimb {

class Stream;

class Event {
  public:
    struct Status {
        bool recorded, done;
        uint64_t stamp_ns; // of the last record that is done
        bool modelled;     // false: the model's time of that record is still to come
    };

    uint64_t queue_record(const std::shared_ptr<Stream>& stream, uint64_t position); // a new ticket
    uint64_t last_ticket();
    void complete(uint64_t ticket, uint64_t stamp_ns);
    void reset(); // as if it had never been recorded
    // While somebody profiles, the time of a record is the model's, which comes a little later than the record itself.
    void expect_modelled(uint64_t ticket);
    void set_modelled(uint64_t ticket, uint64_t stamp_ns);
    bool done(uint64_t ticket);
    bool done_or_call_me(uint64_t ticket, const std::shared_ptr<Stream>& stream); // false: stream->resume() comes later
    Status status();
    std::shared_ptr<Stream> recorder(uint64_t& position); // null: never recorded, or that stream is gone

  private:
    std::mutex mutex_;
    uint64_t queued_ = 0, done_ = 0, reset_at_ = 0, stamp_ns_ = 0, position_ = 0, expected_ = 0, modelled_ = 0;
    std::weak_ptr<Stream> recorder_;
    struct Waiter {
        uint64_t ticket;
        std::shared_ptr<Stream> stream;
    };
    std::vector<Waiter> waiters_;
};

} // namespace aclimb
