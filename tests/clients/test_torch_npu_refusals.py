# SPDX-License-Identifier: Apache-2.0
"""What a torch_npu user cannot do is an error with a sentence that says what to do instead, and the device goes on."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.torch_npu, pytest.mark.requirement("tool-27")]

UNSERVED = """
torch.nn.functional.gelu(x)
torch.nn.functional.layer_norm(x, (4,))
torch.nn.functional.mse_loss(x, x)
torch.nn.functional.conv2d(x[None, None], x[None, None])
torch.nn.functional.max_pool2d(x[None], 2)
torch.logsumexp(x, 1)
torch.unique(x)
"""


@pytest.mark.parametrize("expression", UNSERVED.strip().splitlines())
def test_an_operator_that_is_not_there_says_what_to_do(expression: str) -> None:
    import torch

    x = torch.ones(4, 4)
    with pytest.raises(RuntimeError, match=r"aclimb('s operator library)? has no .*move the tensors to the CPU \(.cpu\(\)\)"):
        eval(expression, {"torch": torch, "x": x.npu()})
        torch.npu.synchronize()
    assert torch.equal((x.npu() + 1).cpu(), x + 1)


@pytest.mark.torch_npu("alone")  # a failure stops the context, as on a chip
def test_an_index_outside_is_told_when_the_stream_is_waited_for() -> None:
    import torch

    x = torch.arange(4.0).npu()
    with pytest.raises(RuntimeError, match="aclnnIndexSelect: index 9 is outside of a dim of 4"):
        x.index_select(0, torch.tensor([9]).npu())
        torch.npu.synchronize()
