// SPDX-License-Identifier: Apache-2.0
// TBuf: one buffer without a queue, and TBufPool: a piece of memory that is divided by hand.
#pragma once
#include "aclimb/tque.h"

namespace AscendC {

template <TPosition pos = TPosition::LCM> class TBuf {
    static constexpr bool here = aclimb::has_memory(aclimb::memory_of(pos));

  public:
    TBuf() = default;

    template <typename T> ACLIMB_API LocalTensor<T> Get() const {
        if constexpr (!here) return LocalTensor<T>(pos);
        else return LocalTensor<T>(whole(), pos);
    }
    template <typename T> ACLIMB_API LocalTensor<T> Get(uint32_t len) const { return GetWithOffset<T>(len, 0); }
    template <typename T> ACLIMB_API LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset) const {
        if constexpr (!here) {
            return LocalTensor<T>(pos);
        } else {
            if (__builtin_expect(bufOffset & 31u, 0))
                aclimb::misuse(aclimb::MisuseKind::misaligned, "bufOffset of GetWithOffset", bufOffset, 32);
            aclimb::Place place = aclimb::moved(whole(), bufOffset);
            // As much as was asked for, rounded up to whole blocks: a copy or a vector call works on blocks.
            const uint64_t wanted = (aclimb::bytes_of<T>(size) + 31) & ~uint64_t{31};
            if (wanted < place.size) place.size = wanted;
            LocalTensor<T> tensor(place, pos);
            tensor.size = size;
            return tensor;
        }
    }
    // As on a queue, for code that takes either: a TBuf has one buffer and no events, so nothing is waited for, and nothing is given back.
    template <typename T> ACLIMB_API LocalTensor<T> AllocTensor() const { return Get<T>(); }
    template <typename T> ACLIMB_API void FreeTensor(const LocalTensor<T>&) const {}
    template <typename T> ACLIMB_API bool EnQue(const LocalTensor<T>&) const { return true; }
    template <typename T> ACLIMB_API LocalTensor<T> DeQue() const { return Get<T>(); }
    ACLIMB_API uint32_t GetBufLen() const { return here ? static_cast<uint32_t>(whole().size) : 0; }

    // Called by TPipe::InitBuffer and TBufPool::InitBuffer.
    ACLIMB_API void Attach(uint32_t len, uint64_t fixed_addr) {
        aclimb::position_fact<pos>();
        if constexpr (here) slot_ = aclimb::init_buffer(pos, 1, len, true, fixed_addr);
    }

  private:
    ACLIMB_API aclimb::Place whole() const {
        if (__builtin_expect(slot_ >= aclimb::core()->slot_count, 0))
            aclimb::misuse(aclimb::MisuseKind::buffer_not_initialised, "TBuf::Get");
        return aclimb::place_of(aclimb::core()->slots[slot_], slot_);
    }

    uint8_t slot_ = aclimb::kNoBuffer;
};

// A piece of one memory, taken from TPipe or laid over another pool. Two pools over the same bytes are the kernel's to keep apart.
template <TPosition pos, uint32_t bufIDSize = 4> class TBufPool {
    static constexpr bool here = aclimb::has_memory(aclimb::memory_of(pos));

  public:
    template <typename Queue> ACLIMB_API bool InitBuffer(Queue& que, uint8_t num, uint32_t len) {
        if constexpr (here) {
            que.Attach(num, len, take(num, len));
            slots_ += num;
        }
        return true;
    }
    template <TPosition bufPos> ACLIMB_API bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
        if constexpr (here) {
            buf.Attach(len, take(1, len));
            slots_ += 1;
        }
        return true;
    }
    template <uint32_t size> ACLIMB_API bool InitBufPool(TBufPool<pos, size>& pool, uint32_t len) {
        if constexpr (here) pool.Overlay(take(1, len), len);
        return true;
    }
    template <uint32_t size, typename Pool> ACLIMB_API bool InitBufPool(TBufPool<pos, size>& pool, uint32_t len, Pool& shared) {
        if constexpr (here) pool.Overlay(shared.Begin(), len);
        return true;
    }
    // Waits for the buffers that were freed, and starts again at the first byte.
    ACLIMB_API void Reset() {
        if constexpr (here) aclimb::free_events_done(first_slot_, slots_);
        next_ = begin_;
        slots_ = 0;
    }

    // Called by TPipe::InitBufPool.
    ACLIMB_API void Attach(uint32_t len) {
        aclimb::position_fact<pos>();
        if constexpr (here) {
            const uint8_t slot = aclimb::init_buffer(pos, 1, len, true);
            Overlay(aclimb::core()->slots[slot].addr, aclimb::core()->slots[slot].size);
        }
    }
    template <typename Pool> ACLIMB_API void Attach(uint32_t len, const Pool& shared) {
        if constexpr (here) Overlay(shared.Begin(), len);
    }
    ACLIMB_API void Overlay(uint64_t begin, uint64_t len) {
        begin_ = next_ = begin;
        end_ = begin + ((len + 31) & ~uint64_t{31});
        slots_ = 0;
    }
    ACLIMB_API uint64_t Begin() const { return begin_; }

  private:
    ACLIMB_API uint64_t take(uint32_t num, uint32_t len) {
        const uint64_t begin = next_, wanted = num * ((uint64_t{len} + 31) & ~uint64_t{31});
        aclimb::require_range("bytes asked of a TBufPool", static_cast<int64_t>(wanted), 0, static_cast<int64_t>(end_ - next_));
        if (!slots_) first_slot_ = aclimb::core()->slot_count;
        next_ += wanted;
        return begin;
    }

    uint64_t begin_ = 0, end_ = 0, next_ = 0;
    uint32_t first_slot_ = 0, slots_ = 0;
};

} // namespace AscendC
