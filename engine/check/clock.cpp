// SPDX-License-Identifier: Apache-2.0
#include "check/clock.h"

namespace aclimb::check {

Chunk& Worlds::Sum::own_chunk(size_t index) {
    if (chunks_.size() <= index) {
        chunks_.resize(index + 1);
        mine_.resize(index + 1);
    }
    if (!mine_[index]) {
        mine_[index] = &worlds_.chunks_.emplace_back();
        if (chunks_[index]) *mine_[index] = *chunks_[index];
        chunks_[index] = mine_[index];
    }
    return *mine_[index];
}

void Worlds::Sum::add(const World* world) {
    if (!world) return;
    if (chunks_.size() < world->chunks.size()) {
        chunks_.resize(world->chunks.size());
        mine_.resize(world->chunks.size());
    }
    for (size_t i = 0; i < world->chunks.size(); i++) {
        const Chunk* chunk = world->chunks[i];
        if (!chunk || chunk == chunks_[i]) continue;
        if (!chunks_[i]) {
            chunks_[i] = chunk;
            continue;
        }
        Chunk& mine = own_chunk(i);
        for (size_t unit = 0; unit < kChunkUnits; unit++) mine[unit].join((*chunk)[unit]);
    }
}

void Worlds::Sum::add(int32_t unit, const Clock& clock) {
    own_chunk(static_cast<size_t>(unit) / kChunkUnits)[static_cast<size_t>(unit) % kChunkUnits].join(clock);
}

const World* Worlds::Sum::finish() {
    World& world = worlds_.worlds_.emplace_back();
    world.serial = worlds_.worlds_.size();
    world.chunks = std::move(chunks_);
    worlds_.pointers_ += world.chunks.size();
    mine_.clear();
    return &world;
}

} // namespace aclimb::check
