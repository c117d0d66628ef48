// SPDX-License-Identifier: Apache-2.0
#include "isa/ranges.h"

#include "aclimb/op.h"
#include "isa/datapath.h"

namespace aclimb {

void Ranges::add(int operand, Role role, uint64_t begin, uint64_t length, uint64_t count, int64_t stride) {
    if (length == 0 || count == 0) return;
    if (stride == static_cast<int64_t>(length)) {
        length *= count;
        count = 1;
    }
    if (count == 1) stride = static_cast<int64_t>(length);
    all_.push_back({{begin, length, static_cast<uint32_t>(count), stride}, static_cast<uint8_t>(operand), role});
}

namespace {

constexpr int64_t kSlotBytes = 32;

// One word of each slot: 32 bytes for every core (soft SyncAll), or for every (event, block) pair.
void gm_sync_ranges(const CoreView& core, const GmSync& sync, Ranges& to) {
    const int64_t cores = core.block_num * core.task_ratio;
    const auto slot = [&](int64_t index) { return sync.gm.addr + static_cast<uint64_t>(index) * kSlotBytes; };
    if (sync.head.op != Op::gm_sync_all) {
        const Role role = sync.head.op == Op::ib_set ? Role::writes : Role::updates;
        return to.add(0, role, slot(sync.event_id * cores + sync.block_idx), 4);
    }
    to.add(0, Role::updates, slot(core.block_idx), 4);
    to.add(0, Role::reads, slot(0), 4, static_cast<uint64_t>(sync.used_cores > 0 ? sync.used_cores : cores), kSlotBytes);
}

// WaitPreBlock, NotifyNextBlock: a word of every core. GroupBarrier: one of every waiting core's 512 bytes.
void block_order_ranges(const CoreView& core, const GmSync& sync, Ranges& to) {
    const bool group = sync.head.op == Op::group_arrive || sync.head.op == Op::group_wait;
    const int64_t count = group ? sync.event_id : core.block_num * core.task_ratio;
    to.add(0, Role::updates, sync.gm.addr, 4, static_cast<uint64_t>(count), group ? 512 : kSlotBytes);
}

// The data cache's lines that are written back and dropped: from the address to the end of its line, or all of them. Their bytes are
// neither read nor written by this instruction as far as values go.
constexpr uint64_t kLineBytes = 64;
void dcci_ranges(const ScalarAccess& access, Ranges& to) {
    if (access.value & kDcciEntire) to.add(0, Role::none, 0, uint64_t{1} << 48);
    else to.add(0, Role::none, access.at.addr, kLineBytes - access.at.addr % kLineBytes);
}

} // namespace

void ranges_of(const CoreView& core, const Head& head, Ranges& to) {
    to.clear();
    switch (head.op) {
    case Op::copy: return copy_ranges(reinterpret_cast<const Copy&>(head), to);
    case Op::nd2nz: return nd2nz_ranges(reinterpret_cast<const Nd2Nz&>(head), to);
    case Op::load_2d: return load_2d_ranges(reinterpret_cast<const Load2D&>(head), to);
    case Op::load_3d: return load_3d_ranges(reinterpret_cast<const Load3D&>(head), to);
    case Op::load_transpose: return load_transpose_ranges(reinterpret_cast<const LoadTranspose&>(head), to);
    case Op::load_sparse: return load_sparse_ranges(reinterpret_cast<const LoadSparse&>(head), to);
    case Op::fill: return fill_ranges(reinterpret_cast<const Fill&>(head), to);
    case Op::mmad:
    case Op::mmad_sparse: return mmad_ranges(reinterpret_cast<const Mmad&>(head), to);
    case Op::fixpipe: return fixpipe_ranges(reinterpret_cast<const Fixpipe&>(head), to);
    case Op::scalar_load:
    case Op::scalar_store: {
        const auto& access = reinterpret_cast<const ScalarAccess&>(head);
        return to.add(0, row_of(head.op).operand[0].role, access.at.addr, size_of(head.dtype));
    }
    case Op::raw_load:
    case Op::raw_store: {
        const auto& access = reinterpret_cast<const ScalarAccess&>(head);
        return to.add(0, row_of(head.op).operand[0].role, access.at.addr, access.at.size);
    }
    case Op::dump_tensor: {
        const auto& dump = reinterpret_cast<const DumpTensor&>(head);
        return to.add(0, Role::reads, dump.at.addr, dump.count * size_of(head.dtype));
    }
    case Op::gm_sync_all:
    case Op::ib_set:
    case Op::ib_wait: return gm_sync_ranges(core, reinterpret_cast<const GmSync&>(head), to);
    case Op::pre_block_init:
    case Op::pre_block_wait:
    case Op::pre_block_notify:
    case Op::group_arrive:
    case Op::group_wait: return block_order_ranges(core, reinterpret_cast<const GmSync&>(head), to);
    case Op::hccl_commit: {
        const auto& task = reinterpret_cast<const HcclTask&>(head);
        to.add(0, Role::writes, task.recv_rows.addr, task.recv_rows.length, task.recv_rows.count, task.recv_rows.stride);
        return to.add(1, Role::reads, task.send_rows.addr, task.send_rows.length, task.send_rows.count, task.send_rows.stride);
    }
    case Op::dcci: return dcci_ranges(reinterpret_cast<const ScalarAccess&>(head), to);
    default:
        if (row_of(head.op).kind != Class::vector) return;
        vector_ranges(reinterpret_cast<const Vector&>(head), to);
        if (head.op == Op::vsel) select_mask_ranges(reinterpret_cast<const Select&>(head), core.cmp_mask[0] & 0xffffffff, to);
    }
}

} // namespace aclimb
