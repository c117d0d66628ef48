// SPDX-License-Identifier: Apache-2.0
#include "timing/memory_system.h"

#include <algorithm>

namespace aclimb::timing {

void MemorySystem::begin(Transfer& transfer, const TapeEntry& entry, uint32_t index, Time start) const {
    transfer = {};
    transfer.entry = &entry;
    transfer.index = index;
    transfer.start = start;
    transfer.bytes = uint64_t{entry.a} * entry.b;
    transfer.overhead = std::min(p_.hbm_s0 / static_cast<double>(std::max<uint64_t>(1, transfer.bytes)), p_.hbm_s0_cap);
}

double MemorySystem::rate(CoreType type, const TapeEntry& entry, bool hit) const {
    if (entry.info & kFix) return p_.fix_gm;
    if (type == CoreType::AIC) return entry.info & kWrites ? p_.aic_wr : hit ? p_.aic_rd_hit : p_.aic_rd_miss;
    return entry.info & kWrites ? p_.aiv_wr : hit ? p_.aiv_rd_hit : p_.aiv_rd_miss;
}

// A sampled block has a share of the server: short bursts go at full speed, the average does not exceed the share.
Time MemorySystem::at(Time& server, double bytes, double gbs, Time now) const {
    constexpr Time kBurst = 2000000;
    const Time own = Parameters::bytes_at(bytes, gbs);
    if (p_.sharers == 1) return server = std::max(server, now) + own;
    server = std::max(server, now - kBurst) + own * p_.sharers;
    return std::max(server, now + own);
}

Time MemorySystem::serve(Transfer& transfer, CoreType type, uint32_t core, Time now, Counters& counters, bool& last) {
    const TapeEntry& entry = *transfer.entry;
    const bool writes = entry.info & kWrites;
    L2::Touched touched;
    uint64_t asked = 0;
    const uint64_t first = entry.addr + static_cast<uint64_t>(entry.stride * transfer.row) + transfer.offset;
    while (asked < kPiece && transfer.row < entry.a) {
        const uint64_t at = entry.addr + static_cast<uint64_t>(entry.stride * transfer.row) + transfer.offset;
        const uint64_t part = std::min<uint64_t>(kPiece - asked, entry.b - transfer.offset);
        if (writes) l2_.write(at, part, entry.info & kBypass, touched);
        else l2_.read(at, part, static_cast<uint64_t>(p_.sector_bytes), entry.info & kBypass, touched);
        asked += part;
        transfer.offset += static_cast<uint32_t>(part);
        if (transfer.offset == entry.b) {
            transfer.offset = 0;
            transfer.row++;
        }
    }
    last = transfer.row == entry.a;
    const auto hit = static_cast<double>(touched.hit), miss = static_cast<double>(touched.miss);
    const Time own = writes ? p_.bytes_by(static_cast<double>(asked), rate(type, entry, true))
                            : p_.bytes_by(hit, rate(type, entry, true)) + p_.bytes_by(miss, rate(type, entry, false));
    Time end = std::max(now + own, at_l2(static_cast<double>(asked), now));
    if (!writes && touched.hit) end = std::max(end, hbm_free_); // a hit does not overtake the misses queued before it
    if (!writes && touched.miss) end = std::max(end, at_hbm(static_cast<double>(touched.brought) * (1 + transfer.overhead), now));
    if (touched.written_back) { // who writes waits for the room, who reads does not
        const Time gone = at_hbm(static_cast<double>(touched.written_back), now);
        if (writes) end = std::max(end, gone);
    }
    end += l2_.queue(first, core, now, p_.cycles(p_.t_line));
    transfer.own += own;
    transfer.missed |= !writes && touched.miss;
    (writes ? counters.write_hit : counters.read_hit) += touched.hit;
    (writes ? counters.write_miss : counters.read_miss) += touched.miss;
    counters.hbm_read += touched.brought;
    counters.hbm_write += touched.written_back;
    return end;
}

Time MemorySystem::read_word(uint64_t addr, uint32_t core, Time now, Counters& counters) {
    constexpr uint64_t kWord = 128; // the smallest request
    L2::Touched touched;
    l2_.read(addr & ~(kWord - 1), kWord, static_cast<uint64_t>(p_.sector_bytes), false, touched);
    Time end = at_l2(static_cast<double>(kWord), now);
    if (touched.miss) end = std::max(end, at_hbm(static_cast<double>(touched.brought), now));
    end += l2_.queue(addr, core, now, p_.cycles(p_.t_line));
    counters.read_hit += touched.hit;
    counters.read_miss += touched.miss;
    counters.hbm_read += touched.brought;
    return end + Parameters::ns(touched.miss ? p_.gm_rd_lat_miss_ns : p_.gm_rd_lat_hit_ns);
}

} // namespace aclimb::timing
