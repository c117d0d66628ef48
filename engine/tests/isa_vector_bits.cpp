// SPDX-License-Identifier: Apache-2.0
// Every vector instruction over random bit patterns (NaN payloads, infinities, subnormals included): the same bits on every SIMD
// level, and, by one number written down here, on every compiler and architecture.
#include <memory>
#include <string_view>

#include "aclimb/op.h"
#include "check.h"
#include "core/core.h"
#include "isa/rows.h"
#include "isa/shapes/cast.h"
#include "isa/shapes/repeat.h"

using namespace aclimb;

namespace {

constexpr uint32_t kUb = 192 << 10, kA = 64 << 10, kB = 128 << 10, kBytes = 16 << 10;

struct Bench {
    LocalMemory memory{LocalSizes{{0, kUb}}};
    std::unique_ptr<Core> core = std::make_unique<Core>();
    uint64_t hash = 0xcbf29ce484222325u;

    Bench() { core->memory = &memory; }

    void fill() {
        uint64_t state = 0x9e3779b97f4a7c15u;
        uint8_t* ub = memory.base[static_cast<int>(Memory::UB)];
        for (uint32_t at = 0; at < kUb; at += 8) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            std::memcpy(ub + at, &state, 8);
        }
    }
    void run(Execute execute, Vector& v) {
        fill();
        execute(*core, v.head);
        const uint8_t* ub = memory.base[static_cast<int>(Memory::UB)];
        for (uint32_t at = 0; at < kA; at++) hash = (hash ^ ub[at]) * 0x100000001b3u;
    }
};

Place place(uint64_t addr) {
    Place place{};
    place.addr = addr;
    place.size = kUb - addr;
    place.slot = kNoSlot;
    place.memory = static_cast<uint64_t>(Memory::UB);
    return place;
}

Vector record(Op op, Dtype dst, Dtype src, uint8_t mode, uint8_t ctrl) {
    Vector v{};
    v.head.op = op;
    v.head.dtype = dst;
    v.head.dtype2 = src;
    v.head.ctrl = ctrl;
    v.dst = place(0);
    v.a = place(kA);
    v.b = place(kB);
    v.dst_stride = v.a_stride = v.b_stride = {1, 8};
    v.repeat = 40;
    v.mask[0] = 0xfff7ffff7fffffff; // not plain, so gather and scatter take part
    v.mask[1] = 0x7fffffffffffffff;
    v.scalar = 3;
    v.mode = mode;
    return v;
}

void run_types(Bench& bench, Op op, Execute execute, uint8_t modes, bool is_compare) {
    for (int type = 1; type < kDtypes; type++)
        for (uint8_t mode = 0; mode < modes; mode++)
            for (uint8_t ctrl : {uint8_t{0}, kCtrlSaturate}) {
                const Dtype dtype = static_cast<Dtype>(type);
                if (!has_type(op, dtype) || (is_compare && dtype == Dtype::i32 && mode != 2)) continue;
                Vector v = record(op, is_compare ? Dtype::u8 : dtype, dtype, mode, ctrl);
                bench.run(execute, v);
                v.counted = 1;
                v.count = static_cast<uint32_t>(kBytes / size_of(dtype)) - 3;
                bench.run(execute, v);
            }
}

void run_casts(Bench& bench, Op op, Execute execute) {
    for (int dst = 1; dst < kDtypes; dst++)
        for (int src = 1; src < kDtypes; src++)
            for (uint8_t mode = 0; mode < 7; mode++)
                for (uint8_t ctrl : {uint8_t{0}, kCtrlSaturate, kCtrlCastTruncates}) {
                    if (!(level_scalar::cast_lanes().modes[dst][src] >> mode & 1)) continue;
                    Vector v = record(op, static_cast<Dtype>(dst), static_cast<Dtype>(src), mode, ctrl);
                    v.mask[0] = 0xffcfffffffffffff; // pairs of lanes, for int4b_t
                    v.mask[1] = 0x3fffffffffffffff;
                    bench.run(execute, v);
                }
}

// Their operands are more than lanes (offsets, lists, another type of result), so random bytes are none of their records. tests/isa has
// them.
bool takes_more_than_lanes(std::string_view family) {
    for (const char* each : {"gather", "gather_block", "gather_mask", "index", "transpose", "transpose_4d", "trans_data", "sort", "merge",
                             "dequant", "binary_cast"})
        if (family == each) return true;
    return false;
}

uint64_t bits_of_level() {
    Bench bench;
    for (int i = 0; i < kRowCount; i++) {
        if (kRows[i].kind != Class::vector) continue;
        const std::string_view family = kRows[i].shape;
        if (takes_more_than_lanes(family)) continue;
        const auto op = static_cast<Op>(i);
        if (family == "cast") run_casts(bench, op, execute_table[i]);
        else if (family == "compare" && op != Op::vcmp_mask) run_types(bench, op, execute_table[i], 6, true);
        else if (family != "select" && family != "cmp_mask" && family != "compare") run_types(bench, op, execute_table[i], 2, false);
    }
    return bench.hash;
}

// Changes whenever an instruction is added or a result changes: then look at why, and write the new number here.
constexpr uint64_t kBits = 0x878a461f2b8d4852;

} // namespace

TEST(vector_instructions_give_the_same_bits_everywhere) {
    for (const auto& level : simd_levels()) {
        CHECK(set_simd_level(level));
        const uint64_t bits = bits_of_level();
        if (bits != kBits) std::printf("%s: %#llx\n", level.c_str(), static_cast<unsigned long long>(bits));
        CHECK(bits == kBits);
    }
    set_simd_level("");
}
