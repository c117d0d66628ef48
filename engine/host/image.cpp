// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "core/kernel.h"
#include "isolation/elf.h"

namespace aclimb {
namespace {

constexpr uint64_t kPage = 4096;
std::atomic<bool> elsewhere{false};

uint64_t reserve_addresses(uint64_t bytes) {
    void* at = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::runtime_error("there are no addresses left for the image");
    return reinterpret_cast<uint64_t>(at);
}

// Private pages of the file, and zeros behind them.
void map_segment(int fd, uint64_t base, const ElfSegment& segment) {
    const uint64_t begin = segment.address & ~(kPage - 1), file_end = segment.address + segment.file_bytes;
    const uint64_t end = (segment.address + segment.bytes + kPage - 1) & ~(kPage - 1), mapped = (file_end + kPage - 1) & ~(kPage - 1);
    auto* at = reinterpret_cast<uint8_t*>(base);
    constexpr int kWrite = PROT_READ | PROT_WRITE;
    const auto offset = static_cast<off_t>(segment.offset - (segment.address - begin));
    if (segment.file_bytes && mmap(at + begin, mapped - begin, kWrite, MAP_PRIVATE | MAP_FIXED, fd, offset) == MAP_FAILED)
        throw std::runtime_error("the image could not be mapped");
    const uint64_t zeros = segment.file_bytes ? mapped : begin;
    if (end > zeros && mmap(at + zeros, end - zeros, kWrite, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        throw std::runtime_error("the image could not be mapped");
    if (segment.file_bytes && segment.bytes > segment.file_bytes) memset(at + file_end, 0, mapped - file_end);
}

} // namespace

void Image::map_elsewhere() { elsewhere = true; }
bool Image::maps_elsewhere() { return elsewhere; }

Image::Image(const void* bytes, size_t size, const std::string& name) {
    write(bytes, size, name);
    try {
        if (elsewhere) reserve(bytes, size);
        else load();
    } catch (...) {
        close(fd);
        throw;
    }
    if (handle) find_block_local(static_cast<const uint8_t*>(bytes), size);
}

void Image::write(const void* bytes, size_t size, const std::string& name) {
    fd = memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) throw std::runtime_error("memfd_create failed");
    for (size_t done = 0; done < size;) {
        const ssize_t count = ::write(fd, static_cast<const char*>(bytes) + done, size - done);
        if (count <= 0) {
            close(fd);
            throw std::runtime_error("the image could not be written to memory");
        }
        done += static_cast<size_t>(count);
    }
}

void Image::load() {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::runtime_error(dlerror());
    link_map* map = nullptr;
    dlinfo(handle, RTLD_DI_LINKMAP, &map);
    base = map->l_addr;
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* segment = reinterpret_cast<const ElfW(Phdr)*>(base + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD) {
            const uint64_t begin = base + segment[i].p_vaddr, end = begin + segment[i].p_memsz;
            if (segment[i].p_flags & PF_X) text_begin = begin, text_end = end;
            segments.emplace_back(begin, end);
        }
}

// Only names and addresses; the file goes to device processes, and nobody can change it any more.
void Image::reserve(const void* bytes, size_t size) {
    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    Elf found = read_elf(static_cast<const uint8_t*>(bytes), size);
    span_ = found.span;
    base = reserve_addresses(span_);
    text_begin = base + found.text_begin;
    text_end = base + found.text_end;
    symbols_ = std::move(found.symbols);
}

// In a device process, behind its filter: nothing is opened.
Image::Image(int sealed, size_t size) : fd(sealed) {
    void* view = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (view == MAP_FAILED) throw std::runtime_error("the image could not be mapped");
    const Elf found = read_elf(static_cast<const uint8_t*>(view), size);
    span_ = found.span;
    base = reserve_addresses(span_);
    text_begin = base + found.text_begin;
    text_end = base + found.text_end;
    symbols_ = found.symbols;
    for (const ElfSegment& each : found.segments) segments.emplace_back(base + each.address, base + each.address + each.bytes);
    constructors_ = found.constructors;
    for (const ElfSegment& each : found.segments) map_segment(fd, base, each);
    for (const ElfRelocation& each : found.relocations) *reinterpret_cast<uint64_t*>(base + each.at) = base + each.value;
    for (const ElfSegment& each : found.segments) {
        const uint64_t begin = each.address & ~(kPage - 1), end = each.address + each.bytes;
        const int how = PROT_READ | (each.writable ? PROT_WRITE : 0) | (each.executable ? PROT_EXEC : 0);
        mprotect(reinterpret_cast<void*>(base + begin), end - begin, how);
    }
    find_block_local(static_cast<const uint8_t*>(view), size);
    munmap(view, size);
}

void Image::construct() {
    for (const uint64_t each : constructors_) reinterpret_cast<void (*)()>(base + each)();
    constructors_.clear();
}

// Section headers are not loaded, so they are read from the file's bytes.
void Image::find_block_local(const uint8_t* bytes, size_t size) {
    ElfW(Ehdr) header;
    memcpy(&header, bytes, sizeof header);
    const auto section = [&](size_t index) {
        ElfW(Shdr) found{};
        const size_t at = header.e_shoff + index * sizeof found;
        if (at + sizeof found <= size) memcpy(&found, bytes + at, sizeof found);
        return found;
    };
    const auto names = section(header.e_shstrndx);
    constexpr char kName[] = ".aclimb.block_local";
    for (size_t i = 1; i < header.e_shnum; i++) {
        const auto each = section(i);
        const size_t name = names.sh_offset + each.sh_name;
        if (name + sizeof kName > size || memcmp(bytes + name, kName, sizeof kName) != 0) continue;
        block_local = reinterpret_cast<uint8_t*>(base + each.sh_addr);
        block_local_end = block_local + each.sh_size;
    }
}

Image::~Image() {
    if (handle) dlclose(handle);
    else munmap(reinterpret_cast<void*>(base), span_);
    close(fd);
}

void* Image::symbol(const std::string& name) const {
    if (handle) return dlsym(handle, name.c_str());
    for (const auto& [known, address] : symbols_)
        if (known == name) return reinterpret_cast<void*>(base + address);
    return nullptr;
}

} // namespace aclimb
