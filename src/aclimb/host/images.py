# SPDX-License-Identifier: Apache-2.0
"""Operator binaries as the compiler's commands hand them on: written under any name, taken out of objects, halves of mix kernels joined.

A mix kernel is compiled twice by tools that call the compiler for each sort of core, and the device linker makes one binary of the
two. Each half is a whole binary here; the linker takes from each the image of its own core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from aclimb.binary import KernelBinary, elf
from aclimb.binary.container import replace_file
from aclimb.errors import CompileError, InvalidArgument

SECTION = ".rodata.aclimb_image"
_HALF = "half"
_ARCHITECTURES = {"aiv": "dav-c220-vec", "aic": "dav-c220-cube"}


def save(binary: KernelBinary, output: Path) -> None:
    """Under that very name, and nothing beside it."""
    output.parent.mkdir(parents=True, exist_ok=True)
    replace_file(output, binary.renamed(output.stem).to_bytes())


def embedded(data: bytes) -> KernelBinary | None:
    """The image in an object that has host code too."""
    if not data.startswith(b"\x7fELF"):
        return None
    file = elf.Elf(data)
    section = next((each for each in file.sections if each.name == SECTION), None)
    return KernelBinary.read(file.content(section)) if section is not None else None


def as_half(binary: KernelBinary, core: str) -> KernelBinary:
    return replace(binary, record=replace(binary.record, options={**binary.record.options, _HALF: core}))


def half_of(binary: KernelBinary) -> str:
    """aiv or aic; "" for a whole one."""
    return str(binary.record.options.get(_HALF, ""))


def read(path: Path) -> KernelBinary:
    """An operator binary, or the image of an object."""
    data = path.read_bytes() if path.is_file() else b""
    return embedded(data) or KernelBinary.read(path)


def join(paths: Sequence[Path]) -> KernelBinary:
    """One binary; of several files where they are the two halves of one source. Raises CompileError."""
    if not paths:
        raise InvalidArgument("there is no input; give the objects of --cce-aicore-only")
    binaries = [read(path) for path in paths]
    if len(binaries) == 1:
        return _whole(binaries[0], binaries[0].images)
    _check_halves(paths, binaries)
    by_core = {half_of(each): each for each in binaries}
    return _whole(binaries[0], {core: by_core[core].images[core] for core in binaries[0].images})


def _whole(binary: KernelBinary, images: dict[str, bytes]) -> KernelBinary:
    options = {name: value for name, value in binary.record.options.items() if name != _HALF}
    return replace(binary, record=replace(binary.record, options=options), images=images)


def _check_halves(paths: Sequence[Path], binaries: Sequence[KernelBinary]) -> None:
    first, second = binaries[:2]
    names = f"{paths[0]} and {paths[1]}"
    if len(binaries) > 2 or any(each.record.source_sha256 != first.record.source_sha256 for each in binaries):
        made = " and ".join(dict.fromkeys(Path(each.record.source).name for each in binaries))
        raise CompileError(
            f"{', '.join(map(str, paths))} are made of {made}, and the device linker joins the two halves of one source;"
            " give all sources to one `bisheng --cce-aicore-only`, or compile both halves again if the source was changed"
        )
    halves = sorted(half_of(each) for each in binaries)
    if "" in halves:
        raise CompileError(f"{names} are not both halves of a mix kernel; compile each of them with -cce-enable-mix")
    if halves != ["aic", "aiv"]:
        missing = _ARCHITECTURES["aic" if halves[0] == "aiv" else "aiv"]
        raise CompileError(f"{names} are the same half of a mix kernel; compile the other with --cce-aicore-arch={missing}")
    if first.kernels != second.kernels:
        raise CompileError(f"{names} do not have the same kernels, types or parameters; compile both with the same options")
