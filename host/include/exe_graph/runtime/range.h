// SPDX-License-Identifier: Apache-2.0
// gert::Range: the smallest and the largest. It owns neither.
#pragma once

namespace gert {
template <typename T> class Range {
  public:
    Range() = default;
    Range(T* min, T* max) : min_(min), max_(max) {}
    explicit Range(T* both) : min_(both), max_(both) {}

    bool operator==(const Range& other) const { return Same(min_, other.min_) && Same(max_, other.max_); }
    void SetMin(T* min) { min_ = min; }
    void SetMax(T* max) { max_ = max; }
    const T* GetMin() const { return min_; }
    T* GetMin() { return min_; }
    const T* GetMax() const { return max_; }
    T* GetMax() { return max_; }

  private:
    static bool Same(const T* a, const T* b) { return a == b || (a != nullptr && b != nullptr && *a == *b); }

    T* min_ = nullptr;
    T* max_ = nullptr;
};
} // namespace gert
