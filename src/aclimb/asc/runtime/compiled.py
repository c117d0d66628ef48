# SPDX-License-Identifier: Apache-2.0
"""One specialisation of a kernel: its Ascend C, and, once somebody asks, its binary."""

from __future__ import annotations

import dataclasses
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from aclimb.asc.codegen import emit
from aclimb.asc.codegen.source import FunctionSource
from aclimb.asc.codegen.sync.verify import verify
from aclimb.asc.codegen.tree import Kernel as Tree
from aclimb.asc.codegen.tree import walk
from aclimb.asc.codegen.unit import Unit, Wanted, mentions
from aclimb.asc.codegen.values import Address, Type
from aclimb.asc.runtime.options import JitOptions
from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.runtime import Kernel
from aclimb.version import __version__


class CompiledKernel:
    """`source` is the text; `binary` and `kernel` build it."""

    def __init__(self, source: FunctionSource, types: dict[str, Type], constants: dict[str, Any], options: JitOptions, soc: str) -> None:
        self.python, self.types, self.constants, self.options, self.soc = source, types, constants, options, soc
        self.tree: Tree = translate(source, types, constants, options)
        self.signature = f"{source.name}({', '.join(f'{name}: {_named(kind)}' for name, kind in types.items())})"

    @cached_property
    def head(self) -> str:
        """The comment at the top of every text."""
        lines = [f"{self.signature}, from {Path(self.python.file).name} by aclimb {__version__}"]
        if self.constants:
            lines.append(", ".join(f"{name} = {value!r}" for name, value in self.constants.items()))
        lines += self.tree.notes
        return "\n".join(lines)

    @cached_property
    def source(self) -> str:
        """The generated Ascend C, each statement under its Python line."""
        return emit.text_of(self.tree, emit.SHOWN, self.head)

    @property
    def asm(self) -> dict[str, str]:
        return {"ascendc": self.source, "python": self.python.text}

    @property
    def kernel_type(self) -> str:
        return self.tree.kernel_type

    @cached_property
    def binary(self) -> KernelBinary:
        text = emit.text_of(self.tree, emit.BUILT, self.head)
        if folder := os.environ.get("PYASC_DUMP_PATH"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            Path(folder, "ascendc.cpp").write_text(self.source)
        given = [flag for flag in self.options.compile.bisheng_options or () if flag.startswith(("-D", "-I"))]
        program = Program(
            text,
            soc=self.soc,
            name=self.python.name,
            defines=[flag[2:] for flag in given if flag.startswith("-D")],
            include_dirs=[flag[2:] for flag in given if flag.startswith("-I")],
        )
        program.options = dataclasses.replace(program.options, auto_sync=self.options.compile.auto_sync, places_only=self._files())
        return program.compile()

    @cached_property
    def kernel(self) -> Kernel:
        """For launch, profile and fuse."""
        return Kernel(self.binary, self.python.name)

    def _files(self) -> tuple[str, ...]:
        """The Python files that lines of the text come from."""
        nodes = [*self.tree.body, *(node for function in self.tree.functions for node in function.body)]
        places = {node.place.file for node in walk(nodes) if node.place is not None}
        return tuple(sorted(places | {self.tree.place.file} | {function.place.file for function in self.tree.functions}))

    @cached_property
    def needs_workspace(self) -> bool:
        return bool(re.search(r"GetSysWorkSpacePtr|REGIST_MATMUL_OBJ", self.source))

    def export(self, path: str | os.PathLike[str], form: str = "launch") -> Path:
        """Writes an Ascend C source for the chip: form "launch", "asc" (with a host function) or "op" (inputs, outputs, tiling)."""
        from aclimb.asc.runtime.export import export

        return export(self, Path(path), form)

    def __repr__(self) -> str:
        return f"<CompiledKernel {self.signature} {self.kernel_type}>"


def _named(kind: Type) -> str:
    return (
        f"{kind.dtype}*" if isinstance(kind, Address) else (getattr(kind, "dtype", None) and str(getattr(kind, "dtype", ""))) or kind.cpp()
    )


def translate(source: FunctionSource, types: dict[str, Type], constants: dict[str, Any], options: JitOptions) -> Tree:
    """Python to the tree, with the passes that the options ask for."""
    compiling = options.compile
    kernel_type = compiling.kernel_type.name if compiling.kernel_type is not None else None
    inserts = compiling.insert_sync if compiling.insert_sync is not None else mentions(source, "LocalTensorAuto")
    if options.codegen.verify_sync:
        verify(Unit(source, Wanted(inlines_all=True)).translate(types, constants))
    wanted = Wanted(kernel_type=kernel_type, insert_sync=inserts, cube_only=compiling.matmul_cube_only)
    return Unit(source, wanted).translate(types, constants)
