// SPDX-License-Identifier: Apache-2.0
#include "isolation/wire_logs.h"

#include <algorithm>

#include "core/accesses.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/scalar_log.h"
#include "isa/rows.h"

namespace aclimb {
namespace {

constexpr uint32_t kMostRecords = 1 << 26, kMostFew = 1 << 16;
constexpr uint32_t kNoImage = ~0u;

} // namespace

// --- global memory of members

void put_log(Writer& to, Accesses& log, const Images&) {
    const auto all = log.ranges();
    to.put(static_cast<uint32_t>(all.size()));
    for (const auto& [key, ranges] : all) {
        to.put(key);
        to.put(static_cast<uint32_t>(ranges.size()));
        to.put_bytes(ranges.data(), ranges.size() * sizeof(Accesses::Range));
    }
}

void get_log(Reader& from, Accesses& log, const Launch& launch, const Images&) {
    for (uint32_t i = from.get_count(kMostFew); i > 0; i--) {
        const auto key = from.get<Accesses::Key>();
        if (key[0] < -1 || key[0] >= std::max<int64_t>(1, members_of(launch))) from.bad = true;
        for (uint32_t k = from.get_count(kMostRecords); k > 0 && !from.bad; k--) {
            const auto range = from.get<Accesses::Range>();
            if (range.begin > range.end) from.bad = true;
            if (!from.bad) log.add_range({key[0], key[1] != 0, key[2] != 0, key[3] != 0}, range);
        }
    }
}

// --- the scalar unit

void put_log(Writer& to, ScalarLog& log, const Images& images) {
    const auto rows = log.rows();
    to.put(log.work());
    to.put(log.observed());
    to.put(static_cast<uint32_t>(rows.size()));
    for (const ScalarLog::Row& row : rows) {
        to.put(row.unit);
        to.put(row.sub);
        to.put(static_cast<uint32_t>(row.op));
        to.put(static_cast<uint32_t>(row.way));
        to.put(static_cast<uint32_t>(row.memory));
        for (const uint64_t each : {row.addr, row.bytes, row.work, row.offset}) to.put(each);
        const auto found = std::find(images.begin(), images.end(), row.image);
        to.put(found == images.end() ? kNoImage : static_cast<uint32_t>(found - images.begin()));
    }
}

void get_log(Reader& from, ScalarLog& log, const Launch& launch, const Images& images) {
    const auto work = from.get<uint64_t>();
    const bool observed = from.get<uint8_t>() != 0;
    std::vector<ScalarLog::Row> rows;
    for (uint32_t i = from.get_count(kMostRecords); i > 0 && !from.bad; i--) {
        ScalarLog::Row row{};
        row.launch = launch.id;
        row.unit = from.get_between<int32_t>(0, launch.units - 1);
        row.sub = from.get_between<int32_t>(-1, members_of(launch) - 1);
        row.op = from.get_enum<Op>(static_cast<size_t>(kRowCount));
        row.way = from.get_enum<ScalarWay>(kNames<ScalarWay>.size());
        row.memory = from.get_enum<Memory>(kNames<Memory>.size());
        for (uint64_t* each : {&row.addr, &row.bytes, &row.work, &row.offset}) *each = from.get<uint64_t>();
        const auto image = from.get<uint32_t>();
        if (image != kNoImage && image >= images.size()) from.bad = true;
        else if (image != kNoImage) row.image = images[image];
        rows.push_back(std::move(row));
    }
    if (!from.bad) log.adopt(std::move(rows), work, observed);
}

} // namespace aclimb
