// SPDX-License-Identifier: Apache-2.0
// copy  count bursts of length bytes, from any memory to any other.          Ascend C: DataCopy, DataCopyPad
//
// In a local memory a burst takes whole 32-byte blocks; in global memory exactly its bytes. The gaps count from there.
// Into global memory an atomic operation may be applied element by element (SetAtomicAdd, SetAtomicMax, SetAtomicMin).
// Overlapping source and destination of one burst behave as if the burst were read before it is written.
#include "isa/move.h"
#include "isa/move/atomic.h"
#include "isa/move/geometry.h"
#include "isa/move/pad.h"
#include "isa/move/stream.h"
#include "isa/numeric/half.h"

namespace aclimb {
namespace {

constexpr int64_t kMaxCount = 4095;
constexpr int64_t kMaxLength = 2097151; // bytes: 21 bits in the widest form of the instruction
constexpr int64_t kMaxGap = 1LL << 37;  // 32 bits in units of 32 bytes
constexpr size_t kPrefetchBytes = 4096;

struct Bursts {
    uint8_t* dst;
    const uint8_t* src;
    uint32_t count, length;
    int64_t dst_step, src_step; // start to start
};

// A burst may repeat its predecessor or overlap it (a gap of minus its size), it may not walk backwards out of the tensor.
void require_fields(Datapath& core, const Copy& copy, const Rectangle& src, const Rectangle& dst) {
    core.require_range("blockCount", copy.count, 0, kMaxCount);
    core.require_range("blockLen", copy.length, 0, kMaxLength);
    core.require_range("srcStride", copy.src_gap, copy.src_gap - src.stride, kMaxGap);
    core.require_range("dstStride", copy.dst_gap, copy.dst_gap - dst.stride, kMaxGap);
}

void move_one(uint8_t* dst, const uint8_t* src, size_t bytes, bool streams) {
    if (streams && bytes >= kStreamBytes && ((reinterpret_cast<uintptr_t>(dst) | bytes) & 63) == 0) stream_copy(dst, src, bytes);
    else std::memmove(dst, src, bytes);
}

void move_all(const Bursts& bursts, bool streams) {
    uint8_t* dst = bursts.dst;
    const uint8_t* src = bursts.src;
    for (uint32_t i = 0; i < bursts.count; ++i, dst += bursts.dst_step, src += bursts.src_step) move_one(dst, src, bursts.length, streams);
}

void move_padded(const Bursts& bursts, const Padding& padding) {
    uint8_t* dst = bursts.dst;
    const uint8_t* src = bursts.src;
    for (uint32_t i = 0; i < bursts.count; ++i, dst += bursts.dst_step, src += bursts.src_step) pad_block(dst, src, bursts.length, padding);
}

void widen_all(const Bursts& bursts) {
    uint8_t* dst = bursts.dst;
    const uint8_t* src = bursts.src;
    for (uint32_t i = 0; i < bursts.count; ++i, dst += bursts.dst_step, src += bursts.src_step)
        for (uint32_t at = 0; at < bursts.length / 4; ++at) {
            const float value = widen(reinterpret_cast<const half*>(src)[at]);
            std::memcpy(dst + 4 * at, &value, sizeof value);
        }
}

void update_all(Datapath& core, const Bursts& bursts, const Copy& copy) {
    if (!has_atomic(copy.head.dtype)) core.fail_unsupported(kAtomicTypes);
    uint8_t* dst = bursts.dst;
    const uint8_t* src = bursts.src;
    for (uint32_t i = 0; i < bursts.count; ++i, dst += bursts.dst_step, src += bursts.src_step)
        atomic_update(core, static_cast<AtomicOp>(copy.atomic), copy.head.dtype, dst, src, bursts.length, copy.head.ctrl & kCtrlSaturate);
}

// A kernel that walks through a large tensor reads on where this copy ends, as soon as it has used these bytes.
void prefetch_following(const Datapath& core, const Rectangle& src) {
    const uint64_t from = src.end();
    if (from >= core.window.end) return;
    prefetch(reinterpret_cast<const uint8_t*>(from), std::min<uint64_t>({from - src.begin, kPrefetchBytes, core.window.end - from}));
}

} // namespace

bool execute_copy(Datapath& core, Head& head) {
    const auto& copy = reinterpret_cast<const Copy&>(head);
    if (copy.count == 0 || copy.length == 0) return true;
    const Rectangle src = source_of(copy), dst = destination_of(copy);
    require_fields(core, copy, src, dst);
    core.require_aligned(copy.src, alignment_of(copy.src, copy.element), 1);
    // The atomic type is a register of its own (SetAtomicType) and may be wider than the tensor's elements.
    const bool updates = copy.atomic && is_global(copy.dst);
    const auto dst_element = updates ? static_cast<uint32_t>(size_of(head.dtype)) : copy.element;
    core.require_aligned(copy.dst, alignment_of(copy.dst, dst_element), 0);

    Bursts bursts{nullptr, nullptr, copy.count, copy.length, dst.stride, src.stride};
    bursts.src = core.read(copy.src, src.end() - src.begin, 1);
    bursts.dst = core.write(copy.dst, dst.end() - dst.begin, 0);
    if (is_global(copy.src) && core.window.large) prefetch_following(core, src);

    if (pads(copy)) {
        move_padded(bursts, padding_of(core, copy));
        return true;
    }
    if (widens(copy)) {
        widen_all(bursts);
        return true;
    }
    if (src.stride == copy.length && dst.stride == copy.length) { // no gap on either side: one long burst
        bursts.length = copy.count * copy.length;
        bursts.count = 1;
    }
    if (copy.atomic && is_global(copy.dst)) update_all(core, bursts, copy);
    else move_all(bursts, is_global(copy.dst) && core.window.large);
    return true;
}

} // namespace aclimb
