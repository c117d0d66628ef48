// SPDX-License-Identifier: Apache-2.0
// What crosses the border between Python and a library of operators: plain C, no type of the standard library. Python's side of it is
// src/aclimb/op/native/wire.py, and tests hold the two to the same layout.
#pragma once
#include <cstddef>
#include <cstdint>

#include "aclimb/op/door.h"

namespace aclimb {
namespace op {
const uint32_t kWireVersion = 3;
const size_t kMaxWorkspaces = 16;
const size_t kSaidBytes = 2048;
const size_t kShapeWords = 26;                   // rank and 25 dims
const size_t kOutputWords = 1 + 3 * kShapeWords; // of an inferred output: type, origin shape, smallest and largest shape

enum Stage : uint32_t { kInferShape, kInferShapeRange, kInferDataType, kTilingParse, kTiling, kPrepare, kLaunch, kExecute, kStageEnd };

// What a callback sees. Python owns all of it, and keeps it while the callback runs.
struct Request {
    const char* type;
    const char* name;
    // Inputs of the prototype: how many, then (first tensor, count) of each; the same of outputs; then the tensors of inputs: how many, and
    // each as type, origin format, storage format, expand-dims mask, placement, address, bytes, rank and dims of the origin shape, rank and
    // dims of the storage shape; then those of outputs. A tensor that is absent and has a number is one of type DT_MAX.
    const int64_t* node;
    const void* attrs;      // see runtime_attrs.h
    const char* platform;   // see platform_infos_def.h
    const char* json;       // of tiling_parse
    void* compile_info;     // of tiling_parse and tiling
    void* params;           // of launch
    void* stream;           // of launch and execute
    const char* allow_hf32; // nullptr: not said
    const uint64_t* workspace_sizes;
    const uint64_t* workspace_addresses;
    uint64_t workspace_count; // of launch
    int32_t deterministic;
    int32_t deterministic_level;
    int32_t precision_mode;
    uint32_t reserved;
};

// What a callback decided. Python sets it to what holds before.
struct Answer {
    uint64_t tiling_key;
    uint32_t num_blocks;
    uint32_t schedule_mode;
    int32_t need_atomic;
    int32_t tiling_cond;
    uint32_t dyn_ubuf_size;
    uint32_t aicpu_num_blocks;
    uint32_t simt_block_dim[3];
    uint32_t simt_grid_dim[3];
    uint64_t tiling_capacity;
    uint64_t tiling_size;
    void* tiling_data;
    uint64_t workspace_count; // more than 16: refused by Python; UINT64_MAX: prepare did not say
    uint64_t workspace_sizes[kMaxWorkspaces];
    void* params;
    void (*deleter)(void*);
    int64_t* outputs; // kOutputWords for each
    uint32_t threw;   // 1: `said` is what an exception says; 0: what the callback logged as errors
    uint32_t reserved;
    char said[kSaidBytes];
};

// What a library hands out.
struct Library {
    uint32_t version;
    uint32_t reserved;
    const char* description; // JSON: every operator type, and what is registered for it
    uint32_t (*call)(uint64_t row, uint32_t stage, const Request* request, Answer* answer);
    void* (*make_compile_info)(uint64_t row);
    void (*delete_compile_info)(uint64_t row, void* info);
    void (*call_deleter)(void (*deleter)(void*), void* params);
    void (*connect)(const Door* door);
};
} // namespace op
} // namespace aclimb
