// SPDX-License-Identifier: Apache-2.0
// libascendcl.so: every function of the acl headers as a stub over one table, which Python fills (door.cpp); and the list of the
// kernels that programs and libraries bring along. It links to nothing but the C library, so that any C or C++ program can.
#include "table.h"

#include <atomic>
#include <pthread.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

std::atomic<const Function*> installed{nullptr};
pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;
aclimb_unit* units = nullptr;

const Function* table() {
    const Function* found = installed.load(std::memory_order_acquire);
    if (__builtin_expect(found == nullptr, 0)) {
        aclimb_boot();
        found = installed.load(std::memory_order_acquire);
    }
    return found;
}

} // namespace

EXPORTED int aclimb_install(const Function* functions, uint32_t places) {
    if (places != kPlaces) return -1;
    installed.store(functions, std::memory_order_release);
    return 0;
}

#define FUNCTION(returns, name, declarations, names, ins, outs)                                                                            \
    EXPORTED returns name declarations { return reinterpret_cast<returns(*) declarations>(table()[k_##name]) names; }
#include "c_api.inc"
#undef FUNCTION

EXPORTED int aclimb_launch(const void* self, uint32_t num_blocks, void* stream, const void* args, size_t size) {
    using Launch = int (*)(const void*, uint32_t, void*, const void*, size_t);
    return reinterpret_cast<Launch>(table()[k_aclimb_launch])(self, num_blocks, stream, args, size);
}

EXPORTED struct aclimb_configuration* aclimb_configuration(void) {
    static thread_local struct aclimb_configuration value{0, 0, nullptr, nullptr, -1};
    return &value;
}

extern "C" {
__attribute__((visibility("default"))) uint64_t aclimb_units_changes = 0;
}

EXPORTED void aclimb_register(aclimb_unit* unit) {
    pthread_mutex_lock(&units_lock);
    unit->next = units;
    units = unit;
    ++aclimb_units_changes;
    pthread_mutex_unlock(&units_lock);
}

EXPORTED void aclimb_unregister(aclimb_unit* unit) {
    pthread_mutex_lock(&units_lock);
    for (aclimb_unit** at = &units; *at; at = &(*at)->next) {
        if (*at == unit) {
            *at = unit->next;
            ++aclimb_units_changes;
            break;
        }
    }
    pthread_mutex_unlock(&units_lock);
}

EXPORTED aclimb_unit* aclimb_units(void) { return units; }
