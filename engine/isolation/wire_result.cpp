// SPDX-License-Identifier: Apache-2.0
#include "core/launch.h"
#include "core/plan.h"
#include "isolation/watch.h"
#include "isolation/wire.h"
#include "memory/whereabouts.h"

namespace aclimb {
namespace {

constexpr uint32_t kMostFacts = 256, kMostText = 1 << 16, kMostOutput = 64 << 20;
constexpr uint32_t kNowhere = ~0u;

} // namespace

void put_place(Writer& to, const Images& images, uint64_t pc) {
    for (size_t i = 0; i < images.size(); i++)
        if (images[i]->has_code(pc)) {
            to.put(static_cast<uint32_t>(i));
            to.put(pc - images[i]->base);
            return;
        }
    to.put(kNowhere);
    to.put(uint64_t{0});
}

uint64_t get_place(Reader& from, const Images& images) {
    const auto image = from.get<uint32_t>();
    const auto offset = from.get<uint64_t>();
    if (from.bad || image == kNowhere) return 0;
    if (image >= images.size() || !images[image]->has_code(images[image]->base + offset)) from.bad = true;
    return from.bad ? 0 : images[image]->base + offset;
}

namespace {

void put_fault(Writer& to, const Images& images, const Fault& fault) {
    to.put(static_cast<uint32_t>(fault.kind.value));
    to.put(fault.block);
    to.put(static_cast<uint32_t>(fault.core_type));
    to.put(fault.core_idx);
    to.put(fault.sub);
    to.put(fault.unit);
    to.put(fault.went_on);
    to.put(fault.chip_runs);
    put_place(to, images, fault.pc);
    to.put_text(fault.instruction);
    to.put(static_cast<uint32_t>(fault.numbers.size()));
    for (const auto& [name, value] : fault.numbers) {
        to.put(static_cast<uint32_t>(name));
        to.put(value);
    }
    to.put(static_cast<uint32_t>(fault.texts.size()));
    for (const auto& [name, text] : fault.texts) {
        to.put(static_cast<uint32_t>(name));
        to.put_text(text.substr(0, kMostText));
    }
    to.put(static_cast<uint32_t>(fault.sites.size()));
    for (const Site& site : fault.sites) {
        to.put_text(site.label.substr(0, kMostText));
        put_place(to, images, site.pc);
    }
}

// A kernel that was given an address of the host's, or of another device, finds nothing there; whose it is only the host knows.
void name_owner(Fault& fault, const GlobalMemory& own) {
    for (auto& [name, text] : fault.texts) {
        if (name != FaultText::memory_of || text == "kernel") continue;
        for (const auto& [key, value] : fault.numbers) {
            if (key != FaultNumber::addr) continue;
            const Whereabouts found = whereabouts(static_cast<uint64_t>(value));
            if (found.memory && found.memory != &own) text = "other device";
            else if (!found.memory) text = found.kind == Whereabouts::host ? "host" : "nothing";
        }
    }
}

Fault get_fault(Reader& from, const Images& images, const Launch& launch) {
    Fault fault;
    fault.kind = from.get_enum<FaultKind>(kNames<FaultKind>.size());
    fault.block = from.get<int64_t>();
    fault.core_type = from.get_enum<CoreType>(kNames<CoreType>.size());
    fault.core_idx = from.get<int64_t>();
    fault.sub = from.get<int32_t>();
    fault.unit = from.get<int32_t>();
    fault.went_on = from.get<bool>();
    fault.chip_runs = from.get<bool>();
    fault.pc = get_place(from, images);
    fault.instruction = from.get_text(kMostText);
    for (uint32_t i = from.get_count(kMostFacts); i > 0; i--) {
        const auto name = from.get_enum<FaultNumber>(kNames<FaultNumber>.size());
        fault.numbers.emplace_back(name, from.get<int64_t>());
    }
    for (uint32_t i = from.get_count(kMostFacts); i > 0; i--) {
        const auto name = from.get_enum<FaultText>(kNames<FaultText>.size());
        fault.texts.emplace_back(name, from.get_text(kMostText));
    }
    for (uint32_t i = from.get_count(kMostFacts); i > 0; i--) {
        std::string label = from.get_text(kMostText);
        fault.sites.push_back({std::move(label), get_place(from, images)});
    }
    const int64_t subs = members_of(launch);
    if (fault.block < -1 || fault.block >= launch.num_blocks || fault.sub < -1 || fault.sub >= subs) from.bad = true;
    if (fault.unit < -1 || fault.unit >= launch.units || fault.core_idx < -1 || fault.core_idx > 3 * launch.num_blocks) from.bad = true;
    fault.claimed = true;
    name_owner(fault, *launch.memory);
    return fault;
}

} // namespace

void put_result(Writer& to, const Launch& launch) {
    const bool is_watched = !launch.observers.empty();
    const Images images = launch.fault || !launch.notes.empty() || is_watched ? images_in(*launch.kernel) : Images();
    to.put(static_cast<uint32_t>(launch.fault.has_value()));
    if (launch.fault) put_fault(to, images, *launch.fault);
    to.put(static_cast<uint32_t>(launch.notes.size()));
    for (const Fault& note : launch.notes) put_fault(to, images, note);
    uint32_t printed = 0;
    for (const auto& text : launch.output) printed += !text.empty();
    to.put(printed);
    for (size_t i = 0; i < launch.output.size(); i++)
        if (!launch.output[i].empty()) {
            to.put(static_cast<uint32_t>(i));
            to.put_text(launch.output[i]);
        }
    if (is_watched) put_seen(to, launch, images);
}

bool get_result(Reader& from, Launch& launch) {
    constexpr size_t kNothing = 3 * sizeof(uint32_t); // neither a fault nor a note nor text
    const Images images = from.left() == kNothing ? Images() : images_in(*launch.kernel);
    std::optional<Fault> fault;
    std::vector<Fault> notes;
    std::vector<std::pair<uint32_t, std::string>> printed;
    if (from.get_count(1)) fault = get_fault(from, images, launch);
    for (uint32_t i = from.get_count(kMostNotes); i > 0; i--) notes.push_back(get_fault(from, images, launch));
    for (uint32_t i = from.get_count(static_cast<uint32_t>(launch.units)); i > 0; i--) {
        const auto unit = from.get_enum<uint32_t>(static_cast<size_t>(launch.units));
        printed.emplace_back(unit, from.get_text(kMostOutput));
    }
    if (from.bad || (!launch.observers.empty() && !get_seen(from, launch, images)) || from.left()) return false;
    launch.fault = std::move(fault);
    launch.notes = std::move(notes);
    for (auto& [unit, text] : printed) launch.output[unit] = std::move(text);
    return true;
}

} // namespace aclimb
