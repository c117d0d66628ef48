# SPDX-License-Identifier: Apache-2.0
"""The engine's counters of a core under the names the CSV files read them by: bytes, requests, operations, cycles."""

from __future__ import annotations

from collections.abc import Mapping

REQUEST_BYTES = 128  # what one request to the L2 moves


def csv_counters(core_type: str, raw: Mapping[str, int], clock_mhz: float) -> dict[str, float]:
    """Only what the model knows: a counter it does not have is not in the answer, and its column says NA."""

    def cycles(ps: int) -> float:
        return ps * clock_mhz / 1e6

    shared = {
        "main_memory_read_bytes": raw["read_hit"] + raw["read_miss"],
        "main_memory_write_bytes": raw["write_hit"] + raw["write_miss"],
        "l2_write_hits": raw["write_hit"] // REQUEST_BYTES,
        "l2_write_misses": raw["write_miss"] // REQUEST_BYTES,
        "l2_r0_read_hits": raw["read_hit"] // REQUEST_BYTES,
        "l2_r0_read_misses": raw["read_miss"] // REQUEST_BYTES,
        "l2_r1_read_hits": 0,  # one read port is modelled
        "l2_r1_read_misses": 0,
        "scalar_wait_cycles": cycles(raw["scalar_flag"]),
        "scalar_stall_mte2_cycles": cycles(raw["queue_full_MTE2_ps"]),
        "scalar_stall_mte3_cycles": cycles(raw["queue_full_MTE3_ps"]),
        "hbm_read_bytes": raw["hbm_read"],
        "hbm_write_bytes": raw["hbm_write"],
    }
    if core_type == "AIC":
        macs = raw["macs"] + raw["macs_int"]
        return shared | {
            "GM_to_L1_bytes": raw["gm_l1_bytes"],
            "L1_to_GM_bytes": raw["l1_gm_bytes"],
            "L0C_to_L1_bytes": raw["l0c_l1_bytes"],
            "L0C_to_GM_bytes": raw["l0c_gm_bytes"],
            "L1_read_bytes": raw["l1_l0a_bytes"] + raw["l1_l0b_bytes"] + raw["l1_bt_bytes"] + raw["l1_gm_bytes"],
            "L1_write_bytes": raw["gm_l1_bytes"] + raw["l0c_l1_bytes"],
            "L0A_write_bytes": raw["l1_l0a_bytes"],
            "L0B_write_bytes": raw["l1_l0b_bytes"],
            "cube_fops": 2 * macs,
            "cube_fp16_cycles": cycles(raw["cube_fp16"]),
            "cube_int8_cycles": cycles(raw["cube_int8"]),
            "cube_fp_instructions": raw["mmads"],
            "cube_int_instructions": raw["mmads_int"],
            "scalar_stall_mte1_cycles": cycles(raw["queue_full_MTE1_ps"]),
            "scalar_stall_cube_cycles": cycles(raw["queue_full_M_ps"]),
        }
    return shared | {
        "GM_to_UB_bytes": raw["gm_ub_bytes"],
        "UB_to_GM_bytes": raw["ub_gm_bytes"],
        "UB_read_vector_bytes": raw["vector_read"],
        "UB_write_vector_bytes": raw["vector_write"],
        "vec_fops": raw["lanes_f32"] + raw["lanes_f16"],
        "vec_fp32_cycles": cycles(raw["vec_f32"]),
        "vec_fp16_cycles": cycles(raw["vec_f16"]),
        "vec_int32_cycles": cycles(raw["vec_int32"]),
        "vec_int16_cycles": cycles(raw["vec_int16"]),
        "vec_misc_cycles": cycles(raw["vec_misc"]),
        "vec_bankgroup_conflict_cycles": cycles(raw["bank_conflict"]),
        "vec_bank_conflict_cycles": 0,  # the model tells no bank conflicts from those of its group,
        "vec_resource_conflict_cycles": 0,  # and has none of these two
        "vec_mte_conflict_cycles": 0,
        "scalar_stall_vector_cycles": cycles(raw["queue_full_V_ps"]),
    }
