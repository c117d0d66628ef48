// SPDX-License-Identifier: Apache-2.0
#include "aclimb/op.h"
#include "check.h"
#include "timing/simulation.h"

namespace {

using namespace aclimb;
using namespace aclimb::timing;

constexpr uint64_t kSector = 512;

L2::Touched read(L2& l2, uint64_t addr, uint64_t bytes, bool bypass = false) {
    L2::Touched touched;
    l2.read(addr, bytes, kSector, bypass, touched);
    return touched;
}

L2::Touched write(L2& l2, uint64_t addr, uint64_t bytes, bool bypass = false) {
    L2::Touched touched;
    l2.write(addr, bytes, kSector, bypass, touched);
    return touched;
}

Parameters simple() {
    Parameters p;
    p.clock_mhz = 1000; // a cycle is a nanosecond
    p.hbm_gbs = p.l2_gbs = 1e6;
    p.l2_mib = 1;
    p.l2_held = 1;
    p.aiv_rd_miss = p.aiv_rd_hit = p.aiv_wr = p.aic_rd_miss = p.aic_rd_hit = p.aic_wr = p.fix_gm = 64;
    p.gm_rd_lat_miss_ns = 200;
    p.gm_rd_lat_hit_ns = 100;
    p.gm_wr_lat_ns = 50;
    p.l0c_l1 = p.l1_l0a = p.l1_l0b = p.l1_bt = 128;
    p.sector_bytes = kSector;
    p.nd2nz_miss = 64;
    p.write_in_flight = 4096;
    p.write_buffer = 8192;
    p.hbm_write_cost = 1;
    p.same_line_ns = 100;
    p.queue_depth = 4;
    p.flag_handover = 8;
    p.barrier_v = 20;
    p.v_head = 12;
    for (VectorCost& cost : p.vector) cost = {1, 1, 24};
    p.cube_k_f16 = 16;
    p.aic_cores = 1;
    p.aiv_cores = 2;
    return p;
}

timing::TapeEntry vector(uint32_t repeats) {
    timing::TapeEntry entry;
    entry.kind = EntryKind::vector;
    entry.pipe = Pipe::V;
    entry.op = static_cast<uint8_t>(Op::vadd);
    entry.a = repeats;
    entry.b = 16;
    entry.info = kWide;
    return entry;
}

timing::TapeEntry load(uint64_t addr, uint32_t bytes) {
    timing::TapeEntry entry;
    entry.kind = EntryKind::move;
    entry.pipe = Pipe::MTE2;
    entry.addr = addr;
    entry.a = 1;
    entry.b = bytes;
    return entry;
}

timing::TapeEntry flag(EntryKind kind, Pipe src, Pipe dst) {
    timing::TapeEntry entry;
    entry.kind = kind;
    entry.pipe = kind == EntryKind::set_flag ? src : dst;
    entry.a = static_cast<uint32_t>(src) << 8 | static_cast<uint32_t>(dst) << 4;
    return entry;
}

LaunchTiming simulate(const std::vector<timing::TapeEntry>& entries, int64_t blocks = 1) {
    const Parameters p = simple();
    L2 l2(1 << 20);
    Work work;
    work.num_blocks = blocks;
    work.tapes.resize(static_cast<size_t>(blocks));
    for (Tape& tape : work.tapes)
        for (const timing::TapeEntry& entry : entries) tape.add() = entry;
    return Simulation(p, l2, work, true).run();
}

} // namespace

TEST(a_line_read_once_is_there_the_second_time) {
    L2 l2(1 << 20);
    CHECK(read(l2, 0, 1024).miss == 1024);
    CHECK(read(l2, 0, 1024).hit == 1024);
}

TEST(the_least_recently_used_line_leaves_and_is_written_back_when_dirty) {
    L2 l2(2 * kLineBytes);
    write(l2, 0, kLineBytes);
    read(l2, kLineBytes, kLineBytes);
    const auto third = read(l2, 2 * kLineBytes, kLineBytes);
    CHECK(third.written_back == kLineBytes); // line 0 was the oldest, and dirty
    CHECK(read(l2, kLineBytes, kLineBytes).hit == kLineBytes);
    CHECK(read(l2, 0, kLineBytes).miss == kLineBytes);
}

TEST(a_ragged_line_is_brought_twice_and_then_stays) {
    L2 l2(1 << 20);
    CHECK(read(l2, 0, 100).brought == kSector);
    CHECK(read(l2, 100, 100).brought == kSector);
    CHECK(read(l2, 0, 100).hit == 100);
}

TEST(what_goes_past_the_cache_takes_no_place_in_it) {
    L2 l2(1 << 20);
    read(l2, 0, kLineBytes, true);
    CHECK(read(l2, 0, kLineBytes).miss == kLineBytes);
    CHECK(write(l2, 4 * kLineBytes, kLineBytes, true).written_back == kLineBytes);
}

TEST(a_dirty_line_can_be_written_back_before_it_leaves) {
    L2 l2(2 * kLineBytes);
    write(l2, 0, kLineBytes);
    CHECK(l2.write_back(5) == 1);
    CHECK(l2.write_back(5) == 0);
    read(l2, kLineBytes, kLineBytes);
    CHECK(read(l2, 2 * kLineBytes, kLineBytes).written_back == 0);
    CHECK(read(l2, kLineBytes, kLineBytes).hit == kLineBytes);
}

TEST(a_part_of_a_line_that_is_not_there_brings_the_rest_when_it_is_written) {
    L2 l2(1 << 20);
    CHECK(write(l2, 0, kLineBytes).brought == 0);
    CHECK(write(l2, 4 * kLineBytes, 100).brought == kSector);
    CHECK(write(l2, 4 * kLineBytes + 100, 100).brought == 0);
}

