// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "check.h"
#include "memory/sanitizers.h"
#include "run.h"

using namespace aclimb;

namespace {
std::atomic<int> blocks_run;
ACLIMB_UNWATCHED void write_nowhere(const void*) {
    static volatile uint64_t nowhere = 16;
    *reinterpret_cast<volatile int*>(nowhere) = 1;
}
uint64_t argument(const void* args) { return *static_cast<const uint64_t*>(args); }
} // namespace

TEST(every_block_runs_once) {
    Run run;
    blocks_run = 0;
    CHECK(run([](const void*) { blocks_run++; }, 1000) == "");
    CHECK(blocks_run == 1000);
}

TEST(a_wait_before_its_set_runs_what_stands_behind_it_afterwards) {
    Run run;
    const uint64_t memory = run.device->memory.allocate(4096);
    reinterpret_cast<uint32_t*>(memory)[0] = 41;
    const auto kernel = [](const void* args) {
        wait_flag(Pipe::MTE2, Pipe::MTE3, 0);
        copy(gm(argument(args) + 1024), ub(0, 32), 32, Pipe::MTE3); // must come after the copy in
        copy(ub(0, 32), gm(argument(args)), 32, Pipe::MTE2);
        set_flag(Pipe::MTE2, Pipe::MTE3, 0);
    };
    CHECK(run(kernel, 1, KernelType::AIV_ONLY, nullptr, memory) == "");
    CHECK(reinterpret_cast<uint32_t*>(memory)[256] == 41);
}

TEST(a_wait_without_a_set_is_a_hang) {
    Run run;
    CHECK(run([](const void*) { wait_flag(Pipe::MTE2, Pipe::V, 3); }) == "hang");
    CHECK(run([](const void*) { wait_flag(Pipe::V, Pipe::S, 0); }) == "hang");
    CHECK(run([](const void*) {
              wait_flag(Pipe::MTE2, Pipe::V, 0);
              barrier(Pipe::ALL);
          }) == "hang");
}

TEST(flags_must_balance) {
    Run run;
    CHECK(run([](const void*) { set_flag(Pipe::V, Pipe::MTE3, 1); }) == "flag_left");
    CHECK(run([](const void*) {
              set_flag(Pipe::V, Pipe::MTE3, 1);
              set_flag(Pipe::V, Pipe::MTE3, 1);
          }) == "flag_set_twice");
    CHECK(run([](const void*) {
              set_flag(Pipe::V, Pipe::MTE3, 1);
              wait_flag(Pipe::V, Pipe::MTE3, 1);
          }) == "");
}

TEST(local_memory_is_poisoned_when_handed_out) {
    Run run;
    static uint32_t seen[2];
    const auto kernel = [](const void* args) {
        seen[argument(args)] = load(ub(64, 32));
        store(ub(64, 32), 7);
    };
    CHECK(run(kernel, 1, KernelType::AIV_ONLY, nullptr, 0) == "");
    CHECK(run(kernel, 1, KernelType::AIV_ONLY, nullptr, 1) == "");
    CHECK(seen[0] == 0xffffffffu && seen[1] == 0xffffffffu);
}

TEST(accesses_are_checked) {
    Run run;
    const uint64_t memory = run.device->memory.allocate(4096);
    CHECK(run([](const void*) { store(ub(192 << 10, 32), 1); }) == "out_of_bounds");
    CHECK(run([](const void*) { load(ub(0, 2)); }) == "out_of_bounds");
    CHECK(run([](const void*) { load(ub(2, 32)); }) == "misaligned");
    CHECK(run([](const void* args) { load(gm(argument(args) + 4096)); }, 1, KernelType::AIV_ONLY, nullptr, memory) == "gm_out_of_bounds");
    CHECK(run([](const void* args) { load(gm(argument(args) - 4)); }, 1, KernelType::AIV_ONLY, nullptr, memory) == "gm_out_of_bounds");
    CHECK(run([](const void* args) { load(gm(argument(args) + 4092)); }, 1, KernelType::AIV_ONLY, nullptr, memory) == "");
}

