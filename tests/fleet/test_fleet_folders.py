# SPDX-License-Identifier: Apache-2.0
"""A folder by its content, and who builds what: without a cluster."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from aclimb.compile import shelf as asking
from aclimb.compile import toolchain
from aclimb.compile.cache import Cache
from aclimb.errors import CompileError, InvalidArgument
from aclimb.fleet import depot as depots
from aclimb.fleet import folders
from aclimb.fleet.depot import Depot
from aclimb.fleet.shelf import ShelfServer


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    (root / "program.py").write_text("print()")
    (root / "sub" / "run.sh").write_text("echo")
    (root / "sub" / "run.sh").chmod(0o755)
    (root / "same.py").write_text("print()")
    (root / "link").symlink_to("sub")
    (root / "away").symlink_to("/usr")
    for name in (".git", "__pycache__", "results"):
        (root / name).mkdir()
        (root / name / "file").write_text(name)
    return root


def lay_out(taken: folders.Taken, asked: list[str]) -> Path:
    def content(digests: list[str]) -> dict[str, Path]:
        asked.extend(digests)
        return {digest: taken.file_of(digest) for digest in digests}

    return folders.lay_out(taken.digest, taken.manifest, content)


def test_a_folder_is_laid_out_as_it_was(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    taken, asked = folders.take(project, [project / "results"]), list[str]()
    made = lay_out(taken, asked)
    names = sorted(str(path.relative_to(made)) for path in made.rglob("*"))
    assert names == ["link", "program.py", "same.py", "sub", "sub/run.sh"]
    assert os.access(made / "sub" / "run.sh", os.X_OK)
    assert (made / "link").readlink() == Path("sub")
    assert len(asked) == 2  # two of the three files are the same
    (made / "program.py").write_text("changed")
    (made / "output.txt").write_text("of the program")
    asked.clear()
    assert lay_out(taken, asked) == made
    assert (made / "program.py").read_text() == "print()"  # only what was changed comes again
    assert len(asked) == 1
    assert (made / "output.txt").exists()


def test_the_same_content_has_the_same_name_and_any_change_another(project: Path) -> None:
    first = folders.take(project).digest
    assert folders.take(project).digest == first
    (project / "sub" / "run.sh").chmod(0o644)
    second = folders.take(project).digest
    (project / "program.py").write_text("print(1)")
    assert len({first, second, folders.take(project).digest}) == 3


def test_folders_inside_of_others_do_not_travel_twice() -> None:
    assert folders.outermost([Path("/a/b"), Path("/a"), Path("/c/d"), Path("/a")]) == [Path("/a"), Path("/c/d")]


def test_a_folder_that_is_too_large_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST_FILES", 2)
    with pytest.raises(InvalidArgument, match=r"has more than 2 files, or 2 GiB, to bring to the nodes; put the program into a folder"):
        folders.take(project)


def test_a_place_that_others_can_write_to_is_not_used(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    place = tmp_path / f"aclimb-fleet-{os.getuid()}"
    place.mkdir()
    place.chmod(0o777)
    with pytest.raises(InvalidArgument, match="can be written by others, who could run code as you; remove it, or set TMPDIR"):
        lay_out(folders.take(project), [])


# --- who builds


def test_one_builds_and_the_others_wait_for_it() -> None:
    depot = Depot()
    assert depot.claim("k", "a", True) == (asking.BUILD,)
    assert depot.claim("k", "a", True) == (asking.BUILD,)  # asked twice: once before, and once behind the node's own lock
    assert depot.claim("k", "b", True) == depot.claim("k", "c", False) == (asking.WAIT,)
    depot.keep("k", {"h": "1"}, b"data")
    assert depot.claim("k", "b", True) == depot.claim("k", "c", False) == (asking.HAVE, {"h": "1"}, b"data")


def test_a_build_that_fails_or_says_nothing_is_anothers_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    depot = Depot()
    depot.claim("k", "a", True)
    depot.give_up("k")
    assert depot.claim("k", "b", True) == (asking.BUILD,)
    monkeypatch.setattr(depots, "CLAIM_S", 0.0)
    assert depot.claim("k", "c", True) == (asking.BUILD,)
    assert depot.claim("new", "c", False) == (asking.ELSEWHERE,)


def test_what_was_asked_for_least_recently_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depots, "MOST_BYTES", 10)
    depot = Depot()
    depot.keep("a", {}, b"12345")
    depot.keep("b", {}, b"12345")
    depot.peek("a")
    depot.keep("c", {}, b"12345")
    assert [depot.peek(key)[0] for key in "abc"] == [asking.HAVE, asking.NONE, asking.HAVE]


@pytest.fixture
def depot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Depot:
    """Asked through a socket, as workers do."""
    made = Depot()
    server = ShelfServer(tmp_path / "socket", lambda word, *rest: getattr(made, word)(*rest), "node", True)
    monkeypatch.setenv(asking.SOCKET, server.address)
    return made


def test_a_cache_finds_what_another_one_kept(depot: Depot, tmp_path: Path) -> None:
    header = tmp_path / "own.h"
    header.write_text("1")
    first, second, third = (Cache(tmp_path / name) for name in "abc")
    assert first.find("k") is None
    first.keep("k", [header], b"object")
    assert second.find("k") == b"object"
    header.write_text("2")
    assert third.find("k") is None  # built of another header


def test_a_node_without_a_compiler_says_so_where_nothing_was_built(depot: Depot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = ShelfServer(tmp_path / "other", lambda word, *rest: getattr(depot, word)(*rest), "bare", False)
    monkeypatch.setenv(asking.SOCKET, server.address)
    with pytest.raises(CompileError, match=r"^this node has no C\+\+ compiler, and the kernel was built nowhere yet$"):
        Cache(tmp_path / "a").find("k")
    assert server.unmet
    assert Cache(tmp_path / "a").find("k-failed", claims=False) is None


def test_a_node_without_a_compiler_goes_by_the_name_of_another_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CXX", "no-such-compiler")
    with pytest.raises(CompileError):
        toolchain.find()
    monkeypatch.setenv(asking.TOOLS, json.dumps(("gcc", "/usr/bin/g++", "13")))
    assert toolchain.find().identity == "gcc /usr/bin/g++ 13"


def test_without_the_other_side_a_machine_is_on_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(asking.SOCKET, str(tmp_path / "nobody"))
    cache = Cache(tmp_path / "a")
    assert cache.find("k") is None
    cache.keep("k", [], b"object")
    assert cache.find("k") == b"object"
