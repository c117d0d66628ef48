# SPDX-License-Identifier: Apache-2.0
"""The correct kernels: the vectors put right, and the examples. Each can be built with other lines, and run."""

from __future__ import annotations

import importlib.util
import itertools
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "order"))

from vectors import FAULTY, LEGAL, Vector, compiled, mended, prepare, source_of  # noqa: E402
from vectors import HERE as VECTORS  # noqa: E402

import acl  # noqa: E402
from aclimb import Kernel, Stream  # noqa: E402

KERNEL = re.compile(r'extern "C" __global__ .*?\bvoid (\w+)\(')


@dataclass(frozen=True)
class Part:
    """Lines [first, last) of a file that are mutated together with those of other parts: one kernel, or what all of them share."""

    name: str
    first: int
    last: int
    runs: tuple[str, ...]  # which runs see it


class Subject:
    """One source file."""

    name: str
    file: str  # as messages call it
    lines: list[str]
    parts: list[Part]
    is_searched = True  # the search can say whether it is in order

    def run(self, text: str, name: str, auto_sync: str) -> Callable[[], Any]:
        """Builds, and gives back what to call. Raises CompileError."""
        raise NotImplementedError

    def auto_sync_of(self, name: str) -> str:
        return "on"


class VectorFile(Subject):
    """Kernels of one file, each a vector or a member of one."""

    def __init__(self, path: Path) -> None:
        self.name, self.file = path.stem, f"{path.stem}.cpp"
        self.lines = mended(path.read_text()).splitlines()
        self.vectors = {each.id: each for each in FAULTY + LEGAL if each.file == path.stem}
        starts = [(number, match[1]) for number, line in enumerate(self.lines) if (match := KERNEL.search(line))]
        ends = [self._end(number) for number, _ in starts]
        self.parts = [Part(kernel, at, end, self._runs(kernel)) for (at, kernel), end in zip(starts, ends, strict=True)]
        between = zip([0, *ends], [at for at, _ in starts] + [len(self.lines)], strict=True)
        self.parts += [Part(f"lines {a + 1}-{b}", a, b, tuple(self.vectors)) for a, b in between if any(map(str.strip, self.lines[a:b]))]

    def _end(self, start: int) -> int:
        return next(number for number in range(start, len(self.lines)) if self.lines[number].startswith("}")) + 1

    def _runs(self, kernel: str) -> tuple[str, ...]:
        return tuple(each.id for each in self.vectors.values() if kernel in (each.name, *(name for name, _ in each.members)))

    def run(self, text: str, name: str, auto_sync: str) -> Callable[[], Any]:
        vector: Vector = self.vectors[name]
        ready = prepare(vector, text)

        def launch() -> None:
            stream = Stream()
            ready.launch(stream)
            stream.synchronize()

        return launch

    def auto_sync_of(self, name: str) -> str:
        return self.vectors[name].auto_sync


class HostFile(Subject):
    """Functions of a Python file, each a program that launches one kernel. The search knows nothing of streams: a mistake that is not found
    is missed."""

    is_searched = False
    kernel = next(each for each in LEGAL if each.name.startswith("t18"))  # every tile and one, without flags between blocks

    def __init__(self, path: Path) -> None:
        self.name, self.file = path.stem, path.name
        self.lines = path.read_text().splitlines()
        starts = [(number, line[4:].split("(")[0]) for number, line in enumerate(self.lines) if line.startswith("def ")]
        ends = [*(number for number, _ in starts[1:]), len(self.lines)]
        self.parts = [Part(name, at, end, (name,)) for (at, name), end in zip(starts, ends, strict=True)]

    def run(self, text: str, name: str, auto_sync: str) -> Callable[[], Any]:
        kernel = Kernel(compiled(source_of(self.kernel, put_right=True), self.kernel.file), self.kernel.name)
        names: dict[str, Any] = {}
        exec(compile(text, str(VECTORS / self.file), "exec"), names)

        def launch() -> None:
            acl.init()
            acl.rt.set_device(0)
            try:
                names[name](kernel)
            finally:
                acl.rt.reset_device(0)
                acl.finalize()

        return launch


class Example(Subject):
    """A source file of an example, run by the example's own program."""

    _numbers = itertools.count()

    def __init__(self, source: Path, program: Path, tree: Path) -> None:
        self.name, self.file = f"{program.parent.name}/{source.name}", source.name
        self.source, self.program = tree / source.relative_to(ROOT / "examples"), tree / program.relative_to(ROOT / "examples")
        self.lines = source.read_text().splitlines()
        self.parts = [Part("all", 0, len(self.lines), ("run",))]

    def run(self, text: str, name: str, auto_sync: str) -> Callable[[], Any]:
        self.source.write_text(text)
        spec = importlib.util.spec_from_file_location(f"example_{next(self._numbers)}", self.program)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(self.program.parent))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.pop(0)
        small = SMALL.get(self.program.parent.name, {})
        return lambda: module.run(**small)


EXAMPLES = {  # program: sources
    "add": ("add.cpp",), "add_flags": ("add_flags.cpp",), "early_start": ("early_start.cpp",), "matmul": ("matmul.cpp",),
    "mix": ("matmul_leaky_relu.cpp",), "reduce_cores": ("normalize.cpp",), "softmax": ("softmax.cpp",), "wait_first": ("wait_first.cpp",),
    "tiling_keys": ("scale_shift.cpp",), "tune_add": ("tune_add.cpp",), "superkernel": ("decode.cpp",),
    "grouped_matmul": ("grouped_matmul.cpp",),
    "flash_attention": ("flash_attention.cpp", "rows.h"), "rms_norm_quant": ("rms_norm_quant.cpp",), "layer_norm": ("layer_norm.cpp",),
    "online_softmax": ("online_softmax.cpp",), "topk_sampling": ("topk_sampling.cpp",), "fused_matmul": ("fused_matmul.cpp",),
    "matmul_object": ("matmul_object.cpp",), "pyacl": ("affine.cpp",),
}  # fmt: skip


# The search looks at every instruction: what takes long is run with less to do, but more than one round of each loop.
SMALL: dict[str, dict[str, Any]] = {
    "matmul": {"m": 40, "n": 80, "k": 160}, "tune_add": {"blocks": 2, "length": 6 * 8192}, "online_softmax": {"rows": 4, "columns": 1500,
    "piece": (1, 512)}, "layer_norm": {"rows": 60, "columns": 64}, "topk_sampling": {"sequences": 3, "vocabulary": 1000, "k": 8},
    "flash_attention": {"heads": 1, "length": 130, "blocks": 1}, "grouped_matmul": {"rows": (20, 5), "n": 32, "k": 48, "blocks": 1},
    "fused_matmul": {"m": 64, "n": 64, "k": 64}, "matmul_object": {"m": 64, "n": 64, "k": 64},
}  # fmt: skip


def all_subjects(only: str = "") -> Iterator[Subject]:
    """Those whose name has `only` in it. Examples are changed in a copy, which is gone with the program."""
    for path in sorted(VECTORS.glob("*.cpp")):
        if only in path.stem:
            yield VectorFile(path)
    if only in "host_order":
        yield HostFile(VECTORS / "host_order.py")
    tree = Path(tempfile.mkdtemp(prefix="mutants_")) / "examples"
    shutil.copytree(ROOT / "examples", tree)
    try:
        for folder, sources in EXAMPLES.items():
            program = ROOT / "examples" / folder / "run.py"
            for source in sources:
                if only in f"{folder}/{source}":
                    yield Example(program.parent / source, program, tree)
    finally:
        shutil.rmtree(tree.parent)
