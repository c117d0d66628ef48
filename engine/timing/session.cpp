// SPDX-License-Identifier: Apache-2.0
#include "timing/session.h"

#include <algorithm>

#include "core/launch.h"
#include "host/copy.h"
#include "host/device.h"
#include "host/event.h"

namespace aclimb::timing {
namespace {

std::atomic<bool> is_open{false};
std::mutex open_mutex;
std::shared_ptr<Session>& open_session() {
    static auto& session = *new std::shared_ptr<Session>;
    return session;
}

} // namespace

Session::Session(const Parameters& given, const Options& chosen)
    : options(chosen), parameters(given), budget_(std::make_shared<Budget>(chosen.limit)) {}

std::shared_ptr<Session> Session::current() {
    if (ACLIMB_LIKELY(!is_open.load(std::memory_order_relaxed))) return nullptr;
    std::lock_guard lock(open_mutex);
    return open_session();
}

void Session::open(std::shared_ptr<Session> session) {
    std::lock_guard lock(open_mutex);
    open_session() = std::move(session);
    is_open = true;
}

void Session::close() {
    std::lock_guard lock(open_mutex);
    is_open = false;
    open_session().reset();
}

uint32_t Session::number_of(uint64_t stream) {
    return stream_numbers_.try_emplace(stream, static_cast<uint32_t>(stream_numbers_.size())).first->second;
}

int32_t Session::device_number(const Device* device) {
    return device_numbers_.try_emplace(device, static_cast<int32_t>(device_numbers_.size())).first->second;
}

std::shared_ptr<Item> Session::begin(Item::Kind kind, uint64_t stream, const Device* device, std::shared_ptr<Event> event,
                                     uint64_t ticket) {
    auto item = std::make_shared<Item>();
    item->kind = kind;
    if (event && kind == Item::Kind::record_event) event->expect_modelled(ticket);
    item->event = std::move(event);
    item->ticket = ticket;
    std::lock_guard lock(mutex_);
    item->stream = number_of(stream);
    item->device = device_number(device);
    items_.push_back(item);
    return item;
}

std::shared_ptr<Item> Session::begin_launch(Launch& launch, uint64_t stream, const Device* device) {
    auto recording = std::make_shared<Recording>();
    recording->budget = budget_;
    recording->timing_only = options.timing_only && !launch.kernel->values_steer;
    recording->sampled = options.sampled && launch.num_blocks > 1 && !launch.kernel->plan; // its blocks wait for each other
    recording->prepare(launch.kernel->type, recording->sampled ? 1 : launch.num_blocks);
    if (recording->sampled) launch.units = aics_per_block(launch.kernel->type) + aivs_per_block(launch.kernel->type);
    launch.recording = recording;
    auto item = begin(Item::Kind::launch, stream, device);
    item->kernel = launch.kernel;
    item->recording = std::move(recording);
    item->num_blocks = launch.num_blocks;
    item->tiling_key = launch.tiling_key;
    return item;
}

std::shared_ptr<Item> Session::begin_copy(const MemoryCopy& copy, uint64_t stream, const Device* device) {
    auto item = begin(Item::Kind::copy, stream, device);
    const bool to = device->memory.contains(copy.dst), from = !copy.fill && device->memory.contains(copy.src);
    item->direction = copy.fill ? "fill" : to && from ? "D2D" : to ? "H2D" : "D2H";
    item->bytes = copy.width * copy.height;
    return item;
}

void Session::host_waited(uint64_t stream, const Device* device) { end(begin(Item::Kind::host_waits, stream, device), false); }

void Session::host_copied(uint64_t dst, uint64_t src, bool fill, uint64_t bytes) {
    auto item = std::make_shared<Item>();
    const bool to = GlobalMemory::owner(dst), from = !fill && GlobalMemory::owner(src);
    item->kind = Item::Kind::copy;
    item->stream = kHost;
    item->direction = fill ? "fill" : to && from ? "D2D" : to ? "H2D" : "D2H";
    item->bytes = bytes;
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
        if (!device) device = std::make_unique<DeviceModel>(static_cast<uint64_t>(parameters.l2_mib * (1 << 20)));
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
    log.push_back({item.kind, item.stream, item.device, queued, start, end, item.direction, item.bytes, launch});
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
                        recording.images});
    if (options.trace) launches.back().tapes = std::move(recording.work.tapes);
    else budget_->used -= recording.bytes();
    item.recording.reset();
    return task;
}

} // namespace aclimb::timing
