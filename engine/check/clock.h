// SPDX-License-Identifier: Apache-2.0
// What is known to have ended. An agent is one thing that touches memory on its own time: a pipe of a core, or its data cache, which writes
// lines back when it likes. An agent's instructions are numbered from 1; knowing number n means knowing all before it, so one number for
// each agent is all there is to know.
//
// Other cores are heard of only through the scalar unit (flags between cores, barriers, messages), so all agents of a core share what is
// known of the others, up to the moment their instruction was issued: a World, made anew at each such moment and never changed.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace aclimb::check {

// As Pipe, and the data cache. The last three touch nothing: cached stores, and cleans of cached lines, that came before in the program,
// ended or not; and waits for other cores, which say that they were passed and nothing of the accesses before them.
enum class Agent : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX, D, stored, cleaned, waited };
constexpr int kAgents = 11;

struct Clock {
    static constexpr size_t kRoom = (kAgents + 3) / 4 * 4; // whole vectors: clocks are joined all the time
    std::array<uint32_t, kRoom> ended{};

    uint32_t& operator[](Agent agent) { return ended[static_cast<size_t>(agent)]; }
    uint32_t operator[](Agent agent) const { return ended[static_cast<size_t>(agent)]; }
    void join(const Clock& other) {
        for (size_t i = 0; i < kRoom; i++) ended[i] = std::max(ended[i], other.ended[i]);
    }
    bool operator==(const Clock&) const = default;
    uint64_t sum() const {
        uint64_t total = 0;
        for (uint32_t each : ended) total += each;
        return total;
    }
};

constexpr int kChunkUnits = 4;
using Chunk = std::array<Clock, kChunkUnits>;

struct World {
    uint64_t serial = 0;              // later ones of a core include the earlier
    std::vector<const Chunk*> chunks; // null: nothing is known of these cores

    const Clock* of(int32_t unit) const {
        const auto index = static_cast<size_t>(unit) / kChunkUnits;
        return index < chunks.size() && chunks[index] ? &(*chunks[index])[static_cast<size_t>(unit) % kChunkUnits] : nullptr;
    }
};

// When an agent's next instruction begins: what has ended by then.
struct Start {
    Clock own;                    // of the same core
    const World* world = nullptr; // of the others; null: nothing

    void join(const Start& other) { // of the same core
        own.join(other.own);
        if (other.world && (!world || other.world->serial > world->serial)) world = other.world;
    }
    bool knows(int32_t self, int32_t unit, Agent agent, uint32_t count) const {
        if (unit == self) return own[agent] >= count;
        const Clock* clock = world ? world->of(unit) : nullptr;
        return clock && (*clock)[agent] >= count;
    }
};

// All worlds of a launch. Called with the lock of whoever orders the cores.
class Worlds {
  public:
    class Sum { // of what several cores know
      public:
        explicit Sum(Worlds& worlds) : worlds_(worlds) {}
        void add(const World* world);
        void add(int32_t unit, const Clock& clock);
        void add(int32_t unit, const Start& start) {
            add(start.world);
            add(unit, start.own);
        }
        const World* finish();

      private:
        Chunk& own_chunk(size_t index);
        Worlds& worlds_;
        std::vector<const Chunk*> chunks_;
        std::vector<Chunk*> mine_; // those of chunks_ that may be changed
    };

    uint64_t bytes() const { return chunks_.size() * sizeof(Chunk) + worlds_.size() * sizeof(World) + pointers_ * sizeof(void*); }

  private:
    std::deque<Chunk> chunks_;
    std::deque<World> worlds_;
    uint64_t pointers_ = 0;
};

} // namespace aclimb::check
