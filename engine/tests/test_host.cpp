// SPDX-License-Identifier: Apache-2.0
// Streams with everything they hold, and argument lists.
#include <atomic>
#include <cstring>
#include <thread>

#include "check.h"
#include "host/args.h"
#include "run.h"

using namespace aclimb;

namespace {

std::atomic<int> runs{0};

void count(const void*) { runs++; }
void wait_for_seven(const void* args) {
    auto* flag = *static_cast<std::atomic<int>* const*>(args);
    while (*flag != 7) std::this_thread::yield();
}
void fault(const void*) { __builtin_trap(); }

bool ends(const std::shared_ptr<Stream>& stream) {
    return stream->wait(stream->posted(), 0, [] { return false; }, false) == Waited::done;
}

std::unique_ptr<MemoryCopy> bytes_to(uint64_t dst, const void* src, uint64_t size) {
    auto copy = std::make_unique<MemoryCopy>();
    copy->dst = dst;
    copy->src = reinterpret_cast<uint64_t>(src);
    copy->width = copy->dst_pitch = copy->src_pitch = size;
    return copy;
}

} // namespace

TEST(an_event_holds_another_stream_until_its_record) {
    Run first;
    const auto second = std::make_shared<Stream>(first.device, std::make_shared<ContextState>());
    const auto event = std::make_shared<Event>();
    std::atomic<int> flag{0};
    const uint64_t memory = first.device->memory.allocate(4);
    const int value = 42;
    first.launch(wait_for_seven, 1, KernelType::AIV_ONLY, nullptr, reinterpret_cast<uint64_t>(&flag));
    first.stream->record(event);
    second->await(event, 0);
    second->copy(bytes_to(memory, &value, 4));
    CHECK(!second->idle() && *reinterpret_cast<volatile int*>(memory) == 0);
    CHECK(second->wait(second->posted(), 20000000, [] { return false; }, false) == Waited::timed_out);
    flag = 7;
    CHECK(ends(second) && *reinterpret_cast<volatile int*>(memory) == 42);
    CHECK(first.wait().empty() && event->status().done);
}

TEST(a_wait_holds_for_the_record_that_was_the_last_one) {
    Run run;
    const auto event = std::make_shared<Event>();
    run.stream->await(event, 0); // never recorded: not waited for
    run.stream->record(event);
    run.stream->await(event, 0);
    CHECK(ends(run.stream) && event->status().done);
    run.stream->reset(event);
    CHECK(ends(run.stream) && !event->status().recorded);
}

TEST(a_blocking_call_holds_its_stream_and_another_one_does_not) {
    Run run;
    const auto queue = std::make_shared<ReportQueue>();
    runs = 0;
    for (bool blocking : {false, true}) {
        auto call = std::make_shared<Call>();
        call->queue = queue;
        call->blocking = blocking;
        run.stream->call(call);
        run.launch(count, 1);
    }
    CHECK(run.stream->wait(run.stream->posted(), 20000000, [] { return false; }, false) == Waited::timed_out);
    CHECK(runs == 1);
    queue->take(0)->finish();
    queue->take(1000000000)->finish();
    CHECK(run.wait().empty() && runs == 2);
}

TEST(an_abort_drops_what_waits_and_the_stream_works_again) {
    Run run;
    runs = 0;
    const auto queue = std::make_shared<ReportQueue>();
    const auto event = std::make_shared<Event>();
    auto call = std::make_shared<Call>();
    call->queue = queue;
    call->blocking = true;
    run.stream->call(call);
    run.launch(count, 1);
    run.stream->record(event);
    run.stream->abort();
    CHECK(ends(run.stream) && runs == 0 && event->status().done);
    CHECK(run(count).empty() && runs == 1);
}

TEST(several_streams_are_aborted_at_once) {
    Run first;
    Run second{first.device, std::make_shared<Stream>(first.device, std::make_shared<ContextState>())};
    runs = 0;
    const auto endless = [](const void*) {
        runs++;
        for (;;) barrier(Pipe::ALL);
    };
    first.launch(endless, 1);
    second.launch(endless, 1);
    while (runs < 2) std::this_thread::yield();
    first.stream->abort();
    second.stream->abort();
    constexpr uint64_t kPatienceNs = 10000000000;
    for (const auto& stream : {first.stream, second.stream})
        CHECK(stream->wait(stream->posted(), kPatienceNs, [] { return false; }, false) != Waited::timed_out);
}

