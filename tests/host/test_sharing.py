# SPDX-License-Identifier: Apache-2.0
"""The prefix in unfriendly places: an installation that cannot be written, no network, several at once; and programs that lack a word."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import aclimb
from aclimb import _door
from aclimb.host import places
from aclimb.host.prefix import LIBRARIES, prefix
from aclimb.host.python_file import libpython

KERNEL = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { y[0] = 1; }\n'
INSTALLED = sorted({Path(aclimb.__file__).parents[1], Path(_door.__file__).parent, places.host_dir(), places.host_dir().parent / "device"})
MAKE = [sys.executable, "-c", "from aclimb.host.prefix import prefix; print(prefix())"]
SOURCE = '#include "runtime/rt.h"\nint main(void) { return rtDeviceSynchronize(); }\n'
needs_gcc = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")


def in_cache(folder: Path) -> dict[str, str]:
    return {**os.environ, "ACLIMB_CACHE_DIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def is_complete(root: Path) -> bool:
    names = ["bin/bisheng", "set_env.sh", "include/acl/acl.h", "made", "version.cfg", *(f"lib64/lib{name}.so" for name in LIBRARIES)]
    return all((root / name).exists() for name in names) and not list(root.rglob(".*"))


def state(folder: Path) -> dict[str, tuple[int, int]]:
    files = (Path(at) / name for at, _, names in os.walk(folder) if not at.endswith("__pycache__") for name in names)
    return {str(file): (file.lstat().st_size, file.lstat().st_mtime_ns) for file in files}


@pytest.mark.requirement("tool-32")
def test_nothing_is_written_into_the_installation(tmp_path: Path) -> None:
    before = [state(folder) for folder in INSTALLED]
    root = Path(subprocess.run(MAKE, env=in_cache(tmp_path), capture_output=True, text=True, check=True, timeout=600).stdout.strip())
    (tmp_path / "one.cce").write_text(KERNEL)
    words = [root / "bin/bisheng", "-c", "-x", "cce", "--cce-aicore-arch=dav-c220-vec", "--cce-aicore-only", "one.cce", "-o", "one.o"]
    subprocess.run(words, cwd=tmp_path, env=in_cache(tmp_path), check=True, timeout=600)
    assert (tmp_path / "one.o").is_file()
    assert root.is_relative_to(tmp_path)
    assert [state(folder) for folder in INSTALLED] == before


@pytest.mark.requirement("tool-32")
def test_a_read_only_installation_without_a_network(tmp_path: Path) -> None:
    """In a name space of its own, where the host allows one."""
    mounts = [f"mount --bind {shlex.quote(str(each))} {shlex.quote(str(each))} && mount -o remount,ro,bind {shlex.quote(str(each))}"
              for each in INSTALLED]  # fmt: skip
    inside = ["unshare", "-mn", "sh", "-euc"]
    if not shutil.which("unshare") or subprocess.run([*inside, " && ".join(mounts)], capture_output=True).returncode != 0:
        pytest.skip("this user cannot make a name space with mounts of its own; the test above shows that nothing is written")
    (tmp_path / "one.cce").write_text(KERNEL)
    compile_it = '"$root/bin/bisheng" -c -x cce --cce-aicore-arch=dav-c220-vec --cce-aicore-only one.cce -o one.o'
    cannot = " && ".join(f"! touch {shlex.quote(str(each / 'x'))} 2>/dev/null" for each in INSTALLED)
    lines = [*mounts, cannot, f"root=$({shlex.join(MAKE)})", compile_it, 'printf "%s" "$root"']
    done = subprocess.run([*inside, "\n".join(lines)], cwd=tmp_path, env=in_cache(tmp_path), capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert is_complete(Path(done.stdout))
    assert (tmp_path / "one.o").is_file()


@pytest.mark.requirement("tool-32")
def test_several_make_it_at_the_same_time(tmp_path: Path) -> None:
    """Two users have a cache each; one user may start two."""
    folders = [tmp_path / "first", tmp_path / "first", tmp_path / "first", tmp_path / "second"]
    started = [subprocess.Popen(MAKE, env=in_cache(each), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for each in folders]
    answers = [(each.communicate(timeout=600), each.returncode) for each in started]
    assert [(said, code) for (_, said), code in answers] == [("", 0)] * 4
    roots = [Path(printed.strip()) for (printed, _), _ in answers]
    assert roots[0] == roots[1] == roots[2] != roots[3]
    assert [root.parents[1] for root in (roots[0], roots[3])] == [tmp_path / "first", tmp_path / "second"]
    assert all(map(is_complete, roots))


@pytest.mark.requirement("tool-32")
def test_a_cache_that_others_may_write_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    done = subprocess.run([sys.executable, "-m", "aclimb", "env"], env=in_cache(folder), capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the toolkit's folder has to last; set ACLIMB_CACHE_DIR to a folder that only you can write" in done.stderr


@needs_gcc
@pytest.mark.requirement("tool-32")
def test_a_program_that_does_not_find_python_says_what_to_set(tmp_path: Path) -> None:
    """Its libraries are there, but not the file that says which Python has aclimb."""
    for name in ("ascendcl", "runtime"):
        shutil.copy(prefix() / f"lib64/lib{name}.so", tmp_path)
    (tmp_path / "a.c").write_text(SOURCE)
    subprocess.run(["g++", "-x", "c", "a.c", f"-I{prefix() / 'include'}", "-L.", "-lruntime", "-o", "a"], cwd=tmp_path, check=True)
    without = {name: value for name, value in os.environ.items() if name != "ACLIMB_PYTHON"} | {"LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run(["./a"], cwd=tmp_path, env=without, capture_output=True, text=True, timeout=600)
    assert done.returncode == 127
    assert done.stderr.splitlines() == [
        f"aclimb: nobody says where Python is: {tmp_path}: there is no file aclimb.python",
        "aclimb: set ACLIMB_PYTHON to the executable of a Python that has aclimb, or build the program again with `aclimb build`",
    ]
    if libpython() is not None:
        done = subprocess.run(["./a"], cwd=tmp_path, env={**without, "ACLIMB_PYTHON": sys.executable}, timeout=600)
        assert done.returncode == 107002 % 256, "it runs, and no device is set"
