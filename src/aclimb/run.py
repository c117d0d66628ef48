# SPDX-License-Identifier: Apache-2.0
"""Runs a pyACL program with this package's `acl`, whatever else is installed under that name."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

from aclimb import asc_import
from aclimb.errors import SourceNotFound
from aclimb.runtime import unreported
from aclimb.runtime.where import users_frames

OURS = Path(__file__).parent.parent / "acl"
_loaded: dict[str, ModuleType] = {}  # ours, where another one is live


def our_acl() -> dict[str, ModuleType]:
    """The modules of this package's `acl`, by name; one that is live under that name, or would be, stays what it is."""
    live = _take_out()
    found = live["acl"].__spec__ if "acl" in live else importlib.util.find_spec("acl")
    if found is not None and _is_ours(found.origin):
        live = live or _load()
        _loaded.update(live)
    elif not _loaded:
        _load()
    sys.modules.update(live)
    return _loaded


def use_our_acl() -> ModuleType:
    """Makes `import acl` mean this package's, in this process, from now on."""
    ours = our_acl()
    _take_out()
    sys.modules.update(ours)
    return ours["acl"]


def _load() -> dict[str, ModuleType]:
    spec = importlib.util.spec_from_file_location("acl", OURS / "__init__.py", submodule_search_locations=[str(OURS)])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["acl"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _loaded.update(_take_out())
    return _loaded


def _take_out() -> dict[str, ModuleType]:
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name == "acl" or name.startswith("acl.")}


def _is_ours(file: str | None) -> bool:
    return file is not None and Path(file).resolve().parent == OURS.resolve()


def other_acl() -> str | None:
    """Where `import acl` would find another one."""
    elsewhere = [folder for folder in sys.path if Path(folder, "acl").resolve() != OURS.resolve()]
    spec = PathFinder.find_spec("acl", elsewhere)
    return spec.origin if spec else None


def run(program: Path, arguments: list[str]) -> None:
    """As `python program.py arguments...` would."""
    require_program(program)
    sys.argv = [str(program), *arguments]
    sys.path.insert(0, str(program.resolve().parent))
    use_our_acl()
    asc_import.install()
    try:
        runpy.run_path(str(program), run_name="__main__")
    except SystemExit as ending:
        if unreported.tell() and not ending.code:
            raise SystemExit(1) from None
        raise
    if unreported.tell():  # a fault that the program never saw
        raise SystemExit(1)


def require_program(program: Path) -> None:
    if not program.is_file():
        raise SourceNotFound(f"{program} does not exist; give the path of a program")


def run_to_the_end(program: Path, arguments: list[str]) -> None:
    """As `run`; an error that the program does not catch is shown with the program's own frames, and the status is 1."""
    try:
        run(program, arguments)
    except Exception as error:
        _show(error)
        raise SystemExit(1) from None


def _show(error: BaseException) -> None:
    chain: list[BaseException | None] = [error]
    while (last := chain[-1]) is not None and last not in chain[:-1]:
        last.__traceback__ = users_frames(last)
        chain.append(last.__cause__ or last.__context__)
    sys.excepthook(type(error), error, error.__traceback__)
