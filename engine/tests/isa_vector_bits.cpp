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
        run(execute, v.head, [](uint8_t*) {});
    }
    // `prepare` makes offsets of random bytes, where an instruction takes some.
    template <class Prepare> void run(Execute execute, Head& head, Prepare prepare) {
        fill();
        uint8_t* ub = memory.base[static_cast<int>(Memory::UB)];
        prepare(ub);
        execute(*core, head);
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

// Two types: those that the instruction converts.
void run_binary_casts(Bench& bench, Op op, Execute execute) {
    struct Pair {
        Dtype dst, src;
    };
    constexpr Pair kMul[] = {{Dtype::i8, Dtype::half}, {Dtype::u8, Dtype::half}};
    constexpr Pair kRelu[] = {{Dtype::i8, Dtype::half}, {Dtype::i8, Dtype::i16}, {Dtype::half, Dtype::f32}};
    constexpr Pair kDequant[] = {{Dtype::half, Dtype::i32}};
    const auto run = [&](const auto& pairs) {
        for (const Pair& pair : pairs)
            for (uint8_t ctrl : {uint8_t{0}, kCtrlSaturate}) {
                Vector v = record(op, pair.dst, pair.src, 0, ctrl);
                v.scalar = 0x2e66; // AddDeqRelu's scale, 0.1 in half
                bench.run(execute, v);
            }
    };
    if (op == Op::vadddeqrelu) run(kDequant);
    else if (op == Op::vmulconv) run(kMul);
    else run(kRelu);
}

void run_dequants(Bench& bench, Op op, Execute execute) {
    for (uint8_t mode : {uint8_t{0}, uint8_t{2}})
        for (Dtype type : {Dtype::i8, Dtype::u8}) {
            Vector v = record(op, type, Dtype::i16, mode, 0);
            v.scalar = 0x3ba3d70a | uint64_t{0x1fd} << 37 | uint64_t{type == Dtype::i8} << 46; // 0.005, offset -3, sign
            bench.run(execute, v);
        }
}

void run_gathers(Bench& bench, Op op, Execute execute) {
    for (int type = 1; type < kDtypes; type++) {
        if (!has_type(op, static_cast<Dtype>(type))) continue;
        const auto as_offsets = [](uint8_t* ub) {
            for (uint32_t at = kB; at < kUb; at += 4) {
                uint32_t offset;
                std::memcpy(&offset, ub + at, 4);
                offset &= 0xfff8;
                std::memcpy(ub + at, &offset, 4);
            }
        };
        Vector v = record(op, static_cast<Dtype>(type), static_cast<Dtype>(type), 0, 0);
        v.scalar = 8;
        bench.run(execute, v.head, as_offsets);
        v.counted = 1;
        v.count = static_cast<uint32_t>(kBytes / size_of(v.head.dtype)) - 3;
        bench.run(execute, v.head, as_offsets);
    }
}

void run_sorts(Bench& bench, Op op, Execute execute) {
    for (Dtype type : {Dtype::half, Dtype::f32}) {
        Vector v = record(op, type, type, 0, 0);
        bench.run(execute, v);
    }
}

// Random lists are not sorted, and are merged as they are.
void run_merges(Bench& bench, Op op, Execute execute) {
    for (Dtype type : {Dtype::half, Dtype::f32})
        for (uint8_t suspends : {uint8_t{0}, uint8_t{1}}) {
            MergeSort merge{};
            merge.vector = record(op, type, type, 0, 0);
            merge.vector.repeat = 1;
            merge.c = place(kA + (16 << 10));
            merge.d = place(kB + (16 << 10));
            const uint16_t lengths[] = {1000, 31, 700, 1};
            std::memcpy(merge.length, lengths, sizeof lengths);
            merge.suspends = suspends;
            bench.run(execute, merge.vector.head, [](uint8_t*) {});
        }
}

// They move elements as they are, in code that all levels share; random bytes are no records of theirs. tests/isa has them.
bool only_moves(std::string_view family) {
    for (const char* each : {"gather_block", "gather_mask", "transpose", "transpose_4d", "trans_data"})
        if (family == each) return true;
    return false;
}

uint64_t bits_of_level() {
    Bench bench;
    for (int i = 0; i < kRowCount; i++) {
        if (kRows[i].kind != Class::vector) continue;
        const std::string_view family = kRows[i].shape;
        if (only_moves(family)) continue;
        const auto op = static_cast<Op>(i);
        if (family == "cast") run_casts(bench, op, execute_table[i]);
        else if (family == "binary_cast") run_binary_casts(bench, op, execute_table[i]);
        else if (family == "dequant") run_dequants(bench, op, execute_table[i]);
        else if (family == "gather") run_gathers(bench, op, execute_table[i]);
        else if (family == "sort") run_sorts(bench, op, execute_table[i]);
        else if (family == "merge") run_merges(bench, op, execute_table[i]);
        else if (family == "compare" && op != Op::vcmp_mask) run_types(bench, op, execute_table[i], 6, true);
        else if (family != "select" && family != "cmp_mask" && family != "compare") run_types(bench, op, execute_table[i], 2, false);
    }
    return bench.hash;
}

// Changes whenever an instruction is added or a result changes: then look at why, and write the new number here.
constexpr uint64_t kBits = 0x69d16c9e1f2daa31;

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
