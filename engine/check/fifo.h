// SPDX-License-Identifier: Apache-2.0
// A queue that costs nothing while it is empty: a core has hundreds of them, and hardly any is used.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace aclimb::check {

template <class T> class Fifo {
  public:
    bool empty() const { return head_ == all_.size(); }
    size_t size() const { return all_.size() - head_; }
    T& front() { return all_[head_]; }
    T& back() { return all_.back(); }
    const T& back() const { return all_.back(); }
    void push_back(T value) { all_.push_back(std::move(value)); }
    void pop_front() {
        if (++head_ == all_.size()) {
            all_.clear();
            head_ = 0;
        } else if (head_ >= 64 && 2 * head_ >= all_.size()) {
            all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(head_));
            head_ = 0;
        }
    }
    auto begin() const { return all_.begin() + static_cast<std::ptrdiff_t>(head_); }
    auto end() const { return all_.end(); }

  private:
    std::vector<T> all_;
    size_t head_ = 0;
};

} // namespace aclimb::check
