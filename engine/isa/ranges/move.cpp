// SPDX-License-Identifier: Apache-2.0
#include "isa/move/geometry.h"

namespace aclimb {

void copy_ranges(const Copy& copy, Ranges& to) {
    if (copy.length == 0) return; // nothing is padded either
    to.add(0, copy.atomic && is_global(copy.dst) ? Role::updates : Role::writes, destination_of(copy));
    to.add(1, Role::reads, source_of(copy));
}

void nd2nz_ranges(const Nd2Nz& nd2nz, Ranges& to) {
    for (uint64_t matrix = 0; matrix < nd2nz.nd_num; matrix++) {
        for (uint64_t group = 0; group < groups_of(nd2nz); group++) to.add(0, Role::writes, destination_of(nd2nz, matrix, group));
        to.add(1, Role::reads, source_of(nd2nz, matrix));
    }
}

void load_2d_ranges(const Load2D& load, Ranges& to) {
    to.add(0, Role::writes, destination_of(load));
    to.add(1, Role::reads, source_of(load));
}

void fill_ranges(const Fill& fill, Ranges& to) { to.add(0, Role::writes, destination_of(fill)); }

} // namespace aclimb
