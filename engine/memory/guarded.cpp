// SPDX-License-Identifier: Apache-2.0
#include "memory/guarded.h"

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstring>

#include "memory/pages.h"

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

} // namespace

bool in_guarded() { return guard_of_thread != nullptr; }
void leave_guarded() { longjmp(*guard_of_thread, 1); }

bool copy_guarded(void* to, const void* from, uint64_t bytes) {
    return guarded([=] { memmove(to, from, bytes); });
}

bool fill_guarded(void* to, int value, uint64_t bytes) {
    return guarded([=] { memset(to, value, bytes); });
}

uint64_t readable_bytes(uint64_t addr, uint64_t bytes) {
    bytes = std::min(bytes, ~addr); // the last address of all is nobody's
    volatile uint64_t done = 0;
    guarded([&] {
        while (done < bytes) {
            (void)*reinterpret_cast<const volatile uint8_t*>(addr + done);
            done = std::min(bytes, ((addr + done) & ~(kPage - 1)) + kPage - addr);
        }
    });
    return done;
}

} // namespace aclimb
