// SPDX-License-Identifier: Apache-2.0
// The global memory that each sub-kernel of a launch touched: before its wait, between wait and set, after its set.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "core/core.h"

namespace aclimb {

class Accesses {
  public:
    struct Range {
        uint64_t begin, end;
    };
    using Key = std::array<int32_t, 4>; // sub-kernel, waited, set, writes

    void add(const Origin& origin, bool writes, uint64_t addr, uint64_t span);
    std::map<Key, std::vector<Range>> ranges(); // sorted, joined where they touch
    void clear();

  private:
    static void join(std::vector<Range>& ranges);
    std::mutex mutex_;
    std::map<Key, std::vector<Range>> ranges_;
};

} // namespace aclimb