TEST(a_sampled_block_has_its_share_of_the_cache) {
    L2 l2(4 * kLineBytes);
    l2.start(L2Start::clean_warm, 2);
    for (uint64_t i = 0; i < 3; i++) read(l2, i * kLineBytes, kLineBytes);
    CHECK(read(l2, 0, kLineBytes).miss == kLineBytes);
}

TEST(two_cores_at_one_line_are_noticed_in_the_cache_and_past_it) {
    L2 l2(1 << 20);
    const auto shared = [&](uint32_t core, Time now) {
        L2::Touched touched;
        l2.meet(64, kLineBytes, core, now, 100, touched);
        return touched.shared;
    };
    CHECK(shared(0, 0) == 0);
    CHECK(shared(0, 10) == 0); // the same core
    CHECK(shared(1, 20) == kLineBytes);
    CHECK(shared(0, 500) == 0); // long after
}

TEST(a_cold_start_forgets_and_a_clean_one_writes_nothing_back) {
    L2 l2(kLineBytes);
    write(l2, 0, kLineBytes);
    l2.start(L2Start::clean_warm);
    CHECK(read(l2, 0, kLineBytes).hit == kLineBytes);
    CHECK(read(l2, kLineBytes, kLineBytes).written_back == 0);
    l2.start(L2Start::cold);
    CHECK(read(l2, kLineBytes, kLineBytes).miss == kLineBytes);
}

TEST(a_load_takes_its_bytes_and_its_latency) {
    const auto timing = simulate({load(0, 6400)});
    const Result& result = timing.results[0][0];
    CHECK(result.free == 100000); // 6400 bytes at 64 a nanosecond
    CHECK(result.done == 300000);
    CHECK(timing.cores[0].pipes[static_cast<int>(Pipe::MTE2)].part[static_cast<int>(Part::memory)] == 200000);
}

TEST(a_write_frees_its_pipe_when_the_rest_fits_the_buffer_and_is_done_when_all_is_in_memory) {
    Parameters p = simple();
    p.hbm_gbs = 1; // one byte a nanosecond
    timing::TapeEntry store = load(0, 64 * 1024);
    store.pipe = Pipe::MTE3;
    store.info = kWrites | kBypass;
    L2 l2(1 << 20);
    Work work;
    work.num_blocks = 1;
    work.tapes.resize(1);
    work.tapes[0].add() = store;
    const Result result = Simulation(p, l2, work, true).run().results[0][0];
    CHECK(result.free == Parameters::ns(64 * 1024 - 8192));
    CHECK(result.done == Parameters::ns(64 * 1024 + 50));
}

TEST(rows_of_an_nd2nz_that_the_cache_holds_take_their_least_time_and_cover_the_latency) {
    Parameters p = simple();
    p.nd2nz_row_min = 10;
    timing::TapeEntry rows = load(0, 128);
    rows.a = 32;
    rows.stride = 128;
    rows.info = kNd2Nz;
    L2 l2(1 << 20);
    read(l2, 0, 4096);
    Work work;
    work.num_blocks = 1;
    work.tapes.resize(1);
    work.tapes[0].add() = rows;
    const Result result = Simulation(p, l2, work, true).run().results[0][0];
    CHECK(result.free == Parameters::ns(32 * 10));
    CHECK(result.done == Parameters::ns(32 * 10)); // 64 ns of bytes and 100 of latency are less
}

TEST(scalar_instructions_are_charged_where_they_were_counted) {
    Parameters p = simple();
    p.scalar_cycle = 2;
    timing::TapeEntry entry = vector(1);
    entry.scalars = 50;
    L2 l2(1 << 20);
    Work work;
    work.num_blocks = 1;
    work.tapes.resize(1);
    work.tapes[0].add() = entry;
    CHECK(Simulation(p, l2, work, true).run().results[0][0].start == Parameters::ns(100));
}

TEST(a_vector_instruction_behind_a_flag_starts_when_the_load_is_done) {
    const auto timing = simulate(
        {load(0, 640), flag(EntryKind::set_flag, Pipe::MTE2, Pipe::V), flag(EntryKind::wait_flag, Pipe::MTE2, Pipe::V), vector(10)});
    const auto& results = timing.results[0];
    CHECK(results[3].start == results[0].start + results[0].done + 8000);
    CHECK(results[2].link == 1);
    CHECK(results[3].done == 12000 + 10000 + 12000); // head, repeats, tail
}

TEST(a_full_queue_stops_the_scalar_unit_and_everything_adds_up) {
    const auto timing = simulate(std::vector<timing::TapeEntry>(10, vector(100)));
    const CoreTiming& core = timing.cores[0];
    CHECK(core.counters.queue_full[static_cast<int>(Pipe::V)] > 0);
    for (const PipeTiming& pipe : core.pipes) {
        Time sum = 0;
        for (Time part : pipe.part) sum += part;
        CHECK(sum == core.end - core.start);
    }
}

TEST(blocks_beyond_the_cores_wait_for_one_of_them) {
    const auto timing = simulate({vector(100)}, 3);
    CHECK(timing.cores[0].start == 0 && timing.cores[1].start == 0);
    CHECK(timing.cores[2].start == timing.cores[0].end);
}

TEST(a_recording_that_was_cut_ends_where_it_waits) {
    const auto timing = simulate({flag(EntryKind::wait_flag, Pipe::MTE2, Pipe::V), vector(1)});
    CHECK(timing.cut);
    CHECK(timing.results[0][1].start == -1);
}
