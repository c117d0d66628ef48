// SPDX-License-Identifier: Apache-2.0
#include "host/provoke.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace aclimb {
namespace {

constexpr uint64_t kChunk = 64 << 10, kBlock = 32;
const uint8_t kZeros[kChunk] = {};

const uint8_t* at(uint64_t addr) { return reinterpret_cast<const uint8_t*>(addr); }

const uint8_t* content(const std::unique_ptr<uint8_t[]>& chunk) { return chunk ? chunk.get() : kZeros; }

// The stretch that begins with the first difference; holes of a block are part of it.
void widen(const uint8_t* now, const uint8_t* then, uint64_t size, uint64_t from, uint64_t& last) {
    for (uint64_t i = from; i < size && i <= last + kBlock; i++)
        if (now[i] != then[i]) last = i;
}

} // namespace

// --- memory

MemoryImage::MemoryImage(const std::vector<Allocation>& allocations) {
    for (const Allocation& each : allocations) {
        Piece& piece = pieces_.emplace_back(Piece{each.addr, each.size, each.asked, {}});
        for (uint64_t from = 0; from < each.size; from += kChunk) {
            const uint64_t bytes = std::min(kChunk, each.size - from);
            auto& chunk = piece.chunks.emplace_back();
            if (memcmp(at(each.addr + from), kZeros, bytes) == 0) continue;
            chunk.reset(new uint8_t[bytes]);
            memcpy(chunk.get(), at(each.addr + from), bytes);
        }
    }
}

void MemoryImage::put_back() const {
    for (const Piece& piece : pieces_)
        for (size_t i = 0; i < piece.chunks.size(); i++) {
            const uint64_t from = i * kChunk, bytes = std::min(kChunk, piece.size - from);
            void* const to = reinterpret_cast<void*>(piece.addr + from);
            if (memcmp(to, content(piece.chunks[i]), bytes) != 0) memcpy(to, content(piece.chunks[i]), bytes); // untouched pages stay so
        }
}

std::optional<MemoryImage::Difference> MemoryImage::first_difference() const {
    for (const Piece& piece : pieces_) {
        std::optional<uint64_t> first;
        uint64_t last = 0;
        for (size_t i = 0; i < piece.chunks.size(); i++) {
            const uint64_t from = i * kChunk, bytes = std::min(kChunk, piece.asked > from ? piece.asked - from : 0);
            const uint8_t *now = at(piece.addr + from), *then = content(piece.chunks[i]);
            if (first && last + kBlock < from) break;
            uint64_t start = 0;
            if (!first) {
                if (memcmp(now, then, bytes) == 0) continue;
                while (now[start] == then[start]) start++;
                first = last = from + start;
            }
            uint64_t inside = last < from ? 0 : last - from;
            if (last < from) { // a stretch that reaches over from the chunk before
                const auto met = std::mismatch(now, now + std::min(bytes, last + kBlock + 1 - from), then).first;
                if (met == now + std::min(bytes, last + kBlock + 1 - from)) break;
                inside = static_cast<uint64_t>(met - now);
            }
            widen(now, then, bytes, inside, inside);
            last = from + inside;
        }
        if (first) {
            const uint64_t begin = *first / kBlock * kBlock, end = std::min((last / kBlock + 1) * kBlock, piece.asked);
            return Difference{piece.addr, piece.addr + begin, piece.addr + end};
        }
    }
    return {};
}

// --- one launch

Provoked::Provoked(Launch& of, GlobalMemory& memory, RunCores run)
    : launch(of), memory_(memory), run_cores_(std::move(run)), one_worker_(of.one_worker) {
    launch.one_worker = true; // the same run each time, also of cores that race
}

Provoked::~Provoked() {
    if (wanted_ && !interrupted) {
        launch.prepare();
        wanted_->put_back();
        launch.output = std::move(kept_.output);
        launch.notes = std::move(kept_.notes);
    }
    launch.one_worker = one_worker_;
    for (const Allocation& each : pinned_) memory_.unpin(each.addr);
}

void Provoked::run_plainly() {
    run_cores_();
    while (!launch.has_ended()) { // an observer wants it once more
        launch.prepare();
        run_cores_();
    }
    interrupted |= launch.fault && launch.fault->kind == "interrupted";
}

void Provoked::again(const MemoryImage& before) {
    before.put_back();
    launch.prepare();
    for (auto& text : launch.output) text.clear();
}

Provoked::Begun Provoked::begin() {
    pinned_ = memory_.pin_all();
    const MemoryImage& before = before_.emplace(pinned_);
    run_plainly();
    if (launch.fault) return Begun::failed; // the program hears of it
    const MemoryImage& wanted = wanted_.emplace(pinned_);
    kept_ = {launch.output, launch.notes};
    again(before);
    run_plainly();
    return launch.fault || wanted.first_difference() ? Begun::changes : Begun::ready;
}

Provoked::Outcome Provoked::run(const std::shared_ptr<Schedule>& schedule) {
    if (!before_ || !wanted_) throw std::logic_error("a launch runs under schedules only after it has begun");
    const MemoryImage &before = *before_, &wanted = *wanted_;
    again(before);
    launch.follow(schedule);
    run_plainly();
    launch.observers.pop_back();
    launch.schedule = nullptr;
    if (launch.fault) return {{}, launch.fault};
    return {wanted.first_difference(), {}};
}

// --- all of them

std::atomic<int> ProvokeSession::open_{0};

std::unique_lock<std::recursive_mutex> ProvokeSession::quiet() {
    static auto& mutex = *new std::recursive_mutex; // outlives the threads
    if (!any()) return {};
    if (!mutex.try_lock()) wait(mutex);
    return std::unique_lock(mutex, std::adopt_lock);
}

bool ProvokeSession::runs(Launch& launch, GlobalMemory& memory, const std::function<void()>& run_cores) {
    const size_t own = launch.kernel->plan ? 1 : 0; // the rules of a fused kernel
    if (launch.with_ranks() || launch.schedule || launch.observers.size() > own) {
        passed_over++;
        return false;
    }
    const auto quiet = ProvokeSession::quiet(); // until what the plain run left lies there again, too
    Provoked provoked(launch, memory, run_cores);
    call_(provoked);
    return true;
}

void ProvokeSession::open() { open_++; }

void ProvokeSession::close(const std::shared_ptr<ProvokeSession>& session) {
    QueueObserver::close(session);
    open_--;
}

} // namespace aclimb
