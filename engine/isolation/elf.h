// SPDX-License-Identifier: Apache-2.0
// A shared object read without the system's loader: nothing of it runs, and every offset in it is looked at before it is followed. Images
// import nothing, so that a few relocations are all that mapping one takes.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aclimb {

struct ElfSegment {
    uint64_t offset, address, file_bytes, bytes;
    bool writable, executable;
};

struct ElfRelocation {
    uint64_t at, value; // the word at base + at becomes base + value
};

struct Elf {
    std::vector<ElfSegment> segments; // to be mapped
    uint64_t span = 0;                // addresses they take, in whole pages
    uint64_t text_begin = 0, text_end = 0;
    std::vector<std::pair<std::string, uint64_t>> symbols; // name and address of what it exports
    std::vector<ElfRelocation> relocations;
    std::vector<uint64_t> constructors; // in order; those of init_array once the relocations are known
};

// Throws std::runtime_error with the reason.
Elf read_elf(const uint8_t* bytes, uint64_t size);

} // namespace aclimb
