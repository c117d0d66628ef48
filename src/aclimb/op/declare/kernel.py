# SPDX-License-Identifier: Apache-2.0
"""The source of an operator's kernel, and how it is built.

An operator project's generator builds a kernel once for each row of the types that the operator declares, and gives it the types of its
parameters as macros. Rows that look the same to the source share a build here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import Program
from aclimb.compile.options import Options
from aclimb.compile.reach import Reach, reach
from aclimb.op.declare.rows import Row, words
from aclimb.op.declare.tiling_structs import TilingClass, prelude

_HEADER_FLAG = re.compile(r"-(?:include|imacros)\b")
_ANY_WORD = re.compile(r"\b(?:ORIG_DTYPE|DTYPE|FORMAT)_(?!\w)")  # a part from which a macro makes such words
_WORD = re.compile(r"\b(?:ORIG_DTYPE|DTYPE|FORMAT)_\w+")


def kernel_name(op_type: str) -> str:
    """AddCustom is add_custom, GRUCell gru_cell: every capital that starts a word becomes _ and its small letter."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", op_type)
    return split.lower()


@dataclass(frozen=True)
class KernelSource:  # operator project -> builds
    """A kernel's source with what its project says about it."""

    path: Path
    op_type: str
    tiling: tuple[TilingClass, ...] = ()  # those that the host code registers, of all its operators
    include_dirs: tuple[Path, ...] = ()
    options: Options | None = None  # of the compiler

    def builds(self, rows: Iterable[Row]) -> list[KernelBuild]:
        """One for each set of rows between which the source can tell the difference, in the order of the rows."""
        reached = reach(self.path, self.include_dirs)
        before = prelude(self.tiling, self.op_type, reached.text)
        found: dict[tuple[tuple[str, str], ...], list[Row]] = {}
        for row in rows:
            found.setdefault(tuple(self._mentioned(words(row), reached).items()), []).append(row)
        return [KernelBuild(self, defines, tuple(same), before) for defines, same in found.items()]

    def _mentioned(self, made: dict[str, str], reached: Reach) -> dict[str, str]:
        """Those that the source reads. All of them, where that cannot be known."""
        said = self.options
        flags = " ".join([*said.extra_flags, *map("=".join, said.defines)]) if said is not None else ""
        if not reached.is_complete or _HEADER_FLAG.search(flags) or _ANY_WORD.search(text := f"{reached.text} {flags}"):
            return made
        there = set(_WORD.findall(text)) | _asked_by_template(made, text)
        return {name: value for name, value in made.items() if name in there}


@dataclass(frozen=True)
class KernelBuild:
    """One build of a kernel, and the rows of types that it is for."""

    source: KernelSource
    defines: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    prelude: str

    def program(self, soc: str | None = None) -> Program:
        source = self.source
        said = source.options or Options.create(soc=soc)
        return Program(source.path, soc=soc, include_dirs=[*source.include_dirs, *said.include_dirs], opt_level=said.opt_level,
                       defines=dict(self.defines) | dict(said.defines), extra_flags=said.extra_flags, prelude=self.prelude)  # fmt: skip


def _asked_by_template(made: dict[str, str], text: str) -> set[str]:
    """ASCENDC_TPL_INPUT(0) and its relatives take the type of a parameter: the instances are those of the row."""
    return {name for name in made if name.startswith("ORIG_")} if "ASCENDC_TPL_INPUT" in text or "ASCENDC_TPL_OUTPUT" in text else set()


def differing(builds: Sequence[KernelBuild]) -> list[str]:
    """A name for each build, out of the words in which it differs from the others: half, float, half_ND."""
    made = []
    for number, build in enumerate(builds):
        others = [dict(each.defines) for each in builds]
        values = [value for name, value in build.defines if any(each.get(name) != value for each in others)]
        short = [value.removeprefix("FORMAT_") for value in dict.fromkeys(values) if not value.startswith("DT_")] or values
        name = "_".join(short)
        made.append(name if name not in made and len(name) < 60 else f"{number}")
    return made
