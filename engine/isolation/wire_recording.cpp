// SPDX-License-Identifier: Apache-2.0
// A recording: the model runs on the host, over tapes that every entry of was looked at. A kernel can write any profile of itself; it
// cannot make the model read beyond its tables.
#include <algorithm>

#include "core/plan.h"
#include "isa/rows.h"
#include "isolation/watch.h"
#include "timing/record.h"

namespace aclimb {
namespace {

using timing::EntryKind;
using timing::Recording;
using timing::TapeEntry;

constexpr uint64_t kMostAnswers = 1 << 24;
constexpr uint32_t kMostMoved = 1 << 24, kMostRows = 1 << 20, kMostFactor = 1 << 16; // no instruction of any chip does as much

struct Limits {
    int32_t aivs, subs; // of a block; members of a fused kernel
};

bool is_flag(uint32_t code) { return code >> 12 == 0 && (code >> 8) < kPipes && (code >> 4 & 15) < kPipes; }

bool makes_sense(const TapeEntry& entry, const Limits& limits) {
    const int rows = kRowCount;
    if (entry.op > rows || static_cast<size_t>(entry.pipe) >= kNames<Pipe>.size() || entry.reserved) return false;
    if (static_cast<size_t>(entry.kind) >= kNames<EntryKind>.size() || entry.path >= timing::Path::count) return false;
    switch (entry.kind) {
    case EntryKind::vector: return entry.op < rows && entry.a <= kMostMoved && entry.b <= kMostFactor;
    case EntryKind::move:
        return entry.a <= kMostRows && entry.b <= kMostMoved && (entry.b || !entry.a) && uint64_t{entry.a} * entry.b <= kMostMoved;
    case EntryKind::local: return entry.a <= kMostMoved && entry.b <= kMostFactor;
    case EntryKind::mmad:
        return entry.a <= kMostMoved && entry.b <= kMostFactor && static_cast<uint64_t>(entry.stride) < kNames<timing::CubeType>.size();
    case EntryKind::set_flag:
    case EntryKind::wait_flag: return is_flag(entry.a);
    case EntryKind::cross_set: return (entry.a >> 8) < 3 && (entry.a & 255) < kCrossFlags;
    case EntryKind::cross_wait: return entry.a < kCrossFlags;
    case EntryKind::post:
    case EntryKind::take: return entry.a <= static_cast<uint32_t>(limits.aivs);
    case EntryKind::scalar_gm: return entry.a <= kMostMoved;
    case EntryKind::sub_kernel: return entry.a < static_cast<uint32_t>(limits.subs);
    default: return true;
    }
}

void put_tape(Writer& to, const timing::Tape& tape) {
    to.put(tape.size());
    for (uint32_t i = 0; i < tape.size(); i++) to.put(tape[i]);
}

} // namespace

void put_start(Writer& to, const Recording& recording) {
    to.put(recording.timing_only);
    to.put(recording.sampled);
    const uint64_t used = recording.budget->used;
    to.put(recording.budget->limit - std::min(used, recording.budget->limit));
    to.put(static_cast<uint32_t>(recording.clock.state));
    to.put(static_cast<uint32_t>(recording.clock.answers.size()));
    for (const auto& answers : recording.clock.answers) {
        to.put(static_cast<uint32_t>(answers.size()));
        to.put_bytes(answers.data(), answers.size() * sizeof(uint64_t));
    }
}

std::shared_ptr<Recording> get_recording(Reader& from, const Launch& launch, uint64_t most_bytes) {
    auto recording = std::make_shared<Recording>();
    recording->timing_only = from.get<bool>();
    recording->sampled = from.get<bool>();
    recording->budget = std::make_shared<timing::Budget>(std::min(from.get<uint64_t>(), most_bytes));
    recording->clock.state = from.get_enum<timing::Clock::State>(kNames<timing::Clock::State>.size());
    recording->clock.answers.resize(from.get_count(kMostAnswers));
    for (auto& answers : recording->clock.answers) {
        answers.resize(from.get_count(kMostAnswers));
        for (uint64_t& each : answers) each = from.get<uint64_t>();
    }
    recording->prepare(launch.kernel->type, recording->sampled ? 1 : launch.num_blocks);
    return recording;
}

void put_seen(Writer& to, const Recording& recording, const Images& images) {
    to.put(recording.cut.load());
    to.put(recording.steers.load());
    uint64_t entries = 0;
    for (const timing::Tape& tape : recording.work.tapes) entries += tape.size();
    to.bytes.reserve(to.bytes.size() + entries * sizeof(TapeEntry) + (1 << 16));
    for (size_t unit = 0; unit < recording.work.tapes.size(); unit++) {
        to.put(recording.clock.asked[unit]);
        put_tape(to, recording.work.tapes[unit]);
    }
    to.put(static_cast<uint32_t>(recording.images.size()));
    for (const auto& [key, image] : recording.images) {
        to.put(key.first);
        to.put(key.second);
        to.put(static_cast<uint32_t>(std::find(images.begin(), images.end(), image) - images.begin()));
    }
}

void get_seen(Reader& from, Recording& recording, const Launch& launch, const Images& images) {
    const auto subs = static_cast<int32_t>(members_of(launch));
    const Limits limits{aivs_per_block(launch.kernel->type), subs};
    recording.cut = from.get<uint8_t>() != 0;
    recording.steers = from.get<uint8_t>() != 0;
    for (size_t unit = 0; unit < recording.work.tapes.size() && !from.bad; unit++) {
        timing::Tape& tape = recording.work.tapes[unit];
        tape.clear();
        recording.clock.asked[unit] = from.get<uint32_t>();
        const uint64_t count = from.get<uint32_t>();
        if (count * sizeof(TapeEntry) > from.left()) from.bad = true;
        for (uint64_t i = 0; i < count && !from.bad; i++) {
            const auto entry = from.get<TapeEntry>();
            if (makes_sense(entry, limits)) tape.add() = entry;
            else from.bad = true;
        }
    }
    recording.images.clear();
    for (uint32_t i = from.get_count(1 << 16); i > 0; i--) {
        const bool aic = from.get<uint8_t>() != 0;
        const auto number = from.get<uint32_t>(), index = from.get<uint32_t>();
        if (from.bad || index >= images.size()) from.bad = true;
        else recording.images[{aic, number}] = images[index];
    }
    recording.budget->used += recording.bytes();
}

} // namespace aclimb
