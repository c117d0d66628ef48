# SPDX-License-Identifier: Apache-2.0
"""What a torch_npu user cannot do is an error with a sentence that says what to do instead, and the device goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.torch_npu

UNSERVED = """
torch.nn.functional.gelu(x)
torch.nn.functional.layer_norm(x, (4,))
torch.nn.functional.mse_loss(x, x)
torch.nn.functional.conv2d(x[None, None], x[None, None])
torch.nn.functional.max_pool2d(x[None], 2)
torch.logsumexp(x, 1)
torch.unique(x)
"""


def _then_wait(call: Callable[..., Any], *values: Any) -> None:
    import torch

    call(*values)
    torch.npu.synchronize()


@pytest.mark.requirement("tool-27")
@pytest.mark.parametrize("expression", UNSERVED.strip().splitlines())
def test_an_operator_that_is_not_there_says_what_to_do(expression: str) -> None:
    import torch

    x = torch.ones(4, 4)
    with pytest.raises(RuntimeError, match=r"aclimb('s operator library)? has no .*move the tensors to the CPU \(.cpu\(\)\)"):
        _then_wait(eval, expression, {"torch": torch, "x": x.npu()})
    assert torch.equal((x.npu() + 1).cpu(), x + 1)


@pytest.mark.requirement("tool-27")
@pytest.mark.torch_npu("alone")  # a failure stops the context, as on a chip
def test_an_index_outside_is_told_when_the_stream_is_waited_for() -> None:
    import torch

    x = torch.arange(4.0).npu()
    with pytest.raises(RuntimeError, match="aclnnIndexSelect: index 9 is outside of a dim of 4"):
        _then_wait(x.index_select, 0, torch.tensor([9]).npu())
