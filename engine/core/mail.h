// SPDX-License-Identifier: Apache-2.0
// Messages between the AIC and the AIVs of a block, in the order in which they were sent. All calls with the launch's mutex held.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace aclimb {

struct Letter {
    const void* line; // of the call that sent it
    std::vector<uint8_t> body;
    bool behind_wait = false; // sent behind the WaitPreTaskEnd of a sub-kernel
};

class Mail {
  public:
    void clear() { boxes_.clear(); }
    void send(int32_t to, int32_t from, Letter letter) { boxes_[{to, from}].letters.push_back(std::move(letter)); }
    bool has(int32_t to, int32_t from) const {
        const auto box = boxes_.find({to, from});
        return box != boxes_.end() && !box->second.letters.empty();
    }
    bool is_behind_wait(int32_t to, int32_t from) const { return boxes_.at({to, from}).letters.front().behind_wait; }
    Letter take(int32_t to, int32_t from) {
        Box& box = boxes_[{to, from}];
        Letter letter = std::move(box.letters.front());
        box.letters.pop_front();
        box.taken++;
        return letter;
    }
    uint64_t taken(int32_t to, int32_t from) const {
        const auto box = boxes_.find({to, from});
        return box == boxes_.end() ? 0 : box->second.taken;
    }

  private:
    struct Box {
        std::deque<Letter> letters;
        uint64_t taken = 0;
    };
    std::map<std::pair<int32_t, int32_t>, Box> boxes_; // by receiver and sender, units of the launch
};

} // namespace aclimb
