// SPDX-License-Identifier: Apache-2.0
// One record on a scratch core, for the tests of single instructions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind/bind.h"
#include "core/issue.h"
#include "host/pool.h"
#include "isa/ranges.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

struct Scratch {
    std::vector<uint8_t> record;
    std::vector<uint8_t> memories[kMemories]; // in: initial contents, out: final
    std::vector<uint8_t> positions;           // of sparse weights, in and out
    uint64_t cmp_mask[2] = {}, reduce[3] = {}, counted[2] = {};
    uint64_t gm = 0;

    explicit Scratch(Device& device) : device_(device) {}
    ~Scratch() {
        if (gm) device_.memory.release(gm);
    }

  private:
    Device& device_;
};

// One for all calls: a worker keeps its local memories for the chips it has met.
const std::shared_ptr<Device>& scratch_device() {
    static const ChipLimits chip{24, 48, {{0, 0, 512 << 10, 64 << 10, 64 << 10, 128 << 10, 1 << 10, 2 << 10}}, {{0, 192 << 10}}, true};
    static const auto& device = *new std::shared_ptr<Device>(std::make_shared<Device>(uint64_t{64} << 20, chip)); // outlives the threads
    return device;
}

void run_record(const void* args) {
    auto& scratch = **static_cast<Scratch* const*>(args);
    auto& core = *static_cast<Core*>(aclimb::core());
    for (int i = 1; i < kMemories; i++)
        if (!scratch.memories[i].empty()) {
            memcpy(core.memory->base[i], scratch.memories[i].data(), scratch.memories[i].size());
            core.memory->written[i] = core.memory->size[i];
        }
    memcpy(core.cmp_mask, scratch.cmp_mask, 16);
    auto& positions = scratch.positions;
    if (!positions.empty()) memcpy(core.memory->sparse_index, positions.data(), positions.size());
    core.memory->sparse_index_written |= !positions.empty();
    core.issue(&core, reinterpret_cast<Head*>(scratch.record.data()));
    for (int i = 1; i < kMemories; i++)
        if (!scratch.memories[i].empty()) memcpy(scratch.memories[i].data(), core.memory->base[i], scratch.memories[i].size());
    memcpy(scratch.cmp_mask, core.cmp_mask, 16);
    if (!positions.empty()) memcpy(positions.data(), core.memory->sparse_index, positions.size());
    scratch.reduce[0] = core.reduce_sum;
    scratch.reduce[1] = core.reduce_value;
    scratch.reduce[2] = core.reduce_index;
    scratch.counted[0] = core.gathered;
    scratch.counted[1] = core.merged;
}

