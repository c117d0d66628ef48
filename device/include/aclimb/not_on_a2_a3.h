// SPDX-License-Identifier: Apache-2.0
// Names of Ascend C that Atlas A2 and A3 do not have: calls of earlier and of later products. A call fails to compile with one sentence
// that names it and says what these two have instead.
#pragma once
#include "aclimb/unsupported.h"

#define ACLIMB_NOT_ON_A2_A3(api, nearest) ACLIMB_REFUSED(api, ACLIMB_OTHER_PRODUCT(api, nearest))

namespace AscendC {

// --- index and sort
ACLIMB_NOT_ON_A2_A3(Scatter, "SetValue in a loop")
ACLIMB_NOT_ON_A2_A3(MrgSort4, "MrgSort")
ACLIMB_NOT_ON_A2_A3(RpSort16, "Sort32")
ACLIMB_NOT_ON_A2_A3(ProposalConcat, "Concat")
ACLIMB_NOT_ON_A2_A3(ProposalExtract, "Extract")
ACLIMB_NOT_ON_A2_A3(Interleave, "Copy with strides, or GatherMask")
ACLIMB_NOT_ON_A2_A3(DeInterleave, "Copy with strides, or GatherMask")
ACLIMB_NOT_ON_A2_A3(VectorPadding, "DataCopyPad")
// --- vector arithmetic with a scalar
ACLIMB_NOT_ON_A2_A3(Subs, "Adds of the negated scalar")
ACLIMB_NOT_ON_A2_A3(Divs, "Muls by the reciprocal, or Duplicate and Div")
ACLIMB_NOT_ON_A2_A3(Ands, "Duplicate and And")
ACLIMB_NOT_ON_A2_A3(Ors, "Duplicate and Or")
// --- cube
ACLIMB_NOT_ON_A2_A3(BroadCastVecToMM, "the bias table and Mmad with a bias")
ACLIMB_NOT_ON_A2_A3(SetFixPipeClipRelu, "FixpipeParamsV220::reluEn")
// --- library
ACLIMB_NOT_ON_A2_A3(Clamp, "Maxs and Mins")
ACLIMB_NOT_ON_A2_A3(Fma, "FusedMulAdd or MulAddDst")
ACLIMB_NOT_ON_A2_A3(Hypot, "Mul, Add, Sqrt")
ACLIMB_NOT_ON_A2_A3(IsFinite, "Abs and Compares")
ACLIMB_NOT_ON_A2_A3(IsInf, "Abs and Compares")
ACLIMB_NOT_ON_A2_A3(IsNan, "Compare of a tensor with itself")
ACLIMB_NOT_ON_A2_A3(Rint, "Cast with RoundMode::CAST_RINT")
ACLIMB_NOT_ON_A2_A3(SinCos, "a polynomial of Muls, Mul and Adds")
ACLIMB_NOT_ON_A2_A3(Where, "Select")
ACLIMB_NOT_ON_A2_A3(LogicalAnd, "And")
ACLIMB_NOT_ON_A2_A3(LogicalAnds, "Duplicate and And")
ACLIMB_NOT_ON_A2_A3(LogicalOr, "Or")
ACLIMB_NOT_ON_A2_A3(LogicalOrs, "Duplicate and Or")
ACLIMB_NOT_ON_A2_A3(LogicalNot, "Not")
ACLIMB_NOT_ON_A2_A3(LogicalXor, "Or, And, Not")
ACLIMB_NOT_ON_A2_A3(BitwiseAnd, "And")
ACLIMB_NOT_ON_A2_A3(BitwiseOr, "Or")
ACLIMB_NOT_ON_A2_A3(BitwiseNot, "Not")
ACLIMB_NOT_ON_A2_A3(BitwiseXor, "Or, And, Not")
ACLIMB_NOT_ON_A2_A3(Quantize, "Muls, Adds and Cast")
ACLIMB_NOT_ON_A2_A3(Dequantize, "Cast and Mul")
ACLIMB_NOT_ON_A2_A3(AntiQuantize, "Cast, Adds and Muls")
ACLIMB_NOT_ON_A2_A3(PhiloxRandom, "random numbers made on the host")

} // namespace AscendC
