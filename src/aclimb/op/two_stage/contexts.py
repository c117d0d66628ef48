# SPDX-License-Identifier: Apache-2.0
"""The contexts of the execution callbacks: prepare, launch, and the single stage."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb.errors import InvalidArgument, OutOfMemory
from aclimb.op.node.context import NodeContext
from aclimb.op.node.node import Node
from aclimb.op.node.views import WorkspaceView
from aclimb.op.options import ShownOptions
from aclimb.op.status import GRAPH_SUCCESS
from aclimb.op.workspace import WorkspacePool, checked_sizes
from aclimb.runtime.buffer import LARGEST

Deleter = Callable[[Any], Any]
_log = logging.getLogger("aclimb")


def default_deleter(params: Any) -> None:
    """Closes what can be closed."""
    close = getattr(params, "close", None)
    if callable(close):
        close()


def NO_DELETE(params: Any) -> None:  # noqa: N802 - a constant that happens to be callable
    """The params are somebody else's."""


def delete(op_type: str, deleter: Deleter, params: Any) -> None:
    """Runs a deleter; when it raises, that is logged, and the run has its own end."""
    try:
        deleter(params)
    except Exception:
        _log.error("the deleter of the params of %s raised\n%s", op_type, traceback.format_exc())


@dataclass(frozen=True)
class Prepared:
    """What a prepare function may return instead of calling set_op_api_params and set_workspace_sizes."""

    params: Any
    workspace_sizes: Any
    deleter: Deleter = default_deleter


class OpExecutePrepareContext(NodeContext):
    """Of a prepare function: tensors, attributes, options; it stores params and workspace sizes. There is no stream."""

    def __init__(self, node: Node, options: ShownOptions, host_inputs: frozenset[int]) -> None:
        super().__init__(node, host_inputs)
        self._options = options
        self._params: Any = None
        self._deleter: Deleter = NO_DELETE
        self._sizes: list[int] | None = None
        self._most_sizes: int | None = None  # how many the first call had
        self._stored = False

    @property
    def options(self) -> ShownOptions:
        """GetDeterministic, GetAllowHf32, GetPrecisionMode."""
        self._lease.check()
        return self._options

    def set_op_api_params(self, params: Any, deleter: Deleter | None = default_deleter) -> int:
        """SetOpApiParams: what launch gets. Stored before, it is released now, with its own deleter."""
        self._lease.check()
        if deleter is None:
            raise InvalidArgument("deleter is None; give a function, or op.NO_DELETE when nothing is to be released")
        self._release()
        self._params, self._deleter, self._stored = params, deleter, True
        return GRAPH_SUCCESS

    def set_workspace_sizes(self, sizes: Any) -> int:
        """SetWorkspaceSizes: at most 16; an empty list when no workspace is needed. Again: as many sizes as the first time, or fewer; more
        are refused, and what was set stays."""
        self._lease.check()
        checked = checked_sizes(sizes)
        if self._most_sizes is not None and len(checked) > self._most_sizes:
            raise InvalidArgument(f"workspace sizes are set again, and {len(checked)} of them; the first call had {self._most_sizes}, and "
                                  "later ones take as many or fewer: give all of them in the first")  # fmt: skip
        self._sizes = checked
        self._most_sizes = len(checked) if self._most_sizes is None else self._most_sizes
        return GRAPH_SUCCESS

    def _release(self) -> None:
        params, deleter = self._params, self._deleter
        self._params, self._deleter = None, NO_DELETE
        delete(self._node.op_type, deleter, params)


class OpExecuteLaunchContext(NodeContext):
    """Of a launch function: the tensors of prepare, its params, the workspaces, and the stream to launch on."""

    def __init__(self, node: Node, host_inputs: frozenset[int], params: Any, sizes: list[int], addresses: list[int], stream: Any) -> None:
        super().__init__(node, host_inputs)
        self._params, self._sizes, self._stream = params, sizes, stream
        self._workspaces = [WorkspaceView(address, size, self._lease) for address, size in zip(addresses, sizes, strict=True)]

    @property
    def params(self) -> Any:
        """GetOpApiParams: None when prepare stored none."""
        self._lease.check()
        return self._params

    @property
    def workspaces(self) -> list[WorkspaceView]:
        self._lease.check()
        return self._workspaces

    @property
    def workspace_sizes(self) -> list[int]:
        self._lease.check()
        return list(self._sizes)

    @property
    def stream(self) -> Any:
        """GetStream."""
        self._lease.check()
        return self._stream

    def get_op_api_params(self) -> Any:
        """GetOpApiParams."""
        return self.params

    def get_workspace_addrs(self) -> list[WorkspaceView] | None:
        """GetWorkspaceAddrs: None when there are none."""
        return self.workspaces or None

    def get_workspace_sizes(self) -> list[int]:
        """GetWorkspaceSizes."""
        return self.workspace_sizes


class OpExecuteContext(NodeContext):
    """Of a single-stage function: it takes its workspaces itself."""

    def __init__(self, node: Node, host_inputs: frozenset[int], options: ShownOptions, stream: Any, pool: WorkspacePool) -> None:
        super().__init__(node, host_inputs)
        self._options, self._stream, self._pool = options, stream, pool
        self._held: list[int] = []

    @property
    def options(self) -> ShownOptions:
        self._lease.check()
        return self._options

    @property
    def stream(self) -> Any:
        """GetStream."""
        self._lease.check()
        return self._stream

    def malloc_workspace(self, size: int) -> WorkspaceView | None:
        """MallocWorkspace: None when there is no memory."""
        self._lease.check()
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
            raise InvalidArgument(f"a workspace of {size!r} is asked for; it takes a whole number of bytes, 0 and more")
        size = int(size)
        try:
            address = self._pool.take(min(size, LARGEST))
        except OutOfMemory:
            return None
        self._held.append(address)
        return WorkspaceView(address, size, self._lease)

    def free_workspace(self) -> None:
        """FreeWorkspace: gives all of them back."""
        self._lease.check()
        held, self._held = self._held, []
        self._pool.give(held)


# What Op2StageExecuteFuncs takes: a status, or None for success.
OpExecPrepareFunc = Callable[[OpExecutePrepareContext], int | Prepared | None]
OpExecLaunchFunc = Callable[[OpExecuteLaunchContext], int | None]
