// SPDX-License-Identifier: Apache-2.0
// TQueBind and TQue: a queue of tensors between two pipes. Its buffers are slots of CoreView; the events that order the two pipes
// follow from the two positions. A queue whose memory this core does not have does nothing: the code is shared by both passes.
//
// Life of a buffer: free -> AllocTensor -> occupied -> EnQue -> enqueued -> DeQue -> dequeued -> FreeTensor -> free
#pragma once
#include "aclimb/tpipe.h"

namespace aclimb {

constexpr TPosition queue_source(TPosition position) {
    switch (position) {
    case TPosition::A2: return TPosition::A1;
    case TPosition::B2: return TPosition::B1;
    case TPosition::C2: return TPosition::C1;
    case TPosition::C2PIPE2GM: return TPosition::B1;
    case TPosition::CO1:
    case TPosition::CO2:
    case TPosition::VECOUT: return position;
    case TPosition::SPM: return TPosition::VECOUT;
    default: return TPosition::GM;
    }
}
constexpr TPosition queue_target(TPosition position) {
    switch (position) {
    case TPosition::CO1: return TPosition::CO2;
    case TPosition::CO2:
    case TPosition::VECOUT:
    case TPosition::SPM: return TPosition::GM;
    default: return position;
    }
}

} // namespace aclimb

