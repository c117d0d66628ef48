# SPDX-License-Identifier: Apache-2.0
"""The kernels of an operator: one for all types, or one for each set of rows of its declaration, chosen when it is launched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.op.declare.declaration import Declaration, fits_row
from aclimb.op.declare.kernel import KernelBuild, KernelSource, kernel_name
from aclimb.op.declare.rows import Row, described, is_same
from aclimb.op.node.node import Node, OpTensor, tensors_of
from aclimb.op.status import OpError
from aclimb.runtime.kernel import Kernel


@dataclass
class _Choice:
    rows: Sequence[Row]  # none: for all
    load: Callable[[], Kernel]

    @cached_property
    def kernel(self) -> Kernel:
        return self.load()


class Kernels:
    """What tiling launches. A source is built, and a file loaded, when its types are launched for the first time."""

    def __init__(self, declaration: Declaration, source: Any, name: str | None) -> None:
        self._declaration, self._source, self._name = declaration, source, name
        self._chosen: dict[Any, Kernel] = {}

    @cached_property
    def _choices(self) -> list[_Choice]:
        return list(self._made())

    def _made(self) -> Iterator[_Choice]:
        source, rows = self._source, self._declaration.combinations
        if isinstance(source, Kernel):
            yield _Choice((), lambda: source)
        elif isinstance(source, KernelBinary):
            yield _Choice((), lambda: self._kernel(source))
        elif isinstance(source, KernelSource):
            yield from self._built(source.builds(rows()))
        elif (folder := Path(source)).is_dir():
            for path, own in described(folder):
                yield _Choice(own, lambda path=path: self._kernel(KernelBinary.read(path)))  # type: ignore[misc]
        elif Path(source).suffix == ".o":
            yield _Choice((), lambda: self._kernel(KernelBinary.read(source)))
        else:
            yield from self._built(KernelSource(Path(source).absolute(), self._declaration.op_type).builds(rows()))

    def _built(self, builds: Sequence[KernelBuild]) -> Iterator[_Choice]:
        for build in builds:
            rows = build.rows if len(builds) > 1 else ()  # the only one is for all
            yield _Choice(rows, lambda build=build: self._kernel(build.program().compile()))  # type: ignore[misc]

    def _kernel(self, binary: KernelBinary) -> Kernel:
        return Kernel(binary, self._name or (kernel_name(self._declaration.op_type) if len(binary.kernels) > 1 else None))

    @property
    def first(self) -> Kernel:
        return self._choices[0].kernel

    def of(self, node: Node) -> Kernel:
        """The one for the types and formats of a call."""
        if not self._choices[0].rows:
            return self._choices[0].kernel
        values = (*node.inputs, *node.outputs)  # by place: an input that is left out is not the next one
        key = tuple([tuple([(each.dtype, each.format) for each in tensors_of(value)]) for value in values])
        found = self._chosen.get(key)
        if found is None:
            found = self._chosen[key] = self._choice(node).kernel
        return found

    def _choice(self, node: Node) -> _Choice:
        inputs = _tensors(self._declaration.inputs, node.inputs)
        everything = inputs | _tensors(self._declaration.outputs, node.outputs)
        for given in (everything, inputs):  # an inference may give an output a type of its own
            rows = [row for row in self._declaration.combinations() if _fits(row, given)]
            for choice in (choice for row in rows for choice in self._choices if any(is_same(row, own) for own in choice.rows)):
                return choice
        shown = ", ".join(f"{name} {each.dtype}" for name, tensors in inputs.items() for each in tensors)
        known = "; ".join(", ".join(f"{name} {value}" for name, value in row.items()) for choice in self._choices for row in choice.rows)
        raise OpError(message=f"no kernel of {node.op_type} was built for {shown}; there are some for {known}")


def _tensors(declared: Iterable[Any], values: Sequence[Any]) -> dict[str, list[OpTensor]]:
    return {each.name: tensors_of(value) for each, value in zip(declared, values, strict=True)}


def _fits(row: Row, given: Mapping[str, Sequence[OpTensor]]) -> bool:
    return all(fits_row(row, name, tensor) for name, tensors in given.items() for tensor in tensors)
