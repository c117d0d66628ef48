# SPDX-License-Identifier: Apache-2.0
"""The page on the timing model: its parts in words, then every number of the chip files, the assumed ones first."""

from __future__ import annotations

from collections.abc import Iterator

from aclimb import chips
from aclimb.chips import TimingParameter, VectorCost

Row = tuple[str, ...]
GRADES = {
    "D": ("Assumed", "No published figure; somebody's guess, or the figure of a relative. Try another value with `--set` before you trust a result that rests on one."),  # noqa: E501
    "conflict": ("In conflict", "Two sources disagree; the published value is used and the other one stands beside it."),
    "C": ("Fitted", "Chosen so that the model meets published measurements. Good near them, unproven elsewhere."),
    "B": ("Published", "From the vendor's documents, configuration or tools; nobody checked it independently."),
    "A": ("Published and measured", "From the vendor, and a measurement agrees."),
}  # fmt: skip
MEANING = {
    "clock_mhz": "clock of the cores; cycles become time with it",
    "hbm_gbs": "what all cores together get from HBM",
    "l2_mib": "size of the L2",
    "l2_held": "what of it the least recently used line finds, as lines of one place crowd each other out",
    "l2_gbs": "what all cores together get from the L2",
    "gm_rd_lat_miss_ns": "first byte of a read from HBM",
    "gm_rd_lat_hit_ns": "first byte of a read that the L2 holds",
    "gm_wr_lat_ns": "from the last byte written to the flag",
    "aiv_rd_miss": "one AIV reads from HBM",
    "aiv_rd_hit": "one AIV reads from the L2",
    "aiv_wr": "one AIV writes to global memory",
    "aic_rd_miss": "one AIC reads from HBM",
    "aic_rd_hit": "one AIC reads from the L2",
    "aic_wr": "one AIC writes from L1 to global memory",
    "fix_gm": "FIX writes from L0C to global memory, at most",
    "l0c_l1": "FIX writes from L0C to L1",
    "l0c_ub": "FIX writes from L0C to UB",
    "l1_l0a": "MTE1 to L0A",
    "l1_l0b": "MTE1 to L0B",
    "l1_bt": "L1 to the bias table and the fixpipe buffer",
    "l1_ub": "L1 to UB",
    "ub_l1": "UB to L1",
    "mte_issue": "least distance of two copies on one MTE",
    "nd2nz_row_min": "least time of one row in a copy with Nd2Nz",
    "nd2nz_miss": "... and what its lines take more when they come from HBM",
    "write_in_flight": "bytes that a write has on the way at once; a read has 4096",
    "write_buffer": "a write whose rest is no more than this frees its pipe",
    "sector_bytes": "a row that touches part of a sector moves all of it, from HBM",
    "hbm_s0": "bytes that HBM loses by one copy",
    "hbm_s0_cap": "and the most it can lose",
    "hbm_write_cost": "a byte that is written back to HBM takes as long as so many that are read",
    "past_l2_row": "bytes that HBM loses by one row that is read past the L2",
    "same_line": "what memory does more for a line that another core is being served from",
    "same_line_ns": "how long ago that may have begun",
    "queue_depth": "instructions that wait at one pipe before the scalar unit stops",
    "vf_queue_depth": "vector functions that wait",
    "flag_issue": "scalar unit issues SetFlag or WaitFlag",
    "flag_handover": "from the set to the pipe that waits",
    "barrier_v": "PipeBarrier on V, beyond draining it",
    "xcore_flag": "from CrossCoreSetFlag to the core that waits",
    "sync_all_log": "SyncAll, beyond two cross-core flags",
    "soft_sync_ns": "SyncAll through global memory",
    "message_ns": "a call of a Matmul object that an AIV sends to its AIC",
    "message_serve_ns": "... which the AIC takes",
    "sk_entry_ns": "entry of a SuperKernel",
    "sk_call_ns": "call of a sub-kernel",
    "v_head": "first part of a vector instruction's fixed cost, paid when V was idle",
    "v_counter_extra": "counter mode or a tail under a mask",
    "vf_start": "start of a vector function",
    "vf_drain": "end of a vector function",
    "mmad_dt": "between Mmads that follow each other",
    "mmad_isolated": "the same when each is waited for",
    "cube_k_i4": "cube, int4",
    "cube_k_i8": "cube, int8",
    "cube_k_f16": "cube, half and bfloat16",
    "cube_k_f32": "cube, float",
    "cube_k_hf32": "cube, float as HF32",
    "mte1_fixed": "one LoadData, beyond its bytes",
    "fix_fixed": "one Fixpipe, beyond its bytes",
    "api_issue": "scalar unit, for one Ascend C call",
    "scalar_cycle": "scalar unit, for one operation of the kernel's own C++",
    "matmul_step": "scalar unit, for the code of a Matmul object around one Mmad",
    "matmul_copy": "... and around one copy to L1",
    "ub_scalar": "GetValue or SetValue on UB",
    "dcache_hit": "scalar access to global memory that the cache holds",
    "launch_base_ns": "from launch to the first block",
    "dispatch_ns": "one more block",
    "dispatch_wave_ns": "one more block when all cores are taken",
    "mix_extra_ns": "launch of AIC and AIV together, more",
    "tail_ns": "from the last block to the end of the task",
    "cube_clock_loss": "how much longer a task takes when all AICs multiply, because the chip lowers its clock",
    "framework_head_ns": "what a framework does before the kernel",
    "h2d_gbs": "copies from host to device",
    "d2h_gbs": "copies from device to host",
    "d2d_gbs": "copies on the device",
    "copy_base_ns": "one copy, beyond its bytes",
    "stream_gap_ns": "between two tasks of one stream",
}
WORDS = """
The model reads the same instructions that the engine runs, and says when each would start and end on a chip. Nothing in it knows Ascend
C, and nothing in it was measured by aclimb: it is put together from published numbers. [Kernels written to published
measurements](../../tests/timing/published.py) hold it; a third of them was not used to choose any number here. `python
tools/timing_report.py` prints them all. Half of the ratios before/after a change of a kernel are within 3 percent, nine of ten within 10;
nine of ten core times are within 12 percent. Kernels that resemble none of them can be further off, and a kernel of a few microseconds is
mostly launch and scalar code, which are known least.

- **Scalar unit.** It hands out instructions in program order, each after `api_issue` cycles. A pipe holds `queue_depth` of them; when it is
  full the scalar unit stops, and every later instruction with it. The C++ between two calls costs `scalar_cycle` for each operation,
  counted in a second image of the kernel; plain pointers to global memory go through the data cache, 64 bytes a line.
- **Pipes.** Each pipe takes its instructions in order. An instruction has two ends: *free*, when the pipe can take the next one, and
  *done*, when its result is there. Flags fire at *done*, plus `flag_handover`.
- **Vector.** Repeats times the slope of the table below, times the conflict of UB banks, plus head and tail. The head overlaps with what
  runs before; the tail is waited for by flags, barriers and instructions that touch what this one wrote. Bank conflicts are found once
  for an instruction, from its addresses and strides.
- **Copies.** Bytes at the rate of the core, at least `mte_issue` apart. The data is there one latency after the pipe is free; copies that
  follow each other overlap theirs, and so do the rows of one with Nd2Nz. A write frees its pipe when the rest of it fits in a buffer
  (*drained*), and its flag fires when all of it is in memory (*done*).
- **Servers.** HBM and L2 serve all cores of a die in the order in which pieces of a copy arrive, reads and writes in one queue, at
  `hbm_gbs` and `l2_gbs`.
  What one core uses the others wait for, and neither a hit nor a write overtakes the misses before it. HBM is charged whole
  sectors, `hbm_s0` for each copy, and more for what is written; a line that several cores ask for at once costs more than once.
- **L2.** Lines of 512 bytes, least recently used first out. Written lines go to HBM when they leave, or before, while HBM has nothing else
  to do: a launch finds what earlier launches left, written back in between (`l2="clean-warm"`), or still dirty (`"dirty-warm"`), or nothing
  (`"cold"`). `SetL2CacheHint` with `CACHE_MODE_DISABLE` goes past it.
- **Cube.** One step of 16 x 16 x `cube_k` a cycle, plus `mmad_dt`. Loads to L0 and fixpipe: a fixed part and bytes at a rate. With the unit
  flag FIX is active from the moment it has its instruction, and follows M.
- **Launch.** Blocks start `dispatch_ns` apart, on the first free core. A task that multiplies on all AICs takes `cube_clock_loss` longer
  than its cycles at the rated clock say; core times and pipes are cycles over the rated clock, as profilers have them.
- **GetSystemCycle** says what the model says: the launch runs once without arithmetic for the times, and again with them. A note tells when
  what the kernel does depends on them.

What it leaves out: instruction cache misses, address translation, near and far parts of the L2, and the differences of an A3 die from an A2
one.
"""


