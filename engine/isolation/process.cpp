// SPDX-License-Identifier: Apache-2.0
#include "isolation/process.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "core/futex.h"
#include "core/worker.h"
#include "isolation/watch.h"
#include "isolation/wire.h"

namespace aclimb {
namespace {

// A process that was warm answers a small kernel within this; to sleep and be woken takes longer.
constexpr uint64_t kSpinNs = 40000;
constexpr uint64_t kLookNs = 5000000; // how often a launch that was cancelled, or takes too long, is looked for
// What the process may take to end a kernel by itself, with its line, before it is killed.
constexpr uint64_t kGraceNs = 1000000000;
constexpr uint64_t kMostAnswer = 256 << 20, kMostSeen = uint64_t{1} << 30; // and of what observers saw

struct Gone {};                       // the process, while somebody waited for it
struct Refused : std::runtime_error { // by the process: it cannot run this kernel
    using std::runtime_error::runtime_error;
};

uint64_t limit_of(const Launch& launch) { return launch.limit_ns ? launch.limit_ns : static_cast<uint64_t>(time_limit() * 1e9); }

Fault refusal(const std::string& sentence) {
    Fault fault;
    fault.kind = "isolation_refused";
    return std::move(fault.text("sentence", sentence));
}

Fault loss(Living& process) {
    Fault fault;
    fault.kind = process.ended() == Ended::time_limit    ? FaultKind::time_limit
                 : process.ended() == Ended::interrupted ? FaultKind::interrupted
                                                         : FaultKind::device_lost;
    return std::move(fault.text("what", process.last_words()));
}

std::string why_not(const Launch& launch) {
    if (launch.with_ranks()) return "ranks of isolated devices cannot see each other's windows; use devices without isolated=True";
    if (!launch.observers.empty())
        if (const std::string why = why_not_watched(launch); !why.empty()) return why;
    if (launch.args_bytes > kExchangeBytes - sizeof(Command))
        return "its arguments have " + std::to_string(launch.args_bytes) + " bytes; an isolated device takes up to " +
               std::to_string(kExchangeBytes - sizeof(Command));
    return "";
}

// Asked once for each kernel.
void require_code(const Kernel& kernel) {
    const auto images = images_in(kernel);
    if (images.empty()) throw Refused("it has no image of its own");
    for (const auto& image : images)
        if (!image->is_elsewhere())
            throw Refused("its code was loaded into the host process before the first isolated device was opened; open "
                          "Device(isolated=True), or set ACLIMB_ISOLATED=1, before kernels are loaded");
}

// So that Ctrl-C on this thread finds the launch.
struct TakePart {
    explicit TakePart(Launch& launch) : worker(enter_worker()) { worker.taking_part = &launch; }
    ~TakePart() { worker.taking_part = nullptr; }
    Worker& worker;
};

struct File {
    explicit File(const std::vector<uint8_t>& bytes) : fd(memfd_create("aclimb kernel", MFD_CLOEXEC)) {
        if (fd < 0 || write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            throw std::runtime_error("there is no memory to describe the kernel to its isolated device");
    }
    ~File() { close(fd); }
    const int fd;
};

} // namespace

DeviceProcess::DeviceProcess(GlobalMemory& memory, std::string program, const Setup& setup)
    : memory_(memory), program_(std::move(program)), setup_(setup) {
    living(); // what is missing is said when the device is opened
}

std::shared_ptr<Living> DeviceProcess::living() {
    std::lock_guard lock(mutex_);
    if (living_ && !living_->is_dead()) return living_;
    living_ = Keeper::instance().start(program_, setup_, memory_);
    starts_++;
    living_->changes = memory_.take_changes(true);
    living_->has_changes = true;
    return living_;
}

pid_t DeviceProcess::id() {
    std::lock_guard lock(mutex_);
    return living_ && !living_->is_dead() ? living_->id() : 0;
}

void DeviceProcess::stop() {
    std::lock_guard lock(mutex_);
    if (living_) living_->end(Ended::by_itself, "somebody stopped it");
}

DeviceProcess::~DeviceProcess() { stop(); }

void DeviceProcess::run(Launch& launch) {
    TakePart part(launch);
    launch.started_ns = now_ns();
    if (const std::string why = why_not(launch); !why.empty()) {
        launch.fault = refusal(why);
        return;
    }
    try {
        const auto process = living();
        try {
            run_in(*process, launch);
        } catch (const Gone&) {
            launch.fault = loss(*process);
        }
    } catch (const std::exception& error) {
        launch.fault = refusal(error.what());
    }
}

void DeviceProcess::run_in(Living& process, Launch& launch) {
    define(process, launch);
    const uint64_t watch = launch.observers.empty() ? 0 : define_watch(process, launch);
    tell_changes(process);
    const uint32_t index = take_exchange(process);
    Exchange& exchange = process.ring->exchanges[index];
    give_command(process, exchange, launch, watch);
    const bool sense = take_answer(process, exchange, launch);
    process.last_answer_ns = now_ns();
    if (!sense) process.end(Ended::nonsense, "its answer made no sense, so that nothing of it was believed");
    else if (!process.is_intact()) process.end(Ended::nonsense, "somebody in it wrote over the ring of commands");
    if (process.is_dead()) throw Gone{};
    exchange.state = Exchange::empty;
    process.used &= ~(1u << index);
}

uint32_t DeviceProcess::take_exchange(Living& process) {
    for (;;) {
        uint32_t used = process.used;
        const uint32_t index = static_cast<uint32_t>(__builtin_ctz(~used | 1u << kExchanges));
        if (index < kExchanges && process.used.compare_exchange_weak(used, used | 1u << index)) return index;
        if (process.is_dead()) throw Gone{};
        if (index == kExchanges) usleep(50);
    }
}

void DeviceProcess::give_command(Living& process, Exchange& exchange, const Launch& launch, uint64_t watch) {
    const Command command{launch.kernel->serial,
                          static_cast<uint64_t>(launch.num_blocks),
                          launch.tiling_key,
                          reinterpret_cast<uint64_t>(launch.system_workspace),
                          launch.limit_ns,
                          static_cast<uint64_t>(time_limit() * 1e9),
                          launch.args_bytes,
                          launch.lax,
                          launch.bound_at,
                          launch.one_worker,
                          watch};
    memcpy(exchange.data, &command, sizeof command);
    memcpy(exchange.data + sizeof command, launch.args.data(), launch.args_bytes);
    exchange.bytes = static_cast<uint32_t>(sizeof command + launch.args_bytes);
    exchange.cancel = exchange.sleeping = 0;
    exchange.state = Exchange::command;
    Ring& ring = *process.ring;
    ring.doorbell++;
    if (ring.sleepers) shared_wake(ring.doorbell, 1);
}

// --- waiting

// Cancelled, or over its limit, and the process has had its chance to end it with a line.
bool DeviceProcess::out_of_patience(Living& process, Launch& launch, Exchange* exchange, uint64_t& cancelled_ns) {
    if (process.is_dead()) return true;
    const uint64_t now = now_ns(), begun = std::max(launch.started_ns, process.last_answer_ns.load());
    if (launch.cancelled && !cancelled_ns) {
        cancelled_ns = now;
        if (exchange) exchange->cancel = 1;
    }
    if (cancelled_ns && now - cancelled_ns > kGraceNs) process.end(Ended::interrupted, "it was interrupted and did not end");
    else if (now > begun && now - begun > limit_of(launch) + kGraceNs) process.end(Ended::time_limit, "it did not end at its time limit");
    return process.is_dead();
}

// False: the process is gone.
bool DeviceProcess::await(Living& process, Exchange& exchange, Launch& launch, uint32_t& state) {
    uint64_t cancelled_ns = 0;
    const uint64_t until = now_ns() + kSpinNs;
    for (;;) {
        state = exchange.state;
        if (state == Exchange::answer || state == Exchange::part) return true;
        if (now_ns() < until) {
            for (int i = 0; i < 8; i++) relax();
            continue;
        }
        exchange.sleeping = 1;
        if (exchange.state == Exchange::command) shared_wake(process.ring->doorbell, 1); // whatever is said of sleepers
        state = exchange.state;
        if (state != Exchange::answer && state != Exchange::part) shared_wait(exchange.state, state, kLookNs);
        state = exchange.state;
        if (state == Exchange::answer || state == Exchange::part) return true;
        if (out_of_patience(process, launch, &exchange, cancelled_ns)) return false;
        tell_changes(process); // memory that is freed now is gone for the kernel, too
    }
}

bool DeviceProcess::take_answer(Living& process, Exchange& exchange, Launch& launch) {
    const uint64_t most = kMostAnswer + (launch.observers.empty() ? 0 : kMostSeen);
    std::vector<uint8_t> bytes; // a copy: what is looked at cannot change any more
    for (;;) {
        uint32_t state;
        if (!await(process, exchange, launch, state)) throw Gone{};
        const uint32_t count = exchange.bytes;
        if (count > kExchangeBytes || bytes.size() + count > most) return false;
        bytes.insert(bytes.end(), exchange.data, exchange.data + count);
        if (state == Exchange::answer) break;
        exchange.sleeping = 0;
        exchange.state = Exchange::more;
        shared_wake(exchange.state);
    }
    Reader reader(bytes.data(), bytes.size());
    return get_result(reader, launch);
}

// --- what the process has to know first

void DeviceProcess::tell_changes(Living& process) {
    if (!memory_.has_changes() && !process.has_changes) return;
    std::lock_guard lock(process.changing);
    process.has_changes = true; // who finds none waits here until these are told
    {
        std::lock_guard guard(mutex_);
        if (living_.get() != &process) throw Gone{}; // they are for the next one
        const auto more = memory_.take_changes(false);
        process.changes.insert(process.changes.end(), more.begin(), more.end());
    }
    Ring& ring = *process.ring;
    const uint64_t begun = now_ns();
    uint64_t written = process.changes_written;
    for (const MemoryChange& each : process.changes) {
        while (written - ring.changes_applied >= kChanges) { // it applies them every few milliseconds
            if (process.is_dead()) throw Gone{};
            if (now_ns() - begun > 10 * kGraceNs) process.end(Ended::nonsense, "it did not follow the allocations of its memory");
            usleep(200);
        }
        ring.changes[written % kChanges] = each;
        process.changes_written = ++written;
        ring.changes_written = written;
    }
    process.changes.clear();
    process.has_changes = false;
}

void DeviceProcess::define(Living& process, Launch& launch) {
    std::lock_guard lock(process.defining);
    const Kernel& kernel = *launch.kernel;
    if (const auto known = process.kernels.find(&kernel); known != process.kernels.end() && known->second.id == kernel.serial) return;
    require_code(kernel);
    for (auto* table : {&process.kernels, &process.images}) // what nobody has any more
        for (auto it = table->begin(); it != table->end();) {
            if (!it->second.object.expired()) {
                ++it;
                continue;
            }
            send(process, {table == &process.kernels ? Definition::forget_kernel : Definition::forget_image, 0, it->second.id, 0}, -1,
                 launch);
            it = table->erase(it);
        }
    std::vector<uint64_t> ids;
    for (const auto& image : images_in(kernel)) ids.push_back(define_image(process, image, launch));
    Writer writer;
    put_kernel(writer, kernel, ids);
    const File file(writer.bytes);
    send(process, {Definition::kernel, 0, kernel.serial, writer.bytes.size()}, file.fd, launch);
    process.kernels[&kernel] = {launch.kernel, kernel.serial};
}

// For one launch, which names it.
uint64_t DeviceProcess::define_watch(Living& process, Launch& launch) {
    Writer writer;
    put_watch(writer, launch);
    const File file(writer.bytes);
    std::lock_guard lock(process.defining);
    const uint64_t id = ++process.last_watch;
    send(process, {Definition::watch, 0, id, writer.bytes.size()}, file.fd, launch);
    return id;
}

uint64_t DeviceProcess::define_image(Living& process, const std::shared_ptr<Image>& image, Launch& launch) {
    if (const auto known = process.images.find(image.get()); known != process.images.end()) return known->second.id;
    struct stat about{};
    fstat(image->fd, &about);
    const uint64_t id = ++process.last_image;
    send(process, {Definition::image, 0, id, static_cast<uint64_t>(about.st_size)}, image->fd, launch);
    process.images[image.get()] = {image, id};
    return id;
}

// And waits for the reply: constructors may take their time, or never end.
void DeviceProcess::send(Living& process, Definition definition, int fd, Launch& launch) {
    definition.number = ++process.definitions;
    iovec piece{&definition, sizeof definition};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    if (fd >= 0) {
        message.msg_control = room;
        message.msg_controllen = sizeof room;
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    if (sendmsg(process.control, &message, MSG_NOSIGNAL) != sizeof definition)
        process.end(Ended::by_itself, "it no longer listened when a kernel was handed over");
    Reply& reply = process.ring->reply;
    uint64_t cancelled_ns = 0;
    for (uint32_t seen = reply.number; seen != definition.number; seen = reply.number) {
        if (out_of_patience(process, launch, nullptr, cancelled_ns)) throw Gone{};
        shared_wait(reply.number, seen, kLookNs);
    }
    if (!reply.failed) return;
    const uint32_t bytes = reply.bytes; // once: the other process may change it
    throw Refused(std::string(reply.text, std::min(bytes, kReplyBytes)));
}

} // namespace aclimb
