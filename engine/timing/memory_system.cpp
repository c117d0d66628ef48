// SPDX-License-Identifier: Apache-2.0
#include "timing/memory_system.h"

#include <algorithm>

namespace aclimb::timing {

void MemorySystem::begin(Transfer& transfer, const TapeEntry& entry, uint32_t index, Time start) const {
    transfer = {};
    transfer.entry = &entry;
    transfer.index = index;
    transfer.start = transfer.drained = start;
    transfer.bytes = transfer.left = uint64_t{entry.a} * entry.b;
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

// While nobody asks, dirty lines are written back. A sampled block does not know what the others ask for.
Time MemorySystem::at_hbm(double bytes, Time now, Counters& counters) {
    if (hbm_free_ < now && p_.sharers == 1) {
        const auto line = static_cast<double>(Parameters::bytes_at(static_cast<double>(kLineBytes) * p_.hbm_write_cost, p_.hbm_gbs));
        const uint64_t lines = l2_.write_back(static_cast<uint64_t>(static_cast<double>(now - hbm_free_) / line));
        counters.hbm_write += lines * kLineBytes;
    }
    return at(hbm_free_, bytes, p_.hbm_gbs, now);
}

// Rows of an Nd2Nz go one by one: at least `nd2nz_row_min` each, and the time their lines take from HBM when the L2 does not hold them.
void MemorySystem::add_part(Piece& piece, const TapeEntry& entry, CoreType type, uint64_t bytes, const L2::Touched& before) const {
    const auto hit = static_cast<double>(piece.touched.hit - before.hit), miss = static_cast<double>(piece.touched.miss - before.miss);
    const auto brought = static_cast<double>(piece.touched.brought - before.brought);
    const Time streamed = entry.info & kWrites ? p_.bytes_by(static_cast<double>(bytes), rate(type, entry, true))
                                               : p_.bytes_by(hit, rate(type, entry, true)) + p_.bytes_by(miss, rate(type, entry, false));
    piece.asked += bytes;
    piece.streamed += streamed;
    piece.own += entry.info & kNd2Nz ? std::max(streamed, p_.cycles(p_.nd2nz_row_min) + p_.bytes_by(brought, p_.nd2nz_miss)) : streamed;
}

// Up to 4 KiB of it; pieces of a long row end where lines do, so that none is asked for twice.
MemorySystem::Piece MemorySystem::next_piece(Transfer& transfer, CoreType type, uint32_t core, Time now) {
    const TapeEntry& entry = *transfer.entry;
    const bool writes = entry.info & kWrites;
    const auto sector = static_cast<uint64_t>(p_.sector_bytes);
    const uint64_t most = writes ? static_cast<uint64_t>(p_.write_in_flight) : kPiece;
    Piece piece;
    while (piece.asked < most && transfer.row < entry.a) {
        const uint64_t at = entry.addr + static_cast<uint64_t>(entry.stride * transfer.row) + transfer.offset;
        const uint64_t room = most - piece.asked, aligned_end = (at + room) / kLineBytes * kLineBytes;
        uint64_t part = entry.b - transfer.offset;
        if (part > room && aligned_end <= at && piece.asked) break;
        if (part > room) part = aligned_end > at ? aligned_end - at : room;
        const L2::Touched before = piece.touched;
        if (writes) l2_.write(at, part, sector, entry.info & kBypass, piece.touched);
        else l2_.read(at, part, sector, entry.info & kBypass, piece.touched);
        l2_.meet(at, part, core, now, Parameters::ns(p_.same_line_ns), piece.touched);
        add_part(piece, entry, type, part, before);
        transfer.offset += static_cast<uint32_t>(part);
        if (transfer.offset == entry.b) {
            if (!writes && entry.info & kBypass && piece.touched.miss > before.miss) piece.rows++;
            transfer.offset = 0;
            transfer.row++;
        }
    }
    transfer.left -= piece.asked;
    return piece;
}

Time MemorySystem::serve(Transfer& transfer, CoreType type, uint32_t core, Time now, Counters& counters, bool& last) {
    const bool writes = transfer.entry->info & kWrites;
    const Piece piece = next_piece(transfer, type, core, now);
    const L2::Touched& touched = piece.touched;
    last = transfer.row == transfer.entry->a;
    // What several cores ask for at once is served anew for each, and more: at the HBM where it comes from there.
    const double again = p_.same_line * static_cast<double>(touched.shared);
    const bool misses = touched.miss && !writes;
    Time end = std::max(now + piece.own, at_l2(static_cast<double>(piece.asked) + (misses ? 0 : again), now));
    double brought = static_cast<double>(touched.brought) * (1 + transfer.overhead) + (misses ? again + piece.rows * p_.past_l2_row : 0);
    if (touched.written_back) { // who writes waits for the room, who reads does not
        const double gone = static_cast<double>(touched.written_back) * p_.hbm_write_cost;
        if (writes) brought += gone;
        else at_hbm(gone, now, counters);
    }
    if (brought > 0) end = std::max(end, at_hbm(brought, now, counters));
    end = std::max(end, hbm_free_); // one queue: a hit or a write does not overtake what was asked of the HBM before it
    if (transfer.left >= static_cast<uint64_t>(p_.write_buffer)) transfer.drained = end;
    transfer.own += piece.own;
    transfer.streamed += piece.streamed;
    transfer.missed |= misses;
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
    l2_.meet(addr & ~(kWord - 1), kWord, core, now, Parameters::ns(p_.same_line_ns), touched);
    const double again = p_.same_line * static_cast<double>(touched.shared);
    Time end = at_l2(static_cast<double>(kWord) + again, now);
    if (touched.miss) end = std::max(end, at_hbm(static_cast<double>(touched.brought), now, counters));
    counters.read_hit += touched.hit;
    counters.read_miss += touched.miss;
    counters.hbm_read += touched.brought;
    return end + Parameters::ns(touched.miss ? p_.gm_rd_lat_miss_ns : p_.gm_rd_lat_hit_ns);
}

} // namespace aclimb::timing