def table(titles: Row, rows: list[Row]) -> Iterator[str]:
    yield "| " + " | ".join(titles) + " |"
    yield "|" + "---|" * len(titles)
    yield from ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def timing_page() -> Iterator[str]:
    names = chips.names()
    known = {name: chips.timing(name).parameters for name in names}
    first = known[names[0]]
    shared = {name: row for name, row in first.items() if all(each[name] == row for each in known.values())}
    own = [name for name in first if name not in shared]
    yield "# What the model knows and what it assumes"
    yield "From `src/aclimb/chips/data`."
    yield from WORDS.splitlines()
    yield ""
    yield '`aclimb profile --set hbm_gbs=1200`, or `aclimb.profile(set={"hbm_gbs": 1200})`, replaces a number for one run; every'
    yield "report says which it used."
    yield ""
    yield "## Grades"
    yield ""
    vector = chips.timing(names[0]).vector
    graded: list[TimingParameter | VectorCost] = [
        *shared.values(),
        *(row[name] for row in known.values() for name in own),
        *vector.values(),
    ]
    grades = [row.grade for row in graded]
    yield from table(("grade", "", "means", "numbers below"), [grade_row(grade, grades.count(grade)) for grade in GRADES])
    yield ""
    yield "## The same on every A2 and A3 chip"
    for grade, (title, _) in GRADES.items():
        rows = [shared_row(name, row) for name, row in shared.items() if row.grade == grade]
        if rows:
            yield from ("", f"### {title} ({grade})", "")
            yield from table(("parameter", "what", "value", "unit", "where from"), rows)
    yield ""
    yield "## Each chip's own"
    yield ""
    yield "A number in **bold** is assumed."
    yield ""
    yield from table(("chip", *(f"`{name}`" for name in own)), [chip_row(chip, own, known[chip]) for chip in names])
    yield ""
    yield from (f"- `{name}`, {first[name].unit}: {MEANING[name]}. {origins(name, known)}" for name in own)
    yield ""
    yield from vector_part(vector)
    yield ""
    yield from peaks_part(names)
    yield ""
    yield from query_part()


