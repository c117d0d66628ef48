// SPDX-License-Identifier: Apache-2.0
// The global memory that each sub-kernel of a launch touched: before its wait, between wait and set, after its set.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "core/observer.h"

namespace aclimb {

class Accesses final : public Observer {
  public:
    struct Range {
        uint64_t begin, end;
    };
    using Key = std::array<int32_t, 4>; // sub-kernel, waited, set, writes

    bool wants_executed() const override { return true; }
    bool wants_scalar() const override { return true; }
    void executed(Core& core, const Head& head, const Ranges& touched) override;
    std::map<Key, std::vector<Range>> ranges(); // sorted, joined where they touch
    void add_range(const Key& key, Range range);
    void clear();

  private:
    void add(const Key& key, uint64_t begin, uint64_t end);
    static void join(std::vector<Range>& ranges);
    std::mutex mutex_;
    std::map<Key, std::vector<Range>> ranges_;
};

} // namespace aclimb
