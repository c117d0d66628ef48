# SPDX-License-Identifier: Apache-2.0
"""Takes the recipes of CONTRIBUTING.md at their word: a copy of the tree, the blocks of a section applied to it, its check run there.

diff PATH        lines with "-" give way to those with "+", the others are found as they are; only "+": at the end of the file
LANG new=PATH    the whole file
python check     runs in the copy, and passes
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from aclimb import _engine

ROOT = Path(__file__).parents[2]
PARTS = ("src", "device", "engine", "host", "tests", "tools", "docs", "CMakeLists.txt", "pyproject.toml", "README.md")
_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# An editable install finds the checkout before anything on the path.
_NO_CHECKOUT = "import sys\nsys.meta_path[:] = [each for each in sys.meta_path if not type(each).__name__.startswith('ScikitBuild')]\n"


@dataclass(frozen=True)
class Recipe:
    title: str
    blocks: list[tuple[str, str]]  # what stands behind the fence, and the text

    @property
    def touched(self) -> list[str]:
        """The files it writes."""
        return [re.sub(r"^diff |^\w+ new=", "", kind) for kind, _ in self.blocks if kind != "python check"]

    @property
    def checks(self) -> list[str]:
        return [text for kind, text in self.blocks if kind == "python check"]


def recipes() -> dict[str, Recipe]:
    sections = re.split(r"^### ", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE)[1:]
    found = (Recipe(text.partition("\n")[0], _FENCE.findall(_up_to_the_next_chapter(text))) for text in sections)
    return {recipe.title: recipe for recipe in found}


def _up_to_the_next_chapter(text: str) -> str:
    """Headings inside a block are the block's."""
    blocks = [match.span() for match in _FENCE.finditer(text)]
    headings = (match.start() for match in re.finditer(r"^## ", text, flags=re.MULTILINE))
    return text[: next((at for at in headings if not any(begin < at < end for begin, end in blocks)), len(text))]


class Tree:
    """A copy of the checkout that a recipe may change."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.helper = folder / "tree", folder / "helper"
        self.folder.mkdir()
        self.helper.mkdir()
        for name in PARTS:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, self.folder / name)
        (self.helper / "sitecustomize.py").write_text(_NO_CHECKOUT)
        self.use_modules(Path(_engine.__file__ or "").parent)

    def use_modules(self, folder: Path) -> None:
        """The native ones."""
        for module in folder.glob("_*.so"):
            there = self.folder / "src" / "aclimb" / module.name
            there.unlink(missing_ok=True)
            there.symlink_to(module)

    def apply(self, recipe: Recipe) -> None:
        for kind, text in recipe.blocks:
            if kind.startswith("diff "):
                self._change(self.folder / kind.removeprefix("diff "), text)
            elif " new=" in kind:
                path = self.folder / kind.partition(" new=")[2]
                assert not path.exists(), f"{path} is there already"
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)

    def _change(self, path: Path, diff: str) -> None:
        lines = diff.splitlines(keepends=True)
        old = "".join(line[1:] or "\n" for line in lines if not line.startswith("+"))
        new = "".join(line[1:] or "\n" for line in lines if not line.startswith("-"))
        text = path.read_text()
        assert not old or f"\n{text}".count(f"\n{old}") == 1, f"{path} has {text.count(old)} times\n{old}"
        path.write_text(f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:] if old else text + new)

    def python(self, *arguments: str, timeout: int = 300) -> str:
        """Python with aclimb of the copy."""
        path = os.pathsep.join((str(self.helper), str(self.folder / "src")))
        return self.run(sys.executable, *arguments, timeout=timeout, PYTHONPATH=path)

    def run(self, *command: str, timeout: int, **more: str) -> str:
        tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, "PATH": tools, **more}, timeout=timeout,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, f"{' '.join(command)[:200]}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout

    def build(self) -> None:
        """The engine of the copy; ccache, where there is one, knows the objects of other copies."""
        nanobind = self.python("-m", "nanobind", "--cmake_dir").strip()
        options = [f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind}"]
        options += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        kept = {"CCACHE_BASEDIR": str(self.folder), "CCACHE_NOHASHDIR": "1"}
        self.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", *options, timeout=600, **kept)
        self.run("cmake", "--build", "build", timeout=1800, **kept)
        self.use_modules(self.folder / "build")

    def check(self, recipe: Recipe) -> None:
        for text in recipe.checks:
            self.python("-c", text)
