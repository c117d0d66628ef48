# SPDX-License-Identifier: Apache-2.0
"""Sets up .venv: `tools` makes it and installs what development needs, `build` compiles the engine into it, `cross` gets what
the tests on the other architecture need, `browser` what the tests of the report need.

Works on a machine without a C++ compiler too: the ziglang wheel then builds the engine, and later the kernels.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
COMPILERS = ("g++", "clang++", "c++")


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nsetup: {' '.join(str(part) for part in command)} failed ({done.returncode})")


def say(text: str) -> None:
    print(f"  setup      {text}", flush=True)


def has_compiler() -> bool:
    chosen = os.environ.get("CXX", "").split()
    return any(shutil.which(name) for name in (*chosen[:1], *COMPILERS))


def install_tools() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - the one file that may meet an older Python
        sys.exit(f"setup: aclimb needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try `make PYTHON=python3.12`")
    if not PYTHON.exists():
        say("virtual environment in .venv")
        run(sys.executable, "-m", "venv", VENV)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"], "ninja"]
    wanted += project["project"]["optional-dependencies"]["dev"]
    if not shutil.which("cmake"):
        wanted.append("cmake")
    if not has_compiler():
        say("no C++ compiler found: the ziglang wheel takes its place")
        wanted += project["project"]["optional-dependencies"]["compiler"]
    say("Python packages")
    run(PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted)
    (VENV / ".tools").touch()


def compiler_environment() -> dict[str, str]:
    env = dict(os.environ, PATH=f"{VENV / 'bin'}{os.pathsep}{os.environ['PATH']}")
    if not has_compiler():
        wrappers = ROOT / "tools" / "zig"
        find = "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))"
        zig = subprocess.run([PYTHON, "-c", find], capture_output=True, text=True, check=True).stdout.strip()
        env |= {"CC": str(wrappers / "cc"), "CXX": str(wrappers / "c++"), "ACLIMB_ZIG": zig}
        env["CMAKE_ARGS"] = f"-DCMAKE_AR={wrappers / 'ar'} -DCMAKE_RANLIB={wrappers / 'ranlib'}"
    return env


def build() -> None:
    say("engine (about a minute the first time)")
    started = time.monotonic()
    flags = ("-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "-e", ".")
    run(PYTHON, "-m", "pip", "install", *flags, env=compiler_environment())
    (VENV / ".built").touch()
    say(f"engine built in {time.monotonic() - started:.0f} s")


def install_cross() -> None:
    """What the other architecture needs, from Debian's packages, where we may; the test says so where we may not."""
    if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-g++"):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("g++-aarch64-linux-gnu and qemu-user")
        run("apt-get", "install", "-y", "-qq", "g++-aarch64-linux-gnu", "qemu-user")


def install_browser() -> None:
    """Chromium from Debian's packages, where we may; the tests that draw in it say so where we may not, and the others run."""
    if any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    say("chromium, for the tests of the report")
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        quiet = subprocess.DEVNULL
        try:
            subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=300, check=False)
        except subprocess.TimeoutExpired:
            break
    if not shutil.which("chromium"):
        say("chromium could not be installed: tests that need it are skipped")


if __name__ == "__main__":
    {"tools": install_tools, "build": build, "cross": install_cross, "browser": install_browser}[sys.argv[1]]()
