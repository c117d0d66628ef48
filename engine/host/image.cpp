// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

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
    block_local = static_cast<uint8_t*>(symbol("aclimb_block_local_begin"));
    block_local_end = static_cast<uint8_t*>(symbol("aclimb_block_local_end"));
    if (!block_local || !block_local_end) block_local = block_local_end = nullptr;
}

Image::~Image() {
    dlclose(handle);
    close(fd);
}

void* Image::symbol(const std::string& name) const { return dlsym(handle, name.c_str()); }

} // namespace aclimb
