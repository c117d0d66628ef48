# SPDX-License-Identifier: Apache-2.0
"""Each example in Python beside its twin in C++: equal results, and modelled times within 5 percent."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import aclimb

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(folder: str, file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"twin_{folder}_{Path(file).stem}", EXAMPLES / folder / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def timed(module: ModuleType, **options: Any) -> tuple[Any, Any, float]:
    with aclimb.profile() as profile:
        got, expected = module.run(**options)
    return got, expected, profile.launches[-1].task_us


TWINS = [
    ("add", {"dtype": "float16"}, 0),
    ("add", {"dtype": "float32"}, 0),
    ("softmax", {"dtype": "float32"}, 1e-5),
    ("softmax", {"dtype": "float16"}, 2e-3),
    ("fused_matmul", {}, 0),
    ("layer_norm", {"dtype": "float32"}, 2e-5),
    ("layer_norm", {"dtype": "float16"}, 4e-3),
    ("flash_attention", {}, 2e-3),
]


@pytest.mark.requirement("py-3")
@pytest.mark.parametrize(
    ("folder", "options", "tolerance"), TWINS, ids=[f"{name}-{'-'.join(options.values())}" for name, options, _ in TWINS]
)
def test_an_example_in_python_equals_its_twin_in_cpp(folder: str, options: dict[str, Any], tolerance: float) -> None:
    got, expected, in_python = timed(load(folder, f"{folder}.py"), **options)
    twin, _, in_cpp = timed(load(folder, "run.py"), **options)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(got, twin)
    assert abs(in_python - in_cpp) <= 0.05 * in_cpp, f"{in_python:.2f} us in Python, {in_cpp:.2f} us in C++"
