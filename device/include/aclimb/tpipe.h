// SPDX-License-Identifier: Apache-2.0
// TPipe: buffers and event ids of a core. Its state is CoreView's, so that the engine can name a buffer in a message:
// slots (one for each buffer), the next free byte of each memory, and the event ids in use. TPipe itself has none.
//
// On hardware TPipe on an AIC also takes M_MTE1 events 0 to 2 for the matmul library. That library is not here, so it does not.
#pragma once
#include "aclimb/events.h"
#include "aclimb/system.h"

namespace aclimb {

constexpr uint8_t kNoBuffer = 255;
constexpr uint8_t kInPlace = 1; // Slot::reserved[0]: a queue of depth 0, whose event ids stay taken

ACLIMB_API void free_event_done(Slot& slot) {
    const auto src = static_cast<Pipe>(slot.free_src), dst = static_cast<Pipe>(slot.free_dst);
    if (slot.free_id < 0 || (slot.reserved[0] == kInPlace && slot.state != SlotState::free)) return;
    wait_flag(src, dst, slot.free_id);
    give_event(src, dst, slot.free_id);
    slot.free_id = -1;
}

// At the end of a queue's or a pipe's life; a loop that is better not inlined everywhere.
inline __attribute__((noinline)) void free_events_done(uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i) free_event_done(core()->slots[i]);
}

// Asks the engine for buffers; it checks the memory and says which slot is the first.
ACLIMB_SHARED uint8_t init_buffer(TPosition position, uint32_t count, uint32_t length, bool is_buf, uint64_t fixed_addr = ~uint64_t{}) {
    const void* where = core()->caller ? core()->caller : __builtin_return_address(0);
    if (__builtin_expect(!core()->tpipe, 0)) misuse_at(where, MisuseKind::no_pipe, "InitBuffer");
    InitBuffer record{};
    record.head.where = where;
    record.fixed_addr = fixed_addr;
    record.count = count;
    record.length = length;
    record.memory = static_cast<uint8_t>(memory_of(position));
    record.position = static_cast<uint8_t>(position);
    record.is_buf = is_buf;
    record.from_top = position == TPosition::TSCM;
    issue(record, Op::init_buffer, Pipe::S);
    for (uint32_t i = 0; i < count; ++i) core()->slots[record.first_slot + i].reserved[0] = 0;
    return record.first_slot;
}

// What a pipe finds.
ACLIMB_SHARED void clear_pipe(CoreView* view) {
    __builtin_memset(view->event_used, 0, sizeof view->event_used);
    __builtin_memset(view->next_free, 0, sizeof view->next_free);
    view->slot_count = 0;
}
ACLIMB_SHARED void open_pipe(void* pipe) {
    CoreView* view = core();
    if (__builtin_expect(view->tpipe && view->tpipe != pipe, 0)) misuse_at(__builtin_return_address(0), MisuseKind::two_pipes, nullptr);
    view->tpipe = pipe;
    AscendC::InitSocState();
    clear_pipe(view);
}

ACLIMB_API Place place_of(const Slot& slot, uint32_t index) { return {slot.addr, slot.size, slot.generation, index, slot.memory}; }

} // namespace aclimb

namespace AscendC {

using TBufHandle = uint8_t*; // which buffer of a pool; opaque
template <TPosition pos> class TBuf;

class TPipe {
  public:
    ACLIMB_API TPipe() { Init(); }
    ACLIMB_API ~TPipe() {
        if (aclimb::core()->tpipe == this) Destroy();
    }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    ACLIMB_API void Init() { aclimb::open_pipe(this); }
    ACLIMB_API void Destroy() {
        aclimb::CoreView* view = aclimb::core();
        if (view->tpipe != this) return;
        aclimb::free_events_done(0, view->slot_count);
        if (!view->in_superkernel) aclimb::barrier(aclimb::Pipe::ALL);  // between tasks of a SuperKernel the plan decides
        __builtin_memset(view->event_used, 0, sizeof view->event_used); // buffers stay: a TBuf may be used until another pipe begins
        view->tpipe = nullptr;
    }
    ACLIMB_API void Reset() {
        aclimb::free_events_done(0, aclimb::core()->slot_count);
        InitSocState();
        aclimb::clear_pipe(aclimb::core());
    }

    template <typename Queue> ACLIMB_API bool InitBuffer(Queue& que, uint8_t num, uint32_t len) {
        que.Attach(num, len, ~uint64_t{});
        return true;
    }
    template <TPosition pos> ACLIMB_API bool InitBuffer(TBuf<pos>& buf, uint32_t len) {
        buf.Attach(len, ~uint64_t{});
        return true;
    }
    // A TBufPool, or a pool of one's own made with EXTERN_IMPL_BUFPOOL.
    template <typename Pool> ACLIMB_API bool InitBufPool(Pool& pool, uint32_t len) {
        pool.Attach(len);
        return true;
    }
    template <typename Pool, typename Shared> ACLIMB_API bool InitBufPool(Pool& pool, uint32_t len, Shared& shared) {
        pool.Attach(len, shared);
        return true;
    }

    template <HardEvent event> ACLIMB_API TEventID AllocEventID() {
        return static_cast<TEventID>(aclimb::take_event(aclimb::source_of(event), aclimb::target_of(event)));
    }
    template <HardEvent event> ACLIMB_API void ReleaseEventID(TEventID id) {
        aclimb::require_range("id of ReleaseEventID", id, 0, aclimb::kEventIds - 1);
        aclimb::give_event(aclimb::source_of(event), aclimb::target_of(event), id);
    }
    // The lowest free id, not taken: two calls give the same one.
    template <HardEvent event> ACLIMB_API TEventID FetchEventID() { return FetchEventID(event); }
    ACLIMB_API TEventID FetchEventID(HardEvent event) {
        return static_cast<TEventID>(aclimb::lowest_free_event(aclimb::source_of(event), aclimb::target_of(event)));
    }

    template <TPosition pos, typename T> ACLIMB_API LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const {
        return LocalTensor<T>(pos, static_cast<uint32_t>(offset), static_cast<uint32_t>(size));
    }
};

} // namespace AscendC

// In the global namespace, as kernels call it; AscendC::GetTPipePtr is the same function.
ACLIMB_API AscendC::TPipe* GetTPipePtr() {
    void* pipe = aclimb::core()->tpipe;
    if (__builtin_expect(!pipe, 0)) aclimb::misuse(aclimb::MisuseKind::no_pipe, "GetTPipePtr");
    return static_cast<AscendC::TPipe*>(pipe);
}
namespace AscendC {
using ::GetTPipePtr;
}
