# SPDX-License-Identifier: Apache-2.0
"""How a program that is started directly finds its Python: ACLIMB_PYTHON, else the file beside libascendcl."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile
from tests.programs.route import Route, library

import aclimb
from aclimb import _door
from aclimb.host import python_file


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Another folder with libascendcl, as a prefix has one. LD_LIBRARY_PATH comes before what a program was linked to."""
    folder = tmp_path / "lib64"
    folder.mkdir()
    shutil.copy(library() / "libascendcl.so", folder)
    return folder


def test_the_file_names_this_python(tmp_path: Path) -> None:
    executable, library, folders = python_file.write_python_file(tmp_path).read_text().splitlines()
    assert executable == sys.executable
    assert library == "" or Path(library).is_file()
    assert folders == ""  # aclimb is installed in it


def test_a_copy_of_the_library_works_by_both_routes(route: Route, copy: Path) -> None:
    python_file.write_python_file(copy)
    assert route("return", "3", LD_LIBRARY_PATH=str(copy)).returncode == 3


def test_without_a_file_the_program_says_what_to_do(route: Route, copy: Path) -> None:
    done = route("return", "3", LD_LIBRARY_PATH=str(copy))
    assert done.returncode == 127
    assert f"aclimb: nobody says where Python is: {copy}: there is no file aclimb.python\n" in done.stderr
    assert "set ACLIMB_PYTHON to the executable of a Python that has aclimb" in done.stderr


def test_aclimb_python_wins_and_is_asked_for_what_the_file_does_not_say(route: Route, copy: Path) -> None:
    other = Path(sys.executable).with_name("python3")
    (copy / python_file.NAME).write_text("/nowhere/python\n\n\n")
    assert route("return", "3", LD_LIBRARY_PATH=str(copy), ACLIMB_PYTHON=str(other)).returncode == 3
    wrong = route("return", "3", ACLIMB_PYTHON="/nowhere/python")
    assert wrong.returncode == 127
    assert "cannot start /nowhere/python: " in wrong.stderr


def test_a_python_without_libpython_serves_what_we_linked_and_is_refused_by_what_we_did_not(
    direct: Route, embedded: Route, copy: Path
) -> None:
    (copy / python_file.NAME).write_text(f"{sys.executable}\n\n\n")
    ours, theirs = (each("return", "3", LD_LIBRARY_PATH=str(copy)) for each in (direct, embedded))
    assert ours.returncode == 3
    assert theirs.returncode == 127
    assert theirs.stderr == (
        f"aclimb: {sys.executable} has no libpython, which this program would load: link it with `aclimb build main.cpp -o main`, which "
        "needs none, or install aclimb in a Python that has a shared library, and set ACLIMB_PYTHON to it\n"
    )


def test_a_static_python_that_finds_aclimb_in_folders_of_the_file(direct: Route, copy: Path, tmp_path: Path) -> None:
    static = f"/usr/bin/python3.{sys.version_info.minor}"
    if not os.access(static, os.X_OK) or "libpython" in subprocess.run(["ldd", static], capture_output=True, text=True).stdout:
        pytest.skip(f"{static} is not a static Python of this version")
    packages = tmp_path / "packages"
    for source in (Path(aclimb.__file__).parent, Path(_door.__file__).parent):  # as a wheel lays them
        shutil.copytree(source, packages / "aclimb", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(Path(aclimb.__file__).parents[1] / "acl", packages / "acl")
    headers = Path(aclimb.__file__).parents[2] / "host" / "include"
    if headers.is_dir():
        shutil.copytree(headers, packages / "aclimb" / "host" / "include", dirs_exist_ok=True)
    folders = f"{packages}:{Path(np.__file__).parents[1]}"
    (copy / python_file.NAME).write_text(f"{static}\n\n{folders}\n")
    done = direct("words", "a b", LD_LIBRARY_PATH=str(copy), MINE="me")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[a b]\nMINE=me\n", "")


def test_the_library_needs_the_c_library_only_and_a_process_has_one() -> None:
    with (library() / "libascendcl.so").open("rb") as file:
        tags = list(ELFFile(file).get_section_by_name(".dynamic").iter_tags())
    needed = {tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"}
    assert needed <= {"libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    assert [tag.soname for tag in tags if tag.entry.d_tag == "DT_SONAME"] == ["libascendcl.so"]
