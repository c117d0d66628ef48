# SPDX-License-Identifier: Apache-2.0
"""What prepare made, kept: an object to launch again, and a cache of such for calls that look alike."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from aclimb.errors import AclimbError
from aclimb.op import two_stage
from aclimb.op.call import Call, bits
from aclimb.op.status import OpError
from aclimb.runtime.stream import Stream

CACHE_ENTRIES = 64


class PreparedOp:
    """An operator that is prepared: `launch(stream)` runs it. A second time only when the operator is relaunchable."""

    def __init__(self, operator: Any, call: Call, state: two_stage.State, results: list[Any]) -> None:
        self._operator, self._call, self._state, self._results = operator, call, state, results
        self._launched = self._closed = False

    @property
    def params(self) -> Any:
        return self._state.params

    @property
    def workspace_sizes(self) -> list[int]:
        return list(self._state.sizes)

    @property
    def outputs(self) -> Any:
        return self._results[0] if len(self._results) == 1 else tuple(self._results)

    def launch(self, stream: Stream | None = None) -> Any:
        """Takes workspaces, launches, gives them back; the outputs."""
        if self._closed:
            raise AclimbError(f"this prepared {self._operator.type} was closed")
        if self._launched and not self._operator.relaunchable:
            raise AclimbError(f"{self._operator.type} was launched from this preparation already; declare it with relaunchable=True to "
                              "launch it again")  # fmt: skip
        self._launched = True
        two_stage.launch(self._call, self._state, stream or self._call.stream)
        return self.outputs

    def close(self) -> None:
        """Releases the params, once."""
        if not self._closed:
            self._closed = True
            self._state.release()
            self._call.forget_inputs()

    def __enter__(self) -> PreparedOp:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class PreparedCache:
    """States by what prepare could see; addresses are not part of it, launch takes them from its own context."""

    def __init__(self) -> None:
        self._states: OrderedDict[Any, two_stage.State] = OrderedDict()

    def launch(self, call: Call) -> None:
        key = _key(call)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = two_stage.prepare(call)
            while len(self._states) > CACHE_ENTRIES:
                self._states.popitem(last=False)[1].release()
        else:
            self._states.move_to_end(key)
        two_stage.launch(call, state, call.stream)

    def clear(self) -> None:
        while self._states:
            self._states.popitem()[1].release()


def _key(call: Call) -> Any:
    node = call.node
    tensors = tuple((each.shape.origin.dims, each.shape.storage.dims, each.dtype, each.format)
                    for each in (*node.instances(node.inputs), *node.instances(node.outputs)))  # fmt: skip
    present = tuple(len(value) if isinstance(value, list) else value is not None for value in node.inputs)
    on_host = [each.host for ir in sorted(bits(call.impl.host_inputs)) for each in _each(node.inputs[ir])]
    host = tuple(array.tobytes() for array in on_host if array is not None)
    return (tensors, present, host, repr(node.attrs), call.options, call.stream.device.chip.name, tuple(sorted(call.stream.limits.items())))


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value is not None else []


def prepare_op(operator: Any, *inputs: Any, out: Any = None, options: Any = None, stream: Stream | None = None, **named: Any) -> PreparedOp:
    """Infers, allocates and prepares; the result can be launched. An addition: C++ has nothing like it."""
    from aclimb.op.define import _as_list, results_of
    from aclimb.op.run import place, require_executable

    values, attrs = operator._bind_arguments(inputs, named)
    outputs = _as_list(out)
    call = operator._call(values, attrs, outputs, stream, options)
    try:
        if require_executable(call, operator._kernel is not None) != "two_stage":
            raise OpError(message=f"{operator.type} has no prepare and launch functions", operator=operator.type, stage="plan")
        if outputs is None:
            operator._inference(call).run()
        place(call)
        state = two_stage.prepare(call)
    except BaseException:
        call.discard_outputs()
        raise
    return PreparedOp(operator, call, state, results_of(call))
