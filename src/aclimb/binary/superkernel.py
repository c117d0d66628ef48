# SPDX-License-Identifier: Apache-2.0
"""The JSON of a fused binary: CANN's keys for a SuperKernel, the plan under "aclimb", and whether plan, kernel and images fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aclimb.binary.meta import MalformedMeta
from aclimb.binary.plan import Plan, SubKernel, encode
from aclimb.flow import KernelInfo, KernelType


def describe(described: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """The description of an ordinary binary, made one of a SuperKernel."""
    members = [_member(sub) for sub in plan.subs]
    streams = sorted({sub.stream for sub in plan.subs})
    lists = {f"stream{stream}": [m for m in members if m["streamid"] == stream] for stream in streams}
    described["aclimb"]["superkernel"] = encode(plan)
    return described | {
        "blockDim": plan.num_blocks,
        "coreType": "MIX",
        "intercoreSync": 1,
        "opParaSize": 8,
        "parameters": [],
        "workspace": {"num": 1, "size": [plan.workspace_bytes], "type": [0]}
        if plan.workspace_slot is not None
        else {"num": 0, "size": [], "type": []},
        "SuperkernelInfo": {"kernelList": lists if plan.two_streams else {"aicore": members}},
    }


def _member(sub: SubKernel) -> dict[str, Any]:
    return {
        "func_name": sub.name,
        "split_mode": 1,
        "blockNum": sub.num_blocks,
        "sub_operator_kernel_type": f"KERNEL_TYPE_{sub.kernel_type.name}",
        "sub_operator_early_start_set_flag": sub.sets,
        "sub_operator_early_start_wait_flag": sub.waits,
        "streamid": sub.stream,
        "send_event_list": list(sub.sends),
        "recv_event_list": list(sub.receives),
        "arg_list": {"param_offset": sub.param_slot, "notify_param_offset": sub.notify_slot, "wait_param_offset": sub.wait_slot},
    }


def check(plan: Plan, kernels: tuple[KernelInfo, ...], images: Mapping[str, bytes]) -> None:
    """Of a file that was read: one kernel, its arguments are those of the plan, and every member has its images."""
    if len(kernels) != 1 or kernels[0].kernel_type != plan.kernel_type:
        raise MalformedMeta("its kernel and its plan disagree")
    if kernels[0].args_size > 8 * plan.slots:
        raise MalformedMeta("its arguments do not fit into the area of its plan")
    size, steps = kernels[0].args_size, (*plan.aic, *plan.aiv)
    ends = [sub.args_end for sub in plan.subs]
    ends += [step.at + 8 for step in steps if step.kind in ("notify", "await")]
    ends += [plan.profile_at + 12 for step in steps if step.kind == "profile"]
    if max(ends) > size:
        raise MalformedMeta("its plan reads arguments that its kernel does not have")
    for sub in plan.subs:
        for kind in (sub.kernel_type, *(kind for _, kind in sub.info.key_types)):
            if not _has_images(kind, sub.image, images):
                raise MalformedMeta(f"sub-kernel {sub.name} is {kind.name} and one of its images is missing")


def _has_images(kind: KernelType, image: int, images: Mapping[str, bytes]) -> bool:
    return not ((kind.has_aic and f"aic.{image}" not in images) or (kind.has_aiv and f"aiv.{image}" not in images))
