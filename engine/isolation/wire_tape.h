// SPDX-License-Identifier: Apache-2.0
// The tape of a checked launch, which the host judges again with calls moved, and the places in code that findings name.
#pragma once
#include <vector>

#include "check/tape.h"
#include "isolation/wire.h"

namespace aclimb {

void put_spot(Writer& to, const check::Spot& spot, const Images& images);
check::Spot get_spot(Reader& from, const Launch& launch, const Images& images);
void put_tape(Writer& to, const check::Tape& tape, const Images& images);
void get_tape(Reader& from, std::vector<check::CoreTape>& cores, const Launch& launch, const Images& images);

} // namespace aclimb
