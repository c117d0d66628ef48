# SPDX-License-Identifier: Apache-2.0
"""`op.check`: runs an operator over shapes and types, compares it with NumPy, and says which stage broke. C++ has nothing like it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.check.run import Broken, Params, run_watched
from aclimb.op.debug import guarded
from aclimb.op.declare.impl import MASK_BITS, OpImpl
from aclimb.op.execute.operator import Operator
from aclimb.op.node.dtypes import dtype_of
from aclimb.op.node.node import Argument, as_tensor
from aclimb.op.workspace import release_workspaces
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.finish import collect
from aclimb.runtime.stream import Stream

# Nothing, one, less and more than a block of 32 bytes, sides that are no multiple of anything, many rows, long rows.
EDGE_SHAPES: tuple[tuple[int, ...], ...] = (
    (0,), (4, 0), (1,), (7,), (8,), (17,), (1, 1), (3, 5), (16, 16), (2, 3, 33), (257,), (1, 1000), (1000, 1), (129, 127), (4, 8192),
)  # fmt: skip

Progress = Callable[[int, int], Any]
Case = tuple[tuple[int, ...], str, list[Any]]  # shape, type, inputs
Samples = Callable[[tuple[int, ...], np.dtype[Any]], Sequence[Any]] | Iterable[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """Something wrong with an operator. Kinds: index-range tiling-capacity wrong-shape device-read-in-prepare foreign-workspace
    workspace-overrun unordered-streams params-not-released wrong-result not-repeatable failed."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One set of inputs: the shape and type of the first, and the stage that broke."""

    shape: tuple[int, ...]
    dtype: str
    ok: bool
    stage: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What op.check found. As a text it is a table."""

    operator: str
    rows: list[CheckRow]
    findings: list[CheckFinding]

    @property
    def ok(self) -> bool:
        return not self.findings and all(row.ok for row in self.rows)

    def __str__(self) -> str:
        cells = [("shape", "dtype", "", "stage", "")]
        cells += [(str(list(row.shape)), row.dtype, "ok" if row.ok else "FAIL", row.stage or "", row.message.split("\n")[0])
                  for row in self.rows]  # fmt: skip
        widths = [max(len(line[column]) for line in cells) for column in range(4)]
        good = sum(row.ok for row in self.rows)
        lines = [f"{self.operator}: {good} of {len(self.rows)} rows are fine, {len(self.findings)} findings"]
        lines += ["  ".join([*(text.ljust(width) for text, width in zip(line, widths, strict=False)), line[4]]).rstrip() for line in cells]
        return "\n".join([*lines, *(f"{each.kind}: {each.message}" for each in self.findings)])


def check(
    operator: Operator,
    samples: Samples,
    *,
    reference: Callable[..., Any] | None = None,
    shapes: Iterable[Sequence[int]] | None = None,
    dtypes: Iterable[Any] | None = None,
    attrs: Mapping[str, Any] | None = None,
    rtol: float = 1e-3,
    atol: float = 1e-3,
    progress: Progress | None = None,
    jobs: int | None = None,
    on: str | None = None,
) -> CheckReport:
    """Runs a registered operator twice with each set of inputs and compares it with `reference(*inputs, **attrs)`.

    `samples` is a list of tuples of arrays, or a function that makes one for a shape and a type; it is called for all `shapes` and
    `dtypes`, which are EDGE_SHAPES and the declared types unless given. `progress(done, total)` is called after every row; without it a bar
    is shown where stderr is a terminal. Nothing that the operator does wrong is raised: it is in the report. The guards of ACLIMB_OP_DEBUG
    are on: workspaces are exactly as large as asked for, full of rubbish, and nobody's a second time. What is launched on another stream
    has to be ordered by events.

    With `jobs`, rows are checked in so many processes at a time; with `on` on a Ray cluster, "ray" or "ray://host:port". The processes
    import the program: operator, samples and reference have to be at the top of a file, and what only the program does behind
    `if __name__ == "__main__":`. The report is the same.
    """
    impl = operator._impl()
    beyond = list(_beyond_the_declaration(operator, impl))
    if jobs is not None or on is not None:
        asked = _rows_asked(operator, samples, shapes, dtypes, reference, dict(attrs or {}), rtol, atol)
        with _telling(progress, operator.type, len(asked)) as tell:
            from aclimb.op.check.rows import fan_out  # which has to know this file

            rows, findings = fan_out(asked, jobs, on, tell)
        return CheckReport(operator.type, rows, [*beyond, *findings])
    cases = list(_cases(operator, samples, shapes, dtypes))
    checker = Checker(operator, reference, dict(attrs or {}), rtol, atol, _stream_device(samples))
    checker.findings += beyond
    rows = []
    with _telling(progress, operator.type, len(cases)) as tell:
        try:
            for make in cases:
                rows.append(checker.row(make()))
                tell(len(rows), len(cases))
        finally:
            left = checker.close()
            checker.findings += not_released(left, checker.ran)
    return CheckReport(operator.type, rows, checker.findings)


# --- what is run


def _cases(
    operator: Operator, samples: Samples, shapes: Any, dtypes: Any
) -> Iterator[Callable[[], tuple[tuple[int, ...], str, list[Any]]]]:
    """Each makes a row, when its turn comes."""
    if not callable(samples):
        for given in samples:
            yield lambda given=given: (*_first_tensor(given), list(given))  # type: ignore[misc]
        return
    for kind, shape in _shapes_and_kinds(operator, shapes, dtypes):
        yield lambda shape=shape, kind=kind: (shape, str(kind), list(samples(shape, kind)))  # type: ignore[misc]


def _rows_asked(operator: Operator, samples: Samples, shapes: Any, dtypes: Any, reference: Any, attrs: dict[str, Any], rtol: float,
                atol: float) -> list[Any]:  # fmt: skip
    """The same cases by name, for other processes."""
    from aclimb.op.check.rows import RowAsked, named

    modules = [each.__module__ for each in (samples, reference) if callable(each)]
    op, referred = named(operator, operator.type, modules), named(reference, "reference") if reference is not None else None
    make = named(samples, "samples") if callable(samples) else None
    cases: list[tuple[tuple[int, ...], str, list[Any] | None]] = []
    if callable(samples):
        cases = [(shape, str(kind), None) for kind, shape in _shapes_and_kinds(operator, shapes, dtypes)]
    else:
        cases = [(*_first_tensor(given), [_on_host(each) for each in given]) for given in samples]
    path = tuple(each for each in sys.path if each)
    return [RowAsked(op, make, given, shape, kind, referred, attrs, rtol, atol, path) for shape, kind, given in cases]


def _shapes_and_kinds(operator: Operator, shapes: Any, dtypes: Any) -> Iterator[tuple[np.dtype[Any], tuple[int, ...]]]:
    kinds = [dtype_of(each) if isinstance(each, str) else np.dtype(each) for each in dtypes or _declared_dtypes(operator)]
    for kind in kinds:
        for shape in [tuple(each) for each in (shapes if shapes is not None else EDGE_SHAPES)]:
            yield kind, shape


def _declared_dtypes(operator: Operator) -> list[str]:
    """Of the first input that says any."""
    for each in operator._declaration.inputs:
        if each.dtypes or each.dtype_list:
            return list(dict.fromkeys((*each.dtypes, *each.dtype_list)))
    return ["float32"]


def _first_tensor(inputs: Sequence[Any]) -> tuple[tuple[int, ...], str]:
    flat = [each for value in inputs for each in (value if isinstance(value, list) else [value]) if each is not None]
    tensor = as_tensor(flat[0]) if flat else None
    return (tensor.shape.origin.dims, str(tensor.dtype)) if tensor is not None else ((), "")


def _stream_device(samples: Samples) -> Any:
    flat = [] if callable(samples) or not isinstance(samples, list | tuple) else [each for given in samples for each in given]
    return next((each.device for each in flat if isinstance(each, Buffer)), None)


def _beyond_the_declaration(operator: Operator, impl: OpImpl) -> Iterator[CheckFinding]:
    """What was registered for inputs and outputs that do not exist."""
    for mask, what, names in (
        ("inputs_data_dependency", "input", operator.inputs),
        ("tiling_inputs_data_dependency", "input", operator.inputs),
        ("host_inputs", "input", operator.inputs),
        ("output_shape_depend_on_compute", "output", operator.outputs),
        ("nullable_outputs", "output", operator.outputs),
    ):
        for index in range(len(names), MASK_BITS):
            if getattr(impl, mask) >> index & 1:
                yield CheckFinding("index-range", f"{mask} names {what} {index}; {operator.type} has {len(names)} {what}s")


@contextmanager
def _telling(progress: Progress | None, title: str, total: int) -> Iterator[Progress]:
    if progress is not None or not sys.stderr.isatty():
        yield progress or (lambda done, total: None)
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"check {title}", total=total)
        yield lambda done, total: bar.update(task, completed=done)


# --- one row after the other


class Checker:
    """Two streams, so that the workspaces of a second run are never those of the first."""

    def __init__(self, operator: Operator, reference: Any, attrs: dict[str, Any], rtol: float, atol: float, device: Any) -> None:
        self._operator, self._reference, self._attrs, self._rtol, self._atol = operator, reference, attrs, rtol, atol
        self._streams = [Stream(device), Stream(device)]
        self._params: list[tuple[Params, Params]] = []
        self.findings: list[CheckFinding] = []
        self.ran = 0  # rows of which both runs came to their end, known when it is closed

    def row(self, case: Case) -> CheckRow:
        shape, dtype, inputs = case
        try:
            self._try([_on_host(each) for each in inputs])
        except Broken as broken:
            self.findings.append(CheckFinding(broken.kind, f"{dtype}{list(shape)}: {broken}"))
            return CheckRow(shape, dtype, False, broken.stage, str(broken))
        return CheckRow(shape, dtype, True)

    def _try(self, inputs: list[Any]) -> None:
        with guarded("exact"):
            first = run_watched(self._operator, inputs, self._attrs, self._streams[0])
        if self._reference is not None:
            self._compare_with_reference(first.outputs, inputs)
        with guarded("tail"):
            second = run_watched(self._operator, inputs, self._attrs, self._streams[1], hold=first.uses_other_streams)
        self._params.append((first.params, second.params))
        for number, (once, again) in enumerate(zip(first.outputs, second.outputs, strict=True)):
            said = difference(again, once, self._rtol, self._atol) if once is not None and again is not None else ""
            if said and first.uses_other_streams:
                raise Broken("unordered-streams", "launch", f"output {number} is another one when ctx.stream is slow: {said}; what is "
                             "launched on another stream has to wait for an event behind all that it needs")  # fmt: skip
            if said:
                raise Broken("not-repeatable", "launch", f"output {number} of a second run is not that of the first: {said}")

    def _compare_with_reference(self, outputs: list[Any], inputs: list[Any]) -> None:
        try:
            expected = _as_outputs(self._reference(*map(_plain, inputs), **self._attrs), len(outputs))
        except Exception as error:
            raise Broken("failed", "reference", f"the reference raised {type(error).__name__}: {error}") from error
        for number, (output, wanted) in enumerate(zip(outputs, expected, strict=True)):
            if output is None or wanted is None:
                continue
            if output.shape != wanted.shape:
                raise Broken("wrong-shape", "infer_shape", f"output {number} has the shape {list(output.shape)}; the reference has "
                             f"{list(wanted.shape)}")  # fmt: skip
            said = difference(output, wanted, self._rtol, self._atol)
            if said:
                raise Broken("wrong-result", "launch", f"output {number}: {said}")

    def close(self) -> int:
        """Gives the streams back; how many rows left params behind."""
        if self._operator.cached:
            self._operator.clear_cache()
        gc.collect()
        # The same object twice is one that the operator keeps on purpose.
        left = sum(1 for once, again in self._params if _alive(once) and _alive(again) and _alive(once).isdisjoint(_alive(again)))
        self.ran = len(self._params)
        self._params.clear()
        for stream in self._streams:
            stream.native.wait()
            collect(stream.native)
            release_workspaces(stream)
        self._streams.clear()
        return left


def not_released(left: int, rows: int) -> list[CheckFinding]:
    if not left:
        return []
    said = f"what prepare stored is still there after {left} of {rows} rows; give it a deleter, or let go of it"
    return [CheckFinding("params-not-released", said)]


def _alive(params: Params) -> set[int]:
    return {id(found) for reference in params if (found := reference()) is not None}


def _on_host(value: Any) -> Any:
    """A copy for each run is made from host memory, so that nothing an operator does reaches the caller's buffers."""
    if isinstance(value, list | tuple):
        return [_on_host(each) for each in value]
    if isinstance(value, Argument):
        return Argument(_on_host(value.data), value.format, value.origin_shape)
    return value.to_numpy() if isinstance(value, Buffer) else value


