// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/launch.h"
#include "isa/fault.h"
#include "memory/whereabouts.h"

namespace aclimb {

// Whether one of the launch's arguments leads there: if not, an access that lands in a freed piece came from somewhere else, by an offset.
inline bool is_argument(const Launch& launch, const Retired& piece) {
    for (uint64_t i = 0; i < launch.args_bytes / 8; i++)
        if (launch.args[i] - piece.addr < piece.size) return true;
    return false;
}

// Names the window of a rank that the address is nearest to; false: it is near none.
inline bool add_window(Fault& fault, const Launch& launch, uint64_t addr) {
    for (const auto& rank : launch.ranks) {
        const RankWindow* found = rank ? rank->group->window_of(addr) : nullptr;
        if (!found) continue;
        fault.text("memory_of", "window").text("window", found->name).number("rank", found->rank);
        fault.number("near_addr", static_cast<int64_t>(found->addr)).number("near_bytes", static_cast<int64_t>(found->size));
        return true;
    }
    return false;
}

// Adds what a message says of an address that a kernel may not use: whose it is, or what it is near to. Now, because what was freed
// when the kernel ran, and what was not, is not known later. Freed memory that was given to the kernel is a kind of fault of its own.
inline void add_whereabouts(Fault& fault, const Launch& launch, uint64_t addr) {
    if (launch.with_ranks() && add_window(fault, launch, addr)) return;
    const GlobalMemory& own = *launch.memory;
    const Whereabouts found = whereabouts(addr);
    if (found.kind == Whereabouts::host || found.kind == Whereabouts::nothing) {
        fault.text("memory_of", found.kind == Whereabouts::host ? "host" : "nothing");
    } else if (found.memory != &own) {
        fault.text("memory_of", "other device");
    } else if (found.kind == Whereabouts::freed) {
        if (is_argument(launch, found.piece)) fault.kind = "freed_memory";
        fault.number("freed_addr", static_cast<int64_t>(found.piece.addr))
            .number("freed_bytes", static_cast<int64_t>(found.piece.size))
            .number("allocated_at", found.piece.allocated_at)
            .number("freed_at", found.piece.freed_at);
    }
    Allocation near;
    if (own.nearest(addr, near))
        fault.number("near_addr", static_cast<int64_t>(near.addr)).number("near_bytes", static_cast<int64_t>(near.size));
}

} // namespace aclimb
