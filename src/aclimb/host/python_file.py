# SPDX-License-Identifier: Apache-2.0
"""aclimb.python, the file beside libascendcl.so by which a program that is started directly finds its Python (host/src/boot.cpp).

Three lines: the executable, its libpython or nothing, and the folders of aclimb and NumPy if that executable does not look there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from aclimb.host import places

NAME = "aclimb.python"


def write_python_file(folder: Path) -> Path:
    """For the Python that runs now."""
    target = folder / NAME
    temporary = folder / f".{NAME}.{os.getpid()}"  # builds may run side by side
    temporary.write_text(text())
    temporary.replace(target)
    return target


def text() -> str:
    return f"{sys.executable}\n{libpython() or ''}\n{':'.join(_folders())}\n"


def libpython() -> Path | None:
    """The shared library of this Python, which may be there although the executable does without it."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    if ".so" not in name:
        return None
    folders = [sysconfig.get_config_var("LIBDIR") or "", os.path.join(sys.base_prefix, "lib")]
    return next((path for path in (Path(folder, name) for folder in folders) if path.is_file()), None)


def _folders() -> list[str]:
    """Where aclimb and NumPy were found, but for what this Python looks through by itself."""
    packages = [Path(places.__file__).resolve().parents[2]]
    numpy = find_spec("numpy")
    packages += [Path(numpy.origin).parents[1]] if numpy and numpy.origin else []
    wanted = [str(folder) for folder in dict.fromkeys(packages) if str(folder) in sys.path]
    plain = _plain_path() if wanted else []
    return [folder for folder in wanted if folder not in plain]


def _plain_path() -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-P", "-c", "import sys; print(*sys.path, sep='\\n')"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
