// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "timing/record.h"

namespace aclimb::timing {

void describe(TapeEntry& entry, const Head& head, const Effect& effect, Recorder& recorder); // what of a record the model needs

} // namespace aclimb::timing
