// SPDX-License-Identifier: Apache-2.0
// What went wrong on a core, as facts. The sentences are written in Python (src/aclimb/report), where source lines are known.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "aclimb/abi.h"
#include "isa/enum_names.h"

namespace aclimb {

struct Site {          // a place in the kernel that matters for the message
    std::string label; // "", "MTE2", "SetFlag", ...
    uint64_t pc = 0;
};

// The sentences are in src/aclimb/report, one for each of these.
enum class FaultKind : uint8_t {
    address_fault,
    args_freed,
    arithmetic_trap,
    assertion,
    bad_jump,
    block_past_end,
    buffer_not_initialised,
    buffer_overflow,
    copy_refused,
    cross_core_not_armed,
    cross_flag_full,
    cross_flag_left,
    cross_flag_overflow,
    device_lost,
    double_free,
    dynamic_blocks,
    dynamic_key,
    early_start_count,
    early_start_unannounced,
    empty_buffer,
    event_ids_used_up,
    event_wait_timeout,
    field_range,
    flag_left,
    flag_set_twice,
    float_trap,
    freed_memory,
    freed_tensor,
    gather_offset,
    gather_overlap,
    gm_out_of_bounds,
    hang,
    hang_across_cores,
    hccl_hang,
    hccl_misuse,
    interrupted,
    isolation_refused,
    misaligned,
    misaligned_access,
    no_pipe,
    no_result,
    no_such_memory,
    not_from_queue,
    operator_failed,
    other_core,
    out_of_bounds,
    overlap,
    partial_block,
    queue_empty,
    queue_limit,
    queue_no_free_buffer,
    queue_over_depth,
    rank_hang,
    ranks_missing,
    reserved_cross_flag,
    sampled_block_waits,
    scratch_overlap,
    scratch_too_small,
    set_before_copy,
    set_on_other_pipe,
    set_on_scalar_pipe,
    stack_overflow,
    stack_overrun,
    state_leak,
    sync_participants,
    system_call,
    time_limit,
    timing_only_steers,
    too_many_buffers,
    trap,
    trap_call,
    two_pipes,
    unknown_instruction,
    unpadded_rows,
    unsupported,
    wait_after_copy,
    wait_after_write,
    warning
};

// What a fault can say besides: Python reads each as an attribute of that name.
enum class FaultNumber : uint8_t {
    addr,
    alignment,
    all,
    allocated_at,
    blocks,
    buffer_bytes,
    bytes,
    cores,
    count,
    ended,
    first_byte,
    free,
    freed_addr,
    freed_at,
    freed_bytes,
    highest,
    id,
    kept_for_printing,
    key,
    known,
    last_byte,
    length,
    limit,
    limit_ms,
    limit_us,
    line,
    lowest,
    memory_bytes,
    most,
    near_addr,
    near_bytes,
    non_canonical,
    op,
    operand,
    own_code,
    rank,
    size,
    slots,
    span,
    sync_all,
    tensor_bytes,
    there,
    times,
    value,
    value0,
    value1,
    value2,
    value3,
    waiting,
    writes
};
enum class FaultText : uint8_t {
    at,
    call,
    expression,
    field,
    file,
    flag,
    memory,
    memory_of,
    sentence,
    side,
    text,
    type,
    wait,
    what,
    window
};

struct Fault {
    Named<FaultKind> kind = FaultKind::trap;
    int64_t block = -1;
    CoreType core_type = CoreType::MIX;
    int64_t core_idx = -1;
    int32_t sub = -1;       // the sub-kernel, in a fused kernel
    int32_t unit = -1;      // the core, where a note has to say whose it is
    bool went_on = false;   // a note: the core went on behind it
    bool chip_runs = false; // only strict ends the core here
    bool claimed = false;   // by the process of an isolated device: its facts may be anything
    uint64_t pc = 0;
    std::string instruction; // name of the instruction, "" when none
    std::vector<std::pair<FaultNumber, int64_t>> numbers;
    std::vector<std::pair<FaultText, std::string>> texts; // `wait` may be there several times
    std::vector<Site> sites;

    Fault& number(Named<FaultNumber> name, int64_t value) {
        numbers.emplace_back(name, value);
        return *this;
    }
    Fault& text(Named<FaultText> name, std::string value) {
        texts.emplace_back(name, std::move(value));
        return *this;
    }
    Fault& site(std::string label, uint64_t at) {
        sites.push_back({std::move(label), at});
        return *this;
    }
};

} // namespace aclimb
