# SPDX-License-Identifier: Apache-2.0
"""From what the passes found to KernelInfo: kernel type, parameters, tiling keys, facts."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.binary import Rows
from aclimb.compile.facts import Fact, ObjectFacts
from aclimb.compile.kernel_type import Facts
from aclimb.compile.passes import KernelEntry
from aclimb.errors import CompileError
from aclimb.flow import KernelInfo, KernelType, Parameter, ParameterKind, slot_offsets

_KINDS: dict[int, ParameterKind] = {
    1: "pointer",
    2: "int",
    3: "uint",
    4: "float",
    5: "bool",
    6: "struct",
    7: "float",
    8: "float",
}
_FLAGS = {
    "uses_sync_all": Fact.sync_all,
    "uses_cross_core": Fact.cross_core,
    "uses_gm_sync": Fact.gm_sync,
    "float_atomics": Fact.float_atomic,
    "integer_atomics": Fact.integer_atomic,
    "early_start_set": Fact.early_set,
    "early_start_wait": Fact.early_wait,
    "prints": Fact.print,
    "dumps_tensors": Fact.dump_tensor,
    "asserts": Fact.assertion,
    "uses_workspace": Fact.workspace,
    "raw_block_index": Fact.raw_index,
    "reads_clock": Fact.clock,
}
_PIPE_S = 0  # of enum Pipe


@dataclass(frozen=True)
class PassResult:
    """What one pass left: its entries and what its object says about them."""

    entries: list[KernelEntry]
    found: ObjectFacts

    def facts(self, symbol: str) -> Facts:
        return self.found.facts(symbol)


def all_entries(passes: dict[str, PassResult]) -> list[KernelEntry]:
    """Every kernel of every pass, in the order of the source."""
    entries: dict[str, KernelEntry] = {}
    for name in ("aiv", "aic"):
        for entry in passes[name].entries if name in passes else ():
            entries.setdefault(entry.name, entry)
    return list(entries.values())


def facts_by_core(entry: KernelEntry, passes: dict[str, PassResult]) -> dict[str, Facts]:
    return {core: result.facts(entry.symbol) for core, result in passes.items()}


def built_with(passes: dict[str, PassResult]) -> Rows:
    """The rows of instructions.def in the headers: every entry of every pass says the same."""
    values = {site.value for result in passes.values() for sites in result.found.sites.values() for site in sites if site.fact == Fact.rows}
    assert len(values) == 1, f"the entries of one build name {len(values)} tables of instructions"
    (value,) = values
    return Rows(value & 0xFFFF, value >> 16)


def kernel_info(entry: KernelEntry, passes: dict[str, PassResult], kind: KernelType) -> KernelInfo:
    by_core = facts_by_core(entry, passes)
    everything = set().union(*by_core.values())
    keyed = {value >> 4: KernelType(value & 15) for fact, value in everything if fact == Fact.kernel_type_key}
    types = [kind, *keyed.values()]
    facts: Facts = set()
    for core, found in by_core.items():
        if any(t.has_aiv if core == "aiv" else t.has_aic for t in types):
            facts |= found
    keys = {value for fact, value in everything if fact == Fact.tiling_key} | set(keyed)
    present = {fact for fact, _ in facts}
    return KernelInfo(
        name=entry.name,
        entry=f"aclimb_entry_{entry.symbol}",
        kernel_type=kind,
        parameters=_parameters(entry, passes),
        tiling_keys=tuple(sorted(keys)),
        key_types=tuple(sorted((key, t) for key, t in keyed.items() if t != kind)),
        key_arguments=entry.key_arguments,
        schedule_mode=_schedule_mode(entry),
        early_start_scalar=any(fact == Fact.early_set and value // 8 == _PIPE_S for fact, value in by_core.get("aiv", ())),
        expects_one_aiv=KernelType.MIX_AIC_1_1 in types and _expects_one_aiv(by_core.get("aiv", set())),
        cross_core_in_block=Fact.cross_core in present and (Fact.cross_core, 1) not in facts,
        **{name: fact in present for name, fact in _FLAGS.items()},
    )


def _expects_one_aiv(facts: Facts) -> bool:
    """Two AIVs to a block would change what such a kernel does: other rows, or each sum twice."""
    present = {fact for fact, _ in facts}
    return Fact.sub_block not in present and bool(present & {Fact.block_index, Fact.float_atomic, Fact.integer_atomic})


def _schedule_mode(entry: KernelEntry) -> int:
    text = entry.kernel.annotations.get("schedmode", "0").strip()
    if text not in ("0", "1"):
        raise CompileError(f"kernel {entry.name} has __schedmode__({text}); it takes 0 or 1")
    return int(text)


def _parameters(entry: KernelEntry, passes: dict[str, PassResult]) -> tuple[Parameter, ...]:
    tables = [r.found.parameters[entry.symbol] for r in passes.values() if entry.symbol in r.found.parameters]
    assert tables, f"no parameter table for {entry.symbol}"
    if any(table != tables[0] for table in tables):
        raise CompileError(
            f"kernel {entry.name} has other parameters in the AIC pass than in the AIV pass; both receive the same arguments"
        )
    rows = tables[0]
    offsets = slot_offsets([size for _, size in rows])
    spelled = entry.kernel.parameters + (("", ""),) * (len(rows) - len(entry.kernel.parameters))
    return tuple(
        Parameter(name or f"arg{i}", _type_text(kind, size, text), _KINDS[kind], size, offset)
        for i, ((kind, size), offset, (text, name)) in enumerate(zip(rows, offsets, spelled, strict=False))
    )


def _type_text(kind: int, size: int, text: str) -> str:
    """How messages name a type: scalars by kind and width, GM_ADDR by its name, the rest as the source spells it."""
    match _KINDS[kind]:
        case "int" | "uint" as name:
            return f"{name}{8 * size}"
        case "bool":
            return "bool"
        case "float":
            return {7: "half", 8: "bfloat16"}.get(kind, "float" if size == 4 else "double")
        case "pointer":
            return (
                "GM_ADDR" if text.replace("*__", "* __") in ("uint8_t* __restrict__", "uint8_t*__restrict__") else _plain(text) or "pointer"
            )
        case _:
            return _plain(text) or "struct"


def _plain(text: str) -> str:
    for word in ("__restrict__", "__restrict", "const ", "struct "):
        text = text.replace(word, "")
    return text.strip()
