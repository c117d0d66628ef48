# SPDX-License-Identifier: Apache-2.0
"""The stages of a run: each is named, watched, and what goes wrong in one is an OpError that says where."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aclimb.op.node.views import TensorView, WorkspaceView
from aclimb.op.status import GRAPH_FAILED, OpError
from aclimb.runtime import guard


@dataclass(frozen=True)
class LaunchRecord:
    """One kernel that a run put on its stream, and what each of its arguments is."""

    kernel: str
    num_blocks: int
    tiling_key: int | None
    schedule_mode: int
    slots: tuple[str, ...]  # input, output, shape, workspace, tiling, scalar, address


@dataclass(frozen=True)
class Step:
    """A stage that ended."""

    operator: str
    stage: str
    error: OpError | None = None
    workspace_sizes: tuple[int, ...] = ()
    launches: tuple[LaunchRecord, ...] = ()


_log = logging.getLogger("aclimb")
Observer = Callable[[Step], Any]
_observers: list[Observer] = []


@contextmanager
def observe(observer: Observer) -> Iterator[None]:
    """observer(step) is called after every stage of every run, while the block lasts."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


def is_watched() -> bool:
    return bool(_observers)


@dataclass(slots=True)
class Stages:
    """Runs the stages of one call."""

    operator: str
    launches: list[LaunchRecord] = field(default_factory=list)

    def __call__(self, stage: str, work: Callable[..., Any], *values: Any, sizes: Any = None) -> Any:
        try:
            result = work(*values)
        except Exception as error:
            wrapped = error if isinstance(error, OpError) and error.operator else self.failure(stage, error)
            self._tell(Step(self.operator, stage, wrapped))
            if wrapped is error:
                raise
            raise wrapped from error
        if _observers:
            launched, self.launches[:] = tuple(self.launches), []
            self._tell(Step(self.operator, stage, None, tuple(sizes() if callable(sizes) else sizes or ()), launched))
        return result

    def failure(self, stage: str, error: Exception) -> OpError:
        code = error.code if isinstance(error, OpError) else GRAPH_FAILED
        said = str(error) if isinstance(error, OpError) else f"{type(error).__name__}: {error}"
        return OpError(code, f"{self.operator} failed in {stage}: {said}", operator=self.operator, stage=stage)

    def _tell(self, step: Step) -> None:
        for observer in list(_observers):
            try:
                observer(step)
            except Exception:
                _log.error("an observer of operators raised; the run goes on\n%s", traceback.format_exc())

    def callback(self, stage: str, function: Callable[[Any], Any], context: Any) -> Any:
        """A user's callback: 0 and None are success, another int is its status; the context ends with it."""
        try:
            result = function(context)
        finally:
            context._end()
        require_success(function, result)
        return result

    @contextmanager
    def watching_launches(self) -> Iterator[None]:
        """Notes what is launched meanwhile, for observers."""
        if not _observers:
            yield
            return

        def note(stream: Any, config: Any, kernel: Any, args: tuple[Any, ...]) -> None:
            slots = tuple(_slot(value, parameter) for value, parameter in zip(args, kernel.info.parameters, strict=True))
            key = config.tiling_key if config.tiling_key is not None else kernel.tiling_key
            self.launches.append(LaunchRecord(kernel.name, config.num_blocks, key, 0, slots))

        guard.launch_watchers.append(note)
        try:
            yield
        finally:
            guard.launch_watchers.remove(note)


def require_success(function: Any, result: Any) -> None:
    """A callback returns None or 0; another number is its status, and anything else a mistake."""
    if result is None:
        return
    if not isinstance(result, int):
        raise OpError(message=f"{_name(function)} returned {result!r}; a callback returns None, or a status")
    if result != 0:
        raise OpError(int(result), f"{_name(function)} returned {result}")


def _slot(value: Any, parameter: Any) -> str:
    if isinstance(value, TensorView):
        return value.role
    if isinstance(value, WorkspaceView):
        return "workspace"
    return "address" if parameter.kind == "pointer" else "scalar"


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)
