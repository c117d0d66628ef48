# SPDX-License-Identifier: Apache-2.0
"""Every example computes what NumPy does, and says so in its one line."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from aclimb import Device, Program, knobs
from aclimb.errors import Hang
from aclimb.flow import KernelType

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/run.py"))


def load(name: str, file: str = "run.py") -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}_{Path(file).stem}", EXAMPLES / name / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_add_equals_numpy(dtype: str) -> None:
    got, expected = load("add").run(dtype)
    assert got.size == 16384
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("name", ["add_flags", "early_start", "wait_first", "mix", "pyacl", "ranks", "tune_add"])
def test_example_equals_numpy(name: str) -> None:
    got, expected = load(name).run()
    np.testing.assert_array_equal(got, expected)
    assert np.ptp(expected) > 0, "a constant answer would prove little"


def test_every_step_of_tuning_computes_what_numpy_does() -> None:
    tune = load("tune_add", "tune.py")
    example = load("tune_add")
    steps = tune.steps()
    assert [step.name for step in steps][:2] == ["one core", "all cores"]
    for step in steps:
        got, expected = example.run(blocks=step.blocks, length=48 * 8192 + 3 * 8192, **step.macros)
        np.testing.assert_array_equal(got, expected, err_msg=step.name)


def test_no_step_of_tuning_makes_the_kernel_slower() -> None:
    tune = load("tune_add", "tune.py")
    times = [tune.measure(step)[0].core_us for step in tune.steps()]
    assert all(after <= 1.001 * before for before, after in itertools.pairwise(times))
    assert times[0] > 20 * times[1]
    assert times[3] > 1.3 * times[4], "inputs past the L2 leave it to the results"


@pytest.mark.parametrize("shape", [(256, 512, 320), (128, 256, 64), (100, 90, 70), (17, 300, 33)])
def test_matmul_equals_numpy_also_at_odd_sizes(shape: tuple[int, int, int]) -> None:
    got, expected = load("matmul").run(*shape)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("columns", [1000, 333, 16, 1])
def test_softmax_of_float_rows_is_close_to_numpy(columns: int) -> None:
    got, expected = load("softmax").run("float32", columns)
    np.testing.assert_allclose(got, expected, rtol=1e-5)
    np.testing.assert_allclose(got.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("columns", [1000, 333])
def test_softmax_of_half_rows_is_within_one_step_of_half(columns: int) -> None:
    got, expected = load("softmax").run("float16", columns)
    np.testing.assert_array_max_ulp(got, expected, maxulp=1)


def test_reduction_across_cores_is_close_to_numpy() -> None:
    got, expected = load("reduce_cores").run()
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_reduction_across_cores_has_the_same_bits_in_every_run() -> None:
    example = load("reduce_cores")
    first, _ = example.run()
    for _ in range(5):
        np.testing.assert_array_equal(example.run()[0], first)


@pytest.mark.parametrize("name", ["reduce_cores", "mix", "ranks", "softmax", "flash_attention"])
def test_results_have_the_same_bits_for_every_number_of_threads(name: str) -> None:
    code = f"""import hashlib, runpy
result, _ = runpy.run_path({str(EXAMPLES / name / "run.py")!r})["run"]()
print(hashlib.sha256(result.tobytes()).hexdigest())"""
    hashes = set()
    for threads in ("1", "2", "8"):
        environment = {**os.environ, "ACLIMB_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        hashes.add(done.stdout.strip())
    assert len(hashes) == 1


@pytest.mark.parametrize("length", [8, 1536, 2048, 8 * 2048, 5 * 2048 + 77, 3])
def test_every_tiling_key_gives_numpys_answer(length: int) -> None:
    got, expected = load("tiling_keys").run((length,))
    assert got.size == length
    np.testing.assert_array_equal(got, expected)


def test_the_lengths_of_the_tiling_example_cover_all_three_keys() -> None:
    example = load("tiling_keys")
    assert [example.plan(length)[0] for length in example.LENGTHS] == [1, 2, 3]
    (kernel,) = Program(example.SOURCE).compile().kernels
    assert kernel.tiling_keys == (1, 2, 3)


def test_the_mixed_example_is_built_as_one_aic_with_two_aivs() -> None:
    binary = Program(load("mix").SOURCE).compile()
    assert binary.kernels[0].kernel_type is KernelType.MIX_AIC_1_2
    assert set(binary.images) == {"aic", "aiv"}


def test_the_early_start_example_is_marked_in_its_binary() -> None:
    (kernel,) = Program(load("early_start").SOURCE).compile().kernels
    assert kernel.early_start_set
    assert not kernel.early_start_wait


def test_the_broken_example_is_a_hang_at_its_wait() -> None:
    error = load("broken").run()
    assert isinstance(error, Hang)
    source = (EXAMPLES / "broken" / "broken_add.cpp").read_text().splitlines()
    assert Path(error.file).name == "broken_add.cpp"
    assert "WaitFlag<HardEvent::MTE2_V>" in source[error.line - 1]
    assert "nothing in this kernel sets MTE2_V" in str(error)


@pytest.mark.parametrize("name", [name for name in FOLDERS if name not in ("broken", "operators", "torch_decoder")])
def test_example_prints_its_line_and_ends_with_zero(name: str) -> None:
    done = subprocess.run([sys.executable, EXAMPLES / name / "run.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    total = load(name).run()[0].size
    assert f"{Device().chip.name} (modelled)" in line
    assert f"   {total} of {total} " in line


def test_the_operators_print_a_line_each_and_end_with_zero() -> None:
    done = subprocess.run([sys.executable, EXAMPLES / "operators" / "run.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = load("operators").run()
    assert sorted(answers) == ["AddRmsNorm", "Concat", "Softmax"]
    for line, (name, (got, _)) in zip(done.stdout.splitlines(), answers.items(), strict=True):
        assert line.startswith(f"{name} ")
        assert f"{Device().chip.name} (modelled)" in line
        assert f"   {got.size} of {got.size} " in line


def test_every_folder_with_a_kernel_has_a_run() -> None:
    """But for those in C and C++, which are programs themselves (test_examples_in_c.py)."""
    assert {path.relative_to(EXAMPLES).parts[0] for path in EXAMPLES.rglob("*.cpp")} - {"cpp"} == set(FOLDERS)


def test_demo_shows_the_add_and_the_error() -> None:
    done = subprocess.run([sys.executable, EXAMPLES / "demo.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{knobs.soc()} (modelled), 8 blocks   16384 of 16384 equal to numpy" in done.stdout
    assert re.search(r"would take \d+\.\d\d us on the chip \(modelled\), bound by MTE2", done.stdout)
    assert "Hang: hang" in done.stdout
    assert "broken_add.cpp:" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
