# SPDX-License-Identifier: Apache-2.0
"""What is done with a unit, by its kind: build, data, run, compare. The first step that fails says what the row says."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aclimb import knobs
from aclimb.op.project.sources import Headers
from aclimb.trial import processes, reasons, torch_paths
from aclimb.trial.processes import Ended
from aclimb.trial.reasons import Result, Verdict
from aclimb.trial.recipe import Recipe, Script, read
from aclimb.trial.units import Kind, Unit

_ELF = b"\x7fELF"
_INPUT = re.compile(r'"((?:\.{1,2}/)*[\w./-]*input[\w./-]*\.\w+)"')  # a file to read, in a source
BUILD, CHECKS = "build", "check.py"


@dataclass(frozen=True)
class Bench:
    """Where units are tried, and how."""

    copy: Path  # of the user's folder
    prefix: Path  # the toolkit
    timeout: float  # seconds for each step
    cores: int  # for one unit
    around: Path | None = None  # the repository that the user's folder is a part of

    def environment(self) -> dict[str, str]:
        """As the toolkit's own setup leaves it, with aclimb's folder in its place."""
        here, env = str(self.prefix), os.environ
        mine = {
            **dict.fromkeys(("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_INSTALL_PATH", "ASCEND_CANN_PACKAGE_PATH"), here),
            "ASCENDC_CMAKE_DIR": f"{here}/compiler/tikcpp/ascendc_kernel_cmake",
            "CMAKE_PREFIX_PATH": _joined(here, env.get("CMAKE_PREFIX_PATH")),
            "LD_LIBRARY_PATH": _joined(f"{here}/lib64", env.get("LD_LIBRARY_PATH")),
            "PATH": _joined(str(Path(sys.executable).parent), f"{here}/bin", env.get("PATH")),
            "SOC_VERSION": knobs.soc(),
            "CMAKE_BUILD_PARALLEL_LEVEL": str(self.cores),
            knobs.python.variable: sys.executable,
            knobs.threads.variable: str(self.cores),
            knobs.log.variable: "INFO",  # refused calls are told, whether the program prints them or not
        }
        own_limit = env.get(knobs.timeout.variable) or f"{max(self.timeout * 0.75, 0.1):g}"  # the engine names the kernel; a kill does not
        return {**env, **mine, knobs.timeout.variable: own_limit}


def _joined(*folders: str | None) -> str:
    return os.pathsep.join(filter(None, folders))


class Attempt:
    """One unit on the bench. `log` has every command with what it said."""

    def __init__(self, bench: Bench, unit: Unit) -> None:
        self.bench, self.unit = bench, unit
        self.folder = bench.copy / unit.folder
        self.log: list[str] = []

    def verdict(self) -> Verdict:
        kinds: dict[Kind, Callable[[], Verdict]] = {
            Kind.program: self._program,
            Kind.cmake: self._cmake,
            Kind.operator: self._operator,
            Kind.extension: self._extension,
            Kind.kernel: self._kernel,
        }
        return kinds[self.unit.kind]()

    # --- kinds

    def _program(self) -> Verdict:
        target = self._made(self.unit.sources[0].stem)
        sources = [self.bench.copy / each for each in self.unit.sources]
        torch = (
            torch_paths.flags(target.name) if any(torch_paths.is_extension(each.read_text(errors="replace")) for each in sources) else []
        )
        failed = self._build("the build", self._aclimb("build", *sources, f"-I{self.folder}", *torch, "-o", target))
        return failed or self._run(read(self.folder, is_cmake=False), [target])

    def _kernel(self) -> Verdict:
        [source] = self.unit.sources
        target = self._made(f"{source.stem}.o")
        command = self._aclimb("build", self.bench.copy / source, f"-I{self.folder}", "-o", target)
        return self._build("the build", command) or Verdict(Result.builds, "a kernel that nobody launches")

    def _extension(self) -> Verdict:
        [source] = self.unit.sources
        target, flags = self._made(f"{source.stem}.so"), torch_paths.flags(source.stem)
        command = self._aclimb("build", self.bench.copy / source, "-shared", "-fPIC", f"-I{self.folder}", *flags, "-o", target)
        return self._build("the build", command) or Verdict(Result.builds, "a torch extension, which Python loads")

    def _operator(self) -> Verdict:
        if not (self.folder / CHECKS).is_file():
            failed = self._build("the build", self._aclimb("op", "build", self.folder, "--around", self._around))
            return failed or Verdict(Result.builds, f"there is no {CHECKS} to compare with")
        ended = self._call("the check", self._aclimb("op", "test", self.folder, "--around", self._around))
        return ended if isinstance(ended, Verdict) else reasons.of_operators(ended, self._where)

    def _cmake(self) -> Verdict:
        if shutil.which("cmake") is None:
            return Verdict(Result.needs, "CMake, which is not on the PATH")
        recipe, here = read(self.folder, is_cmake=True), self.bench.prefix
        folders = ";".join([str(here), *torch_paths.cmake_folders()])
        options = [
            f"-DCMAKE_PREFIX_PATH={folders}", f"-DASCEND_CANN_PACKAGE_PATH={here}", f"-DCMAKE_INSTALL_PREFIX={self.folder / 'out'}",
            f"-DSOC_VERSION={knobs.soc()}", "-DRUN_MODE=npu", "-DCMAKE_ASC_RUN_MODE=npu", "-DCMAKE_ASC_ARCHITECTURES=dav-2201",
            *torch_paths.cmake_options(self._cmake_text()),
        ]  # fmt: skip
        build = self.folder / BUILD
        configure: list[str | Path] = [
            "cmake",
            "-S",
            self.folder,
            "-B",
            build,
            "--no-warn-unused-cli",
            "-Wno-dev",
            *options,
            *recipe.options,
        ]
        failed = self._build("cmake", configure) or self._build("the build", ["cmake", "--build", build])
        if failed:
            return failed
        made = [each for each in sorted(build.rglob("*")) if _is_executable(each, build)]
        named = [each for each in made if each.name in recipe.programs] or made
        return self._run(recipe, named) if made else Verdict(Result.builds, "it makes no program")

    @property
    def _around(self) -> Path:
        """Where headers are looked for that the project does not have; the repository may be on another machine than this one."""
        around = self.bench.around
        return around if around is not None and around.is_dir() else self.bench.copy

    def _cmake_text(self) -> str:
        return "\n".join(each.read_text(errors="replace") for each in sorted(self.folder.rglob("CMakeLists.txt")))

    # --- steps

    def _run(self, recipe: Recipe, programs: Sequence[Path]) -> Verdict:
        here = self.folder / BUILD if recipe.in_build else self.folder
        for name in ("input", "output"):
            (here / name).mkdir(exist_ok=True)
        for script in recipe.data:
            ended = self._call(_named(script), [sys.executable, script.path, *script.arguments], here)
            if isinstance(ended, Verdict) or not ended.ok:
                return ended if isinstance(ended, Verdict) else reasons.of_data(_named(script), ended)
        for program in programs:
            ended = self._call("the program", [program, *recipe.programs.get(program.name, ())], here)
            verdict = ended if isinstance(ended, Verdict) else reasons.of_program(ended, self._missing_data(here))
            if verdict.result is not Result.passes:
                return verdict
        for script in recipe.checks:
            ended = self._call(_named(script), [sys.executable, script.path, *(script.arguments or _outputs(script, here))], here)
            verdict = ended if isinstance(ended, Verdict) else reasons.of_check(_named(script), ended)
            if verdict.result is not Result.passes:
                return verdict
        return Verdict(Result.passes)

    def _missing_data(self, here: Path) -> list[str]:
        texts = [(self.bench.copy / each).read_text(errors="replace") for each in self.unit.sources]
        names = dict.fromkeys(name for text in texts for name in _INPUT.findall(text))
        return [name for name in names if not (here / name).exists()]

    def _build(self, step: str, command: Sequence[str | Path]) -> Verdict | None:
        ended = self._call(step, command)
        if isinstance(ended, Verdict):
            return ended
        return None if ended.ok else reasons.of_build(ended, self._where)

    def _call(self, step: str, command: Sequence[str | Path], folder: Path | None = None) -> Ended | Verdict:
        """The verdict where it takes too long."""
        bench = self.bench
        ended = processes.run(command, folder or self.folder, bench.environment(), bench.timeout)
        ended = replace(ended, output=ended.output.replace(f"{bench.copy}/", ""))  # the user knows the folder, not the copy
        self.log.append(f"$ {' '.join(map(str, command))}\n{ended.output.rstrip()}\n-> {'time limit' if ended.timed_out else ended.code}\n")
        return reasons.too_slow(step, bench.timeout) if ended.timed_out else ended

    def _where(self, name: str) -> str | None:
        """The folder in which a header of the project would be found by that name."""
        places = Headers([self.bench.copy]).places(name)
        return min(places).relative_to(self.bench.copy).as_posix() if places else None

    def _made(self, name: str) -> Path:
        (self.folder / BUILD).mkdir(exist_ok=True)
        return self.folder / BUILD / name

    @staticmethod
    def _aclimb(*words: str | Path) -> list[str | Path]:
        return [sys.executable, "-P", "-m", "aclimb", *words]  # -P: the sample's own folder shall not stand for our modules


def _named(script: Script) -> str:
    return script.path.name


def _outputs(script: Script, here: Path) -> list[str]:
    """What a script that compares is given where nothing says so: the result, then what was expected."""
    if "argv" not in script.path.read_text(errors="replace"):
        return []
    files = sorted(each for each in (here / "output").iterdir() if each.is_file())
    golden = [f"output/{each.name}" for each in files if "golden" in each.name]
    return [*(f"output/{each.name}" for each in files if "golden" not in each.name)][:1] + golden[:1]


def _is_executable(path: Path, build: Path) -> bool:
    if "CMakeFiles" in path.relative_to(build).parts or not path.is_file() or path.is_symlink() or not os.access(path, os.X_OK):
        return False
    with path.open("rb") as file:
        return file.read(4) == _ELF and ".so" not in path.suffixes
