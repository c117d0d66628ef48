# SPDX-License-Identifier: Apache-2.0
"""Several built kernels become one: fuse([...]) works on operator binaries alone, without source."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from aclimb.binary import ABI_VERSION, BuildRecord, KernelBinary, Plan
from aclimb.binary.plan import MOST_MEMBERS
from aclimb.errors import FuseError
from aclimb.flow import KernelInfo
from aclimb.fuse.make import Builder
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions

_log = logging.getLogger("aclimb")
_KEPT = 256  # fused binaries that are remembered
_cache: OrderedDict[Hashable, KernelBinary] = OrderedDict()
_lock = threading.Lock()
_MERGED = ("uses_sync_all", "uses_cross_core", "uses_gm_sync", "float_atomics", "integer_atomics", "prints", "dumps_tensors", "asserts",
           "uses_workspace", "reads_clock")  # fmt: skip


def fuse(
    members: Sequence[Any],
    options: FuseOptions | str | None = None,
    *,
    name: str = "",
    producers: Mapping[int, tuple[int, int]] | None = None,
) -> KernelBinary:
    """One operator binary whose kernel runs the members one after another in a single launch.

    A member is (binary, num_blocks) or a Member; binaries are KernelBinary objects or paths of .o files. The parameters of the result are
    those of the members, in order. `producers` says how many (AICs, AIVs) the kernel needs that sends an event from outside.
    Equal calls give the same binary.
    """
    if not isinstance(members, Sequence) or isinstance(members, str | bytes):
        raise FuseError(f"the members are {members!r}; they are a list of (binary, num_blocks) or Member(binary, num_blocks, ...)")
    chain = [Member.of(member) for member in members]
    if not chain:
        raise FuseError("there is nothing to fuse; give at least one (binary, num_blocks)")
    if len(chain) > MOST_MEMBERS:
        raise FuseError(f"there are {len(chain)} members; a SuperKernel has at most {MOST_MEMBERS}")
    if not isinstance(name, str) or "\0" in name:
        raise FuseError(f"the name of the fused kernel is {name!r}; it takes a text")
    chosen = FuseOptions.of(options)
    key = _key(chain, chosen, name, producers or {})
    with _lock:
        found = _cache.get(key)
        if found is not None:
            _cache.move_to_end(key)
            return found
    made = _build(chain, chosen, name, producers or {})
    for finding in plan_of(made).findings:
        _log.log(logging.ERROR if finding.severity == "error" else logging.WARNING, "%s: %s", finding.rule, finding.text)
    with _lock:
        _cache[key] = made
        while len(_cache) > _KEPT:
            _cache.popitem(last=False)
    return made


def forget() -> None:
    """Empties the cache of fuse()."""
    with _lock:
        _cache.clear()


def _key(chain: list[Member], options: FuseOptions, name: str, producers: Mapping[int, tuple[int, int]]) -> Hashable:
    """Everything that a plan, its binary, or the refusal to make one depends on; numbers of events too, which the kernel's name leaves
    out."""
    wanted = tuple(sorted((event, *cores) for event, cores in producers.items()))
    return tuple(map(_look, chain)), options, name, wanted


def _look(member: Member) -> Hashable:
    binary, record = member.binary, member.binary.record
    built = (binary.sha256, binary.abi, record.name, record.soc, record.family, record.host, record.compiler, member.info)
    return built, *(getattr(member, field.name) for field in fields(member) if field.name != "binary")


def _build(chain: list[Member], options: FuseOptions, name: str, producers: Mapping[int, tuple[int, int]]) -> KernelBinary:
    builder = Builder(chain, options, name, producers)
    plan = builder.build()
    infos = [member.info for member in chain]
    info = KernelInfo(
        name=plan.name,
        entry=plan.name,
        kernel_type=plan.kernel_type,
        parameters=builder.parameters,
        schedule_mode=1,
        **_merged(infos),
    )
    first = chain[0].binary.record
    sources = ", ".join(dict.fromkeys(m.binary.name for m in chain))
    rows = max((m.binary.record.rows for m in chain if m.binary.record.rows), default=None)  # those of the others are the first of these
    record = BuildRecord(plan.name, first.soc, first.family, first.host, first.compiler, sources, "", {"fused": plan.options}, rows=rows)
    images: dict[str, bytes] = {}
    for member, sub in zip(chain, plan.subs, strict=True):
        images |= {f"{core}.{sub.image}": image for core, image in member.binary.images.items()}
    return KernelBinary(record, (info,), images, ABI_VERSION, plan)


def _merged(infos: Sequence[KernelInfo]) -> dict[str, Any]:
    return {fact: any(getattr(each, fact) for each in infos) for fact in _MERGED}


def plan_of(binary: KernelBinary) -> Plan:
    """The plan of a fused binary."""
    if binary.plan is None:
        raise FuseError(f"{binary.name} is not a SuperKernel; fuse([...]) makes one")
    return binary.plan


def compile(
    kernel_infos: Mapping[str, Any], called_kernel_name: str = "ascendc_super_kernel_plus", folder: str | os.PathLike[str] = "kernel_meta"
) -> Path:
    """From a list of operators, as a graph compiler hands it over, to `<folder>/<called_kernel_name>.o`. A file of that name is kept.

    Each entry of `op_list` has bin_path, json_path, and may have task_type, stream_id, send_event_list, recv_event_list. The JSON may have
    the keys of a sub-kernel: blockDim, kernelName, split_mode, and our tilingKey; what is not known is ignored.
    """
    target = Path(folder) / f"{called_kernel_name}.o"
    if target.exists():
        return target
    rows = kernel_infos.get("op_list")
    if not rows:
        raise FuseError("the list of operators has no op_list; give {'op_list': [{'bin_path': ..., 'json_path': ...}, ...]}")
    members = [_member_of(row) for row in rows if "json_path" in row]
    made = fuse(members, kernel_infos.get("super_kernel_options"), name=called_kernel_name)
    return replace(made).save(target)


def _member_of(row: Mapping[str, Any]) -> Member:
    try:
        described = json.loads(Path(row["json_path"]).read_text())
        binary = KernelBinary.read(row["bin_path"])
    except (OSError, ValueError, KeyError) as error:
        raise FuseError(f"an operator of the list cannot be read: {error!r}; it takes bin_path and json_path") from error
    blocks = row.get("blockDim", described.get("blockDim", -1))
    name = described.get("kernelName", binary.name)
    if not isinstance(blocks, int) or blocks < 1:
        raise FuseError(f"{name} has blockDim {blocks!r}; a member of a SuperKernel says how many blocks it has")
    return Member(
        binary,
        blocks,
        kernel=row.get("kernel", name if name in binary.known_names else None),
        tiling_key=row.get("tilingKey"),
        task_type=row.get("task_type", "normal"),
        stream=row.get("stream_id", -1),
        sends=tuple(row.get("send_event_list", ())),
        receives=tuple(row.get("recv_event_list", ())),
        split_mode=described.get("split_mode"),
    )
