# SPDX-License-Identifier: Apache-2.0
"""The two functions of Op2StageExecuteFuncs: in the document's own words, and when one of them is null."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from cpp_parts import WARNINGS

from aclimb import op
from aclimb.op import OpError

Load = Callable[..., op.Library]
X = np.ones(4, np.float32)
OWN = ("", "-DTYPEDEF_BEFORE", "-DTYPEDEF_BEHIND", "-DUSING_BEHIND", "-DMACRO_BEFORE", "-DMACRO_BEHIND")


def failure(op_type: str) -> OpError:
    with pytest.raises(OpError) as raised:
        op.run(op_type, [X], [X.copy()])
    return raised.value


@pytest.mark.requirement("cpp-28")
@pytest.mark.parametrize("own", OWN)
def test_callbacks_with_the_documents_uint32_register_beside_a_type_of_that_name(own: str, load_library: Load) -> None:
    library = load_library("uint32.cpp", flags=(*WARNINGS, *([own] if own else [])), std=17 if own else 11)
    assert library.types == ("Documented", "Plain")
    for op_type, status in (("Documented", 41), ("Plain", 42)):
        where = f"the launch function of Op2StageExecuteFuncs in {library.path.name}"
        assert str(failure(op_type)) == f"{op_type} failed in launch: {where} returned {status}"


@pytest.mark.requirement("cpp-28", "op-26")
@pytest.mark.parametrize(("op_type", "null"), [
    ("NoPrepare", "prepare_func is"), ("NoLaunch", "launch_func is"), ("Neither", "prepare_func and launch_func are"),
])  # fmt: skip
def test_a_pair_with_a_null_function_names_it_and_the_operator(op_type: str, null: str, load_library: Load) -> None:
    load_library("null_stages.cpp")
    error = failure(op_type)
    assert str(error) == (
        f"{op_type}: Do not find op execute function. Op2StageExecuteFuncs was called, and its {null} null; give both functions"
    )
    assert (error.operator, error.stage) == (op_type, "plan")


@pytest.mark.requirement("cpp-28")
def test_a_pair_that_is_given_again_is_whole(load_library: Load) -> None:
    library = load_library("null_stages.cpp")
    where = f"the launch function of Op2StageExecuteFuncs in {library.path.name}"
    assert str(failure("Whole")) == f"Whole failed in launch: {where} returned 43"


@pytest.mark.requirement("op-4", "op-26")
def test_a_pair_of_python_with_none_says_the_same() -> None:
    with op.OpImplRegisterV2("PythonHalf").op_2stage_execute_funcs(None, lambda context: 0).commit():
        text = str(failure("PythonHalf"))
    assert text == (
        "PythonHalf: Do not find op execute function. Op2StageExecuteFuncs was called, and its prepare_func is null; give both functions"
    )
