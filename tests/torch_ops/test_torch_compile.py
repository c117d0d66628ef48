# SPDX-License-Identifier: Apache-2.0
"""Operators of ours under torch's tracing: opcheck, export, compile; and the backend that makes SuperKernels of scopes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from torch_parts import EXAMPLES, add_scaled, torch

import aclimb
import aclimb.torch
from aclimb import op
from aclimb.errors import InvalidArgument
from aclimb.torch import GraphReport, super_kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch, by torch
Registered = Callable[..., Any]
Function = Callable[..., Any]


@pytest.fixture(autouse=True)
def compiled_anew() -> None:
    torch._dynamo.reset()


def run_compiled(function: Function, *inputs: Any) -> tuple[Any, GraphReport]:
    compiled = torch.compile(function, backend="aclimb", fullgraph=True)
    return compiled(*inputs), aclimb.torch.reports()[-1]


# --- tracing


def test_opcheck_has_nothing_to_say(registered: Registered) -> None:
    add = registered(add_scaled())
    x = torch.randn(4, 50)
    found = torch.library.opcheck(add.default, (x, torch.randn(4, 50)), {"alpha": 2.0})
    assert set(found.values()) == {"SUCCESS"}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_opcheck_of_several_results(registered: Registered, dtype: str) -> None:
    from operators.add_rms_norm import operator as add_rms_norm

    norm, kind = registered(add_rms_norm.make()), getattr(torch, dtype)
    found = torch.library.opcheck(norm.default, (torch.randn(3, 64).to(kind), torch.randn(3, 64).to(kind), torch.ones(64).to(kind)))
    assert set(found.values()) == {"SUCCESS"}


def test_opcheck_of_a_list_of_tensors(registered: Registered) -> None:
    from operators.concat import operator as concat

    join = registered(concat.make())
    found = torch.library.opcheck(join.default, ([torch.randn(3, 4), torch.randn(3, 5)],), {"axis": 1})
    assert set(found.values()) == {"SUCCESS"}


def test_shapes_without_data_come_from_the_operators_inference(registered: Registered) -> None:
    from operators.add_rms_norm import operator as add_rms_norm

    norm = registered(add_rms_norm.make())
    x = torch.empty(6, 5, 32, device="meta", dtype=torch.bfloat16)
    y, rstd, total = norm(x, x, torch.empty(32, device="meta", dtype=torch.bfloat16))
    assert (y.shape, y.dtype, rstd.shape, rstd.dtype, total.shape) == ((6, 5, 32), torch.bfloat16, (6, 5, 1), torch.float32, (6, 5, 32))


def test_a_shape_that_depends_on_values_cannot_be_traced(registered: Registered) -> None:
    made = op.define("Grow")
    made.input("x", dtype=["float32"])
    made.input("sizes", dtype=["int32"], value_depend="all")
    made.output("y", follow="x")
    made.infer_shape(lambda ctx: None)
    made.tiling(lambda ctx: None)
    made.kernel(EXAMPLES / "add" / "add.cpp")
    grow = registered(made)
    with pytest.raises(InvalidArgument, match=r"Grow: the shape of an output depends on values, .* call it outside torch.compile"):
        grow(torch.empty(3, device="meta"), torch.empty(2, device="meta", dtype=torch.int32))


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor", "aclimb"])
def test_it_is_used_under_torch_compile(registered: Registered, backend: str) -> None:
    add = registered(add_scaled())

    def function(x: Any, y: Any) -> Any:
        return torch.relu(add(torch.sin(x), y, alpha=0.5)) + 1

    x, y = torch.randn(64), torch.randn(64)
    found = torch.compile(function, backend=backend, fullgraph=True)(x, y)
    torch.testing.assert_close(found, torch.relu(torch.sin(x) + 0.5 * y) + 1)


def test_one_compilation_serves_several_sizes(registered: Registered) -> None:
    add = registered(add_scaled())
    compiled = torch.compile(lambda x: add(x, x), backend="aclimb", dynamic=True)
    for count in (10, 20, 3000):
        x = torch.randn(count)
        torch.testing.assert_close(compiled(x), 2 * x)


def test_it_is_exported_by_its_name(registered: Registered) -> None:
    add = registered(add_scaled())

    class Twice(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return add(x, x)

    program = torch.export.export(Twice(), (torch.randn(8),))
    assert [node.target for node in program.graph.nodes if node.op == "call_function"] == [torch.ops.aclimb.add_scaled.default]
    x = torch.randn(8)
    torch.testing.assert_close(program.module()(x), 2 * x)


# --- scopes


def test_operators_of_a_scope_are_one_launch(registered: Registered, balanced: None) -> None:
    add = registered(add_scaled())

    def function(x: Any, y: Any) -> Any:
        x = torch.relu(x)
        with super_kernel("decode", "early-start=1"):
            a = add(x, y, alpha=2.0)
            b = add(a, y)
            c = add(b, a)
        return c.sum() + a.mean()

    x, y = torch.randn(40, 64), torch.randn(40, 64)
    x0 = torch.relu(x)
    a = x0 + 2 * y
    found, report = run_compiled(function, x, y)
    torch.testing.assert_close(found, (2 * a + y).sum() + a.mean(), rtol=1e-4, atol=1e-3)
    assert str(report) == (
        "3 of 7 operators in 1 SuperKernel\n"
        "  decode: add_scaled, add_scaled, add_scaled\n"
        "  eager relu  it is no operator of aclimb\n"
        "  eager sum   it is no operator of aclimb\n"
        "  eager mean  it is no operator of aclimb\n"
        "  eager add   it is no operator of aclimb"
    )
    with aclimb.profile() as timeline:
        torch.compile(function, backend="aclimb", fullgraph=True)(x, y)
    assert [each.kernel for each in timeline.launches] == ["decode"]


def test_inner_scopes_count_and_none_is_not_fused(registered: Registered) -> None:
    add = registered(add_scaled())

    def function(x: Any) -> Any:
        with super_kernel("outer"):
            x = add(x, x)
            x = add(x, x)
            with super_kernel(None):
                x = add(x, x)
            with super_kernel("inner"):
                x = add(x, x)
                x = add(x, x)
            x = add(x, x)
        return add(x, x)

    x = torch.randn(100)
    found, report = run_compiled(function, x)
    torch.testing.assert_close(found, 128 * x)
    assert sorted((each.kernel, each.scope, each.reason) for each in report.nodes) == sorted(
        [
            *[("outer", "outer", "")] * 2,
            *[("inner", "inner", "")] * 2,
            ("", "", "it stands in super_kernel(None)"),
            ("", "outer", "it would be alone in its SuperKernel"),
            ("", "", "it stands in no scope"),
        ]
    )


def test_an_operator_of_torch_cuts_a_scope_in_two(registered: Registered) -> None:
    add = registered(add_scaled())

    def function(x: Any) -> Any:
        with super_kernel("decode"):
            x = add(add(x, x), x)
            x = torch.exp(-x.abs())
            return add(add(x, x), x)

    x = torch.randn(100)
    found, report = run_compiled(function, x)
    torch.testing.assert_close(found, 3 * torch.exp(-(3 * x).abs()))
    assert (len(report.fused), [each.operator for each in report.eager]) == (4, ["abs", "neg", "exp"])


def test_a_scope_outside_a_compiled_function_does_nothing(registered: Registered) -> None:
    add = registered(add_scaled())
    x = torch.randn(10)
    with super_kernel("decode"):
        found = add(add(x, x), x)
    torch.testing.assert_close(found, 3 * x)
    with pytest.raises(InvalidArgument, match="the name of a scope is ''; it takes a text, or None for what is not to be fused"):
        super_kernel("")
    with pytest.raises(InvalidArgument, match="no-such"):
        super_kernel("decode", "no-such=1")


def test_bad_options_are_told_when_a_compiled_function_runs(registered: Registered, balanced: None) -> None:
    add = registered(add_scaled())

    def function(x: Any) -> Any:
        with super_kernel("decode", "no-such=1"):
            return add(add(x, x), x)

    with pytest.raises(Exception, match="no-such"):
        run_compiled(function, torch.randn(10))


def test_a_fault_in_a_scope_names_the_line_and_the_next_call_works(registered: Registered) -> None:
    add, bad = registered(add_scaled()), registered(add_scaled("TooMany", beyond=5000))

    def function(x: Any, wrong: bool) -> Any:
        with super_kernel("decode"):
            x = add(x, x)
            return bad(x, x) if wrong else add(x, x)

    x = torch.randn(100)
    with pytest.raises(Exception, match=r"add_scaled.cpp:\d+"):
        run_compiled(function, x, True)
    torch.testing.assert_close(run_compiled(function, x, False)[0], 4 * x)


# --- a real client


def test_the_decoder_layer_is_one_launch_and_has_torchs_logits() -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / "torch_decoder" / "run.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 of 12 operators in 1 SuperKernel" in done.stdout


def test_without_torch_the_module_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\ntry:\n    import aclimb.torch\nexcept ModuleNotFoundError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "aclimb.torch needs torch, which is not installed; aclimb does not bring it along: pip install torch\n", (
        done.stderr
    )
