// SPDX-License-Identifier: Apache-2.0
// Runs a lane loop over the repeats of an instruction: binary, scalar, unary, cast, compare and fill differ only in their operands.
// A repeat reads all of its sources before it writes. Four roads, the first that fits:
//   one call for everything   lanes of all repeats lie one behind the other, and destination and sources are the same or apart
//   one call a repeat         the lanes of each repeat do
//   batched                   blocks of several repeats are gathered, computed by one call, and the selected lanes put back
//   staged                    the same for a single repeat, where repeats may read what earlier ones wrote
#pragma once
#include "isa/shapes/repeat.h"

namespace aclimb {

struct LaneCall {
    Lane lane;
    const void* scalar; // handed to the loop as b when the instruction has fewer than two source tensors
    Extent dst, a, b;
    uint32_t lanes; // of a repeat
    int32_t max_repeat_stride = 255;
};

// Accumulating instructions may read half and write float.
inline Column accumulate_column(const Head& head) {
    if (source_type(head) == head.dtype) return column_of(head.dtype);
    return head.dtype == Dtype::f32 && head.dtype2 == Dtype::half ? Column::mixed : Column::count;
}

inline LaneCall lane_call(const Vector& v, Lane lane, Dtype source, const void* scalar = nullptr) {
    // Built in place: an Extent copied from a local would wait for its own stores.
    return {lane,
            scalar,
            extent_of(v.head.dtype, v.dst_stride),
            extent_of(source, v.a_stride),
            extent_of(source, v.b_stride),
            kRepeatBits >> bits_shift_of(v.head.dtype)};
}

template <int kSources, bool kReadsDst> class Lanewise {
  public:
    // What most calls are: counted, or all lanes of repeats that lie one behind the other, with one element type and no overlap.
    // Asked first and kept short, because a small instruction costs little more than this. False: nothing was done.
    static bool run_plain(Datapath& core, const Vector& v, Lane lane, const void* scalar = nullptr) {
        const uint32_t shift = bits_shift_of(v.head.dtype);
        uint64_t n = v.count;
        if (v.counted != 1) {
            if (v.counted || static_cast<uint32_t>(v.repeat) > static_cast<uint32_t>(kMaxRepeat) || !is_plain(v, shift)) return false;
            n = static_cast<uint64_t>(v.repeat) << (11 - shift);
        }
        require_operands(core, v);
        if (ACLIMB_UNLIKELY(n == 0)) return true;
        const uint64_t bytes = n << shift >> 3;
        const Bytes at = bytes_of(core, v, bytes, bytes, bytes);
        if constexpr (kSources > 0)
            if (ACLIMB_UNLIKELY(!same_or_apart(at.dst, bytes, at.a, bytes))) return false;
        if constexpr (kSources > 1)
            if (ACLIMB_UNLIKELY(!same_or_apart(at.dst, bytes, at.b, bytes))) return false;
        lane(at.dst, at.a, kSources > 1 ? static_cast<const void*>(at.b) : scalar, n);
        return true;
    }

    static __attribute__((noinline)) void run(Datapath& core, const Vector& v, const LaneCall& call) {
        require_operands(core, v);
        if (v.counted == 1) {
            if (v.count) one_run(core, v, call, v.count);
            return;
        }
        const Repeats repeats = repeats_of(core, v, call.lanes);
        if (repeats.count == 0) return;
        require_strides(core, v, call.max_repeat_stride);
        if (lies_in_one_run(call, repeats)) one_run(core, v, call, uint64_t{repeats.count - 1} * repeats.lanes + repeats.last.end);
        else by_repeat(core, v, call, repeats);
    }

  private:
    static bool is_plain(const Vector& v, uint32_t shift) {
        const auto differs = [](Stride stride) { return (stride.block ^ 1u) | (stride.repeat ^ 8u); };
        uint32_t strides = differs(v.dst_stride);
        if constexpr (kSources > 0) strides |= differs(v.a_stride);
        if constexpr (kSources > 1) strides |= differs(v.b_stride);
        const uint64_t left_out = ~v.mask[0] | (shift < 5 ? ~v.mask[1] : 0);
        return !strides && !left_out;
    }

    struct Bytes {
        uint8_t* dst;
        const uint8_t *a, *b;
    };

    static void require_operands(Datapath& core, const Vector& v) {
        require_ub(core, v.dst, kBlockBytes, 0);
        if constexpr (kSources > 0) require_ub(core, v.a, kBlockBytes, 1);
        if constexpr (kSources > 1) require_ub(core, v.b, kBlockBytes, 2);
    }

    // Strides are 8-bit fields; only the block strides of one-source instructions are wider.
    static void require_strides(Datapath& core, const Vector& v, int32_t max_repeat_stride) {
        core.require_range("dstRepStride", v.dst_stride.repeat, 0, max_repeat_stride);
        if constexpr (kSources == 1) core.require_range("srcRepStride", v.a_stride.repeat, 0, max_repeat_stride);
        if constexpr (kSources > 1) {
            core.require_range("src0RepStride", v.a_stride.repeat, 0, 255);
            core.require_range("src1RepStride", v.b_stride.repeat, 0, 255);
            core.require_range("dstBlkStride", v.dst_stride.block, 0, 255);
            core.require_range("src0BlkStride", v.a_stride.block, 0, 255);
            core.require_range("src1BlkStride", v.b_stride.block, 0, 255);
        }
    }

    static ACLIMB_INLINE Bytes bytes_of(Datapath& core, const Vector& v, uint64_t dst, uint64_t a, uint64_t b) {
        Bytes bytes{};
        bytes.dst = core.write(v.dst, dst, 0);
        if constexpr (kSources > 0) bytes.a = core.read(v.a, a, 1);
        if constexpr (kSources > 1) bytes.b = core.read(v.b, b, 2);
        return bytes;
    }

    static void invoke(const LaneCall& call, const Bytes& at, uint64_t n) {
        call.lane(at.dst, at.a, kSources > 1 ? static_cast<const void*>(at.b) : call.scalar, n);
    }

    static bool may_run_in_place(const LaneCall& call, const Bytes& at, uint64_t n) {
        const uint64_t dst = call.dst.bytes(n);
        if constexpr (kSources > 0)
            if (!same_or_apart(at.dst, dst, at.a, call.a.bytes(n))) return false;
        if constexpr (kSources > 1)
            if (!same_or_apart(at.dst, dst, at.b, call.b.bytes(n))) return false;
        return true;
    }

    static bool is_run(const Extent& extent, const Repeats& repeats) {
        return (extent.repeat == extent.bytes(repeats.lanes) || repeats.count == 1) && extent.is_contiguous(repeats.each.end);
    }
    static bool lies_in_one_run(const LaneCall& call, const Repeats& repeats) {
        if (!repeats.last.dense || (repeats.each.end < repeats.lanes && repeats.count > 1)) return false;
        return is_run(call.dst, repeats) && (kSources < 1 || is_run(call.a, repeats)) && (kSources < 2 || is_run(call.b, repeats));
    }

    static void one_run(Datapath& core, const Vector& v, const LaneCall& call, uint64_t n) {
        Bytes at = bytes_of(core, v, call.dst.bytes(n), call.a.bytes(n), call.b.bytes(n));
        if (ACLIMB_LIKELY(may_run_in_place(call, at, n))) return invoke(call, at, n);
        for (uint64_t done = 0; done < n; done += call.lanes) {
            const uint64_t some = n - done < call.lanes ? n - done : call.lanes;
            staged_run(call, {at.dst + call.dst.bytes(done), at.a + call.a.bytes(done), at.b + call.b.bytes(done)}, some);
        }
    }

    // Destination and source overlap: the result waits until every lane has been read.
    static void staged_run(const LaneCall& call, const Bytes& at, uint64_t n) {
        alignas(64) uint8_t result[kRepeatBytes];
        if constexpr (kReadsDst) std::memcpy(result, at.dst, call.dst.bytes(n));
        invoke(call, {result, at.a, at.b}, n);
        std::memcpy(at.dst, result, call.dst.bytes(n));
    }

    static void by_repeat(Datapath& core, const Vector& v, const LaneCall& call, const Repeats& repeats) {
        const Bytes base =
            bytes_of(core, v, repeats.span(call.dst), kSources > 0 ? repeats.span(call.a) : 0, kSources > 1 ? repeats.span(call.b) : 0);
        if (repeats.each.end > call.dst.block_lanes() && call.dst.block == 0) core.require_range("dstBlkStride", 0, 1, 255);
        const uint32_t first = may_batch(v, call, base, repeats) ? batched(call, base, repeats) : 0;
        for (uint32_t r = first; r < repeats.count; r++) {
            const Selection& selection = repeats.of(r);
            const uint32_t n = selection.end;
            const Bytes at{base.dst + uint64_t{r} * call.dst.repeat, base.a + uint64_t{r} * call.a.repeat,
                           base.b + uint64_t{r} * call.b.repeat};
            const bool together = selection.dense && call.dst.is_contiguous(n) && (kSources < 1 || call.a.is_contiguous(n)) &&
                                  (kSources < 2 || call.b.is_contiguous(n));
            if (!together) gathered(call, at, selection);
            else if (may_run_in_place(call, at, n)) invoke(call, at, n);
            else staged_run(call, at, n);
        }
    }

    static bool lies_flat(const Extent& extent, uint32_t lanes) {
        return extent.block == kBlockBytes && extent.repeat == extent.bytes(lanes);
    }
    static bool has_whole_blocks(const Extent& extent, uint32_t lanes) {
        return extent.bits_shift >= 3 && extent.bytes(lanes) % kBlockBytes == 0;
    }
    // No repeat reads what an earlier one wrote: apart, or the same lanes of repeats that lie apart.
    static bool is_untouched(const LaneCall& call, const uint8_t* dst, const uint8_t* source, const Extent& extent,
                             const Repeats& repeats) {
        const uint64_t written = repeats.span(call.dst), read = repeats.span(extent);
        if (dst + written <= source || source + read <= dst) return true;
        return dst == source && extent.bits_shift == call.dst.bits_shift && extent.block == call.dst.block &&
               extent.repeat == call.dst.repeat && extent.repeat >= extent.reach(repeats.each.end);
    }
    static bool may_batch(const Vector& v, const LaneCall& call, const Bytes& base, const Repeats& repeats) {
        const uint32_t lanes = repeats.lanes, end = repeats.each.end;
        const bool whole = repeats.each.dense && end == lanes;
        if (repeats.count < 4 || !has_whole_blocks(call.dst, lanes) || (!whole && v.dst.addr % kBlockBytes)) return false;
        bool together = repeats.each.dense && call.dst.is_contiguous(end);
        if constexpr (kReadsDst)
            if (call.dst.repeat < call.dst.reach(end)) return false;
        if constexpr (kSources > 0) {
            if (!has_whole_blocks(call.a, lanes) || !is_untouched(call, base.dst, base.a, call.a, repeats)) return false;
            together = together && call.a.is_contiguous(end);
        }
        if constexpr (kSources > 1) {
            if (!has_whole_blocks(call.b, lanes) || !is_untouched(call, base.dst, base.b, call.b, repeats)) return false;
            together = together && call.b.is_contiguous(end);
        }
        return !together; // where lanes lie together, one call a repeat copies nothing
    }

    // As many repeats as have the same lanes. Unselected ones are computed too, and dropped.
    static uint32_t batched(const LaneCall& call, const Bytes& base, const Repeats& repeats) {
        constexpr uint32_t kBatch = 8;
        alignas(64) uint8_t dst[kBatch * kRepeatBytes], a[kBatch * kRepeatBytes], b[kBatch * kRepeatBytes], keep[kRepeatBytes];
        const Selection& each = repeats.each;
        const bool whole = each.dense && each.end == repeats.lanes, direct = whole && lies_flat(call.dst, repeats.lanes);
        if (!whole) spread(keep, call.dst, each);
        const uint32_t total = repeats.last.end == each.end ? repeats.count : repeats.count - 1;
        const auto source = [&](uint8_t* buffer, const uint8_t* from, const Extent& extent, uint32_t count) -> const uint8_t* {
            if (lies_flat(extent, repeats.lanes)) return from;
            const uint32_t blocks = (each.end - 1) / extent.block_lanes() + 1;
            for (uint32_t r = 0; r < count; r++)
                gather_blocks(buffer + r * extent.bytes(repeats.lanes), from + uint64_t{r} * extent.repeat, extent.block, blocks);
            return buffer;
        };
        for (uint32_t r = 0; r < total; r += kBatch) {
            const uint32_t count = total - r < kBatch ? total - r : kBatch;
            Bytes at{base.dst + uint64_t{r} * call.dst.repeat, nullptr, nullptr};
            uint8_t* to = direct ? at.dst : dst;
            if constexpr (kReadsDst)
                if (!direct) {
                    const uint8_t* before = source(dst, at.dst, call.dst, count);
                    if (before != dst) std::memcpy(dst, before, call.dst.bytes(uint64_t{count - 1} * repeats.lanes + each.end));
                }
            if constexpr (kSources > 0) at.a = source(a, base.a + uint64_t{r} * call.a.repeat, call.a, count);
            if constexpr (kSources > 1) at.b = source(b, base.b + uint64_t{r} * call.b.repeat, call.b, count);
            invoke(call, {to, at.a, at.b}, uint64_t{count - 1} * repeats.lanes + each.end);
            if (!direct) put_back(call, at.dst, dst, whole ? nullptr : keep, repeats, count);
        }
        return total;
    }
    static void put_back(const LaneCall& call, uint8_t* to, const uint8_t* from, const uint8_t* keep, const Repeats& repeats,
                         uint32_t count) {
        const uint32_t blocks = (repeats.each.end - 1) / call.dst.block_lanes() + 1;
        for (uint32_t r = 0; r < count; r++, to += call.dst.repeat, from += call.dst.bytes(repeats.lanes)) {
            if (keep) blend_blocks(to, from, keep, call.dst.block, blocks);
            else scatter_blocks(to, from, call.dst.block, blocks);
        }
    }

    // Lanes that are not selected are computed from whatever lies in the buffers, and dropped.
    static void gathered(const LaneCall& call, const Bytes& at, const Selection& selection) {
        alignas(64) uint8_t dst[kRepeatBytes], a[kRepeatBytes], b[kRepeatBytes];
        if constexpr (kReadsDst) gather(dst, at.dst, call.dst, selection);
        if constexpr (kSources > 0) gather(a, at.a, call.a, selection);
        if constexpr (kSources > 1) gather(b, at.b, call.b, selection);
        invoke(call, {dst, a, b}, selection.end);
        scatter(at.dst, dst, call.dst, selection);
    }
};

} // namespace aclimb
