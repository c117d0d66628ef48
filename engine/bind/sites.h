// SPDX-License-Identifier: Apache-2.0
// Places in the host program, as small numbers: a launch, an allocation or a free remembers where the user asked for it.
// Asked on every launch, so only the code object and the instruction are looked at; a file and a line are made of them for a message.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>

namespace aclimb {

// The innermost Python frame that is not aclimb's own; the first `skip` ones are known to be. 0: none, or too many places already.
// Needs the GIL.
uint32_t call_site(int skip);
nanobind::object place_of(uint32_t site); // (file, line), or None

void bind_sites(nanobind::module_& module);

} // namespace aclimb
