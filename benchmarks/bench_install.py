# SPDX-License-Identifier: Apache-2.0
"""Import time beyond NumPy's, and what the package takes on disk beyond NumPy."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import aclimb
from benchmarks.harness import Row, bench, median

PACKAGES = ("ml_dtypes", "pyelftools", "rich", "typer", "markdown-it-py", "mdurl", "pygments", "click", "shellingham", "typing-extensions")


def _seconds(code: str) -> float:
    probe = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    return median(
        [float(subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout) for _ in range(9)]
    )


def _bytes(package: str) -> int:
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return 0
    return sum(path.stat().st_size for path in (Path(str(file.locate())) for file in files) if path.exists())


@bench("install")
def install() -> Iterable[Row]:
    beyond = _seconds("import numpy; import aclimb") - _seconds("import numpy")
    yield Row("install.import", beyond * 1e3, "ms beyond numpy", 80)
    engine = Path(aclimb._engine.__file__ or "").stat().st_size
    sources = sum(path.stat().st_size for path in Path(aclimb.__file__).parent.rglob("*") if path.suffix in (".py", ".toml"))
    headers = Path(aclimb.__file__).parents[2] / "device" / "include"
    total = engine + sources + sum(path.stat().st_size for path in headers.rglob("*") if path.is_file()) + sum(map(_bytes, PACKAGES))
    yield Row("install.size", total / 1e6, "MB beyond numpy", 60)
