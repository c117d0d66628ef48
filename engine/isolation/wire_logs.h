// SPDX-License-Identifier: Apache-2.0
// Logs: which global memory the members of a launch touched, what the scalar unit did.
#pragma once
#include "isolation/wire.h"

namespace aclimb {

class Accesses;
class ScalarLog;

void put_log(Writer& to, Accesses& log, const Images& images);
void put_log(Writer& to, ScalarLog& log, const Images& images);
void get_log(Reader& from, Accesses& log, const Launch& launch, const Images& images);
void get_log(Reader& from, ScalarLog& log, const Launch& launch, const Images& images);

} // namespace aclimb
