# SPDX-License-Identifier: Apache-2.0
"""What prepare made, kept: an object to launch again, and a cache of such for calls that look alike."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.call import OpCall, bits
from aclimb.op.declare.definition import OpDef
from aclimb.op.declare.impl import OpImpl
from aclimb.op.node.node import Node, OpTensor, tensors_of
from aclimb.op.options import DEFAULT_OPTIONS, Options
from aclimb.op.stages import Stages, is_watched
from aclimb.op.status import OpError
from aclimb.op.two_stage import run as two_stage
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.stream import Stream

CACHE_ENTRIES = 64


class PreparedOp:
    """An operator that is prepared: `launch(stream)` runs it. A second time only when the operator is relaunchable."""

    def __init__(self, operator: OpDef, call: OpCall, state: two_stage.State, results: list[Any]) -> None:
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


@dataclass(frozen=True, slots=True)
class _Seen:
    """A call that ran, without its memory: what the next one that looks like it needs."""

    impl: OpImpl
    key: Any
    state: two_stage.State
    node: Node
    options: Options

    def call(self, buffers: Sequence[Buffer], stream: Stream) -> OpCall:
        node, count = self.node, len(self.node.inputs)
        tensors: list[Any] = [
            OpTensor(old.shape, old.dtype, old.format, buffer)  # type: ignore[union-attr]
            for old, buffer in zip((*node.inputs, *node.outputs), buffers, strict=True)
        ]
        fresh = Node(node.op_type, node.name, node.input_parameters, node.output_parameters, tensors[:count], tensors[count:], node.attrs)
        return OpCall(self.impl, fresh, stream, self.options, Stages(node.op_type))


class PreparedCache:
    """States by what prepare could see; addresses are not part of it, launch takes them from its own context."""

    def __init__(self) -> None:
        self._states: OrderedDict[Any, two_stage.State] = OrderedDict()
        self._seen: dict[Any, _Seen] = {}
        self._lock = threading.Lock()

    def launch(self, call: OpCall) -> None:
        key = _key(call)
        with self._lock:
            state = self._states.get(key)
            if state is None:
                state = self._states[key] = two_stage.prepare(call)
                while len(self._states) > CACHE_ENTRIES:
                    self._states.popitem(last=False)[1].release()
                    self._seen.clear()
            else:
                self._states.move_to_end(key)
        two_stage.launch(call, state, call.stream)
        self._remember(call, key, state)

    # --- the short way: all tensors are Buffers, the stream is named, and the call looks like one before

    def launch_again(self, operator: OpDef, buffers: tuple[Any, ...], stream: Stream, options: Any, named: dict[str, Any]) -> bool:
        """Launches such a call, with nothing left to check, to infer or to prepare. False: take the long way."""
        try:
            attrs = operator._declaration.bind_attrs(named)
        except (InvalidArgument, OpError):
            return False
        look = _look_of(buffers, stream, options or DEFAULT_OPTIONS, attrs)
        found = self._seen.get(look) if look is not None else None
        if found is None or operator._impl() is not found.impl or is_watched():
            return False
        with self._lock:
            if found.key in self._states:
                self._states.move_to_end(found.key)
        two_stage.launch(found.call(buffers, stream), found.state, stream)
        return True

    def _remember(self, call: OpCall, key: Any, state: two_stage.State) -> None:
        node = call.node
        tensors = (*node.inputs, *node.outputs)
        if call.impl.host_inputs or any(not isinstance(each, OpTensor) or each.given is not each.buffer for each in tensors):
            return
        look = _look_of([each.buffer for each in tensors], call.stream, call.options, node.attrs)  # type: ignore[union-attr]
        if look is None or look in self._seen:
            return
        bare = [[replace(each, buffer=None, given=None) for each in values] for values in (node.inputs, node.outputs)]  # type: ignore[type-var]
        kept = Node(node.op_type, node.name, node.input_parameters, node.output_parameters, bare[0], bare[1], node.attrs)
        self._seen[look] = _Seen(call.impl, key, state, kept, call.options)

    def clear(self) -> None:
        with self._lock:
            self._seen.clear()
            states, self._states = self._states, OrderedDict()
        for state in states.values():
            state.release()


def _look_of(buffers: Sequence[Any], stream: Stream, options: Options, attrs: list[tuple[str, Any]]) -> Any:
    """What decides whether two calls look alike; None for a call that has to take the long way."""
    look: list[Any] = [stream.device, options]
    for each in buffers:
        if type(each) is not Buffer or not each.address:
            return None
        look.append((each.shape, each.dtype))
    if stream.limits or stream.device.limits:
        return None
    for name, value in attrs:
        if not isinstance(value, int | float | str):
            return None
        look.append((name, type(value), value))
    return tuple(look)


def _key(call: OpCall) -> Any:
    node = call.node
    tensors: list[Any] = []
    for value in (*node.inputs, *node.outputs):
        if type(value) is list:
            tensors.append(tuple([_look(each) for each in value]))
        else:
            tensors.append(None if value is None else _look(value))
    on_host = [each.host for ir in sorted(bits(call.impl.host_inputs)) for each in tensors_of(node.inputs[ir])]
    host = tuple([array.tobytes() for array in on_host if array is not None]) if on_host else ()
    return (tuple(tensors), host, repr(node.attrs) if node.attrs else "", call.options, call.stream.device.chip.name, call.stream.cores)


def _look(tensor: Any) -> Any:
    shape = tensor.shape
    return tuple(shape.origin._dims), tuple(shape.storage._dims), tensor.dtype, tensor.format
