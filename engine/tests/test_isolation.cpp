// SPDX-License-Identifier: Apache-2.0
// What a device process says about a launch that was watched, tampered with: it is refused, or it can be used like any other.
#include "aclimb/op.h"
#include "check.h"
#include "check/launch_check.h"
#include "isolation/watch.h"
#include "run.h"
#include "timing/record.h"
#include "timing/simulation.h"

namespace {

using namespace aclimb;

constexpr int64_t kBlocks = 2;
constexpr KernelType kType = KernelType::MIX_AIC_1_2;

class Chance { // xorshift64: the same bytes in each run
  public:
    uint64_t below(uint64_t limit) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_ % limit;
    }

  private:
    uint64_t state_ = 0x9E3779B97F4A7C15ull;
};

struct Made {
    std::shared_ptr<Device> device = test_device();
    Launch launch;
    Made() {
        launch.kernel = std::make_shared<Kernel>();
        launch.kernel->type = kType;
        launch.num_blocks = kBlocks;
        launch.chip = &device->chip;
        launch.memory = &device->memory;
        launch.prepare();
    }
};

// Calls `use` with the bytes as they are, cut off, and with some of them changed.
template <class Use> void tamper(const std::vector<uint8_t>& bytes, int times, Use use) {
    Chance chance;
    use(bytes);
    for (int i = 0; i < times; i++) {
        std::vector<uint8_t> changed = bytes;
        for (uint64_t left = 1 + chance.below(4); left > 0; left--) {
            uint8_t& at = changed[chance.below(changed.size())];
            at = chance.below(2) ? static_cast<uint8_t>(chance.below(256)) : static_cast<uint8_t>(at ^ 1 << chance.below(8));
        }
        if (chance.below(8) == 0) changed.resize(chance.below(changed.size()));
        use(changed);
    }
}

// --- recordings

std::shared_ptr<timing::Recording> recording() {
    auto made = std::make_shared<timing::Recording>();
    made->budget = std::make_shared<timing::Budget>(1 << 20);
    made->prepare(kType, kBlocks);
    return made;
}

void add_one_of_each_kind(timing::Tape& tape, uint64_t addr) {
    for (size_t kind = 0; kind < kNames<timing::EntryKind>.size(); kind++) {
        timing::TapeEntry& entry = tape.add();
        entry.kind = static_cast<timing::EntryKind>(kind);
        if (entry.kind == timing::EntryKind::sub_kernel) entry.kind = timing::EntryKind::control; // this kernel has none
        entry.pipe = entry.kind == timing::EntryKind::move ? Pipe::MTE2 : entry.kind == timing::EntryKind::mmad ? Pipe::M : Pipe::V;
        entry.op = static_cast<uint8_t>(Op::vadd);
        entry.addr = addr;
        entry.a = 1;
        entry.b = 64;
    }
}

timing::Parameters parameters() {
    timing::Parameters p;
    p.clock_mhz = 1000;
    p.hbm_gbs = p.l2_gbs = 1e6;
    p.l2_mib = p.l2_held = 1;
    p.aiv_rd_miss = p.aiv_rd_hit = p.aiv_wr = p.aic_rd_miss = p.aic_rd_hit = p.aic_wr = p.fix_gm = 64;
    p.l0c_l1 = p.l1_l0a = p.l1_l0b = p.l1_bt = 128;
    p.sector_bytes = 512;
    p.nd2nz_miss = 64;
    p.write_in_flight = p.write_buffer = 4096;
    p.hbm_write_cost = 1;
    p.queue_depth = 4;
    p.cube_k_f16 = 16;
    p.aic_cores = 1;
    p.aiv_cores = 2;
    return p;
}

TEST(a_recording_that_was_tampered_with_is_refused_or_timed) {
    Made made;
    const auto source = recording();
    for (timing::Tape& tape : source->work.tapes) add_one_of_each_kind(tape, made.device->memory.begin());
    Writer writer;
    put_seen(writer, *source, {});
    const timing::Parameters model = parameters();
    int taken = 0, refused = 0;
    tamper(writer.bytes, 1500, [&](const std::vector<uint8_t>& bytes) {
        const auto target = recording();
        Reader reader(bytes.data(), bytes.size());
        get_seen(reader, *target, made.launch, {});
        (reader.bad ? refused : taken)++;
        if (reader.bad) return;
        timing::L2 l2(model.l2_bytes());
        CHECK(timing::Simulation(model, l2, target->work, true).run().results.size() == target->work.tapes.size());
    });
    CHECK(taken > 100);
    CHECK(refused > 100);
}

TEST(a_recording_comes_over_as_it_was) {
    Made made;
    const auto source = recording(), target = recording();
    add_one_of_each_kind(source->work.tapes[1], 4096);
    source->cut = true;
    Writer writer;
    put_seen(writer, *source, {});
    Reader reader(writer.bytes.data(), writer.bytes.size());
    get_seen(reader, *target, made.launch, {});
    CHECK(!reader.bad && reader.left() == 0 && target->cut && !target->steers);
    const timing::Tape &from = source->work.tapes[1], &to = target->work.tapes[1];
    CHECK(from.size() == to.size() && target->work.tapes[0].size() == 0);
    for (uint32_t i = 0; i < from.size(); i++) CHECK(memcmp(&from[i], &to[i], sizeof from[i]) == 0);
    CHECK(target->budget->used == target->bytes());
}

