# SPDX-License-Identifier: Apache-2.0
"""The plan of a SuperKernel: which sub-kernels run, what each sort of core does between them, and why. Frozen, stored in the fused binary
as JSON, read back with every field checked. fuse/ makes plans, runtime/ hands them to the engine."""

from __future__ import annotations

import json
import types
import typing
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, Literal

from aclimb.binary import meta
from aclimb.binary.meta import MalformedMeta
from aclimb.flow import KernelInfo, KernelType, Pipe, align_up

StepKind = Literal["call", "set", "wait", "barrier", "notify", "await", "tiling", "feed", "profile", "clean", "preload"]
Who = Literal["all", "idle", "first"]
MOST_MEMBERS = 65535


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One thing that the cores of one sort do.

    `who` says which of them: all; idle, those that do not do the same inside sub-kernel `sub`; first, core 0.
    """

    kind: StepKind
    sub: int
    who: Who = "all"
    pipe: str = "S"
    mode: int = 0
    flag: int = 0
    at: int = 0  # bytes into the arguments: where the address of a word stands
    value: int = 0
    reason: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "set":
                return f"set({self.pipe}, mode {self.mode}, {self.flag})"
            case "wait":
                return f"wait {self.flag}"
            case "barrier":
                return "PipeBarrier<PIPE_ALL>"
            case "notify":
                return f"notify {self.value}"
            case "preload":
                return f"preload {self.value} x 2 KB"
            case _:
                return self.kind


@dataclass(frozen=True, slots=True)
class Pair:
    """What stands between two neighbours, in words."""

    before: int
    after: int
    config: int  # (class of the first << 2) | class of the second, C 0, V 1, M 2; -1: the barrier of the whole SuperKernel
    name: str  # C->V
    set_by: Who
    wait_by: Who
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What the fuser saw and a person should know."""

    rule: str  # K12, as in docs/fuse_your_kernels.md
    severity: Literal["error", "warning"]
    sub: int
    text: str


@dataclass(frozen=True, slots=True)
class SubKernel:
    """A member of the SuperKernel."""

    name: str  # kernel and position: add_custom_0
    image: int  # which of the binary's images
    info: KernelInfo
    kernel_type: KernelType
    num_blocks: int  # AIVs for a vector kernel, blocks for the others
    tiling_key: int | None
    task_type: Literal["normal", "dynamic"]
    stream: int
    sends: tuple[int, ...]
    receives: tuple[int, ...]
    param_slot: int  # its first 8-byte slot in the argument area; slot 0 is the runtime's
    notify_slot: int | None
    wait_slot: int | None
    args_offset: int  # the same place in the bytes that a caller gives, which begin behind slot 0
    sets: bool  # SetNextTaskStart takes effect
    waits: bool  # WaitPreTaskEnd takes effect
    feeds: bool  # idle cores join its SyncAll
    preload_units: int
    aic_wait: tuple[PlanStep, ...] = ()  # what WaitPreTaskEnd does
    aiv_wait: tuple[PlanStep, ...] = ()

    @property
    def tiling_at(self) -> int:
        """Of a dynamic one: where the addresses of tiling key, block count and lock stand in the caller's bytes."""
        return self.args_offset + align_up(self.info.args_size, 8)

    @property
    def args_end(self) -> int:
        return self.tiling_at + 24 if self.task_type == "dynamic" else self.args_offset + self.info.args_size


