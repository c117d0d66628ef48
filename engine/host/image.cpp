// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "core/kernel.h"

namespace aclimb {

Image::Image(const void* bytes, size_t size, const std::string& name) {
    fd = memfd_create(name.c_str(), MFD_CLOEXEC);
    if (fd < 0) throw std::runtime_error("memfd_create failed");
    for (size_t done = 0; done < size;) {
        const ssize_t count = write(fd, static_cast<const char*>(bytes) + done, size - done);
        if (count <= 0) {
            close(fd);
            throw std::runtime_error("the image could not be written to memory");
        }
        done += static_cast<size_t>(count);
    }
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const std::string words = dlerror();
        close(fd);
        throw std::runtime_error(words);
    }
    link_map* map = nullptr;
    dlinfo(handle, RTLD_DI_LINKMAP, &map);
    base = map->l_addr;
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* segment = reinterpret_cast<const ElfW(Phdr)*>(base + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && (segment[i].p_flags & PF_X)) {
            text_begin = base + segment[i].p_vaddr;
            text_end = text_begin + segment[i].p_memsz;
        }
    find_block_local(static_cast<const uint8_t*>(bytes), size);
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
    dlclose(handle);
    close(fd);
}

void* Image::symbol(const std::string& name) const { return dlsym(handle, name.c_str()); }

} // namespace aclimb
