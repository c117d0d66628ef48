// SPDX-License-Identifier: Apache-2.0
#include "host/session.h"

#include <algorithm>

#include "host/stream.h"

namespace aclimb::timing {
namespace {

const char* direction_of(bool to_device, bool from_device, bool fill) {
    return fill ? "fill" : to_device && from_device ? "D2D" : to_device ? "H2D" : "D2H";
}

std::shared_ptr<Item> item_with(Item::Kind kind) {
    auto item = std::make_shared<Item>();
    item->kind = kind;
    return item;
}

std::shared_ptr<Item> event_item(Item::Kind kind, const std::shared_ptr<Event>& event, uint64_t ticket) {
    auto item = item_with(kind);
    item->event = event;
    item->ticket = ticket;
    return item;
}

std::shared_ptr<Item> copy_item(const MemoryCopy& copy, bool to_device, bool from_device) {
    auto item = item_with(Item::Kind::copy);
    item->direction = direction_of(to_device, from_device, copy.fill);
    item->bytes = copy.width * copy.height;
    return item;
}

} // namespace

Session::Session(const Parameters& given, const Options& chosen)
    : options(chosen), parameters(given), budget_(std::make_shared<Budget>(chosen.limit)) {}

std::shared_ptr<Item> Session::launch_item(Launch& launch) {
    if (options.blocks && !launch.kernel->plan) {
        launch.num_blocks = options.blocks;
        launch.prepare();
    }
    auto recording = std::make_shared<Recording>();
    recording->budget = budget_;
    recording->timing_only = options.timing_only && !launch.kernel->values_steer;
    recording->sampled = options.sampled && launch.num_blocks > 1 && !launch.kernel->plan; // its blocks wait for each other
    recording->prepare(launch.kernel->type, recording->sampled ? 1 : launch.num_blocks);
    launch.observe(recording);
    auto item = item_with(Item::Kind::launch);
    if (launch.kernel->reads_clock) follow_clock(*recording, item, launch.kernel->values_steer);
    item->kernel = launch.kernel;
    item->recording = std::move(recording);
    item->num_blocks = launch.num_blocks;
    item->tiling_key = launch.tiling_key;
    return item;
}

// A run without arithmetic first, for the answers of GetSystemCycle. A kernel that reads what it computed has no such run.
void Session::follow_clock(Recording& recording, const std::shared_ptr<Item>& item, bool values_steer) {
    Clock& clock = recording.clock;
    clock.state = values_steer ? Clock::State::host : Clock::State::rehearses;
    if (values_steer) return;
    clock.timing_only_after = recording.timing_only;
    recording.timing_only = true;
    clock.rehearsed = [this, weak = std::weak_ptr<Item>(item)](const Work& work) {
        const auto held = weak.lock();
        return held ? clock_of(*held, work) : std::vector<std::vector<uint64_t>>(work.tapes.size());
    };
}

// Ticks of 20 ns at each GetSystemCycle, by core. The L2 is as the launches timed so far have left it.
std::vector<std::vector<uint64_t>> Session::clock_of(const Item& item, const Work& work) {
    constexpr Time kTick = 20000;
    std::lock_guard settling(settling_);
    const auto found = devices_.find(item.device);
    L2 l2 = found != devices_.end() && found->second ? found->second->l2 : L2(parameters.l2_bytes());
    const Time start = std::max({streams_[item.stream].time, host_, found != devices_.end() && found->second ? found->second->free : 0});
    const LaunchTiming timing = Simulation(parameters, l2, work, true).run();
    std::vector<std::vector<uint64_t>> ticks(work.tapes.size());
    for (size_t unit = 0; unit < work.tapes.size(); unit++)
        for (uint32_t i = 0; i < work.tapes[unit].size(); i++)
            if (asks_clock(work.tapes[unit][i])) {
                const Result& result = timing.results[unit][i];
                ticks[unit].push_back(static_cast<uint64_t>((start + std::max<Time>(0, result.start) + result.done) / kTick));
            }
    return ticks;
}

// Null: it takes no time.
std::shared_ptr<Item> Session::item_of(Task& task, const Device& device) {
    if (auto* launch = std::get_if<Launch*>(&task.work)) return launch_item(**launch);
    if (auto* copy = std::get_if<std::unique_ptr<MemoryCopy>>(&task.work))
        return copy_item(**copy, device.memory.contains((*copy)->dst), !(*copy)->fill && device.memory.contains((*copy)->src));
    if (auto* record = std::get_if<RecordEvent>(&task.work)) {
        record->event->expect_modelled(record->ticket);
        return event_item(Item::Kind::record_event, record->event, record->ticket);
    }
    if (auto* wait = std::get_if<AwaitEvent>(&task.work)) return event_item(Item::Kind::await_event, wait->event, wait->ticket);
    if (auto* call = std::get_if<std::shared_ptr<Call>>(&task.work)) {
        auto item = item_with(Item::Kind::call);
        item->label = (*call)->label;
        return item;
    }
    return nullptr;
}

// mutex_ held.
void Session::put(const std::shared_ptr<Item>& item, Stream& stream) {
    const auto number = [](auto& numbers, auto key) {
        return numbers.try_emplace(key, static_cast<typename std::decay_t<decltype(numbers)>::mapped_type>(numbers.size())).first->second;
    };
    item->stream = number(stream_numbers_, stream.serial);
    item->device = number(device_numbers_, static_cast<const Device*>(stream.device().get()));
    items_.push_back(item);
}

void Session::queued(Stream& stream, Task& task) {
    const auto item = item_of(task, *stream.device());
    if (!item) return;
    std::lock_guard lock(mutex_);
    put(item, stream);
    by_task_[task.id] = item;
}

void Session::ended(Task& task, bool dropped) {
    std::shared_ptr<Item> item;
    {
        std::lock_guard lock(mutex_);
        const auto found = by_task_.find(task.id);
        if (found == by_task_.end()) return;
        item = std::move(found->second);
        by_task_.erase(found);
    }
    end(item, dropped);
}

void Session::host_waited(Stream& stream) {
    const auto item = item_with(Item::Kind::host_waits);
    {
        std::lock_guard lock(mutex_);
        put(item, stream);
    }
    end(item, false);
}

void Session::host_copied(const MemoryCopy& copy) {
    const auto item = copy_item(copy, GlobalMemory::owner(copy.dst), !copy.fill && GlobalMemory::owner(copy.src));
    item->stream = kHost;
    {
        std::lock_guard lock(mutex_);
        items_.push_back(item);
    }
    end(item, false);
}

void Session::end(const std::shared_ptr<Item>& item, bool dropped) {
    {
        std::lock_guard lock(mutex_);
        item->state = dropped ? Item::State::dropped : Item::State::ended;
    }
    settle();
}

bool Session::settled() const {
    std::lock_guard lock(mutex_);
    return items_.empty();
}

void Session::settle() {
    std::lock_guard settling(settling_);
    for (;;) {
        std::shared_ptr<Item> item;
        {
            std::lock_guard lock(mutex_);
            if (items_.empty() || items_.front()->state == Item::State::queued) return;
            item = items_.front();
        }
        settle(*item);
        std::lock_guard lock(mutex_);
        items_.pop_front();
    }
}

void Session::settle(Item& item) {
    StreamModel& stream = streams_[item.stream];
    const Time queued = host_;
    if (item.state == Item::State::dropped) {
        if (item.event && item.kind == Item::Kind::record_event) item.event->set_modelled(item.ticket, stream.time / 1000);
        return;
    }
    Time start = std::max(stream.time, host_), end = start;
    int32_t launch = -1;
    switch (item.kind) {
    case Item::Kind::launch: {
        auto& device = devices_[item.device];
        if (!device) device = std::make_unique<DeviceModel>(parameters.l2_bytes());
        if (stream.used) start += Parameters::ns(parameters.stream_gap_ns);
        start = std::max(start, device->free);
        launch = static_cast<int32_t>(launches.size());
        end = start + time_launch(item, start);
        device->free = end;
        break;
    }
    case Item::Kind::copy: end = start + time_copy(item); break;
    case Item::Kind::record_event:
        stamps_[{item.event.get(), item.ticket}] = stream.time;
        item.event->set_modelled(item.ticket, std::max(stream.time, Time{0}) / 1000);
        start = end = stream.time;
        break;
    case Item::Kind::await_event:
        if (const auto found = stamps_.find({item.event.get(), item.ticket}); found != stamps_.end()) end = std::max(start, found->second);
        break;
    case Item::Kind::call: break;
    case Item::Kind::host_waits: host_ = std::max(host_, stream.time); return;
    }
    stream.time = std::max(stream.time, end);
    if (item.stream == kHost) host_ = std::max(host_, end);
    stream.used |= item.kind == Item::Kind::launch;
    log.push_back({item.kind, item.stream, item.device, queued, start, end, item.direction, item.bytes, launch, item.label});
}

Time Session::retime(size_t number, const std::vector<Moved>& moves) const {
    const ProfiledLaunch& launch = launches.at(number);
    Work work;
    work.type = launch.type;
    work.num_blocks = launch.num_blocks;
    for (uint32_t unit = 0; unit < launch.tapes.size(); unit++) {
        const Tape& tape = launch.tapes[unit];
        std::vector<std::pair<double, uint32_t>> order;
        for (uint32_t i = 0; i < tape.size(); i++) order.emplace_back(i, i);
        for (const auto& [core, from, to] : moves)
            if (core == unit && from < order.size()) order[from].first = to - 0.5;
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Tape& edited = work.tapes.emplace_back();
        for (const auto& [at, index] : order) edited.add() = tape[index];
    }
    L2 empty(parameters.l2_bytes());
    return Simulation(parameters, empty, work, false).run().task;
}

Time Session::time_copy(const Item& item) const {
    const std::string direction = item.direction;
    const double gbs = direction == "H2D" ? parameters.h2d_gbs : direction == "D2H" ? parameters.d2h_gbs : parameters.d2d_gbs;
    return Parameters::ns(parameters.copy_base_ns) + Parameters::bytes_at(static_cast<double>(item.bytes), gbs);
}

Time Session::time_launch(Item& item, Time start) {
    Recording& recording = *item.recording;
    recording.work.cut = recording.cut;
    cut = cut || recording.cut;
    Parameters model = parameters;
    const int aics = aics_per_block(recording.work.type), aivs = aivs_per_block(recording.work.type);
    const int64_t together = std::min<int64_t>(item.num_blocks, std::max<int64_t>(1, model.blocks_at_once(aics, aivs)));
    if (recording.sampled) model.sharers = static_cast<int>(together);
    DeviceModel& device = *devices_[item.device];
    LaunchTiming timing = Simulation(model, device.l2, recording.work, options.trace).run();
    if (recording.sampled) { // every other block takes as long; cores that go from block to block, or the dispatcher, are last
        const Time head = model.launch_head(aics, aivs);
        const Time tail = Parameters::ns(model.tail_ns), each = Parameters::ns(model.dispatch_ns), block = timing.task - head - tail;
        const int64_t waves = (item.num_blocks + together - 1) / together;
        timing.task = head + std::max(each * (together + waves - 2) + block * waves, each * (item.num_blocks - 1) + block) + tail;
    }
    const Time task = timing.task;
    launches.push_back({item.kernel,
                        recording.work.type,
                        item.num_blocks,
                        item.tiling_key,
                        item.stream,
                        item.device,
                        start,
                        std::move(timing),
                        {},
                        recording.timing_only,
                        recording.failed,
                        recording.clock.state,
                        recording.images});
    if (options.trace) launches.back().tapes = std::move(recording.work.tapes);
    else budget_->used -= recording.bytes();
    item.recording.reset();
    return task;
}

} // namespace aclimb::timing
