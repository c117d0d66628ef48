// SPDX-License-Identifier: Apache-2.0
#include "isolation/elf.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "memory/pages.h"

namespace aclimb {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 32, kMostTags = 256;

#if defined(__x86_64__)
constexpr uint32_t kRelative = R_X86_64_RELATIVE, kMachine = EM_X86_64;
bool is_symbolic(uint32_t type) { return type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT; }
#else
constexpr uint32_t kRelative = R_AARCH64_RELATIVE, kMachine = EM_AARCH64;
bool is_symbolic(uint32_t type) { return type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT; }
#endif

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("the image cannot be mapped for an isolated device: " + why); }

struct ElfReader {
    const uint8_t* bytes;
    uint64_t size;
    Elf found;
    std::map<int64_t, uint64_t> tags;                   // of the dynamic section
    std::vector<std::pair<uint64_t, uint64_t>> symbols; // index and address of those that are defined

    template <class T> T at(uint64_t offset) const {
        if (offset > size || size - offset < sizeof(T)) refuse("it ends at byte " + std::to_string(size) + ", inside one of its tables");
        T value;
        memcpy(&value, bytes + offset, sizeof value);
        return value;
    }
    // Where the bytes of an address lie in the file.
    uint64_t offset_of(uint64_t address) const {
        for (const ElfSegment& each : found.segments)
            if (address >= each.address && address - each.address < each.file_bytes) return each.offset + (address - each.address);
        refuse("one of its tables lies outside of it");
    }

    void read_header() {
        const auto header = at<Elf64_Ehdr>(0);
        if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
            header.e_machine != kMachine)
            refuse("it is no shared object of this machine");
        for (uint64_t i = 0; i < header.e_phnum; i++) read_segment(at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr)));
        if (found.segments.empty()) refuse("it has nothing to map");
        for (uint64_t i = 0; i < header.e_phnum; i++) {
            const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
            if (segment.p_type == PT_DYNAMIC) read_tags(segment.p_offset);
        }
        read_symbols(header);
    }

    void read_segment(const Elf64_Phdr& segment) {
        if (segment.p_type == PT_TLS) refuse("it has thread-local variables");
        if (segment.p_type != PT_LOAD || !segment.p_memsz) return;
        const bool fits = segment.p_memsz <= kMostBytes && segment.p_vaddr <= kMostBytes && segment.p_filesz <= segment.p_memsz &&
                          segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset &&
                          (segment.p_offset - segment.p_vaddr) % kPage == 0;
        if (!fits) refuse("a segment of it does not fit");
        if (!found.segments.empty() && segment.p_vaddr < (found.span & ~(kPage - 1))) refuse("its segments overlap");
        const bool executable = segment.p_flags & PF_X;
        found.segments.push_back(
            {segment.p_offset, segment.p_vaddr, segment.p_filesz, segment.p_memsz, (segment.p_flags & PF_W) != 0, executable});
        found.span = (segment.p_vaddr + segment.p_memsz + kPage - 1) / kPage * kPage;
        if (executable) {
            found.text_begin = segment.p_vaddr;
            found.text_end = segment.p_vaddr + segment.p_memsz;
        }
    }

    void read_tags(uint64_t offset) {
        for (uint64_t i = 0; i < kMostTags; i++) {
            const auto tag = at<Elf64_Dyn>(offset + i * sizeof(Elf64_Dyn));
            if (tag.d_tag == DT_NULL) return;
            if (tag.d_tag == DT_NEEDED) refuse("it wants another library");
            tags[tag.d_tag] = tag.d_un.d_val;
        }
    }

    void read_symbols(const Elf64_Ehdr& header) {
        for (uint64_t i = 0; i < header.e_shnum; i++) {
            const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
            if (section.sh_type != SHT_DYNSYM) continue;
            const auto names = at<Elf64_Shdr>(header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
            for (uint64_t at_symbol = 1; at_symbol < section.sh_size / sizeof(Elf64_Sym); at_symbol++) {
                const auto symbol = at<Elf64_Sym>(section.sh_offset + at_symbol * sizeof(Elf64_Sym));
                if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) continue;
                if (symbol.st_value >= found.span) refuse("a symbol of it lies outside of it");
                symbols.emplace_back(at_symbol, symbol.st_value);
                found.symbols.emplace_back(name_at(names.sh_offset + symbol.st_name), symbol.st_value);
            }
        }
    }

    std::string name_at(uint64_t offset) const {
        std::string name;
        for (; at<char>(offset); offset++) name += at<char>(offset);
        return name;
    }

    uint64_t symbol(uint64_t index) const {
        for (const auto& [number, address] : symbols)
            if (number == index) return address;
        refuse("it imports a symbol; kernels import nothing");
    }

    void read_relocations(int64_t table, int64_t bytes) {
        if (!tags.contains(table)) return;
        for (uint64_t i = 0; i < tags[bytes] / sizeof(Elf64_Rela); i++) {
            const auto each = at<Elf64_Rela>(offset_of(tags[table]) + i * sizeof(Elf64_Rela));
            const uint32_t type = ELF64_R_TYPE(each.r_info);
            if (each.r_offset > found.span - 8) refuse("a relocation of it lies outside of it");
            const auto addend = static_cast<uint64_t>(each.r_addend);
            if (type == kRelative) found.relocations.push_back({each.r_offset, addend});
            else if (is_symbolic(type)) found.relocations.push_back({each.r_offset, symbol(ELF64_R_SYM(each.r_info)) + addend});
            else refuse("it has a relocation of type " + std::to_string(type));
        }
    }

    // Their addresses are what the relocations of the array say.
    void read_constructors() {
        if (tags.contains(DT_INIT)) found.constructors.push_back(tags[DT_INIT]);
        const uint64_t array = tags[DT_INIT_ARRAY], count = tags[DT_INIT_ARRAYSZ] / 8;
        for (uint64_t i = 0; i < count && i < found.relocations.size(); i++)
            for (const ElfRelocation& each : found.relocations)
                if (each.at == array + 8 * i) found.constructors.push_back(each.value);
    }
};

} // namespace

Elf read_elf(const uint8_t* bytes, uint64_t size) {
    ElfReader reader{bytes, size, {}, {}, {}};
    reader.read_header();
    if (reader.tags.contains(DT_REL) || reader.tags.contains(DT_RELR)) refuse("its relocations are of a kind that is not known");
    reader.read_relocations(DT_RELA, DT_RELASZ);
    reader.read_relocations(DT_JMPREL, DT_PLTRELSZ);
    reader.read_constructors();
    return std::move(reader.found);
}

} // namespace aclimb