def grade_row(grade: str, count: int) -> Row:
    title, means = GRADES[grade]
    return (grade, title, means, str(count))


def shared_row(name: str, row: TimingParameter) -> Row:
    return (f"`{name}`", MEANING[name], f"{row.value:g}", row.unit, row.source)


def marked(row: TimingParameter) -> str:
    return f"**{row.value:g}**" if row.grade == "D" else f"{row.value:g}"


def chip_row(chip: str, own: list[str], parameters: dict[str, TimingParameter]) -> Row:
    return (f"`{chip}`", *(marked(parameters[name]) for name in own))


def origins(name: str, known: dict[str, dict[str, TimingParameter]]) -> str:
    """Each source once, with the chips that have it."""
    chips_by_source: dict[tuple[str, str], list[str]] = {}
    for chip, parameters in known.items():
        chips_by_source.setdefault((parameters[name].source, parameters[name].grade), []).append(chip.removeprefix("Ascend"))
    return "; ".join(f"{', '.join(members)}: {source} [{grade}]" for (source, grade), members in chips_by_source.items())


def vector_part(vector: dict[str, VectorCost]) -> Iterator[str]:
    yield "## Vector instructions, A2 and A3"
    yield ""
    yield "Cycles = fixed + repeats x slope, a repeat being 256 bytes. The slope is that without bank conflicts, for elements of 4"
    yield "and of 2 bytes. The fixed"
    yield "part has a grade of its own: B is PTO's cost model, measured on a 910B3; D is copied from the nearest relative."
    yield ""
    order = {grade: place for place, grade in enumerate(GRADES)}
    rows = sorted(vector.items(), key=lambda item: (order[item[1].grade], order[item[1].fixed_grade]))
    yield from table(
        ("call", "slope, 4 bytes", "slope, 2 bytes", "grade", "fixed", "its grade", "where from"),
        [(f"`{name}`", f"{c.b32:g}", f"{c.b16:g}", c.grade, f"{c.fixed:g}", c.fixed_grade, c.source) for name, c in rows],
    )


def peaks_part(names: tuple[str, ...]) -> Iterator[str]:
    known = {name: chips.timing(name) for name in names}
    paths = list(known[names[0]].peaks)
    yield "## Peaks of the paths"
    yield ""
    yield "GB/s of a single core. The model does not use them: the usage rates of the memory report are measured against"
    yield "them, as msopprof does."
    yield ""
    rows = [
        (f"`{chip}`", *(f"{each.peaks[path]:g}" for path in paths), f"{each.peaks_source} [{each.peaks_grade}]")
        for chip, each in known.items()
    ]
    yield from table(("chip", *(path.replace("_", " ") for path in paths), "where from"), rows)


def query_part() -> Iterator[str]:
    """The chips that are not built for: one table a family, a column each chip."""
    others = [name for name in chips.names(query_only=True) if not chips.load(name).can_build]
    yield "## Chips for queries only"
    yield ""
    yield "`aclimb.chips.timing(name)` has their numbers; aclimb does not build for them. A number in **bold** is assumed."
    for family in dict.fromkeys(chips.load(name).family for name in others):
        members = [name for name in others if chips.load(name).family == family]
        known = [chips.timing(name).parameters for name in members]
        yield from ("", f"### {family}", "")
        rows = [(f"`{name}`", known[0][name].unit, *(marked(each[name]) for each in known)) for name in known[0]]
        yield from table(("parameter", "unit", *(name.removeprefix("Ascend") for name in members)), rows)
