// SPDX-License-Identifier: Apache-2.0
#include "host/check_session.h"

#include "host/stream.h"

namespace aclimb::check {
namespace {

uint64_t this_thread() {
    static std::atomic<uint64_t> last{0};
    thread_local const uint64_t mine = ++last;
    return mine;
}

// The device's side of a copy, row by row where there are gaps.
HostTask task_of(const MemoryCopy& copy) {
    HostTask task;
    task.kind = copy.fill ? HostTask::Kind::fill : HostTask::Kind::copy;
    task.site = copy.site;
    const auto add = [&](uint64_t addr, uint64_t pitch, bool writes) {
        if (!GlobalMemory::owner(addr)) return;
        for (uint64_t row = 0; row < copy.height; row++)
            task.boxes.push_back({addr + row * pitch, addr + row * pitch + copy.width, writes});
    };
    add(copy.dst, copy.dst_pitch, true);
    if (!copy.fill) add(copy.src, copy.src_pitch, false);
    join_boxes(task.boxes);
    return task;
}

FindingKind kind_of(const HostTask& first, const HostTask& second) {
    if (!first.by_host && !second.by_host) return FindingKind::streams;
    const HostTask& by_host = first.by_host ? first : second;
    return by_host.kind == HostTask::Kind::free ? FindingKind::freed_too_early : FindingKind::host_access;
}

} // namespace

void CheckSession::queued(Stream& stream, Task& task) {
    const uint64_t thread = this_thread();
    if (auto* const* launch = std::get_if<Launch*>(&task.work)) {
        auto made = std::make_shared<CheckedLaunch>();
        made->kernel = (*launch)->kernel;
        made->check = std::make_shared<LaunchCheck>(options, **launch, &values_);
        made->args = (*launch)->args;
        made->num_blocks = (*launch)->num_blocks;
        made->tiling_key = (*launch)->tiling_key;
        made->stream = stream.serial;
        made->site = (*launch)->site;
        made->claimed = stream.device()->process != nullptr;
        if (!(*launch)->bound_at) (*launch)->bound_at = GlobalMemory::allocations();
        (*launch)->observe(made->check);
        if (!made->kernel->is_observed) values_.wrote_everything(); // what it stores through plain pointers, nobody sees
        std::lock_guard lock(mutex_);
        HostTask about;
        about.launch = static_cast<int32_t>(launches_.size());
        about.site = made->site;
        made->task = order_.task(stream.serial, thread, std::move(about));
        launches_.push_back(made);
        running_[task.id] = std::move(made);
        return;
    }
    if (std::holds_alternative<std::shared_ptr<Call>>(task.work)) values_.wrote_everything(); // nobody sees what it writes
    std::lock_guard lock(mutex_);
    if (const auto* copy = std::get_if<std::unique_ptr<MemoryCopy>>(&task.work)) {
        HostTask made = task_of(**copy);
        for (const Box& each : made.boxes)
            if (each.writes) values_.wrote(each.begin, each.end); // in stream order, as are those who read it
        order_.task(stream.serial, thread, std::move(made));
    }
    if (const auto* record = std::get_if<RecordEvent>(&task.work))
        order_.record(stream.serial, thread, record->event.get(), record->ticket);
    if (const auto* wait = std::get_if<AwaitEvent>(&task.work)) order_.await(stream.serial, thread, wait->event.get(), wait->ticket);
}

void CheckSession::ended(Task& task, bool dropped) {
    std::lock_guard lock(mutex_);
    const auto found = running_.find(task.id);
    if (found == running_.end()) return;
    CheckedLaunch& launch = *found->second;
    launch.ended = true;
    launch.dropped = dropped;
    order_.tasks()[launch.task].boxes = launch.check->boxes();
    running_.erase(found);
}

void CheckSession::host_waited(Stream& stream) {
    std::lock_guard lock(mutex_);
    order_.host_waited(this_thread(), stream.serial);
}

void CheckSession::host_waited_for(const Event& event, uint64_t ticket) {
    std::lock_guard lock(mutex_);
    order_.host_waited(this_thread(), &event, ticket);
}

void CheckSession::host_waited_for_all() {
    std::lock_guard lock(mutex_);
    order_.host_waited_for_all(this_thread());
}

void CheckSession::host_copied(const MemoryCopy& copy) {
    HostTask task = task_of(copy);
    if (task.boxes.empty()) return;
    for (const Box& each : task.boxes)
        if (each.writes) values_.wrote(each.begin, each.end);
    std::lock_guard lock(mutex_);
    order_.by_host(this_thread(), std::move(task));
}

void CheckSession::freeing(uint64_t addr, uint64_t size, uint32_t site) {
    HostTask task;
    task.kind = HostTask::Kind::free;
    task.site = site;
    task.boxes.push_back({addr, addr + size, true});
    values_.freed(addr);
    std::lock_guard lock(mutex_);
    order_.by_host(this_thread(), std::move(task));
}

bool CheckSession::settled() const {
    std::lock_guard lock(mutex_);
    return running_.empty();
}

std::vector<std::shared_ptr<CheckedLaunch>> CheckSession::launches() const {
    std::lock_guard lock(mutex_);
    return launches_;
}

std::vector<Conflict> CheckSession::conflicts() const {
    std::lock_guard lock(mutex_);
    std::vector<Conflict> all;
    for (const HostConflict& each : order_.conflicts()) {
        const HostTask &first = order_.tasks()[each.first], &second = order_.tasks()[each.second];
        all.push_back({kind_of(first, second), first, second, each.begin, each.end, each.both_write});
    }
    return all;
}

} // namespace aclimb::check
