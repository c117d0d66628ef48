// SPDX-License-Identifier: Apache-2.0
// Which TPipe a record belongs to. One that ends and the next often have the same address, so a TPipe is known by its first buffer; a
// record that waits in its pipe while the next TPipe begins still belongs to the one it was issued under.
#pragma once
#include <array>
#include <vector>

#include "aclimb/op.h"
#include "core/core.h"

namespace aclimb::check {

class TPipes { // of one core
  public:
    void issued(const Core& core, const Head& head) {
        if (head.op == Op::init_buffer && core.slot_count == 0) begun_.push_back(issued_);
        if (has_queue(head.pipe)) issued_[static_cast<size_t>(head.pipe)]++;
    }
    void ran(Pipe pipe) {
        if (has_queue(pipe)) ran_[static_cast<size_t>(pipe)]++;
    }
    // How many had handed out buffers when the record that ran last on this pipe was issued.
    uint8_t at(Pipe pipe) const {
        size_t number = begun_.size();
        if (has_queue(pipe))
            while (number && begun_[number - 1][static_cast<size_t>(pipe)] >= ran_[static_cast<size_t>(pipe)]) number--;
        return static_cast<uint8_t>(number);
    }

  private:
    static bool has_queue(Pipe pipe) { return pipe != Pipe::S && pipe != Pipe::ALL; }
    using Records = std::array<uint32_t, kPipes + 1>; // by pipe
    Records issued_{}, ran_{};
    std::vector<Records> begun_; // records issued before each
};

} // namespace aclimb::check