def _plain(value: Any) -> Any:
    """As the reference takes it."""
    return [_plain(each) for each in value] if isinstance(value, list) else value.data if isinstance(value, Argument) else value


def _as_outputs(result: Any, count: int) -> list[Any]:
    several = list(result) if isinstance(result, tuple) or (isinstance(result, list) and count > 1) else [result]
    flat = [each for value in several for each in (value if isinstance(value, list) and count > 1 else [value])]
    if len(flat) != count:
        raise ValueError(f"it gives {len(flat)} results; the operator has {count} outputs")
    return [np.asarray(each) if each is not None else None for each in flat]


def difference(actual: NDArray[Any], expected: NDArray[Any], rtol: float, atol: float) -> str:
    """Where two arrays differ, in words; empty when they do not. Whole numbers have to be equal."""
    if actual.shape != expected.shape:
        return f"the shape is {list(actual.shape)}, not {list(expected.shape)}"
    if actual.dtype.kind in "iub" and expected.dtype.kind in "iub":
        same = actual == expected
    else:
        wide = np.complex128 if "c" in actual.dtype.kind + expected.dtype.kind else np.float64
        with np.errstate(all="ignore"):
            same = np.isclose(actual.astype(wide), expected.astype(wide), rtol, atol, equal_nan=True)
    if same.all():
        return ""
    place = tuple(int(each[0]) for each in np.nonzero(~np.atleast_1d(same)))
    got, wanted = np.atleast_1d(actual)[place], np.atleast_1d(expected)[place]
    return f"{int((~same).sum())} of {same.size} elements differ, the first at {list(place)}: {got} instead of {wanted}"
