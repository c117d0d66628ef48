// SPDX-License-Identifier: Apache-2.0
#include "check/findings.h"

#include <tuple>

namespace aclimb::check {

uint32_t Spots::number(const Spot& spot) {
    uint32_t& recent = recent_[spot.pc / 2 % recent_.size()];
    if (recent && spots_[recent - 1] == spot) return recent - 1;
    const auto [from, to] = known_.equal_range(spot.pc);
    for (auto each = from; each != to; ++each)
        if (spots_[each->second] == spot) {
            recent = each->second + 1;
            return each->second;
        }
    const auto made = static_cast<uint32_t>(spots_.size());
    spots_.push_back(spot);
    known_.emplace(spot.pc, made);
    recent = made + 1;
    return made;
}

namespace {

uint64_t packed(const Side& side) {
    return static_cast<uint64_t>(static_cast<uint32_t>(side.spot.sub)) << 32 | static_cast<uint64_t>(side.agent) << 16 |
           static_cast<uint64_t>(side.way) << 8 | static_cast<uint64_t>(side.operand);
}

auto example_of(const Finding& finding) {
    return std::tuple(std::min(finding.first.block, finding.has_second ? finding.second.block : finding.first.block), finding.first.unit,
                      finding.second.unit, finding.begin, finding.first.count, finding.second.count);
}

} // namespace

// The same pair of places in whichever order the two were met.
Findings::Key Findings::key_of(const Finding& finding) {
    Key key{static_cast<uint64_t>(finding.kind) << 8 | static_cast<uint64_t>(finding.memory),
            finding.first.spot.pc,
            packed(finding.first),
            finding.second.spot.pc,
            packed(finding.second),
            finding.has_second ? 0u : static_cast<uint64_t>(finding.number)};
    if (std::pair(key[3], key[4]) < std::pair(key[1], key[2])) {
        std::swap(key[1], key[3]);
        std::swap(key[2], key[4]);
    }
    return key;
}

void Findings::adopt(std::vector<Finding> all) {
    std::lock_guard lock(mutex_);
    found_.clear();
    for (Finding& each : all) {
        const Key key = key_of(each);
        found_[key].finding = std::move(each);
    }
}

void Findings::add(Finding finding) {
    const Key key = key_of(finding);
    std::lock_guard lock(mutex_);
    if (each) each(finding);
    const auto [at, fresh] = found_.try_emplace(key);
    Kept& kept = at->second;
    kept.blocks.insert(finding.first.block);
    if (finding.has_second) kept.blocks.insert(finding.second.block);
    if (fresh) {
        kept.finding = std::move(finding);
    } else {
        const uint64_t met = kept.finding.met + finding.met;
        if (example_of(finding) < example_of(kept.finding)) kept.finding = std::move(finding);
        kept.finding.met = met;
    }
    kept.finding.blocks = kept.blocks.size();
}

std::vector<Finding> Findings::sorted() const {
    std::lock_guard lock(mutex_);
    std::vector<Finding> all;
    for (const auto& [key, kept] : found_) all.push_back(kept.finding);
    return all;
}

} // namespace aclimb::check
