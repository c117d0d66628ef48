# SPDX-License-Identifier: Apache-2.0
"""`make check` runs the tests that a change can reach, nearest first."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import check_changes  # noqa: E402

sys.path.pop(0)


def near(*changes: str) -> dict[str, int]:
    return {str(path): distance for path, distance in check_changes.distances([Path(change) for change in changes]).items()}


def test_a_test_that_changed_is_nearest_and_alone() -> None:
    assert near("tests/test_knobs.py") == {"tests/test_knobs.py": 0}


def test_a_module_reaches_those_who_import_it_first() -> None:
    found = near("src/aclimb/knobs.py")
    assert found["tests/test_knobs.py"] == 1
    assert found["tests/timing/test_laws.py"] > 1


def test_a_helper_reaches_the_tests_that_import_it() -> None:
    found = near("tests/packaging/installing.py")
    assert found["tests/packaging/test_glibc.py"] == 1
    assert not any("tests/acl/" in path for path in found)


def test_a_kernel_of_a_folder_reaches_its_tests() -> None:
    found = near("tests/timing/kernels/steps.cpp")
    assert found["tests/timing/test_laws.py"] == 0
    assert all(path.startswith("tests/timing/") for path in found)


@pytest.mark.parametrize(
    ("change", "folder"),
    [
        ("engine/timing/record.cpp", "timing"),
        ("engine/isa/vector/vadd.h", "isa"),
        ("docs/ten_minutes.md", "docs"),
        ("host/src/door.cpp", "c_api"),
    ],
)
def test_native_code_and_pages_reach_the_folder_of_their_tests(change: str, folder: str) -> None:
    found = near(change)
    assert found
    assert any(path.startswith(f"tests/{folder}/") for path in found)
    assert set(found.values()) == {1}


def test_every_folder_that_is_named_exists() -> None:
    for prefix, folders in check_changes.NEAR.items():
        assert (ROOT / prefix).exists(), prefix
        assert all((ROOT / "tests" / folder).is_dir() for folder in folders), prefix


def test_what_does_not_fit_is_left_out_but_for_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = tmp_path / "seconds"
    seconds.write_text(json.dumps({"a": 500.0, "b": 10.0, "c": 10.0, "d": 500.0}))
    monkeypatch.setattr(check_changes, "SECONDS", seconds)
    far = {Path("a"): 0, Path("b"): 1, Path("c"): 2, Path("d"): 1}
    assert check_changes.choose(far, 40) == [Path("a")]
    del far[Path("a")]
    assert check_changes.choose(far, 24) == [Path("b")]


def test_no_test_begins_when_the_time_is_up() -> None:
    """In a run of its own: one that begins at once, and one with no time at all."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_knobs.py", "--within"]
    said = [subprocess.run([*command, seconds], cwd=ROOT, capture_output=True, text=True) for seconds in ("600", "-1")]
    assert " passed" in said[0].stdout
    assert "skipped" not in said[0].stdout
    assert " passed" not in said[1].stdout
    assert "the time is up; `make test` runs it" in said[1].stdout
    assert [each.returncode for each in said] == [0, 0]
