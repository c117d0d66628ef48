# SPDX-License-Identifier: Apache-2.0
"""`aclimb.torch.register`: an operator of ours as one of torch's, against torch's own arithmetic."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from torch_parts import EXAMPLES, add_scaled, torch

import aclimb.torch
from aclimb import Device, op
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.project.build import build
from aclimb.runtime import spare
from aclimb.runtime.memory import bytes_behind
from aclimb.torch.schema import schema_of

Registered = Callable[..., Any]


def close(found: Any, expected: Any, atol: float = 1e-5) -> None:
    torch.testing.assert_close(found, expected, atol=atol, rtol=1e-3)


# --- schemas


def test_every_kind_of_parameter_has_its_word_in_the_schema() -> None:
    made = op.define("EveryKind")
    made.input("x", dtype=["float32"])
    made.input("bias", follow="x", optional=True)
    made.input("more", follow="x", dynamic=True)
    made.output("y", follow="x")
    made.output("z", follow="x")
    for name, kind, default in (("flag", bool, True), ("ratio", float, 0.5), ("mode", str, 'a "b"'), ("sizes", list[int], [1, 2])):
        made.attr(name, kind, default=default)
    made.attr("axis", int)
    assert schema_of(made._declaration) == (
        '(Tensor x, Tensor? bias, Tensor[] more, *, int axis, bool flag=True, float ratio=0.5, str mode="a \\"b\\"", int[] sizes=[1, 2])'
        " -> (Tensor, Tensor)"
    )


def test_what_torch_has_no_word_for_is_refused() -> None:
    lists = op.define("ListsOfLists")
    lists.input("x", dtype=["float32"])
    lists.output("y", follow="x")
    lists.attr("pads", list[list[int]])
    with pytest.raises(
        InvalidArgument, match=r"ListsOfLists: attribute pads is list\[list\[int\]\]; torch's operators take bool, int, float, str"
    ):
        schema_of(lists._declaration)
    pieces = op.define("Pieces")
    pieces.input("x", dtype=["float32"])
    pieces.output("y", follow="x", dynamic=True)
    with pytest.raises(InvalidArgument, match="Pieces: output y is a list of tensors, whose length torch cannot know beforehand"):
        schema_of(pieces._declaration)
    silent = op.define("Silent")
    silent.input("x", dtype=["float32"])
    with pytest.raises(InvalidArgument, match="Silent declares no output; torch would drop calls of it"):
        schema_of(silent._declaration)


# --- registration


def test_names_are_checked_and_an_operator_keeps_its_own(registered: Registered) -> None:
    add = add_scaled()
    found = registered(add)
    assert aclimb.torch.register(add) is found
    assert str(found.default._schema) == "aclimb::add_scaled(Tensor x, Tensor y, *, float alpha=1.) -> Tensor"
    with pytest.raises(InvalidArgument, match=r"torch.ops.aclimb.add_scaled is AddScaled already; unregister it, or give another name"):
        registered(add_scaled("Other"), "add_scaled")
    with pytest.raises(InvalidArgument, match=r"'add-scaled' is no name for torch.ops.aclimb; it takes letters, digits and _"):
        aclimb.torch.register(add, "add-scaled")
    with pytest.raises(InvalidArgument, match=r"function is not an operator; register takes what op\.define made"):
        aclimb.torch.register(test_names_are_checked_and_an_operator_keeps_its_own)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"torch.ops.aclimb has no 'subtract'; registered are add_scaled"):
        aclimb.torch.unregister("subtract")


def test_an_operator_that_nobody_registered_is_refused() -> None:
    with pytest.raises(AclimbError, match="AddScaled is not registered"):
        aclimb.torch.register(add_scaled())


# --- results


@pytest.mark.parametrize("shape", [(1,), (7,), (4, 512), (3, 5, 1000), ()])
def test_it_computes_what_torch_does(registered: Registered, balanced: None, shape: tuple[int, ...]) -> None:
    add = registered(add_scaled())
    x, y = torch.randn(shape), torch.randn(shape)
    close(add(x, y, alpha=2.5), x + 2.5 * y)
    close(add(x, y), x + y)
    close(add(x, y=y), x + y)


def test_views_gradients_and_empty_tensors(registered: Registered, balanced: None) -> None:
    add = registered(add_scaled())
    x, y = torch.randn(300, 40), torch.randn(40, 300)
    close(add(x.t(), y), x.t() + y)
    close(add(x[::2], y.t()[::2]), x[::2] + y.t()[::2])
    with torch.no_grad():
        close(add(x.clone().requires_grad_(), y.t()), x + y.t())
    assert add(torch.empty(0, 5), torch.empty(0, 5)).shape == (0, 5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_types_and_several_results(registered: Registered, balanced: None, dtype: str) -> None:
    from operators.add_rms_norm import operator as add_rms_norm

    norm, kind = registered(add_rms_norm.make()), getattr(torch, dtype)
    x, y, gamma = torch.randn(6, 300).to(kind), torch.randn(6, 300).to(kind), torch.randn(300).to(kind)
    found, rstd, total = norm(x, y, gamma, epsilon=1e-5)
    assert torch.equal(total, (x.float() + y.float()).to(kind))
    exact = total.double()
    expected = torch.rsqrt(exact.square().mean(-1, keepdim=True) + 1e-5)
    assert (found.dtype, rstd.dtype) == (kind, torch.float32)
    torch.testing.assert_close(rstd.double(), expected, rtol=1e-4, atol=0)
    torch.testing.assert_close(found.double(), exact * expected * gamma.double(), rtol=1e-2, atol=1e-2)


def test_lists_of_tensors_and_two_stages(registered: Registered, balanced: None) -> None:
    from operators.concat import operator as concat
    from operators.softmax import operator as softmax

    join, soft = registered(concat.make()), registered(softmax.make())
    pieces = [torch.randint(0, 99, (4, n), dtype=torch.int32) for n in (3, 64, 5)]
    assert torch.equal(join(pieces, axis=1), torch.cat(pieces, dim=1))
    x = torch.randn(3, 1000)
    close(soft(x), x.softmax(-1))


def test_an_operator_of_cpp_host_code_is_the_same(registered: Registered, tmp_path: Path) -> None:
    project = build(EXAMPLES / "operators" / "add_rms_norm", tmp_path / "package")
    with op.load(project.out) as library:
        norm = aclimb.torch.register(library["AddRmsNorm"], "add_rms_norm_of_cpp")
        x, gamma = torch.randn(5, 64), torch.ones(64)
        found, _, _ = norm(x, torch.zeros_like(x), gamma, epsilon=1e-6)
        close(found, x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6), 1e-4)
        aclimb.torch.unregister("add_rms_norm_of_cpp")


def test_an_input_that_is_updated_in_place_stays_as_it_is_for_torch(registered: Registered, balanced: None) -> None:
    made = op.define("Accumulate")
    made.input("x", dtype=["float32"])
    made.input("y", follow="x")
    made.output("x", follow="x")
    made.attr("alpha", float, default=1.0)
    made.kernel(Path(__file__).with_name("accumulate.cpp"), "accumulate")
    made.tiling(_tile)
    accumulate = registered(made)
    x, y = torch.randn(100), torch.randn(100)
    before = x.clone()
    close(accumulate(x, y, alpha=3.0), x + 3 * y)
    assert torch.equal(x, before)


def _tile(ctx: op.TilingContext) -> None:
    from torch_parts import AddScaledTiling

    count = ctx.input_shape["x"].storage.size
    ctx.num_blocks, ctx.tiling_data, ctx.workspace_sizes = 1, AddScaledTiling(count, count, ctx.attrs["alpha"]), [0]


# --- memory


def test_results_lie_in_device_memory_and_are_taken_from_there(
    registered: Registered, balanced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = registered(add_scaled())
    x = torch.randn(2048)
    z = add(x, x)
    assert bytes_behind(Device(), z.data_ptr()) == z.nbytes
    monkeypatch.setattr(spare.SPARE, "take", lambda *_: pytest.fail("a result was copied"))
    close(add(z, z), 4 * x)
    close(add(z.view(2, 1024)[1], z.view(2, 1024)[0]), 2 * (x[1024:] + x[:1024]))


def test_a_result_lives_as_long_as_a_view_of_it(registered: Registered, balanced: None) -> None:
    add = registered(add_scaled())
    x = torch.randn(1000)
    view = add(x, x)[10:20]
    gc.collect()
    close(view, 2 * x[10:20])


def test_copies_of_arguments_are_kept_up_to_a_limit(registered: Registered, balanced: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spare, "MOST", 10_000)
    add = registered(add_scaled())
    for count in (100, 1000, 5000):
        x = torch.randn(count)
        close(add(x, x), 2 * x)
    assert spare.SPARE.kept <= 10_000


def test_two_threads_call_it_at_once(registered: Registered, balanced: None) -> None:
    add, wrong = registered(add_scaled()), list[int]()

    def work(seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        for _ in range(30):
            x = torch.randn(500, generator=generator)
            if not torch.allclose(add(x, x, alpha=float(seed)), x * (1 + seed), atol=1e-5):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


# --- errors


def test_types_and_shapes_that_do_not_fit_are_the_operators_errors(registered: Registered, balanced: None) -> None:
    add = registered(add_scaled())
    with pytest.raises(op.OpError, match="AddScaled does not take x float16 ND"):
        add(torch.randn(4).half(), torch.randn(4).half())
    with pytest.raises(op.OpError, match=r"AddScaled failed in infer_shape: ValueError"):
        add(torch.randn(4), torch.randn(5))
    with pytest.raises(InvalidArgument, match=r"a tensor of torch.complex64 cannot be an argument of an operator"):
        add(torch.randn(4).to(torch.complex64), torch.randn(4))


def test_a_fault_of_the_kernel_names_its_line(registered: Registered, balanced: None) -> None:
    with pytest.raises(AclimbError, match=r"add_scaled.cpp:\d+"):
        registered(add_scaled(beyond=4900))(torch.randn(100), torch.randn(100))
