# SPDX-License-Identifier: Apache-2.0
"""The recipes of CONTRIBUTING.md work as they stand there: each adds its dummy to a copy of the tree and uses it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cookbook import Tree, recipes

RECIPES = recipes()
NATIVE = ["Add an instruction", "Add a library function", "Add a timing parameter", "Add a check rule", "Add a fault"]
PYTHON = ["Add a chip", "Add a pyACL call", "Add a command"]


def test_there_are_eight_recipes_and_each_is_checked() -> None:
    assert sorted(RECIPES) == sorted(NATIVE + PYTHON)
    assert all(len(recipe.checks) == 1 for recipe in RECIPES.values())


def test_an_instruction_takes_four_files() -> None:
    assert len(RECIPES["Add an instruction"].touched) == 4


def test_a_check_rule_takes_five_files() -> None:
    assert len(RECIPES["Add a check rule"].touched) == 5


@pytest.mark.parametrize("title", PYTHON)
def test_a_recipe_without_a_build_works_as_it_is_written(title: str, tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.apply(RECIPES[title])
    tree.check(RECIPES[title])


@pytest.mark.slow
def test_the_new_chip_passes_the_tests_that_list_chips(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.apply(RECIPES["Add a chip"])
    told = tree.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/chips", "tests/compile/test_cli.py", "-k", "chip")
    assert " passed" in told


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """One build with all that is native."""
    if not shutil.which("c++"):
        pytest.skip("no C++ compiler on this machine")
    tree = Tree(tmp_path_factory.mktemp("recipes"))
    for title in NATIVE:
        tree.apply(RECIPES[title])
    tree.build()
    return tree


@pytest.mark.slow
@pytest.mark.parametrize("title", NATIVE)
def test_a_recipe_with_a_build_works_as_it_is_written(title: str, built: Tree) -> None:
    built.check(RECIPES[title])


@pytest.mark.slow
def test_the_new_instruction_is_in_the_matrix_of_the_tests(built: Tree) -> None:
    told = built.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/isa", "tests/chips", "-k", "vsinh or cost or row")
    assert " passed" in told
    assert "vsinh" in built.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", "tests/isa/test_vector_lanes.py")


WRITE_PAGES = """
import sys
sys.path.insert(0, "tools")
from check_table import check_page
from rule_pages import rule_pages
for path, text in rule_pages().items():
    path.write_text(text)
print("\\n".join(check_page()))
"""


@pytest.mark.slow
def test_the_new_rule_is_wherever_rules_are_listed_and_tested(built: Tree) -> None:
    built.python("tests/check_rules/test_check_rules.py", "A5")
    table = built.python("-c", WRITE_PAGES)
    assert "\n| [A5](../check/A5.md) | `lone-element` | note |" in table
    told = built.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/check_rules/test_check_rules.py",
                        "tests/check_rules/test_rule_pages.py", "tests/findings/test_catalogue.py", "tests/findings/test_messages.py",
                        "-k", "A5 or every or these or file or catalogue or table")  # fmt: skip
    assert " passed" in told


@pytest.mark.slow
def test_the_new_function_passes_the_tests_of_its_family(built: Tree) -> None:
    told = built.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/library/test_rounding.py",
                        "tests/library/test_library_host.py", "-k", "Sawtooth or every or published")  # fmt: skip
    assert " passed" in told


LACKS = {  # the file that was forgotten, what names it, and where
    "src/aclimb/chips/data/arch2201.toml": ("Sinh", "tests/chips/test_timing.py"),
    "tests/isa/vector_reference.py": ("vsinh", "tests/isa/test_vector_lanes.py"),
}


@pytest.mark.slow
@pytest.mark.parametrize("file", LACKS)
def test_a_row_that_lacks_its_cost_or_its_test_fails_one_that_names_it(file: str, built: Tree) -> None:
    name, test = LACKS[file]
    path = built.folder / file
    whole = path.read_text()
    path.write_text("".join(line for line in whole.splitlines(keepends=True) if name not in line))
    try:
        with pytest.raises(AssertionError, match=rf"\b{name}\b(?s:.)*\b1 failed"):
            built.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", test, "-k", "every")
    finally:
        path.write_text(whole)


@pytest.mark.slow
def test_a_row_that_lacks_its_meaning_does_not_build_and_names_the_file(built: Tree) -> None:
    path = built.folder / "engine" / "isa" / "vector" / "vsinh.h"
    whole = path.read_text()
    path.unlink()
    try:
        with pytest.raises(AssertionError, match=r"instructions\.def has vsinh: write engine/isa/vector/vsinh\.h"):
            built.run("cmake", "--build", "build", timeout=1800)
    finally:
        path.write_text(whole)
