// SPDX-License-Identifier: Apache-2.0
// What a compiled kernel and the engine share: plain records and one entry point. No C++ type with behaviour crosses.
// A kernel reaches the engine only through CoreView::issue; everything it may read or set without an instruction
// (indices, mask register, buffer slots) is a field of CoreView.
#pragma once
#include <stddef.h>

#include "aclimb/abi_cube.h"
#include "aclimb/abi_operands.h"

namespace aclimb {

// Bump when a record, CoreView or the order of instructions.def changes: older binaries are then refused by the loader.
constexpr uint32_t kAbiVersion = 3;

// Results that a vector instruction leaves for the scalar unit, read by Op::vector_result: ScalarAccess::value says which.
enum class VectorResult : uint64_t { gathered, merged }; // rsvdCnt of GatherMask; four 16-bit counts of MrgSort

// Every vector instruction: lane-wise, scalar, cast, compare, select, fill, reduction. dst_stride.repeat of a reduction counts
// results (vcadd, vcmax, vcmin: size of one result; vcgadd, vcgmax, vcgmin: 8 results; vcpadd: 128 bytes), as in Ascend C.
struct Vector {
    Head head;
    Place dst, a, b;
    Stride dst_stride, a_stride, b_stride;
    uint32_t count;   // counted form: number of elements; otherwise 0
    uint64_t mask[2]; // mask form: which elements of a repeat take part
    uint64_t scalar;  // bits of the scalar operand in the source's element type; vconv int32 -> half: bits of the half DEQSCALE
    int32_t repeat;   // mask form: number of repeats
    // 0: mask form. 1: `count` consecutive elements; mask, repeat and strides are ignored.
    // 2: counter mode of the mask register: `count` elements spread over repeats by the strides; mask and repeat are ignored.
    // vcopy: 1 and 2 mean `count` elements in each of `repeat` repeats. Reductions by repeat, block, pair: 1 is like 2.
    uint8_t counted;
    // vconv: RoundMode. vcmp, vcmps, vcmp_mask: CMPMODE. vsel: SELMODE. vcmax, vcmin: ReduceOrder. reduce_max, reduce_min: calIndex.
    // vshr: 1 rounds (signed types). vreducev2: the pattern, 0 for bits of b. vdeq: bit 0 one set of parameters for each of 16 elements,
    // bit 1 the low half of a block. transpose_4d: TransposeType. Otherwise 0.
    uint8_t mode;
    uint16_t extra;
};

// Select with its selection mask in the UB. A set bit takes the element of a, a clear one the element of b (mode 1: the scalar).
// Without one (`has_mask` 0) the compare-mask register selects in mode 0, and has the address of the mask in mode 2.
struct Select {
    Vector vector;
    Place mask;
    uint8_t has_mask;
    uint8_t scalar_in_register; // mode 1: the first element of the compare-mask register instead of vector.scalar
    uint8_t reserved[6];
};

// MrgSort. vector.a and vector.b are the first two lists, c and d the others; a list that takes no part has length 0.
struct MergeSort {
    Vector vector; // repeat: of four lists of equal length, one behind the other
    Place c, d;
    uint16_t length[4]; // in pairs of 8 bytes
    uint8_t suspends;   // stops when a list is used up
    uint8_t reserved[7];
};

// TransDataTo5HD: 16 blocks of 32 bytes become 16 others. vector.dst and vector.a are the UB from the lowest address on: what Ascend C
// hands over is addresses, not tensors. Repeat strides are in vector; mode: bit 0 dstHighHalf, bit 1 srcHighHalf.
struct TransData {
    Vector vector;
    uint32_t dst[16], src[16]; // bytes from vector.dst, vector.a
};

struct Copy { // bursts between global and local memory, or between two local ones
    Head head;
    Place dst, src;
    uint32_t count, length; // number of bursts, bytes in each
    // Bytes from the end of one burst to the start of the next. In a local memory a burst takes whole blocks of 32 bytes,
    // roundup(left + length + right, 32); in global memory exactly its bytes.
    int64_t dst_gap, src_gap;
    uint64_t pad_value;
    uint8_t left, right; // padding in elements, GM -> UB only
    uint8_t pad;         // 0 whole blocks, 1 pad with the first element, 2 with pad_value, 3 leave undefined
    uint8_t atomic;      // AtomicOp, towards GM only
    uint32_t element;    // size of one element in bytes
};

struct Nd2Nz {
    Head head;
    Place dst, src;
    uint32_t nd_num, n_value, d_value, src_d_value, dst_c0_stride, dst_n_stride;
    uint64_t src_nd_stride, dst_nd_stride; // elements
};

struct Flag {
    Head head;
    Pipe src, dst;
    uint8_t id, reserved[5];
};

struct CrossFlag {
    Head head;
    uint8_t mode, id, sync_all, reserved[5]; // for messages: 1 part of SyncAll, 2 between the sub-kernels of a SuperKernel
};

// A message between an AIC and an AIV of its block, in which a Matmul object has its calls done. Each is an AIV by its index, or the AIC.
constexpr int32_t kToCube = -1;
struct MessageHead {
    Head head;
    int32_t peer; // post: to whom. take: from whom. next_sender: in, which AIVs may still send, a bit each; out, whose message is next
    uint32_t bytes;
    const void* line; // take: out, where the sender's call is
};
struct Message : MessageHead { // without one: an answer
    uint8_t body[320];
};

struct GmSync { // soft SyncAll, IBSet, IBWait, WaitPreBlock and relatives: semaphores in global memory
    Head head;
    Place gm;
    int32_t used_cores, block_idx, event_id, reserved;
};

struct ScalarAccess { // GetValue, SetValue
    Head head;
    Place at;
    uint64_t value; // SetValue: in, GetValue: out
};

struct EarlyStart {
    Head head;
    Pipe aiv_pipe, aic_pipe;
    uint8_t force, reserved[5];
};

struct SubKernelMark { // issued by the engine itself: a sub-kernel of a SuperKernel begins or ends on this core
    Head head;
    int32_t index; // in the plan
    uint8_t end, reserved[3];
};

struct InitBuffer { // TPipe::InitBuffer: the engine owns the slots
    Head head;
    uint64_t fixed_addr;                          // slots at a caller-chosen address; ~0 for the next free byte
    uint32_t count, length;                       // length: as asked for; the engine rounds it up to whole blocks of 32 bytes
    uint8_t memory, position, first_slot, is_buf; // first_slot: out
    uint32_t from_top;                            // TSCM grows downwards
};

struct Misuse { // a mistake the headers themselves can see; returns only where a chip would go on
    Head head;
    uint32_t kind; // MisuseKind
    uint32_t reserved;
    int64_t values[4];
    const char* text;
};

enum class MisuseKind : uint32_t {
    queue_no_free_buffer = 1, // values: buffers
    queue_over_depth,         // values: depth
    queue_empty,              //
    event_ids_used_up,        // values: src pipe, dst pipe, how many
    field_range,              // values: given, lowest, highest; text: name of the field
    misaligned,               // values: given, alignment; text: what
    two_pipes,                // a second live TPipe
    no_pipe,                  // GetTPipePtr or a queue without TPipe
    buffer_not_initialised,   // queue or TBuf used before InitBuffer
    unsupported,              // text: the sentence
    double_free,              //
    not_from_queue,           // FreeTensor/EnQue of a tensor the queue does not own
    other_core,               // a call or a memory of a core that this kernel does not have
    partial_block,            // values: bytes; the one mistake that a chip runs, so the engine may return
    warning,                  // text: the sentence; the kernel goes on
};

enum class PrintKind : uint8_t { none, i64, u64, f64, text, pointer };
struct PrintArg {
    uint64_t bits;
    PrintKind kind;
    uint8_t reserved[7];
};
struct Print { // printf
    Head head;
    const char* format;
    const PrintArg* args;
    uint32_t count, reserved;
};

struct DumpTensor {
    Head head;
    Place at;
    uint32_t desc, count;
    uint32_t dims, shape[8], position;
};

struct Assert {
    Head head;
    const char *expression, *file;
    uint32_t line, reserved;
};

enum class AtomicOp : uint8_t { none, add, max, min };

enum class SlotState : uint8_t { free, occupied, enqueued, dequeued };

struct Slot { // one buffer of a queue, or a TBuf
    uint32_t addr, size;
    uint16_t generation;
    uint8_t memory, position;
    SlotState state;
    int8_t enque_id, free_id;   // event ids held, -1 for none
    uint8_t free_src, free_dst; // pipes of the free event
    uint8_t reserved[3];
    const void* where; // the InitBuffer call
};
constexpr int kSlots = 64;
constexpr int kEventIds = 8;

struct CoreView {
    void (*issue)(CoreView*, Head*);
    // Identity; set before the kernel starts.
    int64_t block_idx, block_num, raw_block_idx; // raw: the built-in block_idx (group index in mixed kernels)
    int32_t sub_block_idx, sub_block_num, task_ratio;
    CoreType core_type;
    uint64_t tiling_key;
    uint8_t* system_workspace;
    uint8_t in_superkernel, product_has_early_start;
    uint8_t mixed; // 1: AICs and AIVs take part in this launch
    uint8_t reserved0[5];
    // Registers, set by the headers, copied into records at issue.
    uint64_t mask[2];
    uint8_t mask_counted; // 0 NORMAL, 1 COUNTER
    uint8_t ctrl;
    AtomicOp atomic_op;
    Dtype atomic_dtype;
    uint8_t early_set, early_wait; // how often
    uint8_t pad_value_set;         // SetPadValue was called
    uint8_t reserved1;
    uint64_t deq_scale, pad_value;
    uint64_t nz2nd[3];
    Load3DState load_3d;
    Place fix_quant; // SetFixPipeConfig: the quantisation words of the older copies out of L0C
    // Results left by vector instructions, read by GetReduceRepeatSumSpr, GetReduceRepeatMaxMinSpr, GetCmpMask.
    uint64_t reduce_sum, reduce_value, reduce_index, cmp_mask[2];
    // TPipe and its buffers.
    void* tpipe;
    uint8_t event_used[kPipes + 1][kPipes + 1]; // bit mask of occupied ids, by (source, destination) pipe
    uint32_t next_free[kMemories];
    uint32_t slot_count, reserved2;
    Slot slots[kSlots];
    // Where the kernel called the library function that issues records now; null: the kernel issues them itself.
    const void* caller;
};

// The core's context sits at the top of its aligned stack: no thread-local storage, no call.
constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kViewOffset = kStackBytes - 64;

inline __attribute__((always_inline)) CoreView* core() {
    uintptr_t sp;
#if defined(__x86_64__)
    asm("mov %%rsp, %0" : "=r"(sp));
#elif defined(__aarch64__)
    asm("mov %0, sp" : "=r"(sp));
#else
#error "aclimb runs on x86-64 and aarch64"
#endif
    return *reinterpret_cast<CoreView**>((sp & ~(kStackBytes - 1)) + kViewOffset);
}

} // namespace aclimb
