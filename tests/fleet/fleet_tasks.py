# SPDX-License-Identifier: Apache-2.0
"""What workers are asked to do in tests. They import it by its name: PYTHONPATH has this folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from aclimb.fleet import Places, TryElsewhere

MIB = 1 << 20


def square(number: int, places: Places) -> int:
    return number * number


def sleep_then(arguments: tuple[float, Any], places: Places) -> Any:
    time.sleep(arguments[0])
    return arguments[1]


def noted(arguments: tuple[str, int], places: Places) -> int:
    """Leaves a line in a file; lines of several processes do not mix."""
    path, number = arguments
    with open(path, "a") as file:
        file.write(f"{number}\n")
    return number


def noted_slowly(arguments: tuple[str, int, float], places: Places) -> int:
    time.sleep(arguments[2])
    return noted(arguments[:2], places)


def raises(text: str, places: Places) -> None:
    raise ValueError(text)


def exits(code: int, places: Places) -> None:
    print("the last words", flush=True)
    os._exit(code)


def segfaults(_: None, places: Places) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def segfaults_once(marker: str, places: Places) -> str:
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGSEGV)
    return "well"


def segfaults_once_there(marker: str, places: Places) -> tuple[str, str]:
    """The caches of the nodes of both attempts."""
    here = os.environ["ACLIMB_CACHE_DIR"]
    if not Path(marker).exists():
        Path(marker).write_text(here)
        os.kill(os.getpid(), signal.SIGSEGV)
    return Path(marker).read_text(), here


def hangs_with_a_child(path: str, places: Places) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    Path(path).write_text(f"{os.getpid()} {child.pid}")
    time.sleep(600)


def holds(size: int, places: Places) -> int:
    held = bytearray(os.urandom(1)) * size
    time.sleep(20)
    return len(held)


def child_holds(size: int, places: Places) -> int:
    text = f"import time; held = bytearray(b'x') * {size}; time.sleep(20)"
    return subprocess.run([sys.executable, "-c", text], check=False).returncode


def talks(text: str, places: Places) -> str:
    print(text, flush=True)
    return sys.stdin.read()


def gives_what_cannot_travel(_: None, places: Places) -> Any:
    return lambda: None


def wants_another_place(_: None, places: Places) -> None:
    raise TryElsewhere("there is no oven here")


def has_a_file(path: str, places: Places) -> tuple[str, str]:
    here = places.here(path)
    return places.back(str(here)), here.read_text()


def has_a_file_slowly(path: str, places: Places) -> tuple[str, str]:
    time.sleep(0.2)
    return has_a_file(path, places)


def pid(_: None, places: Places) -> int:
    return os.getpid()


def threads(_: None, places: Places) -> str:
    return os.environ["ACLIMB_THREADS"]
