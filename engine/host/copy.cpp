// SPDX-License-Identifier: Apache-2.0
#include "host/copy.h"

#include "host/provoke.h"
#include "memory/global.h"
#include "memory/guarded.h"

namespace aclimb {
namespace {

class Held {
  public:
    Held(uint64_t addr, uint64_t size, const std::shared_ptr<HostBlock>& kept) : memory_(GlobalMemory::owner(addr)), addr_(addr) {
        if (memory_ && !memory_->pin(addr, size)) {
            memory_ = nullptr;
            refused = true;
        } else if (!memory_ && !kept && HostMemory::instance().ours(addr)) {
            block_ = HostMemory::instance().find(addr, size);
            refused = !block_;
        }
    }
    ~Held() {
        if (memory_) memory_->unpin(addr_);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    bool refused = false;

  private:
    GlobalMemory* memory_;
    std::shared_ptr<HostBlock> block_;
    uint64_t addr_;
};

} // namespace

uint64_t MemoryCopy::span(uint64_t pitch) const {
    uint64_t before = 0, bytes = 0;
    if (!height) return 0;
    if (__builtin_mul_overflow(height - 1, pitch, &before) || __builtin_add_overflow(before, width, &bytes)) return ~uint64_t{0};
    return bytes;
}

Side MemoryCopy::run() {
    if (!width || !height) return Side::none;
    const auto quiet = ProvokeSession::quiet();
    Held to(dst, span(dst_pitch), keep[0]);
    if (to.refused) return Side::dst;
    if (fill) {
        for (uint64_t row = 0; row < height; row++)
            if (!fill_guarded(reinterpret_cast<void*>(dst + row * dst_pitch), static_cast<int>(src), width)) return Side::dst;
        return Side::none;
    }
    const uint64_t from_addr = staged.empty() ? src : reinterpret_cast<uint64_t>(staged.data());
    Held from(from_addr, span(src_pitch), keep[1]);
    if (from.refused) return Side::src;
    for (uint64_t row = 0; row < height; row++) {
        const uint64_t source = from_addr + row * src_pitch;
        if (copy_guarded(reinterpret_cast<void*>(dst + row * dst_pitch), reinterpret_cast<const void*>(source), width)) continue;
        return readable_bytes(source, width) < width ? Side::src : Side::dst;
    }
    return Side::none;
}

} // namespace aclimb
