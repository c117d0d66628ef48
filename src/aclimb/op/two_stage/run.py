# SPDX-License-Identifier: Apache-2.0
"""The execution callbacks: prepare and launch, or the single stage."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from aclimb.op.call import OpCall, bits
from aclimb.op.debug import guard as debug_guard
from aclimb.op.options import get_deterministic, set_deterministic
from aclimb.op.stages import is_watched, require_success
from aclimb.op.status import OpError
from aclimb.op.two_stage.contexts import (
    NO_DELETE,
    Deleter,
    OpExecuteContext,
    OpExecuteLaunchContext,
    OpExecutePrepareContext,
    Prepared,
    delete,
)
from aclimb.op.workspace import pool_of
from aclimb.runtime import guard
from aclimb.runtime.stream import Stream

_log = logging.getLogger("aclimb")


@dataclass
class State:
    """What prepare left for launch. The params are released once, by whoever comes first."""

    op_type: str
    params: Any
    deleter: Deleter
    sizes: list[int]

    def release(self) -> None:
        params, deleter = self.params, self.deleter
        self.params, self.deleter = None, NO_DELETE
        delete(self.op_type, deleter, params)


@contextmanager
def settings_of(call: OpCall) -> Iterator[None]:
    """What the call says of determinism and cores holds meanwhile, and what was there before afterwards."""
    options, limits = call.options, call.stream.limits
    before, limits_before = get_deterministic(), dict(limits)
    changes = options.deterministic is not None or options.deterministic_level is not None
    if changes:
        switch = options.deterministic if options.deterministic is not None else before[0]
        set_deterministic(switch, options.deterministic_level if options.deterministic_level is not None else before[1])
    for kind, cores in ((0, options.aicore_num), (1, options.vectorcore_num)):
        if cores:
            limits[kind] = cores
    try:
        yield
    finally:
        if changes:
            set_deterministic(*before)
        if limits != limits_before:
            limits.clear()
            limits.update(limits_before)


def prepare(call: OpCall) -> State:
    """Runs the prepare function; what it stored is released when it fails."""
    host = bits(call.impl.host_inputs)
    return call.stages("prepare", _prepare, call, host)  # type: ignore[no-any-return]


def _prepare(call: OpCall, host: frozenset[int]) -> State:
    assert call.impl.prepare is not None
    context = OpExecutePrepareContext(call.node, call.shown_options, host)
    try:
        with settings_of(call), guard.no_device_work(f"the prepare function of {call.impl.op_type}"):
            result = call.impl.prepare(context)
        if isinstance(result, Prepared):
            _take(context, result)
        else:
            require_success(call.impl.prepare, result)
        if context._sizes is None:
            raise OpError(message="prepare set no workspace sizes; call set_workspace_sizes, with an empty list when none is needed")
    except BaseException:
        context._release()
        raise
    finally:
        context._end()
    return State(call.impl.op_type, context._params, context._deleter, context._sizes)


def _take(context: OpExecutePrepareContext, result: Prepared) -> None:
    if context._stored or context._sizes is not None:
        delete(context._node.op_type, result.deleter, result.params)
        raise OpError(message="prepare returned op.Prepared and also called set_op_api_params or set_workspace_sizes; do one of them")
    context.set_op_api_params(result.params, result.deleter)
    context.set_workspace_sizes(result.workspace_sizes)


def launch(call: OpCall, state: State, stream: Stream, given: list[int] | None = None) -> None:
    """Takes the workspaces (or those that were given), runs the launch function, gives them back in stream order."""
    pool, stages = pool_of(stream), call.stages
    addresses: list[int] = []

    try:
        if given is None:
            stages("allocate_workspaces", _take_workspaces, pool, state.sizes, addresses, sizes=state.sizes)
        else:
            stages("allocate_workspaces", addresses.extend, given, sizes=state.sizes)
        stages("launch", _launch, call, state, addresses, stream)
    except BaseException:
        if given is None:
            # What was queued before the failure runs before whatever gets them next.
            stages("release_workspaces", pool.give, addresses)
        raise
    if given is None:
        stages("release_workspaces", pool.give, addresses)


def _take_workspaces(pool: Any, sizes: list[int], addresses: list[int]) -> None:
    for size in sizes:
        addresses.append(pool.take(size))


def _launch(call: OpCall, state: State, addresses: list[int], stream: Stream) -> None:
    assert call.impl.launch is not None
    context = OpExecuteLaunchContext(call.node, bits(call.impl.host_inputs), state.params, state.sizes, addresses, stream)
    if not is_watched():
        call.stages.callback("launch", call.impl.launch, context)
        return
    with call.stages.watching_launches():
        call.stages.callback("launch", call.impl.launch, context)


def execute(call: OpCall) -> None:
    """The single stage; workspaces that it did not free are freed behind it."""
    pool = pool_of(call.stream)
    context = OpExecuteContext(call.node, bits(call.impl.host_inputs), call.shown_options, call.stream, pool)

    def work() -> None:
        assert call.impl.op_execute_func is not None
        with settings_of(call), call.stages.watching_launches():
            call.stages.callback("execute", call.impl.op_execute_func, context)

    try:
        call.stages("execute", work)
    finally:
        if context._held:
            if debug_guard():
                _log.warning("%s: %d workspaces of malloc_workspace were not freed", call.impl.op_type, len(context._held))
            pool.give(context._held)
