# SPDX-License-Identifier: Apache-2.0
"""How the libraries of these tests are built: once for the same sources, headers and flags, and kept for the next session."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from aclimb.compile import toolchain
from aclimb.compile.headers import headers_hash

HERE = Path(__file__).parent
HEADERS = HERE.parents[1] / "host" / "include"
KERNELS = HERE.parent / "op" / "kernels"
WARNINGS = ("-Wall", "-Wextra", "-Werror")
MORE_FLAGS = "ACLIMB_TEST_OP_CPP_FLAGS"  # of a whole session: test_sanitizer.py
Build = Callable[..., Path]


@cache
def built(sources: tuple[Path, ...], flags: tuple[str, ...]) -> Path:
    """The library made of the sources. Another process that builds the same makes the same file."""
    compiler = toolchain.find()
    digest = hashlib.sha256(f"{compiler.identity} {flags} {headers_hash(HEADERS)}".encode())
    for source in sources:
        digest.update(source.name.encode() + source.read_bytes())
    folder = Path(tempfile.gettempdir()) / f"aclimb-op-cpp-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    made = folder / f"{sources[0].stem}-{digest.hexdigest()[:16]}.so"
    failed = made.with_suffix(".failed")
    assert not failed.exists(), failed.read_text()  # not once more for each test
    if not made.exists():
        part = made.with_suffix(f".{os.getpid()}")
        command = [*compiler.compiler(), "-shared", "-fPIC", "-O1", "-g1", *flags, "-I", str(HEADERS), *map(str, sources), "-o", str(part)]
        answer = subprocess.run(command, capture_output=True, text=True, env=compiler.environment(folder))
        if answer.returncode:
            failed.write_text(answer.stderr)
            raise AssertionError(answer.stderr)
        part.replace(made)
    return made


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Of several processes that want to fill a folder."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def python_tiling(folder: Path) -> Any:
    """tiling.py of an operator of the examples."""
    spec = importlib.util.spec_from_file_location(f"{folder.name}_tiling", folder / "tiling.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
