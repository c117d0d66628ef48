# SPDX-License-Identifier: Apache-2.0
"""The pages tell the truth: their code runs, their links lead somewhere, the generated ones are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pages
import pytest

import acl

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
LONG = ("read_a_timeline.md", "bring_an_operator_project.md", "try_a_folder.md")  # a sweep of eight runs; projects that are built
WITH_CODE = [page for page in PAGES if any(b.kind in ("python", "console") for b in pages.blocks(page))]
QUICK = [page for page in WITH_CODE if page.name not in LONG or any(b.kind == "python" for b in pages.blocks(page))]


def run(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, console: bool, limit: float = 120) -> None:
    monkeypatch.chdir(folder)
    (folder / "examples").symlink_to(ROOT / "examples")  # commands on the pages start at the top of the repository
    acl.get_recent_err_msg()  # what other tests left there is not on the page
    known = set(sys.modules)
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])  # a page imports the modules it wrote
    try:
        assert pages.run(page, console, limit) > 0
    finally:  # the next page may have a `run` of its own
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if "examples" in file or file.startswith(str(folder)):
                del sys.modules[name]


@pytest.mark.parametrize("page", QUICK, ids=lambda page: page.name)
def test_code_on_the_page_runs_and_prints_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(page, tmp_path, monkeypatch, console=page.name not in LONG)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_commands_on_the_page_that_take_long_print_what_it_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(ROOT / "docs" / name, tmp_path, monkeypatch, console=True, limit=600)


def test_the_pages_that_teach_have_code() -> None:
    assert {"README.md", "ten_minutes.md", "api_python.md", "read_a_timeline.md", "tune_a_kernel.md"} <= {page.name for page in WITH_CODE}


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_fence_says_what_it_is(page: Path) -> None:
    assert pages.unknown(page) == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    broken = [target for target in targets if not (page.parent / target.partition("#")[0]).exists()]
    assert broken == []


def test_generated_pages_are_those_the_code_gives() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "make_docs.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_places_named_on_the_walk_exist() -> None:
    """Files and breakpoints: the page is of no use when they move without it."""
    text = (ROOT / "docs" / "explain" / "the_walk.md").read_text()
    for module, name in re.findall(r"`(aclimb(?:\.[a-z_]+)+)\.([A-Z]\w+(?:\.\w+)?|launch|explain)`", text):
        source = (ROOT / "src" / Path(*module.split("."))).with_suffix(".py").read_text()
        for part in name.split("."):
            assert re.search(rf"^\s*(?:class|def) {part}\b", source, re.MULTILINE), f"{module}.{name}"
    engine = "".join(path.read_text() for path in (ROOT / "engine").rglob("*.[ch]*"))
    for name in re.findall(r"`aclimb::([\w:]+)`", text):
        assert re.search(rf"\b{name}\(", engine) or name.startswith("execute_"), name
    python = "".join(path.read_text() for path in (ROOT / "src" / "aclimb").rglob("*.py"))
    for owner, method in re.findall(r"`([A-Z]\w+)(?:\.|::)(\w+)`", text):  # wherever they live
        assert re.search(rf"^class {owner}\b(?:.|\n)*?^    def {method}\b", python, re.MULTILINE) or f"{owner}::{method}(" in engine, owner
    for file in re.findall(r"`([a-z]+/[\w/]+\.\w+)`", text):
        candidates = [ROOT / base / file for base in ("", "src/aclimb", "engine", "device/include")]
        assert any(path.exists() for path in candidates), file