TEST(an_allocation_ends_where_it_would_on_a_chip) {
    GlobalMemory memory(1 << 20);
    Allocation found;
    const uint64_t object = memory.allocate(4090, 0, Owner::object), plain = memory.allocate(100, 28 + 32);
    CHECK(memory.find(object, found) && found.end() == object + 4090 && found.end_of_blocks() == object + 4096);
    CHECK(found.end_on_chip() == object + 4128 && found.end_of_pages() == object + 4096);
    memory.widen(object);
    CHECK(memory.find(object, found) && found.end_of_pages() == object + 8192);
    *reinterpret_cast<uint32_t*>(object + 4096) = 7;
    CHECK(memory.find(plain, found) && found.end_on_chip() == plain + 160);

    uint32_t words[2] = {1, 1};
    memory.copy_allocated(object + 4124, 8, reinterpret_cast<uint8_t*>(words));
    CHECK(words[0] == 0 && words[1] == 1);
    CHECK(memory.last_before(object + 5000, found) && found.addr == object);
    CHECK(!memory.last_before(object - 1, found));
    CHECK(memory.release(object, Owner::object));
    CHECK(memory.last_before(plain + 5000, found) && found.addr == plain);
}

TEST(modes_of_cross_core_flags) {
    Run run;
    const uint64_t memory = run.device->memory.allocate(4096);
    auto* words = reinterpret_cast<uint32_t*>(memory);
    static uint64_t base;
    base = memory;
    // Mode 2 both ways: each AIC adds up what its two AIVs wrote, then they read the sum.
    const auto aiv = [](const void*) {
        store(gm(base + 4 * static_cast<uint64_t>(core()->block_idx)), 10 + static_cast<uint32_t>(core()->block_idx));
        cross_set(2, 5);
        cross_wait(6);
        store(gm(base + 512 + 4 * static_cast<uint64_t>(core()->block_idx)),
              load(gm(base + 1024 + 4 * static_cast<uint64_t>(core()->raw_block_idx))));
    };
    const auto aic = [](const void*) {
        cross_wait(5);
        const auto block = static_cast<uint64_t>(core()->block_idx);
        store(gm(base + 1024 + 4 * block), load(gm(base + 8 * block)) + load(gm(base + 8 * block + 4)));
        cross_set(2, 6, Pipe::FIX);
    };
    CHECK(run(aiv, 24, KernelType::MIX_AIC_1_2, aic) == "");
    for (uint32_t i = 0; i < 48; i++) CHECK(words[128 + i] == 20 + 4 * (i / 2) + 1);
}

TEST(a_core_that_misses_the_barrier_is_a_hang) {
    Run run;
    const auto barrier_unless_3 = [](const void*) {
        if (core()->block_idx == 3) return;
        cross_set(0, 14);
        cross_wait(14);
    };
    CHECK(run(barrier_unless_3, 8, KernelType::MIX_AIV_1_0) == "hang_across_cores");
    const auto barrier_always = [](const void*) {
        for (int i = 0; i < 100; i++) {
            cross_set(0, 14);
            cross_wait(14);
        }
    };
    CHECK(run(barrier_always, 48, KernelType::MIX_AIV_1_0) == "");
    CHECK(run(barrier_always, 48, KernelType::AIV_ONLY) == "cross_core_not_armed");
}

TEST(faults_end_the_task_and_nothing_else) {
    Run run;
    for (int i = 0; i < 50; i++) {
        CHECK(run(write_nowhere, 4) == "address_fault");
        CHECK(run([](const void*) { __builtin_trap(); }, 4) == "trap");
        blocks_run = 0;
        CHECK(run([](const void*) { blocks_run++; }, 16) == "");
        CHECK(blocks_run == 16);
    }
}

TEST(released_memory_can_be_had_again_and_holes_join) {
    GlobalMemory memory(uint64_t{1} << 30);
    std::vector<uint64_t> addresses;
    for (int i = 0; i < 100; i++) addresses.push_back(memory.allocate(1 + 1000 * static_cast<uint64_t>(i)));
    for (size_t i = 0; i < 100; i += 2) CHECK(memory.release(addresses[i]));
    for (size_t i = 1; i < 100; i += 2) CHECK(memory.release(addresses[i]));
    CHECK(!memory.release(addresses[5]));
    CHECK(memory.used() == 0 && memory.count() == 0);
    const uint64_t all = memory.allocate(uint64_t{1} << 30);
    CHECK(all != 0 && memory.allocate(1) == 0);
    Allocation found;
    CHECK(memory.find(all + 5, found) && found.addr == all);
    CHECK(!memory.find(all + (uint64_t{1} << 30), found));
}
