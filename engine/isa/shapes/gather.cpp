// SPDX-License-Identifier: Apache-2.0
// Gather: lane e of repeat r is the element of the source at byte scalar + offsets[r * lanes + e]. Offsets count from the source tensor's
// own start and are multiples of the element; a chip would read something else without a word.
#include "isa/shapes/gather.h"

#include <optional>
#include <vector>

#include "isa/shapes/repeat.h"

namespace aclimb {
namespace {

struct Gathering {
    const GatherLoops& loops;
    Extent dst;
    Repeats repeats;
    uint32_t element; // bytes
    const uint32_t* offsets;

    const uint32_t* offsets_of(uint32_t r) const { return offsets + uint64_t{r} * repeats.lanes; }
};

template <class Each> void each_lane(const Selection& selection, Each each) {
    for (uint32_t word = 0; word < 2; word++)
        for (uint64_t bits = selection.bits[word]; bits; bits &= bits - 1) each(64 * word + static_cast<uint32_t>(__builtin_ctzll(bits)));
}

OffsetFacts look_at(const Gathering& g) {
    OffsetFacts all{};
    const auto add = [&](OffsetFacts some) { all = {some.highest > all.highest ? some.highest : all.highest, all.bits | some.bits}; };
    for (uint32_t r = 0; r < g.repeats.count; r++) {
        const Selection& selection = g.repeats.of(r);
        const uint32_t* offsets = g.offsets_of(r);
        if (selection.dense) add(g.loops.look(offsets, selection.end));
        else each_lane(selection, [&](uint32_t lane) { add({offsets[lane], offsets[lane]}); });
    }
    return all;
}

[[noreturn]] void fail_offset(Datapath& core, const Gathering& g, uint64_t base) {
    uint32_t element = 0, offset = 0;
    for (uint32_t r = g.repeats.count; r-- > 0;)
        for (uint32_t lane = g.repeats.of(r).end; lane-- > 0;)
            if (g.repeats.of(r).has(lane) && (base + g.offsets_of(r)[lane]) % g.element) {
                element = r * g.repeats.lanes + lane;
                offset = g.offsets_of(r)[lane];
            }
    core.fail(core.make_fault("gather_offset")
                  .number("value", offset)
                  .number("count", element)
                  .number("alignment", g.element)
                  .number("addr", static_cast<int64_t>(base)));
}

void gather_repeat(const Gathering& g, uint8_t* to, const uint8_t* from, uint32_t r) {
    const Selection& selection = g.repeats.of(r);
    const uint32_t* offsets = g.offsets_of(r);
    to += uint64_t{r} * g.dst.repeat;
    if (selection.dense) return g.loops.gather[g.element / 4](to, from, offsets, selection.end);
    each_lane(selection, [&](uint32_t lane) { std::memcpy(to + lane * g.element, from + offsets[lane], g.element); });
}

// Whether byte `at` of the destination's span is written, and not only lies between repeats or lanes that are.
bool is_written(const Gathering& g, uint64_t at) {
    if (g.dst.repeat < g.repeats.lanes * g.element) return true;
    const uint64_t r = at / g.dst.repeat, lane = at % g.dst.repeat / g.element;
    return lane < g.repeats.lanes && g.repeats.of(static_cast<uint32_t>(r)).has(static_cast<uint32_t>(lane));
}

// The number of the first element that is read where the instruction writes.
std::optional<uint64_t> read_where_written(const Gathering& g, const uint8_t* from, const uint8_t* to, uint64_t span) {
    for (uint32_t r = 0; r < g.repeats.count; r++)
        for (uint32_t lane = 0; lane < g.repeats.of(r).end; lane++) {
            const auto at = static_cast<uint64_t>(from + g.offsets_of(r)[lane] - to); // before `to`: larger than any span
            if (g.repeats.of(r).has(lane) && at < span && is_written(g, at)) return uint64_t{r} * g.repeats.lanes + lane;
        }
    return {};
}

// Each repeat is read before it is written.
void gather_staged(const Gathering& g, uint8_t* to, const uint8_t* from) {
    alignas(64) uint8_t stage[kRepeatBytes];
    for (uint32_t r = 0; r < g.repeats.count; r++, to += g.dst.repeat) {
        const Selection& selection = g.repeats.of(r);
        const uint32_t* offsets = g.offsets_of(r);
        each_lane(selection, [&](uint32_t lane) { std::memcpy(stage + lane * g.element, from + offsets[lane], g.element); });
        each_lane(selection, [&](uint32_t lane) { std::memcpy(to + lane * g.element, stage + lane * g.element, g.element); });
    }
}

} // namespace

void refuse_overlap(Datapath& core, const Place& src, uint64_t base, uint64_t count, uint32_t offset, uint32_t bytes) {
    if (core.goes_on()) return;
    const auto first = static_cast<int64_t>(src.addr + base + offset);
    core.refuse(core.make_fault("gather_overlap")
                    .number("operand", 1)
                    .number("first_byte", first)
                    .number("last_byte", first + bytes - 1)
                    .number("count", static_cast<int64_t>(count))
                    .number("value", offset));
}

const uint32_t* out_of_the_way(const uint32_t* offsets, uint64_t count, const uint8_t* to, uint64_t span) {
    const auto* begin = reinterpret_cast<const uint8_t*>(offsets);
    if (to + span <= begin || to >= begin + count * sizeof(uint32_t)) return offsets;
    thread_local std::vector<uint32_t> copy;
    copy.assign(offsets, offsets + count);
    return copy.data();
}

bool run_gather(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    require_ub(core, v.b, kBlockBytes, 2);
    const Stride stride = {1, v.counted == 1 ? uint16_t{8} : v.dst_stride.repeat};
    Gathering g{ACLIMB_PICK(gather_loops), extent_of(head.dtype, stride), {}, static_cast<uint32_t>(size_of(head.dtype)), nullptr};
    g.repeats = repeats_of(core, v, kRepeatBits >> g.dst.bits_shift);
    if (g.repeats.count == 0) return true;
    const uint64_t last = uint64_t{g.repeats.count - 1} * g.repeats.lanes + g.repeats.last.end;
    g.offsets = core.read<uint32_t>(v.b, last * sizeof(uint32_t), 2);
    const OffsetFacts facts = look_at(g);
    if (ACLIMB_UNLIKELY((facts.bits | v.scalar) % g.element)) fail_offset(core, g, v.scalar);
    const uint64_t reach = uint64_t{facts.highest} + g.element;
    const uint8_t* from = core.read(v.a, v.scalar + reach, 1) + v.scalar;
    const uint64_t span = g.repeats.span(g.dst);
    uint8_t* to = core.write(v.dst, span, 0);
    g.offsets = out_of_the_way(g.offsets, last, to, span);
    if (ACLIMB_UNLIKELY(may_overlap(from, reach, to, span)))
        if (const auto element = read_where_written(g, from, to, span)) {
            refuse_overlap(core, v.a, v.scalar, *element, g.offsets[*element], g.element);
            gather_staged(g, to, from);
            return true;
        }
    if (v.counted == 1) g.loops.gather[g.element / 4](to, from, g.offsets, v.count);
    else
        for (uint32_t r = 0; r < g.repeats.count; r++) gather_repeat(g, to, from, r);
    return true;
}

} // namespace aclimb
