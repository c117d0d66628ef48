// SPDX-License-Identifier: Apache-2.0
#include "memory/local.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

#include "memory/pages.h"

namespace aclimb {

// Memories lie on 4 KiB boundaries inside one mapping: every documented alignment holds for the host address too,
// so that vector loads of the host see aligned data.
constexpr int kL0B = static_cast<int>(Memory::L0B);

LocalMemory::LocalMemory(const LocalSizes& sizes) {
    for (uint32_t bytes : sizes.bytes) mapped_bytes_ += (bytes + kPage - 1) / kPage * kPage;
    mapped_bytes_ += sizes.bytes[kL0B] / 4;
    mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::bad_alloc();
    auto* next = static_cast<uint8_t*>(mapping_);
    for (int i = 0; i < kMemories; i++) {
        if (!sizes.bytes[i]) continue;
        base[i] = next;
        size[i] = written[i] = sizes.bytes[i];
        next += (sizes.bytes[i] + kPage - 1) / kPage * kPage;
    }
    if (sizes.bytes[kL0B]) sparse_index = next;
    sparse_index_written = sparse_index != nullptr;
    poison();
}

LocalMemory::~LocalMemory() { munmap(mapping_, mapped_bytes_); }

void LocalMemory::poison() {
    for (int i = 0; i < kMemories; i++)
        if (written[i]) {
            memset(base[i], kPoison, written[i]);
            written[i] = 0;
        }
    if (sparse_index_written) memset(sparse_index, kPoison, size[kL0B] / 4);
    sparse_index_written = false;
}

} // namespace aclimb
