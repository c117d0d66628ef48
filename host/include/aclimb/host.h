/* SPDX-License-Identifier: Apache-2.0 */
/* What the host part of a kernel source is given: how a translation unit registers its kernels, and how k<<<...>>>(...) launches one.
   The host pass of a build includes it before anything else (compile/host_pass.py); it is C for the registration that the build appends. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One kernel, or one instance of a kernel template. */
struct aclimb_kernel {
    const void* self;     /* of the stub: the static that it launches by */
    const void* function; /* the stub, which is what &kernel gives in host code */
    const char* name;     /* in the image */
};

/* The device code of one translation unit: an operator binary as `aclimb build` makes it. */
struct aclimb_unit {
    const char* source;
    const unsigned char* image;
    uint64_t image_size;
    const struct aclimb_kernel* kernels;
    uint64_t kernel_count;
    struct aclimb_unit* next; /* the list that libascendcl keeps */
};

void aclimb_register(struct aclimb_unit* unit);
void aclimb_unregister(struct aclimb_unit* unit); /* a library with kernels may be closed again */
struct aclimb_unit* aclimb_units(void);           /* newest first */

/* Queues a kernel. What is refused is this thread's last error (aclrtGetLastError); what fails while it runs comes from the next
   synchronise. The code is that of aclrtLaunchKernelWithHostArgs, for stubs that return one. */
int aclimb_launch(const void* self, uint32_t num_blocks, void* stream, const void* args, size_t size);

#ifdef __cplusplus
}

namespace aclimb_host {

struct Configuration {
    uint32_t num_blocks;
    void* stream;
};

inline Configuration& configuration() {
    static thread_local Configuration value{0, nullptr};
    return value;
}

/* The values between <<< and >>>. The middle one has no effect on A2 and A3. */
template <typename Blocks> void configure(Blocks num_blocks) {
    configuration() = Configuration{static_cast<uint32_t>(num_blocks), nullptr};
}
template <typename Blocks, typename Middle> void configure(Blocks num_blocks, Middle&&) {
    configuration() = Configuration{static_cast<uint32_t>(num_blocks), nullptr};
}
template <typename Blocks, typename Middle, typename Stream> void configure(Blocks num_blocks, Middle&&, Stream stream) {
    configuration() = Configuration{static_cast<uint32_t>(num_blocks), static_cast<void*>(stream)};
}
template <typename Blocks, typename Middle, typename Size, typename Stream> void configure(Blocks, Middle&&, Size&&, Stream&&) {
    static_assert(sizeof(Blocks) == 0, "four values between <<< and >>> launch a SIMT kernel, which exists on Ascend 950 only: give three");
}

/* The parameters as the kernel reads them: each starts at a multiple of 8 bytes. */
template <typename... P> int launch(const void* self, const P&... parameters) {
    alignas(8) unsigned char block[(((sizeof(P) + 7) / 8 * 8) + ... + 8)] = {};
    size_t at = 0;
    ((__builtin_memcpy(block + at, static_cast<const void*>(&parameters), sizeof(P)), at += (sizeof(P) + 7) / 8 * 8), ...);
    const Configuration& with = configuration();
    return aclimb_launch(self, with.num_blocks, with.stream, block, at);
}

} // namespace aclimb_host
#endif
