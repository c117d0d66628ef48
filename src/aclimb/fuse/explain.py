# SPDX-License-Identifier: Apache-2.0
"""A plan for a person: what runs where, what stands between, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aclimb.binary.plan import Pair, Plan, PlanStep, SubKernel
from aclimb.fuse.accesses import Access

_CORES = {"aic": "AIC", "aiv": "AIV"}


def explain(plan: Plan, accesses: Sequence[Access] = ()) -> str:
    """The plan as text. With `accesses` (of fuse.record), also what each sub-kernel reads and writes."""
    lines = [str(plan)]
    if plan.options:
        lines.append(f"options  {plan.options}")
    lines.append(f"arguments  {plan.slots} slots of 8 bytes; slot 0 is the runtime's{_further_slots(plan)}")
    for index, sub in enumerate(plan.subs):
        lines += _between(plan, index)
        lines += _sub_kernel(index, sub)
        lines += [f"        {access}" for access in accesses if access.sub == index]
    lines += [f"{finding.severity} {finding.rule}: {finding.text}" for finding in plan.findings]
    return "\n".join(lines) + "\n"


def _further_slots(plan: Plan) -> str:
    text = f", slot {plan.workspace_slot} the workspace" if plan.workspace_slot is not None else ""
    return text + (f", slots {plan.profile_slot} and {plan.profile_slot + 1} profiling" if plan.profile_slot is not None else "")


def _sub_kernel(index: int, sub: SubKernel) -> list[str]:
    what = {(True, False): "AICs", (False, True): "AIVs"}.get((sub.kernel_type.has_aic, sub.kernel_type.has_aiv), "blocks")
    blocks = "as its tiling says" if sub.task_type == "dynamic" else f"{sub.num_blocks} {what}"
    key = f", tiling key {sub.tiling_key}" if sub.tiling_key is not None else ""
    early = [
        text for text, has in (("waits inside", sub.waits), ("sets inside", sub.sets), ("idle cores join its SyncAll", sub.feeds)) if has
    ]
    stream = f", stream {sub.stream}" if sub.stream >= 0 else ""
    last = sub.param_slot + max(0, (sub.info.args_size + 7) // 8 - 1)
    return [f"[{index}] {sub.name}  {sub.kernel_type.name}, {blocks}{key}{stream}; slots {sub.param_slot}-{last}; "
            f"code {sub.preload_units} x 2 KB"
            + (f"; {', '.join(early)}" if early else "")]  # fmt: skip


def _between(plan: Plan, index: int) -> list[str]:
    """What stands before a sub-kernel, on each sort of core."""
    pair = next((pair for pair in plan.pairs if pair.after == index), None)
    lines = [f"    {_title(pair)}: {pair.reason}"] if pair else []
    for core in ("aic", "aiv"):
        steps = list(_before(plan.aic if core == "aic" else plan.aiv, index))
        if steps and (pair or plan.two_streams or index == 0):
            lines.append(f"    {_CORES[core]}  {'; '.join(_step(plan, step) for step in steps)}")
    return lines


def _title(pair: Pair) -> str:
    return pair.name if pair.config < 0 else f"{pair.name} (config {pair.config})"


def _before(steps: tuple[PlanStep, ...], index: int) -> Iterable[PlanStep]:
    """Everything between the call before and this one."""
    collected: list[PlanStep] = []
    for step in steps:
        if step.kind == "call":
            if step.sub == index:
                return collected
            collected = []
        else:
            collected.append(step)
    return []


def _step(plan: Plan, step: PlanStep) -> str:
    who = {"idle": f" (cores without {plan.subs[step.sub].name})", "first": " (core 0)", "all": ""}[step.who]
    match step.kind:
        case "notify" | "await" | "profile":
            return f"{step}{who}: {step.reason}"
        case "preload":
            return f"{step} of {plan.subs[step.sub].name}"
        case _:
            return f"{step}{who}"
