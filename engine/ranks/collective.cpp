// SPDX-License-Identifier: Apache-2.0
#include "ranks/collective.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "isa/move/atomic.h"

namespace aclimb {
namespace {

using Block = std::vector<uint8_t>;

struct Type {
    const char* name;
    size_t bytes;
    Dtype sums; // none: data that is only moved
};
constexpr Type kTypes[] = {{"INT8", 1, Dtype::i8},     {"INT16", 2, Dtype::i16},   {"INT32", 4, Dtype::i32},   {"FP16", 2, Dtype::half},
                           {"FP32", 4, Dtype::f32},    {"INT64", 8, Dtype::none},  {"UINT64", 8, Dtype::none}, {"UINT8", 1, Dtype::none},
                           {"UINT16", 2, Dtype::none}, {"UINT32", 4, Dtype::none}, {"FP64", 8, Dtype::none},   {"BFP16", 2, Dtype::bf16},
                           {"INT128", 16, Dtype::none}};
constexpr AtomicOp kReductions[] = {AtomicOp::add, AtomicOp::none, AtomicOp::max, AtomicOp::min};

enum Lists { kSendCounts, kSendAt, kRecvCounts, kRecvAt };

uint64_t stride_of(const Collective& each) { return each.stride ? each.stride : each.count; }

Block taken(uint64_t addr, uint64_t bytes) {
    const auto* from = reinterpret_cast<const uint8_t*>(addr);
    return Block(from, from + bytes);
}

void put(uint64_t addr, const Block& block) {
    if (!block.empty()) memcpy(reinterpret_cast<void*>(addr), block.data(), block.size());
}

void accumulate(Block& sum, const Collective& task, uint64_t addr) {
    reduce(kReductions[task.reduce], kTypes[task.type].sums, sum.data(), reinterpret_cast<const uint8_t*>(addr), sum.size());
}

// What rank `to` gets of rank `from`: where it lies there and where it goes to, in elements from the buffers' starts.
struct Piece {
    uint64_t from, to, count;
};
Piece piece_of(const std::vector<const Collective*>& all, size_t from, size_t to, uint64_t round) {
    const Collective &sender = *all[from], &receiver = *all[to];
    const auto source = static_cast<int32_t>(from), target = static_cast<int32_t>(to);
    if (sender.kind == CollectiveKind::all_gather)
        return {round * sender.count, from * stride_of(receiver) + round * receiver.count, sender.count};
    if (sender.kind == CollectiveKind::all_to_all)
        return {to * stride_of(sender) + round * sender.count, from * stride_of(receiver) + round * receiver.count, sender.count};
    return {sender.list(kSendAt, target) + round * sender.list(kSendCounts, target),
            receiver.list(kRecvAt, source) + round * receiver.list(kRecvCounts, source), sender.list(kSendCounts, target)};
}

void exchange(const std::vector<const Collective*>& all, uint64_t round) {
    const size_t bytes = kTypes[all[0]->type].bytes;
    const bool same_for_all = all[0]->kind == CollectiveKind::all_gather;
    std::vector<std::vector<Block>> blocks(all.size());
    for (size_t from = 0; from < all.size(); from++)
        for (size_t to = 0; to < (same_for_all ? 1 : all.size()); to++) {
            const Piece piece = piece_of(all, from, to, round);
            blocks[from].push_back(taken(all[from]->send + piece.from * bytes, piece.count * bytes));
        }
    for (size_t to = 0; to < all.size(); to++)
        for (size_t from = 0; from < all.size(); from++)
            if (from != to || !all[to]->skips_own)
                put(all[to]->recv + piece_of(all, from, to, round).to * bytes, blocks[from][same_for_all ? 0 : to]);
}

void sum_up(const std::vector<const Collective*>& all, uint64_t round) {
    const Collective& first = *all[0];
    const size_t bytes = kTypes[first.type].bytes, length = first.count * bytes;
    const bool scatters = first.kind == CollectiveKind::reduce_scatter;
    const auto source = [&](const Collective& each, size_t to) {
        return each.send + ((scatters ? to * stride_of(each) : 0) + round * each.count) * bytes;
    };
    std::vector<Block> sums;
    for (size_t to = 0; to < (scatters ? all.size() : 1); to++) {
        sums.push_back(taken(source(first, to), length));
        for (size_t rank = 1; rank < all.size(); rank++) accumulate(sums.back(), first, source(*all[rank], to));
    }
    for (size_t to = 0; to < all.size(); to++) put(all[to]->recv + round * length, sums[scatters ? to : 0]);
}

} // namespace

size_t bytes_of_hccl_type(uint8_t type) { return type < std::size(kTypes) ? kTypes[type].bytes : 0; }

bool can_reduce(uint8_t type, uint8_t op) {
    return type < std::size(kTypes) && kTypes[type].sums != Dtype::none && op < std::size(kReductions) && kReductions[op] != AtomicOp::none;
}

std::string_view name_of(CollectiveKind kind) {
    constexpr std::string_view kNames[] = {"AllReduce", "AllGather", "ReduceScatter", "AlltoAll", "AlltoAllV"};
    return kNames[static_cast<int>(kind)];
}

bool reduces(CollectiveKind kind) { return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter; }

// `blocks`: one for each rank, or one in all.
HcclRows Collective::rows(uint64_t addr, bool blocks, int counts, int starts) const {
    const uint64_t bytes = bytes_of_hccl_type(type);
    if (kind != CollectiveKind::all_to_all_v)
        return {addr, count * bytes, static_cast<int64_t>(stride_of(*this) * bytes), blocks ? static_cast<uint32_t>(ranks) : 1, 0};
    uint64_t end = 0;
    for (int32_t i = 0; i < ranks; i++)
        if (list(counts, i)) end = std::max(end, list(starts, i) + list(counts, i) * static_cast<uint64_t>(repeat));
    return {addr, end * bytes, 0, 1, 0};
}

HcclRows Collective::send_rows() const {
    const bool blocks = kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::all_to_all;
    return rows(send, blocks, kSendCounts, kSendAt);
}

HcclRows Collective::recv_rows() const {
    const bool blocks = kind == CollectiveKind::all_gather || kind == CollectiveKind::all_to_all;
    return rows(recv, blocks, kRecvCounts, kRecvAt);
}

uint64_t Collective::step() const { return kind == CollectiveKind::all_to_all_v ? 0 : count * bytes_of_hccl_type(type); }

std::string Collective::words() const {
    const std::string name(name_of(kind));
    constexpr const char* kOps[] = {"sum", "product", "maximum", "minimum"};
    const std::string of = kind == CollectiveKind::all_to_all_v ? " of " : " of " + std::to_string(count) + " ";
    const std::string rounds = repeat == 1 ? "" : " in " + std::to_string(repeat) + " rounds";
    return name + of + kTypes[type].name + (reduces(kind) ? std::string(" (") + kOps[reduce] + ")" : "") + rounds;
}

std::string difference(const Collective& one, int32_t rank, const Collective& other, int32_t other_rank) {
    const std::string who = " on rank " + std::to_string(rank), whom = " on rank " + std::to_string(other_rank);
    if (one.kind != other.kind || one.count != other.count || one.type != other.type || one.repeat != other.repeat ||
        (reduces(one.kind) && one.reduce != other.reduce))
        return one.words() + who + ", and " + other.words() + whom;
    if (one.kind != CollectiveKind::all_to_all_v) return "";
    const auto amount = [](uint64_t count) { return std::to_string(count) + " elements"; };
    if (one.list(kSendCounts, other_rank) != other.list(kRecvCounts, rank))
        return "AlltoAllV:" + who.substr(3) + " sends " + amount(one.list(kSendCounts, other_rank)) + " to" + whom.substr(3) +
               ", which receives " + amount(other.list(kRecvCounts, rank));
    return "";
}

void move_round(const std::vector<const Collective*>& all, int32_t round) {
    if (reduces(all[0]->kind)) sum_up(all, static_cast<uint64_t>(round));
    else exchange(all, static_cast<uint64_t>(round));
}

} // namespace aclimb
