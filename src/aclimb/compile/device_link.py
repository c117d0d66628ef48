# SPDX-License-Identifier: Apache-2.0
"""Device code of several translation units in one image: `bisheng -dc a.asc`, and later the link of all objects.

An object that was compiled so has no image. It has a recipe in a section of its own: which source, with which options, and what its
host part launches. The link builds one image of all recipes; kernels call device functions of other units there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aclimb.binary import KernelBinary, elf
from aclimb.compile.cache import open_cache
from aclimb.compile.options import Options, WantedKernel
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError

if TYPE_CHECKING:
    from aclimb.compile.one_source import Wanted

SECTION = ".aclimb.recipe"
LINKED_IMAGE = "aclimb_linked_image"  # the 16 bytes before it have its size
_ARCHIVE = b"!<arch>\n"


@dataclass(frozen=True)
class Recipe:  # -c -> link
    source: Path
    sha256: str
    options: Options
    wanted: Wanted
    launched: tuple[str, ...]  # kernels that the host part has stubs for

    @classmethod
    def of(cls, source: Path, options: Options, wanted: Wanted, launched: tuple[str, ...]) -> Recipe:
        return cls(source, _hash(source), options, wanted, launched)

    def to_bytes(self) -> bytes:
        return json.dumps({**asdict(self)}, default=str).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Recipe:
        read: dict[str, Any] = json.loads(data)
        options = read["options"]
        options |= {name: tuple(map(Path, options[name])) for name in ("include_dirs", "more_sources")}
        options |= {"defines": tuple((name, value) for name, value in options["defines"])}
        options |= {name: tuple(options[name]) for name in ("extra_flags", "instances", "places_only")}
        wanted = tuple(WantedKernel(**each) for each in read["wanted"])
        return cls(Path(read["source"]), read["sha256"], Options(**options), wanted, tuple(read["launched"]))


def recipe_section(path: Path) -> str:
    """Assembly; not loaded with the program."""
    return f'\t.section {SECTION},"",%progbits\n\t.incbin "{path}"\n'


def image_assembly(image: Path, size: int) -> str:
    return f"""\t.section .rodata.aclimb_image,"a"
\t.balign 16
\t.quad {size}, 0
\t.globl {LINKED_IMAGE}
\t.hidden {LINKED_IMAGE}
{LINKED_IMAGE}:
\t.incbin "{image}"
\t.section .note.GNU-stack,"",%progbits
"""


def recipes_of(objects: Sequence[str]) -> list[Recipe]:
    """Of objects and static libraries; other files have none."""
    found: dict[Path, Recipe] = {}
    for name in objects:
        path = Path(name)
        try:
            found |= {recipe.source: recipe for recipe in read_recipes(path.read_bytes() if path.is_file() else b"")}
        except (ValueError, KeyError, TypeError, elf.MalformedElf):
            raise CompileError(f"{name} is damaged, or was made with -dc by another aclimb; compile it again") from None
    return list(found.values())


def read_recipes(data: bytes) -> Iterator[Recipe]:
    """Of an object, or of the objects in an archive."""
    for member in _members(data):
        file = elf.Elf(member)
        section = file.find(SECTION) if file.type == elf.ET_REL else None
        if section is not None:
            yield Recipe.from_bytes(file.content(section))


def link_image(recipes: Sequence[Recipe], toolchain: Toolchain) -> KernelBinary:
    """One image of all of them. Raises CompileError, also where a source is not what was compiled."""
    for recipe in recipes:
        if _hash(recipe.source) != recipe.sha256:
            raise CompileError(f"{recipe.source} was changed, or is gone, since its object was made with -dc; compile it again")
    first, *others = sorted(recipes, key=lambda recipe: (not recipe.launched, str(recipe.source)))
    from aclimb.compile.build import build  # most links have nothing to do here

    parts = [(each.source, each.options, each.wanted) for each in others]
    binary, _ = build(first.source, first.options, toolchain, open_cache(), lambda: first.wanted, parts)
    missing = [name for recipe in recipes for name in recipe.launched if name not in binary.kernel_names]
    if missing:
        raise CompileError(f"kernel {missing[0]} is defined for the host only: the passes for the AI Core do not see it")
    return binary


def _members(data: bytes) -> list[bytes]:
    """The ELF files of an archive, or the file itself where it is one."""
    if not data.startswith(_ARCHIVE):
        return [data] if data.startswith(b"\x7fELF") else []
    found, at = [], len(_ARCHIVE)
    while at + 60 <= len(data):
        size = int(data[at + 48 : at + 58])
        found.append(data[at + 60 : at + 60 + size])
        at += 60 + size + size % 2
    return [each for each in found if each.startswith(b"\x7fELF")]


def _hash(source: Path) -> str:
    return hashlib.sha256(source.read_bytes()).hexdigest() if source.is_file() else ""
