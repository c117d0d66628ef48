# SPDX-License-Identifier: Apache-2.0
"""Host time of an operator called through torch, against the operator's own call with device memory; both until the result is there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from aclimb import Buffer, Stream, op
from aclimb.op.execute.run import own_stream
from aclimb.op.project.build import build
from aclimb.op.project.new import new_project
from benchmarks.bench_op import scale_by
from benchmarks.harness import Row, bench, in_turns

LENGTH = 64


@bench("torch")
def operators_in_torch() -> Iterable[Row]:
    if find_spec("torch") is None:
        print("torch is not installed: nothing measured; `make test-torch` makes an environment with it")
        return
    os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    stream, x = own_stream(), Buffer.from_array(np.ones(LENGTH, np.float32))
    with tempfile.TemporaryDirectory() as folder, build(new_project("ScaleBy", Path(folder) / "scale_by")).load() as library:
        kernels = library["ScaleBy"]._kernels
        assert kernels is not None
        yield from _calls(scale_by(kernels.first), x, stream)


def _calls(operator: op.Operator, x: Buffer, stream: Stream) -> Iterable[Row]:
    import torch

    import aclimb.torch

    with operator.registered():
        call = aclimb.torch.register(operator)

        def own() -> None:
            operator(x, stream=stream)
            stream.synchronize()

        given = torch.ones(LENGTH)
        there = call(given)
        base, result, copied = in_turns(own, lambda: call(there), lambda: call(given))
        yield Row("torch.own", base, "us", note="the operator with device memory, a new output")
        yield Row("torch.beyond_own", result - base, "us", 30, note="the same through torch, its input a result")
        yield Row("torch.beyond_own_copied", copied - base, "us", 30, note="... its input in torch's memory")
        aclimb.torch.unregister(call.__name__)
