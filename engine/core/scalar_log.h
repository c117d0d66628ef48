// SPDX-License-Identifier: Apache-2.0
// What the scalar unit did: its records, plain loads and stores of an observed image among them, and how much it computed.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/kernel.h"
#include "core/observer.h"

namespace aclimb {

class ScalarLog final : public Observer {
  public:
    struct Row {
        uint64_t launch; // its id
        int32_t unit, sub;
        Op op;
        ScalarWay way;
        Memory memory;
        uint64_t addr, bytes; // 0 bytes: it touches no memory
        uint64_t work;        // of the kernel's own code, before
        uint64_t offset;      // of the call in
        std::shared_ptr<Image> image;
    };

    bool wants_scalar() const override { return true; }
    Then issued(Core& core, Head& head) override;
    void left(Core& core) override;
    std::vector<Row> rows();                                         // launch by launch, core by core
    uint64_t work();                                                 // of all cores
    bool observed();                                                 // all of them ran an observed image
    void adopt(std::vector<Row> rows, uint64_t work, bool observed); // of a launch in another process

  private:
    std::mutex mutex_;
    std::vector<Row> rows_;
    uint64_t work_ = 0;
    bool observed_ = true;
};

} // namespace aclimb
