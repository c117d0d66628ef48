# SPDX-License-Identifier: Apache-2.0
"""What is right is not reported: examples, samples, and every test of the library's kernels, with all rules."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import aclimb

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HAS_MISTAKES = {"broken"}
OF_PACKAGES = {"operators"}  # builds operator packages; its kernels are those of tests/operators
SAMPLES = sorted((EXAMPLES / "cpp" / "samples").glob("*/*.asc"))
NEED_MORE = {"add", "fill", "model_data"}  # files, or a second source
NOT_FOR_THIS_CHIP = {"later_product"}


def load(folder: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"checked_{folder}", EXAMPLES / folder / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    sys.path.insert(0, str(EXAMPLES / folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


# Kernels of the library and of products take a while to build a second time.
LARGE = {
    "flash_attention",
    "fused_matmul",
    "grouped_matmul",
    "layer_norm",
    "matmul_object",
    "online_softmax",
    "superkernel",
    "topk_sampling",
}
TORCH = ("torch_decoder",)
FOLDERS = sorted({path.parent.name for path in EXAMPLES.glob("*/run.py")} - HAS_MISTAKES - OF_PACKAGES)


@pytest.mark.parametrize(
    "folder", [pytest.param(each, marks=[pytest.mark.slow] * (each in LARGE)) for each in FOLDERS if each not in TORCH]
)
@pytest.mark.requirement("ord-49")
def test_nothing_is_found_in_an_example(folder: str) -> None:
    module = load(folder)
    with aclimb.check() as check:
        module.run()
    assert not [each.headline for each in check.findings if each.severity != "note"]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed; `make test-torch` has it")
@pytest.mark.xfail(strict=True, reason="of torch.compile's SuperKernel: L2 for memory of captured operators, I3 for L1 of Matmul objects")
@pytest.mark.parametrize("folder", TORCH)
def test_nothing_is_found_in_an_example_of_torch(folder: str) -> None:
    """In a process of its own: what it registers with torch is there once in a process, and other tests run it too."""
    status, told = aclimb_check(EXAMPLES / folder / "run.py")
    assert status == 0, told


def aclimb_check(*words: str | Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "aclimb", "check", *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("sample", [each for each in SAMPLES if each.stem not in NEED_MORE | NOT_FOR_THIS_CHIP], ids=lambda each: each.stem)
def test_nothing_is_found_in_a_sample(sample: Path) -> None:
    status, told = aclimb_check(sample)
    assert (status, told.splitlines()[-1].split(": ")[1]) == (0, "nothing found"), told


@pytest.mark.requirement("ord-16")
def test_nothing_is_found_where_gather_could_have_read_what_it_writes() -> None:
    """Source and destination are halves of one buffer: the source's size covers both, what is read does not."""
    status, told = aclimb_check(EXAMPLES / "cpp" / "samples" / "gather" / "gather.asc")
    assert status == 0, told


NOT_THESE = (
    "tests/matmul/test_matmul_mixed_objects.py::test_a_message_does_not_wait_for_what_its_aiv_still_writes",  # a race on purpose
    "tests/library/test_library_layout.py::test_images",  # copies all of UB out, with what lies behind the last row
    "tests/matmul/test_matmul_split_k.py",  # opens checks of its own
)
# Found in tests whose results are right; whether the kernel, our Matmul object or the checker is wrong is not decided.
NOT_YET = {
    "tests/matmul/test_matmul_fused.py::test_products_between_vector_kernels": "O1",  # FIX and MTE2 of two objects on one matrix
    "tests/matmul/test_matmul_mixed_objects.py::test_two_objects_take_turns_and_answers_find_their_callers": "O1",  # the same kernel
    "tests/matmul/test_matmul_object.py::test_tails_of_every_length": "O8",  # two Mmads on one place of L0C
    "tests/matmul/test_matmul_objects.py::test_two_objects_in_turn": "O8",  # FIX and M on one place of L0C
}


def run_tests_checked(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-o", "addopts=--strict-markers", "-m", "not slow", "--aclimb-check", "-q", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("folder", ["examples", "operators", "matmul", "library"])
def test_nothing_is_found_in_any_test_of(folder: str) -> None:
    done = run_tests_checked(f"tests/{folder}", *(f"--deselect={each}" for each in (*NOT_THESE, *NOT_YET)))
    assert done.returncode == 0, done.stdout[-20_000:]


@pytest.mark.slow
@pytest.mark.parametrize(("test", "rule"), NOT_YET.items(), ids=lambda each: each.rpartition("::")[2])
def test_what_is_not_decided_is_still_found(test: str, rule: str) -> None:
    """Where it is not, the line of NOT_YET goes."""
    done = run_tests_checked(test)
    assert (done.returncode, f"[{rule}]" in done.stdout) == (1, True), done.stdout
