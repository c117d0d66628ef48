// SPDX-License-Identifier: Apache-2.0
// optiling::TCubeTiling: the struct with set_ and get_ for each field, and SaveToBuffer. It can be a part of another one:
// TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, name).
#pragma once
#include "kernel_tiling/tcube_tiling.h"
#include "register/tilingdata_base.h"

namespace optiling {
#define ACLIMB_WORD(name) TILING_DATA_FIELD_DEF(int32_t, name)
BEGIN_TILING_DATA_DEF(TCubeTiling)
ACLIMB_TCUBE_TILING(ACLIMB_WORD)
END_TILING_DATA_DEF
#undef ACLIMB_WORD

inline void AclimbAssign(TCubeTiling& to, const AscendC::tiling::TCubeTiling& from) {
#define ACLIMB_WORD(name) to.set_##name(from.name);
    ACLIMB_TCUBE_TILING(ACLIMB_WORD)
#undef ACLIMB_WORD
}
inline void AclimbAssign(AscendC::tiling::TCubeTiling& to, const TCubeTiling& from) {
#define ACLIMB_WORD(name) to.name = from.get_##name();
    ACLIMB_TCUBE_TILING(ACLIMB_WORD)
#undef ACLIMB_WORD
}
} // namespace optiling
