# SPDX-License-Identifier: Apache-2.0
"""run.sh and README are read for the order and the words of a sample's commands; nothing of them is executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb.trial.recipe import Recipe, read


def scripts(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def told(recipe: Recipe) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    data, checks = ([(each.path.name, *each.arguments) for each in part] for part in (recipe.data, recipe.checks))
    return data, checks


def test_a_run_sh_runs_in_the_samples_own_folder(tmp_path: Path) -> None:
    scripts(tmp_path, "scripts/gen_data.py", "scripts/verify_result.py")
    (tmp_path / "run.sh").write_text(
        "#!/bin/bash\nset -e\nSHAPE=8,2048\nrm -rf / --no-preserve-root\n"
        "cmake -B build -DRUN_MODE=${RUN_MODE} -DSIZE=4 \\\n  -DCMAKE_BUILD_TYPE=Debug -DASCEND_CANN_PACKAGE_PATH=/usr/local\n"
        "cmake --build build -j && python3 scripts/gen_data.py --shape $SHAPE; (export A=1; ./demo 3 $UNKNOWN)\n"
        'if python3 scripts/verify_result.py output/z.bin "output/golden.bin"; then echo ok; fi\n'
    )
    recipe = read(tmp_path, is_cmake=True)
    assert not recipe.in_build
    assert recipe.options == ["-DSIZE=4", "-DCMAKE_BUILD_TYPE=Debug"]
    assert told(recipe) == ([("gen_data.py", "--shape", "8,2048")], [("verify_result.py", "output/z.bin", "output/golden.bin")])
    assert recipe.programs == {"demo": ("3",)}


def test_a_readme_that_goes_into_build_runs_there_and_its_first_variant_counts(tmp_path: Path) -> None:
    scripts(tmp_path, "scripts/gen_data.py", "scripts/verify_result.py")
    (tmp_path / "README.md").write_text(
        "python3 not_in_a_fence.py\n\n```bash\n$ mkdir -p build && cd build\nSCENARIO=1\ncmake .. -DSCENARIO=${SCENARIO}; make -j\n"
        "python3 ../scripts/gen_data.py -s=$SCENARIO\n./demo\npython3 ../scripts/verify_result.py a b\n```\n"
        "```bash\ncmake .. -DSCENARIO=2\npython3 ../scripts/gen_data.py -s=2\n```\n"
    )
    recipe = read(tmp_path, is_cmake=True)
    assert recipe.in_build
    assert recipe.options == ["-DSCENARIO=1"]
    assert told(recipe) == ([("gen_data.py", "-s=1")], [("verify_result.py", "a", "b")])


def test_blocks_of_another_language_are_no_commands_and_hide_none(tmp_path: Path) -> None:
    scripts(tmp_path, "scripts/gen_data.py")
    (tmp_path / "README.md").write_text(
        "```text\n├── scripts\n```\n\n  ```cpp\n  ./not_a_command\n  ```\npython3 scripts/gen_data.py --not-in-a-fence\n\n"
        "  ```bash\n  cmake -DSIZE=3 ..; make -j\n  python3 ../scripts/gen_data.py --size 3\n  ./demo\n  ```\n"
    )
    recipe = read(tmp_path, is_cmake=True)
    assert recipe.options == ["-DSIZE=3"]
    assert told(recipe) == ([("gen_data.py", "--size", "3")], [])
    assert recipe.programs == {"demo": ()}


def test_options_of_a_later_variant_do_not_join_the_first(tmp_path: Path) -> None:
    scripts(tmp_path, "gen_data.py")
    (tmp_path / "README.md").write_text(
        "```bash\ncmake --version\ncmake ..\npython3 ../gen_data.py\n```\n"
        "```bash\ncmake .. -DFRONT=ON\npython3 ../gen_data.py --front\n```\n"
    )
    recipe = read(tmp_path, is_cmake=True)
    assert (recipe.options, told(recipe)) == ([], ([("gen_data.py",)], []))


@pytest.mark.parametrize("is_cmake", [True, False])
def test_without_words_the_usual_names_are_taken(is_cmake: bool, tmp_path: Path) -> None:
    scripts(tmp_path, "scripts/gen_data.py", "scripts/verify_result.py", "scripts/helper.py", "scripts/data_utils.py", "gen_golden.py")
    recipe = read(tmp_path, is_cmake=is_cmake)
    assert recipe.in_build is is_cmake
    assert told(recipe) == ([("gen_golden.py",), ("gen_data.py",)], [("verify_result.py",)])


def test_scripts_before_the_program_make_data_and_those_behind_it_compare(tmp_path: Path) -> None:
    scripts(tmp_path, "one.py", "two.py")
    (tmp_path / "README.md").write_text("```\npython3 one.py\n./main\npython3 two.py\npython3 -m pip install x\npython3 gone.py\n```\n")
    assert told(read(tmp_path, is_cmake=False)) == ([("one.py",)], [("two.py",)])


@pytest.mark.parametrize("text", ["```\nunclosed 'quote\n./demo\n```\n", "```\n$(broken ${x\n", "\xff\x00```\n;;;&&(()){}\n```"])
def test_words_that_are_no_shell_are_passed_over(text: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(text, encoding="latin-1")
    recipe = read(tmp_path, is_cmake=True)
    assert (recipe.data, recipe.checks, recipe.options) == ([], [], [])
