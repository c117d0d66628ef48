# SPDX-License-Identifier: Apache-2.0
"""The JSON of an operator binary: CANN's keys where CANN has one, ours under "aclimb".

Reading checks the type of everything it takes, because the file may come from anywhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from aclimb.flow import KernelInfo, KernelType, Parameter, slot_offsets

FORMAT_VERSION = 1
ABI_VERSION = 5  # kAbiVersion of device/include/aclimb/abi.h; a test keeps the two equal
KINDS = ("pointer", "int", "uint", "float", "bool", "struct")
FACTS = tuple(f.name for f in fields(KernelInfo) if f.type == "bool")


class MalformedMeta(Exception):
    """What is wrong with the JSON; the caller says in which file."""


class Rows(NamedTuple):
    """The instructions a binary was built with: the first of instructions.def, and the fingerprint that op.h makes of them."""

    known: int
    fingerprint: int


@dataclass(frozen=True)
class BuildRecord:  # compile/ -> binary/
    """How a binary came to be."""

    name: str
    soc: str
    family: str
    host: str  # x86_64 or aarch64
    compiler: str = ""
    source: str = ""
    source_sha256: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()  # what the build wanted to say
    rows: Rows | None = None  # None: built before binaries carried them


def encode(record: BuildRecord, kernels: tuple[KernelInfo, ...], hashes: dict[str, str], abi: int, sha256: str) -> dict[str, Any]:
    """The whole JSON; equal input gives equal output."""
    types = {kernel.type_for(key) for kernel in kernels for key in (None, *kernel.tiling_keys)}
    rations = sorted({_ration(t) for t in types})
    return {
        "binFileName": record.name,
        "binFileSuffix": ".o",
        "kernelName": kernels[0].name if len(kernels) == 1 else record.name,
        "kernelList": [row for kernel in kernels for row in _kernel_list(kernel)],
        "magic": _magic(types),
        "coreType": _core_type(types),
        "taskRation": rations[0] if len(rations) == 1 else "tilingKey",
        "intercoreSync": int(any(t.cross_core_sync for t in types)),
        "blockDim": -1,
        "opParaSize": 0,
        "workspace": {"num": 1, "size": [-1], "type": [0]}
        if any(k.uses_workspace for k in kernels)
        else {"num": 0, "size": [], "type": []},
        "parameters": [],
        "debugOptions": _debug_options(kernels),
        "supportSuperKernel": 1,
        "sub_op_with_sync_all": any(k.uses_sync_all for k in kernels),
        "sub_operator_early_start_set_flag": any(k.early_start_set for k in kernels),
        "sub_operator_early_start_wait_flag": any(k.early_start_wait for k in kernels),
        "sha256": sha256,
        "aclimb": {
            "format": FORMAT_VERSION,
            "abi": abi,
            "host": record.host,
            "soc": record.soc,
            "family": record.family,
            "compiler": record.compiler,
            "source": record.source,
            "source_sha256": record.source_sha256,
            "options": record.options,
            "warnings": list(record.warnings),
            "images": hashes,
            "instructions": None if record.rows is None else {"known": record.rows.known, "fingerprint": f"{record.rows.fingerprint:012x}"},
            "kernels": [encode_kernel(kernel) for kernel in kernels],
        },
    }


def dump(meta: dict[str, Any]) -> bytes:
    return (json.dumps(meta, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def parse(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise MalformedMeta(f"its description is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise MalformedMeta("its description is not a JSON object")
    return value


def take(where: dict[str, Any], key: str, kind: type) -> Any:
    """where[key], which has to be of this type (a bool is not an int)."""
    value = where.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise MalformedMeta(f"its description has no {kind.__name__} under {key!r}")
    return value


def decode_record(meta: dict[str, Any]) -> BuildRecord:
    ours = take(meta, "aclimb", dict)
    texts = {k: take(ours, k, str) for k in ("soc", "family", "host", "compiler", "source", "source_sha256")}
    warnings = ours.get("warnings", [])
    if not isinstance(warnings, list) or not all(isinstance(text, str) for text in warnings):
        raise MalformedMeta("its description has no list of texts under 'warnings'")
    name, options = take(meta, "binFileName", str), take(ours, "options", dict)
    return BuildRecord(name=name, options=options, warnings=tuple(warnings), rows=_decode_rows(ours), **texts)


def _decode_rows(ours: dict[str, Any]) -> Rows | None:
    """An older binary has none. Its rows are the first of ours: rows are only appended while the ABI version stays."""
    if ours.get("instructions") is None:
        return None
    found = take(ours, "instructions", dict)
    try:
        return Rows(take(found, "known", int), int(take(found, "fingerprint", str), 16))
    except ValueError:
        raise MalformedMeta("the fingerprint of its instructions is not a hexadecimal number") from None


def decode_kernels(meta: dict[str, Any]) -> tuple[KernelInfo, ...]:
    rows = take(take(meta, "aclimb", dict), "kernels", list)
    kernels = tuple(decode_kernel(row) for row in rows)
    if not kernels:
        raise MalformedMeta("it has no kernel")
    if len({k.name for k in kernels}) != len(kernels):
        raise MalformedMeta("two of its kernels have the same name")
    return kernels


def encode_kernel(kernel: KernelInfo) -> dict[str, Any]:
    return {
        "name": kernel.name,
        "entry": kernel.entry,
        "kernelType": kernel.kernel_type.name,
        "parameters": [{"name": p.name, "type": p.type, "kind": p.kind, "size": p.size, "offset": p.offset} for p in kernel.parameters],
        "tilingKeys": list(kernel.tiling_keys),
        "keyTypes": [[key, kind.name] for key, kind in kernel.key_types],
        "keyArguments": [[key, list(words)] for key, words in kernel.key_arguments],
        "scheduleMode": kernel.schedule_mode,
        "facts": {name: getattr(kernel, name) for name in FACTS},
    }


def decode_kernel(row: Any) -> KernelInfo:
    if not isinstance(row, dict):
        raise MalformedMeta("one of its kernels is not an object")
    parameters = tuple(_decode_parameter(p) for p in take(row, "parameters", list))
    if [p.offset for p in parameters] != slot_offsets([p.size for p in parameters]):
        raise MalformedMeta("the parameters of a kernel do not lie at multiples of 8 one after the other")
    keys = take(row, "tilingKeys", list)
    if not all(isinstance(k, int) and not isinstance(k, bool) and 0 <= k < 2**64 for k in keys):
        raise MalformedMeta("a tiling key is not a 64-bit number")
    pairs = take(row, "keyTypes", list)
    if not all(isinstance(p, list) and len(p) == 2 and p[0] in keys for p in pairs):
        raise MalformedMeta("a kernel type is given for a tiling key that does not exist")
    name, entry = take(row, "name", str), take(row, "entry", str)
    if not name or not entry or "\0" in name + entry:
        raise MalformedMeta("a kernel has no name or no entry")
    facts = take(row, "facts", dict)
    return KernelInfo(
        name=name,
        entry=entry,
        kernel_type=_kernel_type(row.get("kernelType")),
        parameters=parameters,
        tiling_keys=tuple(keys),
        key_types=tuple((key, _kernel_type(kind)) for key, kind in pairs),
        key_arguments=_key_arguments(row, keys),
        schedule_mode=take(row, "scheduleMode", int),
        **{fact: fact in facts and take(facts, fact, bool) for fact in FACTS},  # an older binary has not all of them
    )


def _key_arguments(row: dict[str, Any], keys: list[int]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    pairs = take(row, "keyArguments", list) if "keyArguments" in row else []  # an older binary has none
    if not all(isinstance(p, list) and len(p) == 2 and p[0] in keys and isinstance(p[1], list) for p in pairs):
        raise MalformedMeta("template arguments are given for a tiling key that does not exist")
    return tuple((key, tuple(map(str, words))) for key, words in pairs)


def _decode_parameter(row: Any) -> Parameter:
    if not isinstance(row, dict):
        raise MalformedMeta("one of its parameters is not an object")
    kind, size = take(row, "kind", str), take(row, "size", int)
    if kind not in KINDS or not 0 < size <= 65536:
        raise MalformedMeta(f"a parameter has kind {kind!r} and {size} bytes")
    return Parameter(take(row, "name", str), take(row, "type", str), kind, size, take(row, "offset", int))


def _kernel_type(name: Any) -> KernelType:
    if not isinstance(name, str) or name not in KernelType.__members__:
        raise MalformedMeta(f"its kernel type {name!r} does not exist")
    return KernelType[name]


def _ration(kind: KernelType) -> str:
    return "{}:{}".format(*kind.task_ration)


def _kernel_list(kernel: KernelInfo) -> list[dict[str, Any]]:
    """CANN lists one entry for each tiling key; a kernel without keys is one entry with key 0."""
    rows = []
    for key in kernel.tiling_keys or (None,):
        kind = kernel.type_for(key)
        rows.append(
            {
                "kernelName": kernel.name if key is None else f"{kernel.name}_{key}",
                "tilingKey": key or 0,
                "kernelType": _cann_type(kind),
                "taskRation": _ration(kind),
                "crossCoreSync": int(kind.cross_core_sync),
            }
        )
    return rows


def _cann_type(kind: KernelType) -> str:
    if kind in (KernelType.AIV_ONLY, KernelType.AIC_ONLY):
        return "VectorCore" if kind.has_aiv else "AiCore"
    return "MIX_AIC" if kind.has_aic else "MIX_AIV"


def _magic(types: set[KernelType]) -> str:
    if types == {KernelType.AIV_ONLY}:
        return "RT_DEV_BINARY_MAGIC_ELF_AIVEC"
    if types == {KernelType.AIC_ONLY}:
        return "RT_DEV_BINARY_MAGIC_ELF_AICUBE"
    return "FFTS_BINARY_MAGIC_ELF_MIX_AIC" if any(t.has_aic for t in types) else "FFTS_BINARY_MAGIC_ELF_MIX_AIV"


def _core_type(types: set[KernelType]) -> str:
    if types == {KernelType.AIV_ONLY}:
        return "VectorCore"
    return "AiCore" if types == {KernelType.AIC_ONLY} else "MIX"


def _debug_options(kernels: tuple[KernelInfo, ...]) -> str:
    used = [("printf", any(k.prints or k.dumps_tensors for k in kernels)), ("assert", any(k.asserts for k in kernels))]
    return ",".join(name for name, is_used in used if is_used)
