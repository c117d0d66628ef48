// SPDX-License-Identifier: Apache-2.0
// One recorded instruction, and what the model makes of it: 64 bytes together.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "timing/parameters.h"

namespace aclimb::timing {

enum class EntryKind : uint8_t {
    control,  // costs the scalar unit its issue and nothing else
    vector,   // a: repeats, b: bank factor in 1/16, c: lanes that compute
    move,     // GM <-> core: a rows of b bytes, `stride` apart, from `addr`; c: bytes of the local side
    local,    // inside a core: a bytes; b: times as slow as its path in 1/16, 0 for once
    mmad,     // a: steps of 16 x 16 x b, c: multiply-adds / 256, stride: CubeType
    set_flag, // a: source << 8 | destination << 4 | id
    wait_flag,
    barrier,    // of one pipe, or of all (pipe ALL)
    cross_set,  // a: mode << 8 | id
    cross_wait, // a: id
    meet,       // soft SyncAll: it signals a round and waits for it. addr: where, a: how many signal, b: the round
    arrive,     // signals a round: addr, b
    wait_round, // addr, a, b
    exchange,   // IBSet, IBWait: it takes from one box (addr; a 0: from none) and puts into another (stride)
    scalar_ub,
    scalar_gm, // a bytes at addr, of which a line of the data cache is one entry
    post,      // into a box: addr; a: 1 + the AIV it is for, 0 for the AIC
    take,      // out of one: addr; a: 1 + the AIV it is from, 0 for the AIC
    scalars,   // a: operations of the scalar unit since the entry before, more than TapeEntry::scalars can say; op: Op::count
    drop_line, // of the data cache: addr; a 1: all of them
    sub_kernel // a: number of the sub-kernel of a fused kernel that begins (b 0) or returns (b 1) here
};

// TapeEntry::info
constexpr uint64_t kScalarLine = 64; // bytes of the scalar unit's data cache
constexpr uint8_t kWrites = 1;       // move, scalar_gm: towards GM
constexpr uint8_t kBypass = 2;       // move: without a place in the L2
constexpr uint8_t kNd2Nz = 4;        // move: row by row
constexpr uint8_t kFix = 8;          // move, local: through the fixpipe
constexpr uint8_t kWide = 1;         // vector: elements of 4 bytes and more
constexpr uint8_t kCounted = 2;      // vector: counter mode, or a masked tail
constexpr uint8_t kDependent = 4;    // vector: touches what an instruction before it wrote, with no barrier between
constexpr uint8_t kCastWidth = 8;    // vector: Cast between widths
constexpr uint8_t kInteger = 16;     // vector, mmad: integer arithmetic
constexpr uint8_t kSyncAll = 1;      // cross flags: part of SyncAll
constexpr uint8_t kReadsClock = 1;   // control: GetSystemCycle
constexpr uint8_t kByMatmul = 32;    // mmad, move to L1: by a Matmul object, whose own code takes time
constexpr uint8_t kUnitFlag = 128;   // fixpipe: ordered behind Mmad by the unit flag

enum class CubeType : uint8_t { i4, i8, f16, f32, hf32 };

// Which way a move or a local copy goes; names of msopprof's columns.
enum class Path : uint8_t { none, gm_ub, ub_gm, gm_l1, l1_gm, l0c_gm, l0c_l1, l1_l0a, l1_l0b, l1_bt, ub_ub, gm_l0, count };

struct TapeEntry {
    uint64_t addr = 0;
    int64_t stride = 0;
    uint32_t site = 0; // image number << 24 | offset of the return address in it; 0: none
    uint32_t a = 0, b = 0, c = 0;
    uint8_t op = 0;
    Pipe pipe = Pipe::S;
    EntryKind kind = EntryKind::control;
    uint8_t info = 0;
    Path path = Path::none;
    uint8_t reserved = 0;
    uint16_t scalars = 0; // operations of the scalar unit between the entry before and this one, where they are counted
};
static_assert(sizeof(TapeEntry) == 40);

struct Result {
    Time start = -1;                        // -1: never ran (the recording was cut)
    uint32_t free = 0, done = 0, waits = 0; // ps after start; waits: part of `done` spent on memory
    uint32_t link = ~0u;                    // wait_flag: position of its SetFlag in the same core
};
static_assert(sizeof(Result) == 24);

// The entries of one core in the order its scalar unit issued them.
class Tape {
  public:
    static constexpr uint32_t kChunk = 128;

    TapeEntry& add() {
        if (size_ % kChunk == 0) chunks_.push_back(std::make_unique<TapeEntry[]>(kChunk));
        const uint32_t at = size_++;
        return chunks_[at / kChunk][at % kChunk];
    }
    const TapeEntry& operator[](uint32_t at) const { return chunks_[at / kChunk][at % kChunk]; }
    uint32_t size() const { return size_; }
    void clear() {
        chunks_.clear();
        size_ = 0;
    }

  private:
    std::vector<std::unique_ptr<TapeEntry[]>> chunks_;
    uint32_t size_ = 0;
};

} // namespace aclimb::timing
