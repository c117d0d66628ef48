// SPDX-License-Identifier: Apache-2.0
#include "isa/datapath.h"

namespace aclimb {

const char* name_of(Pipe pipe) { return kNames<Pipe>[static_cast<int>(pipe) & 7]; }
const char* name_of(Memory memory) { return kNames<Memory>[static_cast<int>(memory) & 7]; }
const char* name_of(CoreType type) { return enum_name(type); }

} // namespace aclimb