@dataclass(frozen=True, slots=True)
class Plan:
    """All of it. `str(plan)` is one line; `aclimb fuse --explain` prints it for a person."""

    name: str
    kernel_type: KernelType
    num_blocks: int
    options: str
    two_streams: bool
    subs: tuple[SubKernel, ...]
    pairs: tuple[Pair, ...]
    aic: tuple[PlanStep, ...]
    aiv: tuple[PlanStep, ...]
    findings: tuple[Finding, ...] = ()
    slots: int = 1
    workspace_slot: int | None = None
    profile_slot: int | None = None
    profile_at: int = 0
    workspace_bytes: int = 0  # what the real generator asks for; aclimb keeps those words itself

    def __str__(self) -> str:
        return f"{self.name}: {len(self.subs)} sub-kernels, {self.kernel_type.name}, {self.num_blocks} blocks"

    def to_json(self) -> str:
        return json.dumps(encode(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Plan:
        """Raises MalformedMeta with what is wrong."""
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise MalformedMeta(f"the plan is not JSON ({error})") from None
        return decode(row)


def encode(plan: Plan) -> dict[str, Any]:
    row = asdict(plan)
    row["kernel_type"] = plan.kernel_type.name
    for sub, each in zip(row["subs"], plan.subs, strict=True):
        sub["kernel_type"] = each.kernel_type.name
        sub["info"] = meta.encode_kernel(each.info)
    return row


def decode(row: Any) -> Plan:
    plan: Plan = _take(Plan, row, "the plan")
    _check(plan)
    return plan


def _take(kind: Any, value: Any, where: str) -> Any:
    """A value of that type, or MalformedMeta."""
    if kind is KernelInfo:
        return meta.decode_kernel(value)
    if kind is KernelType:
        if not isinstance(value, str) or value not in KernelType.__members__:
            raise MalformedMeta(f"{where} is {value!r}, which is not a kernel type")
        return KernelType[value]
    if is_dataclass(kind):
        return _take_record(kind, value, where)
    origin = typing.get_origin(kind)
    if origin is tuple:
        if not isinstance(value, list):
            raise MalformedMeta(f"{where} is not a list")
        return tuple(_take(typing.get_args(kind)[0], each, where) for each in value)
    if origin is Literal:
        if value not in typing.get_args(kind):
            raise MalformedMeta(f"{where} is {value!r}; it is one of {', '.join(map(str, typing.get_args(kind)))}")
        return value
    if origin is types.UnionType:  # int | None
        return None if value is None else _take(typing.get_args(kind)[0], value, where)
    if not isinstance(value, kind) or (kind is int and (isinstance(value, bool) or not -1 <= value < 2**64)):
        raise MalformedMeta(f"{where} is {value!r}, not {kind.__name__}")
    return value


def _take_record(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise MalformedMeta(f"{where} is not an object")
    hints = typing.get_type_hints(kind)
    missing = [field.name for field in fields(kind) if field.name not in value]
    if missing:
        raise MalformedMeta(f"{where} has no {missing[0]!r}")
    return kind(**{field.name: _take(hints[field.name], value[field.name], f"{where}, {field.name}") for field in fields(kind)})


def _check(plan: Plan) -> None:
    """What the engine takes for granted."""
    aics, aivs = plan.kernel_type.task_ration
    if not 1 <= len(plan.subs) <= MOST_MEMBERS:
        raise MalformedMeta(f"the plan has {len(plan.subs)} sub-kernels")
    if not plan.kernel_type.cross_core_sync or not 1 <= plan.num_blocks <= 65535:
        raise MalformedMeta(f"the plan is for {plan.num_blocks} blocks of {plan.kernel_type.name}")
    area = 8 * plan.slots
    for sub in plan.subs:
        kinds = [sub.kernel_type] if sub.task_type == "normal" else [sub.info.type_for(key) for key in (None, *sub.info.tiling_keys)]
        if any(needed > there for kind in kinds for needed, there in zip(kind.task_ration, (aics, aivs), strict=True)):
            raise MalformedMeta(f"{sub.name} is {sub.kernel_type.name} and does not fit into {plan.kernel_type.name}")
        most = plan.num_blocks * aivs if not sub.kernel_type.has_aic else plan.num_blocks
        if not 1 <= sub.num_blocks <= most:
            raise MalformedMeta(f"{sub.name} has {sub.num_blocks} blocks; the SuperKernel has room for {most}")
        if sub.args_offset % 8 or not 0 <= sub.args_offset <= area or sub.args_end > area:
            raise MalformedMeta(f"the arguments of {sub.name} lie outside the argument area")
        if sub.image < 0:
            raise MalformedMeta(f"{sub.name} has no image")
        if any(step.kind not in ("set", "wait", "barrier") for step in (*sub.aic_wait, *sub.aiv_wait)):
            raise MalformedMeta(f"WaitPreTaskEnd of {sub.name} does more than to wait")
    if plan.profile_at % 8 or plan.profile_at > area:
        raise MalformedMeta("the profiling buffer lies outside the argument area")
    for step in (*plan.aic, *plan.aiv, *(step for sub in plan.subs for step in (*sub.aic_wait, *sub.aiv_wait))):
        if step.pipe not in Pipe.__members__ or not 0 <= step.mode <= 3 or not 0 <= step.flag <= 15 or not 0 <= step.sub < len(plan.subs):
            raise MalformedMeta(f"the plan has a step that does not exist: {step}")
        if step.kind == "tiling" and plan.subs[step.sub].task_type != "dynamic":
            raise MalformedMeta(f"the plan reads the tiling of {plan.subs[step.sub].name}, which has none")
        if step.at % 8 or not 0 <= step.at < max(area, 8) or step.value < 0 or (step.kind in ("set", "wait") and step.mode > 2):
            raise MalformedMeta(f"the plan has a step that does not exist: {step}")