// --- checks

check::Options with_tape() {
    check::Options options;
    options.tape = true;
    return options;
}

check::LaunchCheck::Seen one_of_each(const Launch& launch) {
    check::LaunchCheck::Seen seen;
    for (size_t kind = 0; kind < kNames<check::FindingKind>.size(); kind++) {
        check::Finding& finding = seen.findings.emplace_back();
        finding.kind = static_cast<check::FindingKind>(kind);
        finding.has_second = kind % 2;
        finding.blocks = 7;
        finding.order.push_back({{}, {}, check::At::between});
    }
    seen.doubts.push_back({check::Doubt::time, {}});
    seen.steers.emplace_back();
    seen.boxes.push_back({4096, 8192, true});
    const Rectangle bytes{launch.memory->begin() + 4096, 64, 4, 128};
    for (int32_t unit = 0; unit < launch.units; unit++) {
        check::CoreTape& core = seen.cores.emplace_back();
        core.touches.push_back({Memory::GM, check::Way::writes, 0, 0, 0, bytes});
        core.touches.push_back({Memory::UB, check::Way::reads, 1, 0, 0, {0, 256, 1, 0}});
        for (const Op op : {Op::copy, Op::scalar_load, Op::set_flag, Op::wait_flag, Op::pipe_barrier, Op::dcci, Op::dsb, Op::gm_sync_all})
            for (size_t meet = 0; meet < 2 * kNames<Meet>.size(); meet++) {
                check::TapeEvent& event = core.events.emplace_back();
                (meet % 2 ? event.effect.waits : event.effect.signals) = static_cast<Meet>(meet / 2);
                event.effect.is_soft = op == Op::gm_sync_all;
                event.effect.is_barrier = op == Op::pipe_barrier || op == Op::gm_sync_all;
                event.effect.after = op == Op::pipe_barrier ? bit_of(Pipe::MTE2) : op == Op::gm_sync_all ? kAllPipes : uint8_t{0};
                event.effect.cleans = op == Op::dcci;
                event.effect.is_scalar_barrier = op == Op::dsb;
                event.effect.loads = op == Op::scalar_load;
                event.effect.dst = Pipe::V;
                event.has_run = true;
                event.spot.op = op;
                event.pipe = Pipe::MTE2;
                event.touches = 2;
            }
    }
    return seen;
}

TEST(findings_that_were_tampered_with_are_refused_or_told) {
    Made made;
    check::GlobalValues there, here;
    for (check::GlobalValues* each : {&there, &here}) each->allocated(made.device->memory.begin() + 4096, 1000);
    there.wrote(made.device->memory.begin() + 4096, made.device->memory.begin() + 4196);
    check::LaunchCheck source(with_tape(), made.launch, &there);
    source.adopt(one_of_each(made.launch));
    Writer writer;
    put_seen(writer, source, {});
    int taken = 0, refused = 0;
    tamper(writer.bytes, 1500, [&](const std::vector<uint8_t>& bytes) {
        check::LaunchCheck target(with_tape(), made.launch, &here);
        Reader reader(bytes.data(), bytes.size());
        get_seen(reader, target, made.launch, {});
        (reader.bad ? refused : taken)++;
        if (reader.bad) return;
        bool stuck = false;
        target.tape()->judge(with_tape(), {}, stuck);
        CHECK(target.ended(made.launch) && target.findings.sorted().size() <= kNames<check::FindingKind>.size());
    });
    CHECK(taken > 100);
    CHECK(refused > 100);
}

TEST(findings_come_over_as_they_were) {
    Made made;
    check::GlobalValues there, here;
    const uint64_t begin = made.device->memory.begin() + 4096;
    for (check::GlobalValues* each : {&there, &here}) each->allocated(begin, 1000);
    there.wrote(begin, begin + 100);
    check::LaunchCheck source(with_tape(), made.launch, &there), target(with_tape(), made.launch, &here);
    source.adopt(one_of_each(made.launch));
    Writer writer;
    put_seen(writer, source, {});
    Reader reader(writer.bytes.data(), writer.bytes.size());
    get_seen(reader, target, made.launch, {});
    CHECK(!reader.bad && reader.left() == 0);
    CHECK(target.findings.sorted().size() == source.findings.sorted().size() && target.findings.sorted()[0].blocks == 7);
    CHECK(target.doubts().size() == 1 && target.steers().size() == 1 && target.boxes().size() == 1);
    CHECK(here.has(begin + 99) && !here.has(begin + 100));
    CHECK(target.tape()->cores()[2].events.size() == source.tape()->cores()[2].events.size());
}

} // namespace
