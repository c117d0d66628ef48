/* SPDX-License-Identifier: Apache-2.0 */
/* Linked into every executable (aclimb_start.o). It is a shared object that the kernel can start: the constructor of libascendcl replaces
   the process by Python, which loads the same file and calls aclimb_main. C and C++ read it alike. */
#include <unistd.h>

#if defined(__x86_64__)
#define INTERPRETER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define INTERPRETER "/lib/ld-linux-aarch64.so.1"
#else
#error "aclimb runs on x86-64 and aarch64"
#endif

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((section(".interp"), used)) static const char interpreter[] = INTERPRETER;

int aclimb_users_main(int argc, char** argv, char** environment) __asm__("main"); /* C++ lets nobody call main by its name */

__attribute__((visibility("default"))) int aclimb_main(int argc, char** argv, char** environment) {
    return aclimb_users_main(argc, argv, environment);
}

/* Reached only where libascendcl did not replace the process. It names the interpreter, so that no linker takes that for unused. */
__attribute__((visibility("default"), noreturn)) void aclimb_start(void) {
    __asm__ volatile("" : : "r"(interpreter));
    _exit(126);
}

#ifdef __cplusplus
}
#endif
