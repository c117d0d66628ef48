// SPDX-License-Identifier: Apache-2.0
#include "memory/whereabouts.h"

#include "memory/guarded.h"

namespace aclimb {

Whereabouts whereabouts(uint64_t addr) {
    Whereabouts found;
    found.memory = GlobalMemory::owner(addr);
    if (!found.memory) {
        found.kind = readable_bytes(addr, 1) ? Whereabouts::host : Whereabouts::nothing;
        return found;
    }
    Allocation piece;
    if (found.memory->find_freed(addr, found.piece)) {
        found.kind = Whereabouts::freed;
    } else if (found.memory->find(addr, piece)) {
        found.kind = Whereabouts::device;
        found.piece = {piece.addr, piece.size, piece.allocated_at, 0};
    } else {
        found.kind = Whereabouts::beside;
    }
    return found;
}

} // namespace aclimb
