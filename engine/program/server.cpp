// SPDX-License-Identifier: Apache-2.0
#include "program/server.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "check/launch_check.h"
#include "core/fused_rules.h"
#include "core/futex.h"
#include "core/worker.h"
#include "host/pool.h"
#include "isolation/wire.h"

namespace aclimb {
namespace {

// One thread stays awake for the next command of a program that launches one kernel after another.
constexpr uint64_t kStayAwakeNs = 60000;
constexpr auto kTick = std::chrono::milliseconds(5);
constexpr uint64_t kSpareBytes = 64 << 20;
constexpr uint64_t kWorthALookNs = 50000; // to fill memory takes longer, and to look would cost a short launch too much
Server* the_server = nullptr;

} // namespace

Server::Server(Ring& ring) : ring_(ring), memory_(kMemoryFd, ring.setup.base, ring.setup.reserved) { the_server = this; }

std::shared_ptr<Image> Server::image(uint64_t id) {
    const auto it = the_server->images_.find(id);
    return it == the_server->images_.end() ? nullptr : it->second;
}

int Server::takers() const { return std::max(2, ring_.setup.threads); }

void Server::start_threads() {
    for (int i = 0; i < takers(); i++) std::thread([this] { serve(); }).detach();
    std::thread([this] { tick(); }).detach();
    while (started_ < takers() + 1) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

// --- launches

void Server::serve() {
    enter_worker();
    auto* launch = new Launch;
    started_++;
    for (;;) {
        const uint32_t seen = ring_.doorbell;
        if (take_one(*launch)) continue;
        if (!somebody_awake_.exchange(true)) {
            const uint64_t until = now_ns() + kStayAwakeNs;
            while (ring_.doorbell == seen && now_ns() < until)
                for (int i = 0; i < 8; i++) relax();
            somebody_awake_ = false;
        }
        if (ring_.doorbell != seen) continue;
        ring_.sleepers++;
        if (ring_.doorbell == seen) shared_wait(ring_.doorbell, seen, 0);
        ring_.sleepers--;
    }
}

bool Server::take_one(Launch& launch) {
    for (Exchange& each : ring_.exchanges) {
        uint32_t expected = Exchange::command;
        if (each.state != expected || !each.state.compare_exchange_strong(expected, Exchange::taken)) continue;
        run(each, launch);
        return true;
    }
    return false;
}

void Server::run(Exchange& exchange, Launch& launch) {
    apply_changes();
    Command command;
    memcpy(&command, exchange.data, sizeof command);
    launch.kernel = kernel(command.kernel);
    launch.num_blocks = static_cast<int64_t>(command.num_blocks);
    launch.tiling_key = command.tiling_key;
    launch.system_workspace = reinterpret_cast<uint8_t*>(command.system_workspace);
    launch.limit_ns = command.limit_ns;
    set_time_limit(static_cast<double>(command.limit_of_all_ns) / 1e9);
    launch.args_bytes = command.args_bytes;
    launch.args.assign((std::max(command.args_bytes, launch.kernel->args_bytes) + 15) / 8, 0);
    memcpy(launch.args.data(), exchange.data + sizeof command, command.args_bytes);
    launch.lax = command.lax;
    launch.chip = &ring_.setup.chip;
    launch.memory = &memory_;
    launch.bound_at = command.bound_at;
    launch.one_worker = command.one_worker;
    launch.prepare();
    Watch watched;
    if (command.watch) watch(launch, command.watch, watched);
    if (launch.kernel->plan) launch.observers.insert(launch.observers.begin(), fused_rules());
    Launch*& active = active_[&exchange - ring_.exchanges];
    {
        std::lock_guard lock(active_mutex_);
        active = &launch;
    }
    Pool::instance().run(launch);
    {
        std::lock_guard lock(active_mutex_);
        active = nullptr;
    }
    for (const auto& each : launch.observers)
        if (auto* check = dynamic_cast<check::LaunchCheck*>(each.get())) check->ended(launch); // the others are asked on the host
    if (now_ns() - launch.started_ns > kWorthALookNs && !has_memory_left()) {
        ring_.words.cause = Words::memory;
        _exit(kEndStatus);
    }
    answer(exchange, launch);
    launch.take_notes(); // and remembers what was said
    for (auto& text : launch.output) text.clear();
    launch.forget_observers();
    launch.kernel.reset();
}

// A kernel that mapped all it could get is told of, and the next one has what it needs.
bool Server::has_memory_left() const {
    const uint64_t some = std::min(kSpareBytes, ring_.setup.memory_limit / 16);
    void* at = mmap(nullptr, some, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return false;
    munmap(at, some);
    return true;
}

void Server::answer(Exchange& exchange, const Launch& launch) {
    Writer writer;
    put_result(writer, launch);
    size_t done = 0;
    for (;;) {
        const size_t count = std::min(writer.bytes.size() - done, size_t{kExchangeBytes});
        memcpy(exchange.data, writer.bytes.data() + done, count);
        done += count;
        exchange.bytes = static_cast<uint32_t>(count);
        const bool last = done == writer.bytes.size();
        exchange.state = last ? Exchange::answer : Exchange::part;
        if (exchange.sleeping) shared_wake(exchange.state);
        if (last) return;
        while (exchange.state == Exchange::part) shared_wait(exchange.state, Exchange::part, 1000000);
    }
}

void Server::apply_changes() {
    std::lock_guard lock(changing_);
    const uint64_t written = ring_.changes_written;
    while (applied_ != written) {
        memory_.apply(ring_.changes[applied_ % kChanges]);
        ring_.changes_applied = ++applied_;
    }
}

// What the host wants while kernels run: memory that was freed is gone for them too, and a launch that was cancelled ends.
void Server::tick() {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSYS);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    started_++;
    for (;;) {
        std::this_thread::sleep_for(kTick);
        apply_changes();
        std::lock_guard lock(active_mutex_);
        for (uint32_t i = 0; i < kExchanges; i++)
            if (active_[i] && ring_.exchanges[i].cancel) interrupt_launch(*active_[i]);
    }
}

// --- definitions

void Server::watch(Launch& launch, uint64_t id, Watch& to) {
    std::vector<uint8_t> bytes;
    {
        std::lock_guard lock(kernels_mutex_);
        const auto found = watches_.find(id);
        if (found == watches_.end()) return;
        bytes = std::move(found->second);
        watches_.erase(found);
    }
    Reader reader(bytes.data(), bytes.size());
    get_watch(reader, launch, to, ring_.setup.memory_limit / 4);
}

std::shared_ptr<Kernel> Server::kernel(uint64_t id) {
    std::lock_guard lock(kernels_mutex_);
    return kernels_.at(id);
}

void Server::reply(uint32_t number, const char* failure) {
    Reply& reply = ring_.reply;
    const size_t bytes = failure ? std::min(strlen(failure), size_t{kReplyBytes}) : 0;
    if (failure) memcpy(reply.text, failure, bytes);
    reply.bytes = static_cast<uint32_t>(bytes);
    reply.failed = failure != nullptr;
    reply.number = number;
    shared_wake(reply.number);
}

void Server::define(const Definition& definition, int fd) {
    if (definition.kind == Definition::forget_image) {
        images_.erase(definition.id);
    } else if (definition.kind == Definition::forget_kernel) {
        std::lock_guard lock(kernels_mutex_);
        kernels_.erase(definition.id);
    } else if (definition.kind == Definition::image) {
        auto image = std::make_shared<Image>(fd, definition.bytes);
        image->construct();
        images_[definition.id] = std::move(image);
    } else {
        void* view = mmap(nullptr, definition.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (view == MAP_FAILED) throw std::runtime_error("there is no memory for the kernel");
        const auto* bytes = static_cast<const uint8_t*>(view);
        Reader reader(bytes, definition.bytes);
        std::vector<uint8_t> watch;
        std::shared_ptr<Kernel> kernel;
        if (definition.kind == Definition::watch) watch.assign(bytes, bytes + definition.bytes);
        else kernel = get_kernel(reader, &Server::image);
        munmap(view, definition.bytes);
        close(fd);
        if (reader.bad) throw std::runtime_error("the kernel's description is cut off");
        std::lock_guard lock(kernels_mutex_);
        if (kernel) kernels_[definition.id] = std::move(kernel);
        else watches_[definition.id] = std::move(watch);
    }
}

void Server::control() {
    for (;;) {
        Definition definition{};
        iovec piece{&definition, sizeof definition};
        alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))];
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = room;
        message.msg_controllen = sizeof room;
        const ssize_t count = recvmsg(kControlFd, &message, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof definition) _exit(kEndStatus); // the host is gone
        int fd = -1;
        if (const cmsghdr* header = CMSG_FIRSTHDR(&message)) memcpy(&fd, CMSG_DATA(header), sizeof fd);
        try {
            define(definition, fd);
            reply(definition.number, nullptr);
        } catch (const std::exception& error) {
            reply(definition.number, error.what());
        }
    }
}

} // namespace aclimb
