/* SPDX-License-Identifier: Apache-2.0 */
/* What the host part of a kernel source is given: how a translation unit registers its kernels, and how k<<<...>>>(...) launches one.
   The host pass of a build includes it before anything else (compile/host_pass.py); it is C for the registration that the build appends. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <exception>
#include <type_traits>

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
extern uint64_t aclimb_units_changes;             /* how often the list changed */

/* What stands between <<< and >>>, for the kernel that this thread is about to call. It lies in libascendcl, since the kernel may belong
   to another library than the launch. */
struct aclimb_configuration {
    uint32_t num_blocks;
    uint32_t line;
    const char* file; /* of the launch; NULL: the kernel is called like a function */
    void* stream;
    int64_t tiling_key; /* for kernels that ask for one; negative: none */
    int code;           /* what the last launch of this thread came to */
};
struct aclimb_configuration* aclimb_configuration(void);

/* Queues a kernel. What is refused is this thread's last error (aclrtGetLastError); what fails while it runs comes from the next
   synchronise. The code is that of aclrtLaunchKernelWithHostArgs, for stubs that return one. */
int aclimb_launch(const void* self, uint32_t num_blocks, void* stream, const void* args, size_t size);

#ifdef __cplusplus
}

namespace aclimb_host {

/* The values between <<< and >>>, until the end of the expression they stand in. The middle one has no effect on A2 and A3. */
class Launch {
  public:
    Launch(const char* file, uint32_t line, uint32_t num_blocks) { set(file, line, num_blocks, nullptr); }
    template <typename Middle> Launch(const char* file, uint32_t line, uint32_t num_blocks, Middle) {
        set(file, line, num_blocks, nullptr);
    }
    template <typename Middle> Launch(const char* file, uint32_t line, uint32_t num_blocks, Middle, void* stream) {
        set(file, line, num_blocks, stream);
    }
    template <typename Blocks, typename Middle, typename Size, typename... More>
    Launch(const char*, uint32_t, Blocks, Middle, Size, void*, More...) {
        static_assert(sizeof(Blocks) == 0, "four values between <<< and >>> launch a SIMT kernel, which exists on Ascend 950 only: give one"
                                           " to three, blocks, nullptr and a stream");
    }
    ~Launch() {
        struct aclimb_configuration* now = aclimb_configuration();
        if (now->code == kNothing && !std::uncaught_exceptions()) now->code = aclimb_launch(nullptr, 0, nullptr, nullptr, 0);
        before_.code = now->code;
        *now = before_;
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

  private:
    static constexpr int kNothing = -1; /* what stood before <<< launched nothing: it is no kernel */

    void set(const char* file, uint32_t line, uint32_t num_blocks, void* stream) {
        struct aclimb_configuration* now = aclimb_configuration();
        before_ = *now;
        now->num_blocks = num_blocks;
        now->line = line;
        now->file = file;
        now->stream = stream;
        now->code = kNothing;
    }
    struct aclimb_configuration before_ = {0, 0, nullptr, nullptr, -1, 0};
};

/* The parameters as the kernel reads them: each starts at a multiple of 8 bytes. */
template <typename... P> int launch(const void* self, const P&... parameters) {
    alignas(8) unsigned char block[(((sizeof(P) + 7) / 8 * 8) + ... + 8)] = {};
    size_t at = 0;
    ((__builtin_memcpy(block + at, const_cast<const void*>(static_cast<const volatile void*>(__builtin_addressof(parameters))), sizeof(P)),
      at += (sizeof(P) + 7) / 8 * 8),
     ...);
    struct aclimb_configuration* with = aclimb_configuration();
    /* 0 blocks are refused, as they are when somebody writes them. */
    with->code = aclimb_launch(self, with->file ? with->num_blocks : 0, with->stream, block, at ? at : 8);
    return with->code;
}

/* How aclrtlaunch_<kernel> takes a parameter: device pointers as void*, structs by pointer, half as its bits, scalars as they are. */
template <typename T, int = std::is_pointer<T>::value ? 0 : std::is_enum<T>::value ? 1 : std::is_class<T>::value ? 2 : 3> struct Taken;
template <char kind_, typename T> struct Kind {
    static constexpr unsigned char kind = kind_, size = static_cast<unsigned char>(sizeof(T) < 256 ? sizeof(T) : 0);
};
template <typename T> struct Taken<T, 0> : Kind<'p', T> {
    using type = void*;
    static T value(void* given) { return static_cast<T>(given); }
};
template <typename T> struct Taken<T, 3> : Kind<std::is_same<T, bool>::value       ? 'b'
                                                : std::is_floating_point<T>::value ? 'f'
                                                : std::is_signed<T>::value         ? 'i'
                                                                                   : 'u',
                                                T> {
    using type = T;
    static T value(T given) { return given; }
};
template <typename T> struct Taken<T, 1> : Taken<typename std::underlying_type<T>::type, 3> {
    static T value(typename std::underlying_type<T>::type given) { return static_cast<T>(given); }
};
template <typename T> struct Taken<T, 2> : Kind<'s', T> {
    using type = T*;
    static T value(T* given) { return *given; }
};
template <typename T> struct TakenAsBits : Kind<'u', uint16_t> {
    using type = uint16_t;
    static T value(uint16_t given) {
        T made;
        __builtin_memcpy(static_cast<void*>(&made), &given, sizeof given);
        return made;
    }
};
} // namespace aclimb_host
struct half;
struct bfloat16_t;
namespace aclimb_host {
template <> struct Taken<half, 2> : TakenAsBits<half> {};
template <> struct Taken<bfloat16_t, 2> : TakenAsBits<bfloat16_t> {};

template <int index, typename Function> struct Parameter;
template <int index, typename First, typename... P> struct Parameter<index, void (*)(First, P...)> : Parameter<index - 1, void (*)(P...)> {
};
template <typename First, typename... P> struct Parameter<0, void (*)(First, P...)> : Taken<typename std::remove_cv<First>::type> {};

} // namespace aclimb_host
#endif
