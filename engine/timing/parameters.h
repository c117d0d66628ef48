// SPDX-License-Identifier: Apache-2.0
// What the model knows about a chip. Every value comes from chips/data/*.toml by its name; here are only the names.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "aclimb/abi.h"

namespace aclimb::timing {

using Time = int64_t; // picoseconds

// Rates of a core are bytes a cycle, rates of a die GB/s; latencies end in _ns, other times are cycles.
#define ACLIMB_TIMING_PARAMETERS(ROW)                                                                                                      \
    ROW(clock_mhz)                                                                                                                         \
    ROW(hbm_gbs)                                                                                                                           \
    ROW(l2_mib)                                                                                                                            \
    ROW(l2_held)                                                                                                                           \
    ROW(l2_gbs)                                                                                                                            \
    ROW(gm_rd_lat_miss_ns)                                                                                                                 \
    ROW(gm_rd_lat_hit_ns)                                                                                                                  \
    ROW(gm_wr_lat_ns)                                                                                                                      \
    ROW(aiv_rd_miss)                                                                                                                       \
    ROW(aiv_rd_hit)                                                                                                                        \
    ROW(aiv_wr)                                                                                                                            \
    ROW(aic_rd_miss)                                                                                                                       \
    ROW(aic_rd_hit)                                                                                                                        \
    ROW(aic_wr)                                                                                                                            \
    ROW(fix_gm)                                                                                                                            \
    ROW(l0c_l1)                                                                                                                            \
    ROW(l1_l0a)                                                                                                                            \
    ROW(l1_l0b)                                                                                                                            \
    ROW(l1_bt)                                                                                                                             \
    ROW(mte_issue)                                                                                                                         \
    ROW(nd2nz_row_min)                                                                                                                     \
    ROW(nd2nz_miss)                                                                                                                        \
    ROW(write_in_flight)                                                                                                                   \
    ROW(write_buffer)                                                                                                                      \
    ROW(sector_bytes)                                                                                                                      \
    ROW(hbm_write_cost)                                                                                                                    \
    ROW(past_l2_row)                                                                                                                       \
    ROW(hbm_s0)                                                                                                                            \
    ROW(hbm_s0_cap)                                                                                                                        \
    ROW(queue_depth)                                                                                                                       \
    ROW(flag_handover)                                                                                                                     \
    ROW(barrier_v)                                                                                                                         \
    ROW(xcore_flag)                                                                                                                        \
    ROW(v_head)                                                                                                                            \
    ROW(v_counter_extra)                                                                                                                   \
    ROW(mmad_dt)                                                                                                                           \
    ROW(mmad_isolated)                                                                                                                     \
    ROW(mte1_fixed)                                                                                                                        \
    ROW(fix_fixed)                                                                                                                         \
    ROW(ub_scalar)                                                                                                                         \
    ROW(api_issue)                                                                                                                         \
    ROW(scalar_cycle)                                                                                                                      \
    ROW(matmul_step)                                                                                                                       \
    ROW(matmul_copy)                                                                                                                       \
    ROW(flag_issue)                                                                                                                        \
    ROW(dcache_hit)                                                                                                                        \
    ROW(same_line)                                                                                                                         \
    ROW(same_line_ns)                                                                                                                      \
    ROW(launch_base_ns)                                                                                                                    \
    ROW(dispatch_ns)                                                                                                                       \
    ROW(mix_extra_ns)                                                                                                                      \
    ROW(tail_ns)                                                                                                                           \
    ROW(cube_clock_loss)                                                                                                                   \
    ROW(framework_head_ns)                                                                                                                 \
    ROW(sync_all_log)                                                                                                                      \
    ROW(soft_sync_ns)                                                                                                                      \
    ROW(message_ns)                                                                                                                        \
    ROW(message_serve_ns)                                                                                                                  \
    ROW(h2d_gbs)                                                                                                                           \
    ROW(d2h_gbs)                                                                                                                           \
    ROW(d2d_gbs)                                                                                                                           \
    ROW(copy_base_ns)                                                                                                                      \
    ROW(stream_gap_ns)                                                                                                                     \
    ROW(sk_entry_ns)                                                                                                                       \
    ROW(sk_call_ns)                                                                                                                        \
    ROW(cube_k_i4)                                                                                                                         \
    ROW(cube_k_i8)                                                                                                                         \
    ROW(cube_k_f16)                                                                                                                        \
    ROW(cube_k_f32)                                                                                                                        \
    ROW(cube_k_hf32)

struct VectorCost {
    double b32 = 0, b16 = 0; // cycles a repeat of 256 bytes
    double fixed = 0;        // head and tail
};

enum class L2Start { cold, clean_warm, dirty_warm }; // what a launch finds in the L2

struct Parameters {
#define ACLIMB_TIMING_ROW(name) double name = 0;
    ACLIMB_TIMING_PARAMETERS(ACLIMB_TIMING_ROW)
#undef ACLIMB_TIMING_ROW
    VectorCost vector[256]; // by TapeEntry::op
    VectorCost cast_wide;   // Cast between types of different width
    int aic_cores = 0, aiv_cores = 0;
    L2Start l2_start = L2Start::clean_warm;
    int sharers = 1; // a sampled block is one of so many

    int64_t blocks_at_once(int aics, int aivs) const { // of a kernel with so many cores a block
        if (aics == 0) return aiv_cores / aivs;
        return aivs == 0 ? aic_cores : std::min(aic_cores, aiv_cores / aivs);
    }
    uint64_t l2_bytes() const { return static_cast<uint64_t>(l2_mib * l2_held * (1 << 20)); }
    Time launch_head(int aics, int aivs) const { // before the first block starts
        return ns(launch_base_ns + framework_head_ns + (aics && aivs ? mix_extra_ns : 0));
    }
    double cube_k(int type) const { // elements deep that the cube takes a cycle, by CubeType
        const double rows[] = {cube_k_i4, cube_k_i8, cube_k_f16, cube_k_f32, cube_k_hf32};
        return rows[type];
    }
    Time cycles(double count) const { return std::llround(count * 1e6 / clock_mhz); }
    static Time ns(double count) { return std::llround(count * 1e3); }
    static Time bytes_at(double bytes, double gbs) { return std::llround(bytes * 1e3 / gbs); }
    Time bytes_by(double bytes, double bytes_a_cycle) const { return cycles(bytes / bytes_a_cycle); }

    void change(const std::map<std::string, double>& values); // those that it has
    // False: a name is missing.
    bool fill(const std::map<std::string, double>& values, std::string& missing);
};

} // namespace aclimb::timing
