// SPDX-License-Identifier: Apache-2.0
// Build facts: what a kernel uses, left by the headers in a section of the object that is never loaded. A fact is a triple
// (address of the code that uses it, Fact, value); the builder reads them and knows, through the call graph, for which kernel they hold.
// They cost nothing at run time, and vanish with the code that the compiler drops.
#pragma once
#include <stdint.h>

namespace aclimb {

enum class Fact : uint64_t { // the numbers are part of the format: src/aclimb/compile/facts.py has the same list
    vector = 1,              // a call of the vector core, or a buffer in its memory
    cube = 2,                // a call of the cube core, or a buffer in its memories
    sync_all = 3,            // hard SyncAll
    cross_core = 4,          // CrossCoreSetFlag / CrossCoreWaitFlag; value 1: cores of all blocks may meet, 0: those of one block
    gm_sync = 5,             // soft SyncAll, IBSet/IBWait and relatives
    float_atomic = 6,        // SetAtomicAdd and relatives on a float type; value: Dtype
    integer_atomic = 7,      // ... on an integer type
    early_set = 8,           // SetNextTaskStart; value: AIV pipe * 8 + AIC pipe
    early_wait = 9,          // WaitPreTaskEnd
    tiling_key = 10,         // TILING_KEY_IS(value)
    kernel_type = 11,        // KERNEL_TASK_TYPE_DEFAULT; value: KernelType number
    kernel_type_key = 12,    // KERNEL_TASK_TYPE(key, type); value: key * 16 + type
    set_flag = 13,           // SetFlag; value: source pipe * 8 + destination pipe
    print = 14,
    dump_tensor = 15,
    assertion = 16,
    workspace = 17,   // GetUserWorkspace, GetSysWorkSpacePtr
    raw_index = 18,   // block_idx, get_block_idx, get_block_num: not the sub-kernel's own in a SuperKernel
    copy = 19,        // DataCopy, DataCopyPad: for which core, only their tensors know
    other_core = 20,  // a call of the vector core in the AIC pass, or of the cube core in the AIV pass
    block_index = 21, // GetBlockIdx
    sub_block = 22,   // GetSubBlockIdx, GetSubBlockNum, GetTaskRatio: it knows that a block may have two AIVs
    rows = 23,        // every entry; value: fingerprint of the rows of instructions.def that it was built with << 16 | how many
    auto_sync = 24,   // every entry, where the source may count on flags that the vendor's compiler inserts
};

// The value goes in as two halves: g++ cannot print a constant of more than 32 bits as an operand, and tiling keys have up to 64.
template <Fact fact_, uint64_t value = 0> inline __attribute__((always_inline)) void fact() {
    // "o": the marker shares the fate of the code it stands in when the linker drops what nobody reaches.
    asm volatile(".Laclimb_fact%=:\n\t.pushsection .aclimb.facts,\"o\",%%progbits,.Laclimb_fact%=\n\t"
                 ".quad .Laclimb_fact%=, %c0\n\t.long %c1, %c2\n\t.popsection"
                 :
                 : "i"(static_cast<int32_t>(fact_)), "i"(static_cast<int32_t>(value)), "i"(static_cast<int32_t>(value >> 32)));
}

} // namespace aclimb
