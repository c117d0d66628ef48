// SPDX-License-Identifier: Apache-2.0
// The part of a product that one object makes, cut into base blocks, and the order in which they are made.
#pragma once
#include "aclimb/matmul/static_tiling.h"

namespace aclimb {

struct Extents { // in elements
    int32_t m, n, k;
};

// One step: a base block of C, and where along k.
struct Step {
    int32_t m, n, k;
};

// Blocks run along m first, or along n; inside a block k ascends.
struct Order {
    int32_t m_blocks, n_blocks, k_blocks;
    bool n_first;
    bool (*skips)(int32_t, int32_t); // blocks that are not made at all

    ACLIMB_API int32_t blocks() const { return m_blocks * n_blocks; }
    ACLIMB_API Step block(int32_t index) const {
        return n_first ? Step{index / n_blocks, index % n_blocks, 0} : Step{index % m_blocks, index / m_blocks, 0};
    }
    ACLIMB_API int32_t index(const Step& step) const { return n_first ? step.m * n_blocks + step.n : step.n * m_blocks + step.m; }
    // False: there is none after it.
    ACLIMB_API bool advance(Step& step) const {
        if (++step.k < k_blocks) return true;
        for (int32_t next = index(step) + 1; next < blocks(); ++next) {
            step = block(next);
            if (!skips(step.m, step.n)) return true;
        }
        return false;
    }
};

// Of A or B.
struct OperandSizes {
    int32_t outer, k;              // of the part: m or n, and k
    int32_t org_rows, org_columns; // of the whole matrix in memory
    int32_t base, base_k;          // of a base block
    int32_t step, step_k;          // base blocks of a group
    int32_t places;                // groups that L1 holds
    bool checks_pitch;             // rows too far apart for one copy are copied one by one
};

// While it lives, records carry the line of the kernel's call and not one of these headers.
struct OnBehalf {
    ACLIMB_API explicit OnBehalf(const void* where) : before(core()->caller) {
        if (!before) core()->caller = where;
    }
    ACLIMB_API ~OnBehalf() { core()->caller = before; }
    OnBehalf(const OnBehalf&) = delete;
    OnBehalf& operator=(const OnBehalf&) = delete;
    const void* before;
};

// Event ids of one direction, taken when they are first needed.
template <Pipe src, Pipe dst, int count> struct Events {
    int8_t ids[count];
    bool taken = false;
    ACLIMB_API void take() {
        if (taken) return;
        for (int8_t& id : ids) id = static_cast<int8_t>(take_event(src, dst));
        taken = true;
    }
    ACLIMB_API void give() {
        if (!taken) return;
        for (const int8_t id : ids) give_event(src, dst, id);
        taken = false;
    }
    ACLIMB_API void set(int which) const { set_flag(src, dst, ids[which]); }
    ACLIMB_API void wait(int which) const { wait_flag(src, dst, ids[which]); }
};

} // namespace aclimb
