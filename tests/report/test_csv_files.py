# SPDX-License-Identifier: Apache-2.0
"""The CSV files: headers letter by letter, rows by hand, `NA` where nothing is known."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import synthetic

from aclimb.trace import write_csv
from aclimb.trace.csv_columns import FILES
from aclimb.trace.csv_files import header

HEADERS = {
    "PipeUtilization": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aic_cube_time(us),aic_cube_ratio,aic_mte1_time(us),aic_mte1_ratio,"
        "aic_mte2_time(us),aic_mte2_ratio,aic_mte3_time(us),aic_mte3_ratio,aic_mte3_active_bw(GB/s),aic_fixpipe_time(us),"
        "aic_fixpipe_ratio,aic_fixpipe_active_bw(GB/s),aic_icache_miss_rate,aic_scalar_time(us),aic_scalar_ratio,"
        "aic_scalar_single_time(us),aic_scalar_dual_time(us),aic_scalar_mte1_stall_time(us),aic_scalar_mte2_stall_time(us),"
        "aic_scalar_mte3_stall_time(us),aic_scalar_cube_stall_time(us),aic_scalar_wait_ib_time(us),aic_scalar_wait_time(us),"
        "aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_mte2_time(us),aiv_mte2_ratio,aiv_mte2_active_bw(GB/s),"
        "aiv_mte3_time(us),aiv_mte3_ratio,aiv_mte3_active_bw(GB/s),aiv_icache_miss_rate,aiv_scalar_time(us),aiv_scalar_ratio,"
        "aiv_scalar_single_time(us),aiv_scalar_dual_time(us),aiv_scalar_mte2_stall_time(us),aiv_scalar_mte3_stall_time(us),"
        "aiv_scalar_stall_by_ub_time(us),aiv_scalar_vector_stall_time(us),aiv_scalar_wait_ib_time(us),aiv_scalar_wait_time(us)"
    ),
    "ArithmeticUtilization": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aic_cube_ratio,aic_cube_fp16_ratio,aic_cube_int8_ratio,aic_cube_fops,"
        "aic_cube_total_instr_number,aic_cube_fp_instr_number,aic_cube_int_instr_number,aiv_time(us),aiv_total_cycles,aiv_vec_ratio,"
        "aiv_vec_fp32_ratio,aiv_vec_fp16_ratio,aiv_vec_int32_ratio,aiv_vec_int16_ratio,aiv_vec_misc_ratio,aiv_vec_fops"
    ),
    "ResourceConflictRatio": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aic_cube_wait_ratio,aic_mte1_wait_ratio,aic_mte2_wait_ratio,"
        "aic_mte3_wait_ratio,aiv_time(us),aiv_total_cycles,aiv_vec_total_cflt_ratio,aiv_vec_bankgroup_cflt_ratio,"
        "aiv_vec_bank_cflt_ratio,aiv_vec_resc_cflt_ratio,aiv_vec_mte_cflt_ratio,aiv_vec_wait_ratio,aiv_mte2_wait_ratio,"
        "aiv_mte3_wait_ratio"
    ),
    "L2Cache": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aic_write_cache_hit,aic_write_cache_miss_allocate,aic_r0_read_cache_hit,"
        "aic_r0_read_cache_miss_allocate,aic_r1_read_cache_hit,aic_r1_read_cache_miss_allocate,aic_write_hit_rate(%),"
        "aic_read_hit_rate(%),aic_total_hit_rate(%),aiv_time(us),aiv_total_cycles,aiv_write_cache_hit,aiv_write_cache_miss_allocate,"
        "aiv_r0_read_cache_hit,aiv_r0_read_cache_miss_allocate,aiv_r1_read_cache_hit,aiv_r1_read_cache_miss_allocate,"
        "aiv_write_hit_rate(%),aiv_read_hit_rate(%),aiv_total_hit_rate(%)"
    ),
    "Memory": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aic_l1_read_bw(GB/s),aic_l1_write_bw(GB/s),aic_main_mem_read_bw(GB/s),"
        "aic_main_mem_write_bw(GB/s),aic_mte1_instructions,aic_mte1_ratio,aic_mte2_instructions,aic_mte2_ratio,aic_mte3_instructions,"
        "aic_mte3_ratio,aiv_time(us),aiv_total_cycles,aiv_ub_to_gm_bw(GB/s),aiv_gm_to_ub_bw(GB/s),aiv_main_mem_read_bw(GB/s),"
        "aiv_main_mem_write_bw(GB/s),aiv_mte2_instructions,aiv_mte2_ratio,aiv_mte3_instructions,aiv_mte3_ratio,"
        "read_main_memory_datas(KB),write_main_memory_datas(KB),GM_to_L1_datas(KB),GM_to_L1_bw_usage_rate(%),"
        "L1_to_GM_datas(KB)(estimate),L1_to_GM_bw_usage_rate(%)(estimate),L0C_to_L1_datas(KB),L0C_to_L1_bw_usage_rate(%),"
        "L0C_to_GM_datas(KB),L0C_to_GM_bw_usage_rate(%),GM_to_UB_datas(KB),GM_to_UB_bw_usage_rate(%),UB_to_GM_datas(KB),"
        "UB_to_GM_bw_usage_rate(%)"
    ),
    "MemoryL0": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aic_l0a_read_bw(GB/s),aic_l0a_write_bw(GB/s),aic_l0b_read_bw(GB/s),"
        "aic_l0b_write_bw(GB/s),aic_l0c_read_bw_cube(GB/s),aic_l0c_write_bw_cube(GB/s),aiv_time(us),aiv_total_cycles"
    ),
    "MemoryUB": (
        "block_id,sub_block_id,aic_time(us),aic_total_cycles,aiv_time(us),aiv_total_cycles,aiv_ub_read_bw_vector(GB/s),"
        "aiv_ub_write_bw_vector(GB/s),aiv_ub_read_bw_scalar(GB/s),aiv_ub_write_bw_scalar(GB/s)"
    ),
}


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", HEADERS)
def test_headers_are_those_of_msopprof(name: str, tmp_path: Path) -> None:
    write_csv(synthetic.profile(200, 2, matmul=False), tmp_path)
    assert (tmp_path / f"{name}.csv").read_text().splitlines()[0] == HEADERS[name]


def test_there_is_a_header_for_every_file() -> None:
    assert set(HEADERS) == set(FILES)


def test_basic_information_of_the_launch(tmp_path: Path) -> None:
    profile = synthetic.profile(200, 2, matmul=False)
    profile["launches"][0]["task_us"] = 12.5
    write_csv(profile, tmp_path)
    assert (tmp_path / "OpBasicInfo.csv").read_text().splitlines() == [
        "Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,Current Freq,Rated Freq",
        "add_custom,vector,12.5,2,NA,0,NA,1850,1850",
    ]


def test_a_vector_core_has_its_own_columns_and_na_in_the_others(tmp_path: Path) -> None:
    profile = synthetic.profile(200, 2, matmul=False)
    core = profile["launches"][0]["cores"][1]
    write_csv(profile, tmp_path)
    rows = read(tmp_path / "PipeUtilization.csv")
    assert [(row["block_id"], row["sub_block_id"]) for row in rows] == [("0", "vector0"), ("1", "vector0")]
    row, total = rows[1], core["end_us"] - core["start_us"]
    assert {value for key, value in row.items() if key.startswith("aic_")} == {"NA"}
    assert float(row["aiv_time(us)"]) == pytest.approx(total, abs=1e-6)
    assert int(row["aiv_total_cycles"]) == round(total * 1850)
    mte2 = core["pipes"]["MTE2"]
    assert float(row["aiv_mte2_time(us)"]) == pytest.approx(mte2["active_us"], abs=1e-6)
    assert float(row["aiv_mte2_ratio"]) == pytest.approx(mte2["active_us"] / total, abs=1e-6)
    assert float(row["aiv_mte2_active_bw(GB/s)"]) == pytest.approx(mte2["bytes"] / mte2["active_us"] / 1e3, abs=1e-5)
    assert row["aiv_scalar_vector_stall_time(us)"] == "NA", "nothing was counted"


def test_counters_fill_what_the_pipes_do_not_know(tmp_path: Path) -> None:
    profile = synthetic.profile(200, 1, matmul=False)
    profile["peaks"]["GM_to_UB"] = 200.0
    core = profile["launches"][0]["cores"][0]
    core |= {"start_us": 0.0, "end_us": 100.0}
    core["counters"] = {
        "GM_to_UB_bytes": 2048000, "vec_fops": 77, "vec_fp16_cycles": 18500, "scalar_stall_vector_cycles": 1850,
        "vec_bankgroup_conflict_cycles": 1850, "vec_bank_conflict_cycles": 3700, "vec_resource_conflict_cycles": 0,
        "vec_mte_conflict_cycles": 0, "l2_r0_read_hits": 30, "l2_r0_read_misses": 50, "l2_r1_read_hits": 10, "l2_r1_read_misses": 10,
        "UB_read_vector_bytes": 4000000,
    }  # fmt: skip
    write_csv(profile, tmp_path)
    memory, conflict, l2 = (read(tmp_path / f"{name}.csv")[0] for name in ("Memory", "ResourceConflictRatio", "L2Cache"))
    assert (memory["GM_to_UB_datas(KB)"], memory["aiv_gm_to_ub_bw(GB/s)"], memory["GM_to_UB_bw_usage_rate(%)"]) == (
        "2000",
        "20.48",
        "10.24",
    )
    assert (memory["L0C_to_GM_datas(KB)"], memory["UB_to_GM_bw_usage_rate(%)"]) == ("NA", "NA")
    assert (conflict["aiv_vec_bank_cflt_ratio"], conflict["aiv_vec_total_cflt_ratio"]) == ("0.02", "0.03")
    assert (l2["aiv_read_hit_rate(%)"], l2["aiv_write_hit_rate(%)"], l2["aiv_total_hit_rate(%)"]) == ("40", "NA", "NA")
    assert read(tmp_path / "ArithmeticUtilization.csv")[0]["aiv_vec_fp16_ratio"] == "0.1"
    assert read(tmp_path / "ArithmeticUtilization.csv")[0]["aiv_vec_fops"] == "77"
    assert read(tmp_path / "PipeUtilization.csv")[0]["aiv_scalar_vector_stall_time(us)"] == "1"
    assert read(tmp_path / "MemoryUB.csv")[0]["aiv_ub_read_bw_vector(GB/s)"] == "40"


def test_a_mixed_launch_lists_cube_and_vectors_of_each_block(tmp_path: Path) -> None:
    profile = synthetic.profile(200, 4, matmul=True)
    vector, cube = profile["launches"]
    cores: list[dict[str, Any]] = [{**core, "block": n // 2, "sub": n % 2} for n, core in enumerate(vector["cores"])]
    vector |= {"kernel_type": "MIX_AIC_1_2", "num_blocks": 2, "cores": cores + cube["cores"]}
    profile["launches"] = [vector]
    write_csv(profile, tmp_path)
    rows = read(tmp_path / "MemoryL0.csv")
    assert [f"{row['block_id']} {row['sub_block_id']}" for row in rows] == [
        f"{block} {sub}" for block in (0, 1) for sub in ("cube0", "vector0", "vector1")
    ]
    assert rows[0]["aiv_time(us)"] == rows[1]["aic_time(us)"] == "NA"
    assert read(tmp_path / "OpBasicInfo.csv")[0] | {"Task Duration(us)": ""} == {
        "Op Name": "add_custom", "Op Type": "mix", "Task Duration(us)": "", "Block Dim": "2", "Mix Block Dim": "4", "Device Id": "0",
        "Pid": "NA", "Current Freq": "1850", "Rated Freq": "1850",
    }  # fmt: skip


def test_several_launches_have_a_folder_each(tmp_path: Path) -> None:
    written = write_csv(synthetic.profile(200, 2), tmp_path)
    assert {str(path.parent.relative_to(tmp_path)) for path in written} == {"add_custom/0", "matmul_custom/1"}
    assert len(written) == 16


def test_the_spelling_of_op_summary_says_mac() -> None:
    columns = header("PipeUtilization", "msprof")
    assert columns[2:6] == ["aicore_time(us)", "aic_total_cycles", "aic_mac_time(us)", "aic_mac_ratio"]
    assert not [column for column in columns if "cube" in column]
    assert len(columns) == len(header("PipeUtilization"))
