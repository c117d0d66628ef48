# SPDX-License-Identifier: Apache-2.0
"""What can be known about a SuperKernel before it runs."""

from __future__ import annotations

from collections.abc import Iterator

from aclimb.binary.plan import Finding, Plan
from aclimb.fuse import rules
from aclimb.fuse.options import FuseOptions


def find(plan: Plan, options: FuseOptions) -> tuple[Finding, ...]:
    return tuple(_all(plan, options))


def _all(plan: Plan, options: FuseOptions) -> Iterator[Finding]:
    for index, sub in enumerate(plan.subs):
        info = sub.info
        calls = [name for name, has in (("SetNextTaskStart", sub.sets), ("WaitPreTaskEnd", sub.waits)) if has]
        if calls and len(info.tiling_keys) > 1:
            keys = ", ".join(map(str, info.tiling_keys))
            yield Finding("K3", "warning", index,
                          f"{sub.name} calls {' and '.join(calls)} and has tiling keys {keys}: every key that runs has to "
                          "call them; that is checked when it runs")  # fmt: skip
        short = rules.needs_feed(sub.kernel_type, sub.num_blocks, plan.kernel_type, plan.num_blocks) and sub.task_type == "normal"
        if info.uses_sync_all and short and not sub.feeds:
            yield Finding("K12", "error", index,
                          f"{sub.name} calls SyncAll on fewer cores than the SuperKernel has and would wait for the others; "
                          "give feed-sync-all=1")  # fmt: skip
        if rules.is_doubled(sub.kernel_type, plan.kernel_type):
            yield Finding("K13", "warning", index,
                          f"{sub.name} is MIX 1:1 in a MIX 1:2 SuperKernel: both AIVs of a block run it, and both have to "
                          "set the flags that its AIC waits for")  # fmt: skip
        if sub.sets and info.early_start_scalar:
            yield Finding("K19", "warning", index,
                          f"{sub.name} calls SetNextTaskStart with AIV_PIPE = PIPE_S: a set on the scalar pipe says nothing "
                          "about copies that are under way")  # fmt: skip
    if len(plan.subs) == 1 and plan.subs[0].info.early_start_set:
        yield Finding("K20", "warning", 0, f"{plan.subs[0].name} is alone: there is no next kernel, and its SetNextTaskStart has no effect")