TEST(stop_mode_drops_the_rest_of_the_context) {
    Run run;
    runs = 0;
    run.stream->context()->stop_mode = true;
    run.launch(fault, 1);
    CHECK(ends(run.stream) && run.stream->stopped());
    run.launch(count, 1);
    CHECK(ends(run.stream) && runs == 0);
}

TEST(a_copy_to_freed_memory_is_a_failed_task) {
    Run run;
    const uint64_t memory = run.device->memory.allocate(8);
    const uint64_t value = 1;
    run.device->memory.release(memory);
    run.stream->copy(bytes_to(memory, &value, 8));
    CHECK(run.wait() == "copy_refused");
}

TEST(memory_freed_under_cores_that_synchronise_through_it_is_their_fault_only) {
    static std::atomic<uint64_t> semaphores{0};
    static std::atomic<int> stage{0};
    for (const bool second_comes : {false, true}) {
        Run run;
        semaphores = run.device->memory.allocate(64);
        stage = 0;
        run.launch(
            [](const void* args) {
                if (core()->block_idx == 0) return sync_all(semaphores, 2);
                while (load(gm(semaphores)) == 0) {} // from now on this core knows the memory
                stage = 1;
                while (stage != 2) std::this_thread::yield();
                if (*static_cast<const uint64_t*>(args)) sync_all(semaphores, 2);
            },
            2, KernelType::AIV_ONLY, nullptr, second_comes);
        while (stage != 1) std::this_thread::yield();
        run.device->memory.release(semaphores);
        stage = 2;
        CHECK(run.wait() == (second_comes ? "gm_out_of_bounds" : "hang_across_cores"));
    }
}

TEST(pinned_memory_outlives_its_release) {
    GlobalMemory memory(1 << 20);
    const uint64_t addr = memory.allocate(64);
    CHECK(memory.pin(addr + 8, 56) && !memory.pin(addr + 8, 57) && memory.release(addr) && !memory.release(addr));
    *reinterpret_cast<volatile int*>(addr) = 1; // still mapped
    CHECK(memory.used() == 0 && !memory.pin(addr, 1) && GlobalMemory::owner(addr) == &memory);
    memory.unpin(addr + 8);
}

TEST(memory_is_released_by_its_owner_only) {
    const auto device = test_device();
    const uint64_t block = device->take_block(8);
    CHECK(!device->memory.release(block) && !device->memory.release(block, Owner::object));
    *reinterpret_cast<volatile int*>(block) = 1; // still mapped
    device->give_block(block, 8);
    CHECK(!device->memory.release(block) && device->take_block(8) == block);
}

TEST(rows_beyond_the_last_address_have_the_longest_span) {
    MemoryCopy copy;
    copy.width = 32, copy.height = 3;
    CHECK(copy.span(64) == 160 && copy.span(uint64_t{1} << 63) == ~uint64_t{0});
    copy.height = 2;
    CHECK(copy.span(~uint64_t{0} - 33) == ~uint64_t{0} - 1 && copy.span(~uint64_t{0} - 31) == ~uint64_t{0});
}

TEST(an_argument_list_is_laid_out_in_slots_of_eight) {
    ArgsList list;
    list.init();
    const uint64_t pointer = 0x1122334455667788;
    const uint32_t number = 7;
    uint64_t first, placeholder, third, host = 0;
    CHECK(list.append(&pointer, 8, first) == ArgsStatus::ok && list.append_placeholder(placeholder) == ArgsStatus::ok);
    CHECK(list.append(&number, 4, third) == ArgsStatus::ok && list.append(&pointer, 8, third) == ArgsStatus::ok);
    CHECK(list.placeholder_buffer(placeholder, 44, host) == ArgsStatus::ok && list.size() == 76);
    CHECK(list.append(&number, 4, third) == ArgsStatus::has_data && list.placeholder_buffer(first, 8, host) == ArgsStatus::not_placeholder);
    uint8_t block[76];
    list.write(block, 0x1000);
    uint64_t slot;
    memcpy(&slot, block + 8, 8);
    CHECK(slot == 0x1000 + 32 && block[16] == 7 && memcmp(block + 24, &pointer, 8) == 0);
    list.init();
    CHECK(list.update(first, &pointer, 8) == ArgsStatus::stale);
}