nb::dict execute(const nb::bytes& record, const nb::dict& memories, const std::string& core_name) {
    const std::shared_ptr<Device>& device = scratch_device();
    Scratch scratch(*device);
    scratch.record.assign(record.c_str(), record.c_str() + record.size());
    uint64_t gm_bytes = 0;
    for (auto [key, value] : memories) {
        const auto name = nb::cast<std::string>(key);
        const auto bytes = nb::cast<nb::bytes>(value);
        if (name == "CMPMASK") memcpy(scratch.cmp_mask, bytes.c_str(), 16);
        if (name == "POSITIONS") scratch.positions.assign(bytes.c_str(), bytes.c_str() + bytes.size());
        for (int i = 0; i < kMemories; i++)
            if (name == name_of(static_cast<Memory>(i))) scratch.memories[i].assign(bytes.c_str(), bytes.c_str() + bytes.size());
    }
    auto& gm = scratch.memories[0];
    if (!gm.empty()) {
        gm_bytes = gm.size();
        scratch.gm = device->memory.allocate(gm_bytes);
        memcpy(reinterpret_cast<void*>(scratch.gm), gm.data(), gm_bytes);
        gm.clear();
    }
    auto* head = reinterpret_cast<Head*>(scratch.record.data());
    const int operands = is_row(head->op) ? row_of(head->op).operands : 0; // an unknown one is the core's to refuse
    for (int i = 0; i < operands; i++) {
        const OperandRow& operand = row_of(head->op).operand[i];
        if (is_in_gm(*head, operand)) const_cast<Place&>(place_of(*head, operand)).addr += scratch.gm;
    }
    auto kernel = std::make_shared<Kernel>();
    kernel->name = "execute";
    kernel->type = core_name == "AIC" ? KernelType::AIC_ONLY : KernelType::AIV_ONLY;
    kernel->aic_entry = kernel->aiv_entry = run_record;
    auto stream = std::make_shared<Stream>(device, std::make_shared<ContextState>());
    Launch& launch = stream->begin();
    launch.kernel = kernel;
    launch.num_blocks = 1;
    launch.tiling_key = 0;
    launch.system_workspace = nullptr;
    launch.args.assign(1, reinterpret_cast<uint64_t>(&scratch));
    launch.args_bytes = 8;
    stream->post(launch);
    {
        WithoutGil without;
        stream->wait(stream->posted(), 0, [] { return false; }, false);
    }
    nb::dict result;
    if (const auto errors = stream->take_errors(); !errors.empty()) {
        result["fault"] = nb::cast(fault_of(errors[0]));
        return result;
    }
    for (int i = 1; i < kMemories; i++)
        if (!scratch.memories[i].empty())
            result[name_of(static_cast<Memory>(i))] =
                nb::bytes(reinterpret_cast<const char*>(scratch.memories[i].data()), scratch.memories[i].size());
    if (gm_bytes) result["GM"] = nb::bytes(reinterpret_cast<const char*>(scratch.gm), gm_bytes);
    if (!scratch.positions.empty())
        result["POSITIONS"] = nb::bytes(reinterpret_cast<const char*>(scratch.positions.data()), scratch.positions.size());
    result["CMPMASK"] = nb::bytes(reinterpret_cast<const char*>(scratch.cmp_mask), 16);
    result["REDUCE"] = nb::make_tuple(scratch.reduce[0], scratch.reduce[1], scratch.reduce[2]);
    result["COUNTED"] = nb::make_tuple(scratch.counted[0], scratch.counted[1]);
    return result;
}

std::vector<std::tuple<int, std::string, uint64_t, uint64_t, uint64_t, int64_t>> ranges(const nb::bytes& record) {
    std::vector<uint64_t> aligned((record.size() + 7) / 8);
    memcpy(aligned.data(), record.c_str(), record.size());
    const auto& head = *reinterpret_cast<const Head*>(aligned.data());
    if (record.size() < sizeof(Head) || !is_row(head.op)) throw nb::value_error("no row of instructions.def has this number");
    Ranges found;
    ranges_of(CoreView{}, head, found);
    std::vector<std::tuple<int, std::string, uint64_t, uint64_t, uint64_t, int64_t>> rows;
    for (const Bytes& each : found) rows.emplace_back(each.operand, name_of(each.role), each.begin, each.length, each.count, each.stride);
    return rows;
}

} // namespace

void bind_execute(nb::module_& module) {
    module.def("ranges", ranges, nb::arg("record"),
               "The bytes a record touches: (operand, 'r', 'w' or 'u', begin, length, count, stride) for rows of `length` bytes.");
    module.def(
        "execute", execute, nb::arg("record"), nb::arg("memories"), nb::arg("core") = "AIV",
        nb::sig("def execute(record: bytes, memories: dict[str, bytes], core: str = 'AIV') -> dict[str, typing.Any]"),
        "Runs one record on a scratch core. `memories` maps UB, L1, L0A, L0B, L0C, BT, FB, GM to their initial bytes (from address 0 "
        "on; a GM operand's address in the record is an offset into those bytes) and CMPMASK to 16 bytes; on an AIC also POSITIONS, those "
        "of sparse weights. Returns the same memories afterwards, CMPMASK, REDUCE (sum, value, index) and COUNTED (what GatherMask kept, "
        "what MrgSort used of each list); or {'fault': Fault} when the instruction was refused.");
}

} // namespace aclimb