namespace AscendC {

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0> class TQueBind {
    static constexpr aclimb::EventPair events = aclimb::events_between(src, dst);
    static constexpr TPosition position = dst == TPosition::GM || dst == TPosition::CO2 ? src : dst;
    static constexpr bool here = aclimb::has_memory(aclimb::memory_of(position));
    static constexpr aclimb::Pipe free_src = aclimb::source_of(events.free), free_dst = aclimb::target_of(events.free);
    static_assert(aclimb::memory_of(position) != aclimb::Memory::GM,
                  "aclimb: a queue needs a local memory; this position lies in global memory on Atlas A2 and A3");

  public:
    TQueBind() = default;

    template <typename T> ACLIMB_API LocalTensor<T> AllocTensor() {
        if constexpr (!here) {
            return LocalTensor<T>(position);
        } else {
            aclimb::CoreView* view = aclimb::core();
            if (__builtin_expect(!count_ || first_ + count_ > view->slot_count, 0))
                aclimb::misuse(aclimb::MisuseKind::buffer_not_initialised, "AllocTensor");
            for (int tried = 0; tried < count_; ++tried) {
                const uint32_t index = first_ + next_;
                next_ = next_ + 1 == count_ ? 0 : next_ + 1;
                if (view->slots[index].state != aclimb::SlotState::free) continue;
                return occupy<T>(index);
            }
            aclimb::misuse(aclimb::MisuseKind::queue_no_free_buffer, "AllocTensor", count_);
            return LocalTensor<T>(position);
        }
    }
    template <typename T> ACLIMB_API void AllocTensor(LocalTensor<T>& tensor) { tensor = AllocTensor<T>(); }

    template <typename T> ACLIMB_API bool EnQue(const LocalTensor<T>& tensor) {
        return push<aclimb::source_of(events.enque), aclimb::target_of(events.enque)>(tensor);
    }
    // The pair of positions says which pipes are ordered, when they are not the queue's own.
    template <TPosition srcUserPos, TPosition dstUserPos, typename T> ACLIMB_API bool EnQue(const LocalTensor<T>& tensor) {
        constexpr HardEvent event = user_event<srcUserPos, dstUserPos>();
        return push<aclimb::source_of(event), aclimb::target_of(event)>(tensor);
    }

    template <typename T> ACLIMB_API LocalTensor<T> DeQue() {
        return pop<T, aclimb::source_of(events.enque), aclimb::target_of(events.enque)>();
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T> ACLIMB_API LocalTensor<T> DeQue() {
        constexpr HardEvent event = user_event<srcUserPos, dstUserPos>();
        return pop<T, aclimb::source_of(event), aclimb::target_of(event)>();
    }
    template <typename T> ACLIMB_API void DeQue(LocalTensor<T>& tensor) {
        if constexpr (depth != 0) {
            tensor = DeQue<T>();
        } else if constexpr (here) {
            aclimb::Slot& slot = owned(tensor, "DeQue");
            aclimb::wait_flag(aclimb::source_of(events.enque), aclimb::target_of(events.enque), slot.enque_id);
            slot.state = aclimb::SlotState::dequeued;
        }
    }

    template <typename T> ACLIMB_API void FreeTensor(const LocalTensor<T>& tensor) {
        if constexpr (here) {
            aclimb::Slot& slot = owned(tensor, "FreeTensor");
            if constexpr (depth != 0) {
                slot.free_id = static_cast<int8_t>(aclimb::take_event(free_src, free_dst));
                slot.free_src = static_cast<uint8_t>(free_src);
                slot.free_dst = static_cast<uint8_t>(free_dst);
            }
            aclimb::set_flag(free_src, free_dst, slot.free_id);
            slot.generation = (slot.generation + 1) & 0xfff;
            slot.state = aclimb::SlotState::free;
        }
    }
    ACLIMB_API void FreeAllEvent() {
        if constexpr (here) aclimb::free_events_done(first_, count_);
    }

    ACLIMB_API bool HasTensorInQue() const { return length_ > 0; }
    ACLIMB_API bool VacantInQue() const { return length_ < depth; }
    ACLIMB_API int32_t GetTensorCountInQue() const { return length_; }
    ACLIMB_API bool HasIdleBuffer() const {
        for (int i = 0; i < count_; ++i)
            if (aclimb::core()->slots[first_ + i].state == aclimb::SlotState::free) return true;
        return false;
    }
    // The tag of the buffer that the next DeQue gives; kernels use it to mark what a tensor holds.
    template <typename T> ACLIMB_API void SetUserTag(LocalTensor<T>& tensor, TTagType tag) { tensor.tag = tag; }

    // Called by TPipe::InitBuffer and TBufPool::InitBuffer.
    ACLIMB_API void Attach(uint8_t num, uint32_t len, uint64_t fixed_addr) {
        count_ = 0;
        append(num, len, fixed_addr);
    }
    // Called by a pool of one's own (EXTERN_IMPL_BUFPOOL): first how many, then each with its address.
    ACLIMB_API void InitStartBufHandle(TBufHandle, uint8_t, uint32_t) {
        aclimb::position_fact<position>();
        count_ = 0;
    }
    template <typename Pool> ACLIMB_API void InitBufHandle(Pool* bufPool, uint32_t index, TBufHandle, uint32_t curPoolAddr, uint32_t len) {
        if constexpr (here) {
            aclimb::require_range("index of InitBufHandle", index, count_, count_);
            bufPool->aclimb_memory_.hand(curPoolAddr, len, [&] { append(1, len, curPoolAddr); });
        }
    }

  private:
    // Behind the buffers that the queue has: their slots follow each other.
    ACLIMB_API void append(uint8_t num, uint32_t len, uint64_t fixed_addr) {
        aclimb::position_fact<position>();
        if constexpr (here) {
            const uint8_t slot = aclimb::init_buffer(position, num, len, false, fixed_addr);
            if (!count_) first_ = slot;
            if (__builtin_expect(slot != first_ + count_, 0))
                aclimb::misuse(aclimb::MisuseKind::unsupported,
                               "InitBufHandle: the buffers of one queue are initialised one after the other; another buffer came between");
            count_ += num;
            next_ = head_ = length_ = 0;
            if constexpr (depth == 0) {
                for (int i = 0; i < num; ++i) reserve_events(aclimb::core()->slots[slot + i]);
            }
        }
    }
    template <typename T> ACLIMB_API LocalTensor<T> occupy(uint32_t index) {
        aclimb::Slot& slot = aclimb::core()->slots[index];
        slot.state = aclimb::SlotState::occupied;
        if constexpr (depth == 0) {
            aclimb::wait_flag(free_src, free_dst, slot.free_id);
        } else if (slot.free_id >= 0) {
            aclimb::wait_flag(free_src, free_dst, slot.free_id);
            aclimb::give_event(free_src, free_dst, slot.free_id);
            slot.free_id = -1;
        }
        return LocalTensor<T>(aclimb::place_of(slot, index), position);
    }

    // The slot of a tensor, which must be a live one of this queue.
    template <typename T> ACLIMB_API aclimb::Slot& owned(const LocalTensor<T>& tensor, const char* call) {
        const uint32_t index = tensor.place.slot;
        if (__builtin_expect(index < first_ || index >= static_cast<uint32_t>(first_) + count_, 0))
            aclimb::misuse(aclimb::MisuseKind::not_from_queue, call);
        aclimb::Slot& slot = aclimb::core()->slots[index];
        if (__builtin_expect(slot.state == aclimb::SlotState::free || slot.generation != tensor.place.generation, 0))
            aclimb::misuse(aclimb::MisuseKind::double_free, call);
        return slot;
    }

    template <aclimb::Pipe from, aclimb::Pipe to, typename T> ACLIMB_API bool push(const LocalTensor<T>& tensor) {
        if constexpr (here) {
            aclimb::Slot& slot = owned(tensor, "EnQue");
            if constexpr (depth != 0) {
                if (__builtin_expect(length_ >= depth, 0)) aclimb::misuse(aclimb::MisuseKind::queue_over_depth, "EnQue", depth);
                const int at = head_ + length_ >= depth ? head_ + length_ - depth : head_ + length_;
                ring_[at] = static_cast<uint8_t>(tensor.place.slot);
                tags_[at] = tensor.tag;
                ++length_;
                slot.enque_id = static_cast<int8_t>(aclimb::take_event(from, to));
            }
            slot.state = aclimb::SlotState::enqueued;
            aclimb::set_flag(from, to, slot.enque_id);
        }
        return true;
    }
    template <typename T, aclimb::Pipe from, aclimb::Pipe to> ACLIMB_API LocalTensor<T> pop() {
        static_assert(depth != 0, "aclimb: a queue of depth 0 works in place: use DeQue(tensor) instead of tensor = DeQue<T>()");
        if constexpr (!here) {
            return LocalTensor<T>(position);
        } else {
            if (__builtin_expect(!length_, 0)) aclimb::misuse(aclimb::MisuseKind::queue_empty, "DeQue");
            const uint32_t index = ring_[head_];
            const TTagType tag = tags_[head_];
            head_ = head_ + 1 == depth ? 0 : head_ + 1;
            --length_;
            aclimb::Slot& slot = aclimb::core()->slots[index];
            aclimb::wait_flag(from, to, slot.enque_id);
            aclimb::give_event(from, to, slot.enque_id);
            slot.enque_id = -1;
            slot.state = aclimb::SlotState::dequeued;
            LocalTensor<T> tensor(aclimb::place_of(slot, index), position);
            tensor.tag = tag;
            return tensor;
        }
    }

    // Depth 0: the ids stay with the buffer, and the flag "free" is set once to begin with.
    ACLIMB_API void reserve_events(aclimb::Slot& slot) {
        slot.reserved[0] = aclimb::kInPlace;
        slot.enque_id = static_cast<int8_t>(aclimb::take_event(aclimb::source_of(events.enque), aclimb::target_of(events.enque)));
        slot.free_id = static_cast<int8_t>(aclimb::take_event(free_src, free_dst));
        slot.free_src = static_cast<uint8_t>(free_src);
        slot.free_dst = static_cast<uint8_t>(free_dst);
        aclimb::set_flag(free_src, free_dst, slot.free_id);
    }

    template <TPosition from, TPosition to> static constexpr HardEvent user_event() {
        static_assert(aclimb::is_one_of_values<from, TPosition::GM, TPosition::VECIN, TPosition::VECOUT, TPosition::VECCALC> &&
                          aclimb::is_one_of_values<to, TPosition::GM, TPosition::VECIN, TPosition::VECOUT, TPosition::VECCALC> &&
                          !(from == TPosition::GM && to == TPosition::GM),
                      "aclimb: EnQue and DeQue with positions take GM, VECIN, VECOUT and VECCALC, and not GM twice");
        return aclimb::events_between(from, to).enque;
    }

    static constexpr int kRing = depth > 0 ? depth : 1;
    uint8_t first_ = aclimb::kNoBuffer, count_ = 0, next_ = 0;
    int32_t head_ = 0, length_ = 0;
    uint8_t ring_[kRing] = {};
    TTagType tags_[kRing] = {};
};

template <TPosition pos, int32_t depth, auto mask = 0> class TQue
    : public TQueBind<aclimb::queue_source(pos), aclimb::queue_target(pos), depth, mask> {};

template <TPosition pos, int32_t depth = 1, auto mask = 0> class TSCM : public TQueBind<pos, TPosition::TSCM, depth, mask> {};

} // namespace AscendC
