// SPDX-License-Identifier: Apache-2.0
// The words Ascend C adds to C++. Those that decide how a kernel is started stay visible to the builder as annotations, which
// compilers accept and ignore; address spaces vanish, because every pointer of a kernel is a plain host pointer here.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
namespace aclimb {
// (T[]){...} as an argument: g++ takes no address of it, so the builder writes literal<T>({...}) (src/aclimb/compile/vendor_words.py).
template <typename T, size_t n> inline T* literal(T (&&values)[n]) { return values; }
} // namespace aclimb
#endif

// --- what a function is. The builder looks for these annotations in the preprocessed text (src/aclimb/compile/scan.py).
// Never inlined into its entry: its code, and the facts in it, exist once.
#define __global__ __attribute__((annotate("aclimb_kernel"), noinline, visibility("hidden")))
#define __vector__ __attribute__((annotate("aclimb_vector")))
#define __cube__ __attribute__((annotate("aclimb_cube")))
#define __mix__(cube, vector) __attribute__((annotate("aclimb_mix " #cube " " #vector)))
#define __schedmode__(mode) __attribute__((annotate("aclimb_schedmode " #mode)))
#define __aicore__
#define __host__
#define __kfc_workspace__
// Without the word `inline`: kernels write that too, and g++ does not take it twice. Hidden, because g++ inlines nothing that another
// library could replace.
#define __forceinline__ __attribute__((always_inline, visibility("hidden")))

// --- address spaces
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __local_mem__
#define GM_ADDR __gm__ uint8_t* __restrict__

// --- hints for the automatic synchronisation of the real compiler
#define __sync_alias__
#define __check_sync_alias__
#define __inout_pipe__(pipe)
#define __in_pipe__(pipe)
#define __out_pipe__(pipe)
#define __sync_noalias__

// One copy for each core: the engine gives every core its own bytes of this section.
#define __BLOCK_LOCAL__ __attribute__((section(".aclimb.block_local")))
#define __workgroup_local __attribute__((section(".aclimb.block_local")))
