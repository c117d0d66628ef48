// SPDX-License-Identifier: Apache-2.0
// A checker: it judges where it looks, in the device process, and sends its findings; which bytes of global memory hold a value travels
// there and back, since it is known over all launches of a check.
#include <algorithm>

#include "check/launch_check.h"
#include "core/plan.h"
#include "isolation/watch.h"
#include "isolation/wire_tape.h"

namespace aclimb {

using namespace check;

namespace {

constexpr uint32_t kMostFindings = 1 << 20, kMostOrder = 1 << 12, kMostBoxes = 1 << 24, kMostPieces = 1 << 20;

void put_side(Writer& to, const Side& side, const Images& images) {
    put_spot(to, side.spot, images);
    to.put(static_cast<int32_t>(side.operand));
    to.put(side.unit);
    to.put(side.block);
    to.put(side.core_idx);
    to.put(static_cast<uint32_t>(side.core_type));
    to.put(static_cast<uint32_t>(side.agent));
    to.put(static_cast<uint32_t>(side.way));
    to.put(side.count);
}

Side get_side(Reader& from, const Launch& launch, const Images& images) {
    Side side;
    side.spot = get_spot(from, launch, images);
    side.operand = from.get_between<int32_t>(0, 7);
    side.unit = from.get_between<int32_t>(-1, launch.units - 1);
    side.block = from.get_between<int64_t>(-1, launch.num_blocks - 1);
    side.core_idx = from.get_between<int64_t>(-1, int64_t{launch.units});
    side.core_type = from.get_enum<CoreType>(kNames<CoreType>.size());
    side.agent = from.get_enum<Agent>(kAgents);
    side.way = from.get_enum<Way>(kNames<Way>.size());
    side.count = from.get<uint32_t>();
    return side;
}

void put_finding(Writer& to, const Finding& finding, const Images& images) {
    to.put(static_cast<uint32_t>(finding.kind));
    put_side(to, finding.first, images);
    put_side(to, finding.second, images);
    to.put(finding.has_second);
    to.put(static_cast<uint32_t>(finding.memory));
    to.put(finding.in_register);
    for (const uint64_t each : {finding.begin, finding.end, finding.met, finding.blocks}) to.put(each);
    to.put(finding.number);
    to.put(static_cast<uint32_t>(finding.order.size()));
    for (const Standing& each : finding.order) {
        to.put(static_cast<uint32_t>(each.mark.kind));
        to.put(static_cast<uint32_t>(each.mark.src));
        to.put(static_cast<uint32_t>(each.mark.dst));
        to.put(each.mark.id);
        to.put(each.mark.mode);
        put_spot(to, each.spot, images);
        to.put(static_cast<uint32_t>(each.at));
    }
}

Standing get_standing(Reader& from, const Launch& launch, const Images& images) {
    Standing standing{};
    standing.mark.kind = from.get_enum<SyncMark::Kind>(kNames<SyncMark::Kind>.size());
    standing.mark.src = from.get_enum<Pipe>(kNames<Pipe>.size());
    standing.mark.dst = from.get_enum<Pipe>(kNames<Pipe>.size());
    standing.mark.id = from.get<uint8_t>();
    standing.mark.mode = from.get<uint8_t>();
    standing.spot = get_spot(from, launch, images);
    standing.at = from.get_enum<At>(kNames<At>.size());
    return standing;
}

Finding get_finding(Reader& from, const Launch& launch, const Images& images) {
    Finding finding;
    finding.kind = from.get_enum<FindingKind>(kNames<FindingKind>.size());
    finding.first = get_side(from, launch, images);
    finding.second = get_side(from, launch, images);
    finding.has_second = from.get<uint8_t>() != 0;
    finding.memory = from.get_enum<Memory>(kNames<Memory>.size());
    finding.in_register = from.get<uint8_t>() != 0;
    for (uint64_t* each : {&finding.begin, &finding.end, &finding.met, &finding.blocks}) *each = from.get<uint64_t>();
    finding.number = from.get<int64_t>();
    for (uint32_t i = from.get_count(kMostOrder); i > 0; i--) finding.order.push_back(get_standing(from, launch, images));
    return finding;
}

// --- which bytes hold a value: words of 64, equal ones together

void put_words(Writer& to, const std::vector<uint64_t>& words) {
    for (size_t i = 0; i < words.size();) {
        size_t end = i + 1;
        while (end < words.size() && words[end] == words[i]) end++;
        to.put(static_cast<uint32_t>(end - i));
        to.put(words[i]);
        i = end;
    }
}

std::vector<uint64_t> get_words(Reader& from, uint64_t bytes) {
    std::vector<uint64_t> words;
    const uint64_t all = (bytes + 63) / 64;
    while (words.size() < all && !from.bad) {
        const auto count = from.get<uint32_t>();
        const auto word = from.get<uint64_t>();
        if (!count || count > all - words.size()) from.bad = true;
        else words.insert(words.end(), count, word);
    }
    return words;
}

void put_values(Writer& to, const GlobalValues& values, uint64_t begin, uint64_t end) {
    const auto pieces = values.pieces(begin, end);
    to.put(static_cast<uint32_t>(pieces.size()));
    for (const auto& [addr, size, words] : pieces) {
        to.put(addr);
        to.put(size);
        put_words(to, words);
    }
}

// Those of the host's are as large as it says; what is not among them any more was freed meanwhile.
void get_values(Reader& from, GlobalValues& values, const GlobalMemory& memory, bool makes) {
    for (uint32_t i = from.get_count(kMostPieces); i > 0 && !from.bad; i--) {
        const auto addr = from.get<uint64_t>(), size = from.get<uint64_t>();
        if (addr < memory.begin() || addr >= memory.end() || size > memory.end() - addr) from.bad = true;
        const auto words = get_words(from, from.bad ? 0 : GlobalValues::with_rest(size));
        if (from.bad) return;
        if (makes) values.allocated(addr, size);
        values.wrote_words(addr, size, words);
    }
}

} // namespace

void put_start(Writer& to, const LaunchCheck& check, const Launch& launch) {
    to.put(check.options());
    put_values(to, *check.global(), launch.memory->begin(), launch.memory->end());
}

std::shared_ptr<LaunchCheck> get_check(Reader& from, Launch& launch, Watch& watch) {
    const auto options = from.get<Options>();
    watch.values.push_back(std::make_shared<GlobalValues>());
    get_values(from, *watch.values.back(), *launch.memory, true);
    return std::make_shared<LaunchCheck>(options, launch, watch.values.back().get());
}

void put_seen(Writer& to, const LaunchCheck& check, const Images& images) {
    const auto findings = check.findings.sorted();
    to.put(static_cast<uint32_t>(findings.size()));
    for (const Finding& each : findings) put_finding(to, each, images);
    to.put(static_cast<uint32_t>(check.doubts().size()));
    for (const Doubted& each : check.doubts()) {
        to.put(static_cast<uint32_t>(each.what));
        put_side(to, each.where, images);
    }
    to.put(static_cast<uint32_t>(check.steers().size()));
    for (const Side& each : check.steers()) put_side(to, each, images);
    const auto boxes = check.boxes();
    to.put(static_cast<uint32_t>(boxes.size()));
    for (const Box& each : boxes) {
        to.put(each.begin);
        to.put(each.end);
        to.put(each.writes);
    }
    if (check.tape()) put_tape(to, *check.tape(), images);
    to.put(check.is_off());
    put_values(to, *check.global(), 0, ~uint64_t{0});
}

void get_seen(Reader& from, LaunchCheck& check, const Launch& launch, const Images& images) {
    LaunchCheck::Seen seen;
    for (uint32_t i = from.get_count(kMostFindings); i > 0 && !from.bad; i--) seen.findings.push_back(get_finding(from, launch, images));
    for (uint32_t i = from.get_count(kMostFindings); i > 0 && !from.bad; i--) {
        const auto what = from.get_enum<Doubt>(kNames<Doubt>.size());
        seen.doubts.push_back({what, get_side(from, launch, images)});
    }
    for (uint32_t i = from.get_count(kMostFindings); i > 0 && !from.bad; i--) seen.steers.push_back(get_side(from, launch, images));
    for (uint32_t i = from.get_count(kMostBoxes); i > 0 && !from.bad; i--) {
        const auto begin = from.get<uint64_t>(), end = from.get<uint64_t>();
        if (begin >= end) from.bad = true;
        seen.boxes.push_back({begin, end, from.get<uint8_t>() != 0});
    }
    if (check.tape()) get_tape(from, seen.cores, launch, images);
    if (from.get<uint8_t>()) check.global()->wrote_everything();
    get_values(from, *check.global(), *launch.memory, false);
    if (!from.bad) check.adopt(std::move(seen));
}

} // namespace aclimb
