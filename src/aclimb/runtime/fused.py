# SPDX-License-Identifier: Apache-2.0
"""A SuperKernel, mapped and ready to launch: the images of its members, and its plan as the engine reads it."""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

from aclimb import _engine
from aclimb.binary import KernelBinary
from aclimb.binary.plan import Plan, PlanStep, SubKernel
from aclimb.flow import KernelType, Pipe


def bind(binary: KernelBinary, plan: Plan, images: dict[str, Any], parameters: list[_engine.Parameter], bind_one: Any) -> _engine.Kernel:
    """`bind_one(info, kind, aic, aiv)` makes the engine's kernel for one member."""
    made: dict[tuple[int, str, KernelType], _engine.Kernel] = {}

    def native(sub: SubKernel, kind: KernelType) -> _engine.Kernel:
        key = (sub.image, sub.info.name, kind)
        if key not in made:
            aic = images[f"aic.{sub.image}"] if kind.has_aic else None
            aiv = images[f"aiv.{sub.image}"] if kind.has_aiv else None
            made[key] = bind_one(sub.info, kind, aic, aiv)
        return made[key]

    return _engine.fused_kernel(
        plan.name,
        plan.kernel_type,
        [_member(sub, native) for sub in plan.subs],
        aic=_steps(plan.aic),
        aiv=_steps(plan.aiv),
        profile_at=plan.profile_at,
        parameters=parameters,
        in_block_order=any(sub.info.float_atomics for sub in plan.subs),
    )


def _member(sub: SubKernel, native: Any) -> _engine.SubKernel:
    dynamic = sub.task_type == "dynamic"
    by_key = [(key, native(sub, sub.info.type_for(key))) for key in sub.info.tiling_keys] if dynamic else []
    if dynamic and not by_key:
        by_key = [(_engine.NO_KEY, native(sub, sub.info.kernel_type))]
    kind = sub.info.kernel_type if dynamic else sub.kernel_type
    return _engine.SubKernel(
        native(sub, kind),
        num_blocks=sub.num_blocks,
        tiling_key=sub.tiling_key or 0,
        args_offset=sub.args_offset,
        sets=sub.sets,
        waits=sub.waits,
        calls_set=sub.info.early_start_set,
        calls_wait=sub.info.early_start_wait,
        feeds=sub.feeds,
        dynamic=dynamic,
        tiling_at=sub.tiling_at,
        aic_wait=_steps(sub.aic_wait),
        aiv_wait=_steps(sub.aiv_wait),
        by_key=by_key,
    )


def _steps(steps: tuple[PlanStep, ...]) -> list[_engine.PlanStep]:
    return [
        _engine.PlanStep(
            _engine.StepKind[f"{s.kind}_" if iskeyword(s.kind) else s.kind],
            who=_engine.Who[s.who],
            pipe=Pipe[s.pipe],
            mode=s.mode,
            flag=s.flag,
            sub=s.sub,
            at=s.at,
            value=s.value,
        )
        for s in steps
        if s.kind != "preload"  # changes time only
    ]
