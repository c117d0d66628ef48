// SPDX-License-Identifier: Apache-2.0
// A kernel that is ready to run: entry points in mapped images, and what the builder found out about it.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "aclimb/abi.h"
#include "core/strictness.h"
#include "memory/local.h"

namespace aclimb {

// One shared object, mapped privately: two loads of the same bytes do not share their variables. In a process that opened an isolated
// device, none of an image's code is mapped: its addresses are reserved, so that a place in it has a name, and the code is in device
// processes.
struct Image {
    Image(const void* bytes, size_t size, const std::string& name); // throws std::runtime_error with the loader's words
    Image(int sealed, size_t size);                                 // in a device process, which takes the file over
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    void* symbol(const std::string& name) const; // null when there is none
    bool has_code(uint64_t pc) const { return pc >= text_begin && pc < text_end; }
    bool has_data(uint64_t addr, uint64_t bytes) const; // a table of the source's own: const __gm__ T name[]

    void* handle = nullptr;
    int fd = -1; // kept open: dlopen compares path names, and /proc/self/fd/N is unique only while N is taken
    uint64_t base = 0, text_begin = 0, text_end = 0;
    std::vector<std::pair<uint64_t, uint64_t>> segments;        // begin and end; constants may share one with the code
    uint8_t *block_local = nullptr, *block_local_end = nullptr; // variables of which every core has its own copy
    std::mutex block_local_mutex;                               // they are swapped in and out, so launches that have any take turns

    bool has_block_local() const { return block_local != block_local_end; }
    bool is_elsewhere() const { return !handle; } // not in this process
    uint64_t span() const { return span_; }       // of its addresses; 0 where the system's loader has mapped it
    void construct();                             // in a device process: runs what comes before the first launch

    static void map_elsewhere(); // from now on
    static bool maps_elsewhere();

  private:
    void write(const void* bytes, size_t size, const std::string& name);
    void load();
    void reserve(const void* bytes, size_t size);
    void find_block_local(const uint8_t* bytes, size_t size);

    uint64_t span_ = 0;
    std::vector<std::pair<std::string, uint64_t>> symbols_; // where the system's loader is not asked
    std::vector<uint64_t> constructors_;
};

enum class KernelType : uint8_t {
    AIV_ONLY,
    AIC_ONLY,
    MIX_AIV_HARD_SYNC,
    MIX_AIC_HARD_SYNC,
    MIX_AIV_1_0,
    MIX_AIC_1_0,
    MIX_AIC_1_1,
    MIX_AIC_1_2
};

inline int aics_per_block(KernelType type) {
    switch (type) {
    case KernelType::AIC_ONLY:
    case KernelType::MIX_AIC_HARD_SYNC:
    case KernelType::MIX_AIC_1_0:
    case KernelType::MIX_AIC_1_1:
    case KernelType::MIX_AIC_1_2: return 1;
    default: return 0;
    }
}
inline int aivs_per_block(KernelType type) {
    switch (type) {
    case KernelType::AIV_ONLY:
    case KernelType::MIX_AIV_HARD_SYNC:
    case KernelType::MIX_AIV_1_0:
    case KernelType::MIX_AIC_1_1: return 1;
    case KernelType::MIX_AIC_1_2: return 2;
    default: return 0;
    }
}
// The hardware arms cross-core synchronisation only for the MIX launch types.
inline bool has_cross_core(KernelType type) { return type != KernelType::AIV_ONLY && type != KernelType::AIC_ONLY; }

using Entry = void (*)(const void* args);

// How the host packs one argument: which values it takes and where the bytes go.
enum class ParameterKind : uint8_t { pointer, sint, uint, real, half, bfloat16, boolean, structure };
struct Parameter {
    ParameterKind kind;
    uint32_t size, offset;
};

struct Plan;

struct Kernel {
    std::string name;
    KernelType type = KernelType::AIV_ONLY;
    bool in_block_order = false; // float atomics on global memory: one worker, block after block
    bool prints = false;         // printf, DumpTensor: the system keeps the top of UB and L1 for them
    bool asserts = false;        // ASSERT, assert: documented to need the same, and on a chip they do not
    bool reads_clock = false;    // GetSystemCycle: in a profile it follows the model
    std::shared_ptr<Image> aic_image, aiv_image;
    Entry aic_entry = nullptr, aiv_entry = nullptr;
    std::vector<Parameter> parameters;
    uint64_t args_bytes = 0;               // that it reads
    uint64_t owner = 0;                    // the number of the function it belongs to; 0: none
    std::atomic<bool> values_steer{false}; // its control flow reads what it computed: no timing-only run
    std::shared_ptr<Plan> plan;            // a fused kernel: what it does, in the place of images and entries
    std::vector<Image*> block_local[2];    // images with such variables, for AIC and AIV
    Told told;                             // what its launches have warned of
    bool is_observed = false;              // made of images that also tell what no record shows (aclimb/observed.h)
    std::shared_ptr<Kernel> observed;      // the same kernel, made of such images; Python makes it, and its lock is held here
    bool observed_whole = false;           // ... of nothing else; otherwise Python is asked again, to say what is not seen
    const uint64_t serial = next_serial(); // no two loaded kernels of a process have the same
    std::atomic<uint64_t> last_ns{0};      // duration of the last launch: decides whether helpers are woken at once
    std::atomic<bool> waiter_came{false};  // soon after the start of the last launch, to help until it ended

    const Image* image(CoreType core) const { return core == CoreType::AIC ? aic_image.get() : aiv_image.get(); }
    bool has_code(uint64_t pc) const;
    bool has_data(uint64_t addr, uint64_t bytes) const;
    void find_block_local(); // fills block_local

  private:
    static uint64_t next_serial() {
        static std::atomic<uint64_t> last{0};
        return ++last;
    }
};

// What of the modelled chip matters for execution.
struct ChipLimits {
    int aic_count = 24, aiv_count = 48;
    LocalSizes aic{}, aiv{};
    bool early_start = true;
};

} // namespace aclimb
