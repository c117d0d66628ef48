# SPDX-License-Identifier: Apache-2.0
"""Operators that `aclimb.torch.register` made torch's, on tensors of torch_npu."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.torch_npu


def test_an_operator_takes_tensors_where_they_are_and_runs_on_the_current_stream() -> None:
    import sys
    from pathlib import Path

    import torch

    import aclimb.torch

    sys.path.append(str(Path(__file__).parents[1] / "torch_ops"))
    from torch_parts import add_scaled

    operator = add_scaled()
    operator.register()
    add = aclimb.torch.register(operator)
    x, y = torch.randn(40, 50), torch.randn(40, 50)
    there = x.npu()
    for stream in (torch.npu.current_stream(), torch.npu.Stream()):
        with torch.npu.stream(stream):
            found = add(there, y.npu(), alpha=2.0) + add(there.t().contiguous().t(), y.npu())
        stream.synchronize()
        assert found.device.type == "npu"
        torch.testing.assert_close(found.cpu(), 2 * x + 3 * y)
    aclimb.torch.unregister("add_scaled")
    operator.unregister()
