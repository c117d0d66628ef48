// SPDX-License-Identifier: Apache-2.0
#include "memory/guarded.h"

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstring>

#include "memory/pages.h"
#include "memory/sanitizers.h"

namespace aclimb {
namespace {

thread_local __attribute__((tls_model("initial-exec"))) jmp_buf* guard_of_thread = nullptr;

// The handler returns into leave_guarded, so the jump stays on one stack and neither mask nor modes have to be brought back.
template <class Use> __attribute__((noinline)) bool guarded(Use use) {
    static const bool installed = (install_fault_handlers(), true);
    (void)installed;
    jmp_buf place;
    if (_setjmp(place)) {
        guard_of_thread = nullptr;
        return false;
    }
    guard_of_thread = &place;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    use();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    guard_of_thread = nullptr;
    return true;
}

ACLIMB_UNWATCHED void touch(uint64_t addr) { (void)*reinterpret_cast<const volatile uint8_t*>(addr); }

#if ACLIMB_TSAN // its own memmove does not survive a jump out of it
ACLIMB_UNWATCHED void move_bytes(volatile uint8_t* to, const volatile uint8_t* from, uint64_t bytes) {
    if (to < from)
        for (uint64_t i = 0; i < bytes; i++) to[i] = from[i];
    else
        for (uint64_t i = bytes; i-- > 0;) to[i] = from[i];
}
ACLIMB_UNWATCHED void fill_bytes(volatile uint8_t* to, int value, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++) to[i] = static_cast<uint8_t>(value);
}
#else
void move_bytes(uint8_t* to, const uint8_t* from, uint64_t bytes) { memmove(to, from, bytes); }
void fill_bytes(uint8_t* to, int value, uint64_t bytes) { memset(to, value, bytes); }
#endif

} // namespace

bool in_guarded() { return guard_of_thread != nullptr; }
void leave_guarded() { longjmp(*guard_of_thread, 1); }

bool copy_guarded(void* to, const void* from, uint64_t bytes) {
    return guarded([=] { move_bytes(static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), bytes); });
}

bool fill_guarded(void* to, int value, uint64_t bytes) {
    return guarded([=] { fill_bytes(static_cast<uint8_t*>(to), value, bytes); });
}

uint64_t readable_bytes(uint64_t addr, uint64_t bytes) {
    bytes = std::min(bytes, ~addr); // the last address of all is nobody's
    volatile uint64_t done = 0;
    guarded([&] {
        while (done < bytes) {
            touch(addr + done);
            done = std::min(bytes, ((addr + done) & ~(kPage - 1)) + kPage - addr);
        }
    });
    return done;
}

} // namespace aclimb
