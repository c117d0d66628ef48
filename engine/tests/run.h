// SPDX-License-Identifier: Apache-2.0
// Runs a C++ function as a kernel.
#pragma once
#include <memory>
#include <optional>

#include "aclimb/op.h"
#include "host/stream.h"

namespace aclimb {

inline std::shared_ptr<Device> test_device() {
    const ChipLimits chip{24, 48, {{0, 0, 512 << 10, 64 << 10, 64 << 10, 128 << 10, 1 << 10, 2 << 10}}, {{0, 192 << 10}}, true};
    return std::make_shared<Device>(uint64_t{256} << 20, chip);
}

struct Run {
    std::shared_ptr<Device> device = test_device();
    std::shared_ptr<Stream> stream = std::make_shared<Stream>(device, std::make_shared<ContextState>());

    void launch(Entry aiv, int64_t blocks, KernelType type = KernelType::AIV_ONLY, Entry aic = nullptr, uint64_t argument = 0) {
        auto kernel = std::make_shared<Kernel>();
        kernel->name = "test";
        kernel->type = type;
        kernel->aiv_entry = aiv;
        kernel->aic_entry = aic ? aic : aiv;
        Launch& task = stream->begin();
        task.kernel = kernel;
        task.num_blocks = blocks;
        task.tiling_key = 0;
        task.system_workspace = nullptr;
        task.args.assign(1, argument);
        task.args_bytes = 8;
        stream->post(task);
    }
    // The kind of the fault, "" when there is none.
    std::string wait() {
        stream->wait(stream->posted(), 0, [] { return false; }, false);
        const auto errors = stream->take_errors();
        return errors.empty() ? "" : enum_name<FaultKind>(errors[0].fault.kind);
    }
    std::string operator()(Entry aiv, int64_t blocks = 1, KernelType type = KernelType::AIV_ONLY, Entry aic = nullptr,
                           uint64_t argument = 0) {
        launch(aiv, blocks, type, aic, argument);
        return wait();
    }
};

inline void set_flag(Pipe src, Pipe dst, uint8_t id) {
    Flag flag{{Op::set_flag, src, Dtype::none, sizeof(Flag), Dtype::none, 0, nullptr}, src, dst, id, {}};
    core()->issue(core(), &flag.head);
}
inline void wait_flag(Pipe src, Pipe dst, uint8_t id) {
    Flag flag{{Op::wait_flag, dst, Dtype::none, sizeof(Flag), Dtype::none, 0, nullptr}, src, dst, id, {}};
    core()->issue(core(), &flag.head);
}
inline void barrier(Pipe pipe) {
    Flag flag{{Op::pipe_barrier, pipe, Dtype::none, sizeof(Flag), Dtype::none, 0, nullptr}, pipe, pipe, 0, {}};
    core()->issue(core(), &flag.head);
}
inline void cross_set(uint8_t mode, uint8_t id, Pipe pipe = Pipe::MTE3) {
    CrossFlag flag{{Op::cross_set, pipe, Dtype::none, sizeof(CrossFlag), Dtype::none, 0, nullptr}, mode, id, 0, {}};
    core()->issue(core(), &flag.head);
}
inline void cross_wait(uint8_t id) {
    CrossFlag flag{{Op::cross_wait, Pipe::S, Dtype::none, sizeof(CrossFlag), Dtype::none, 0, nullptr}, 0, id, 0, {}};
    core()->issue(core(), &flag.head);
}
inline void sync_all(uint64_t gm, int32_t cores) { // through global memory
    GmSync sync{{Op::gm_sync_all, Pipe::S, Dtype::none, sizeof(GmSync), Dtype::none, 0, nullptr}, {gm, 0, 0, kNoSlot, 0}, cores, 0, 0, 0};
    core()->issue(core(), &sync.head);
}
inline Place ub(uint64_t addr, uint64_t size) { return {addr, size, 0, kNoSlot, static_cast<uint64_t>(Memory::UB)}; }
inline Place gm(uint64_t addr, uint64_t size = 0) { return {addr, size, 0, kNoSlot, static_cast<uint64_t>(Memory::GM)}; }
inline void copy(Place dst, Place src, uint32_t bytes, Pipe pipe) {
    Copy record{};
    record.head = {Op::copy, pipe, Dtype::f32, sizeof(Copy), Dtype::f32, 0, nullptr};
    record.dst = dst;
    record.src = src;
    record.count = 1;
    record.length = bytes;
    record.element = 4;
    core()->issue(core(), &record.head);
}
inline void store(Place at, uint32_t value) {
    ScalarAccess access{
        {Op::scalar_store, Pipe::S, Dtype::u32, sizeof(ScalarAccess), Dtype::none, 0, nullptr}, at, value, ScalarWay::value, {}};
    core()->issue(core(), &access.head);
}
inline uint32_t load(Place at) {
    ScalarAccess access{{Op::scalar_load, Pipe::S, Dtype::u32, sizeof(ScalarAccess), Dtype::none, 0, nullptr}, at, 0, ScalarWay::value, {}};
    core()->issue(core(), &access.head);
    return static_cast<uint32_t>(access.value);
}

} // namespace aclimb
