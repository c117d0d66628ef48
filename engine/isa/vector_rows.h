// SPDX-License-Identifier: Apache-2.0
// Walks the vector rows of instructions.def: define ACLIMB_VECTOR_ROW(name, shape), then include this file.
// IS_<shape> is two words for a vector shape and one unknown word otherwise; the pick below takes the second of what it is given,
// so rows of other shapes vanish.
#define ACLIMB_SECOND_(first, second, ...) second
#define ACLIMB_SECOND(...) ACLIMB_SECOND_(__VA_ARGS__)
#define ACLIMB_NOTHING(name, shape)

#define IS_binary ~, ACLIMB_VECTOR_ROW
#define IS_accumulate ~, ACLIMB_VECTOR_ROW
#define IS_scalar_lane ~, ACLIMB_VECTOR_ROW
#define IS_scalar_accumulate ~, ACLIMB_VECTOR_ROW
#define IS_unary ~, ACLIMB_VECTOR_ROW
#define IS_duplicate ~, ACLIMB_VECTOR_ROW
#define IS_move ~, ACLIMB_VECTOR_ROW
#define IS_broadcast_block ~, ACLIMB_VECTOR_ROW
#define IS_cast ~, ACLIMB_VECTOR_ROW
#define IS_compare ~, ACLIMB_VECTOR_ROW
#define IS_select ~, ACLIMB_VECTOR_ROW
#define IS_cmp_mask ~, ACLIMB_VECTOR_ROW
#define IS_reduce_repeat ~, ACLIMB_VECTOR_ROW
#define IS_reduce_block ~, ACLIMB_VECTOR_ROW
#define IS_reduce_pair ~, ACLIMB_VECTOR_ROW
#define IS_reduce ~, ACLIMB_VECTOR_ROW

#define INSTRUCTION_ROW(name, shape, pipe, api) ACLIMB_SECOND(IS_##shape, ACLIMB_NOTHING, ~)(name, shape)
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
#undef ACLIMB_VECTOR_ROW
