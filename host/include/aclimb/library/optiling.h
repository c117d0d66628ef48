// SPDX-License-Identifier: Apache-2.0
// The library's tilings as optiling classes, with set_ and get_ for each field and SaveToBuffer. One can be a part of another:
// TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, name).
#pragma once
#include "kernel_tiling/layout_tilings.h"
#include "kernel_tiling/norm_tilings.h"
#include "kernel_tiling/softmax_tilings.h"
#include "kernel_tiling/sort_tilings.h"
#include "register/tilingdata_base.h"

namespace optiling {

#define ACLIMB_DEFINE(type, name) TILING_DATA_FIELD_DEF(type, name)
#define ACLIMB_SET(type, name) to.set_##name(from.name);
#define ACLIMB_GET(type, name) to.name = from.get_##name();
#define ACLIMB_OPTILING(struct_name, fields)                                                                                               \
    BEGIN_TILING_DATA_DEF(struct_name)                                                                                                     \
    fields(ACLIMB_DEFINE) END_TILING_DATA_DEF inline void AclimbAssign(struct_name& to, const AscendC::tiling::struct_name& from) {        \
        fields(ACLIMB_SET)                                                                                                                 \
    }                                                                                                                                      \
    inline void AclimbAssign(AscendC::tiling::struct_name& to, const struct_name& from) { fields(ACLIMB_GET) }
ACLIMB_OPTILING(SoftMaxTiling, ACLIMB_SOFTMAX_TILING)
ACLIMB_OPTILING(LogSoftMaxTiling, ACLIMB_LOGSOFTMAX_TILING)
ACLIMB_OPTILING(LayerNormTiling, ACLIMB_LAYER_NORM_TILING)
ACLIMB_OPTILING(LayerNormSeparateTiling, ACLIMB_LAYER_NORM_SEPARATE_TILING)
ACLIMB_OPTILING(DeepNormTiling, ACLIMB_LAYER_NORM_TILING)
ACLIMB_OPTILING(RmsNormTiling, ACLIMB_RMS_NORM_TILING)
ACLIMB_OPTILING(LayerNormGradTiling, ACLIMB_LAYER_NORM_GRAD_TILING)
ACLIMB_OPTILING(LayerNormGradBetaTiling, ACLIMB_LAYER_NORM_GRAD_BETA_TILING)
ACLIMB_OPTILING(BatchNormTiling, ACLIMB_BATCH_NORM_TILING)
ACLIMB_OPTILING(GroupNormTiling, ACLIMB_GROUP_NORM_TILING)
ACLIMB_OPTILING(TopkTiling, ACLIMB_TOPK_TILING)
ACLIMB_OPTILING(PadTiling, ACLIMB_PAD_TILING)
ACLIMB_OPTILING(UnPadTiling, ACLIMB_UNPAD_TILING)
ACLIMB_OPTILING(ConfusionTransposeTiling, ACLIMB_CONFUSION_TRANSPOSE_TILING)
#undef ACLIMB_OPTILING
#undef ACLIMB_GET
#undef ACLIMB_SET
#undef ACLIMB_DEFINE

} // namespace optiling
