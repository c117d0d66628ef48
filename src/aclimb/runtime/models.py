# SPDX-License-Identifier: Apache-2.0
"""Captures as the C API sees them: runnable models with handles, groups of tasks that can be updated."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import capturing, graph
from aclimb.runtime.captured import CapturedLaunch, CapturedMove
from aclimb.runtime.context import ContextStream
from aclimb.runtime.graph import Graph
from aclimb.runtime.handles import Handles

GLOBAL, THREAD_LOCAL, RELAXED = 0, 1, 2
DEFAULT_STREAM = 107031
WRONG_STATE = 207000
SUMMARY, VERBOSE = 0, 1

MODELS: Handles[Graph] = Handles("model")
GROUPS: Handles[TaskGroup] = Handles("task group")
_thread = threading.local()
_updates: dict[int, tuple[TaskGroup, Graph]] = {}  # by stream's number
_open_groups: dict[int, int] = {}  # by graph's number: its first task
_order = count()


@dataclass(frozen=True, slots=True)
class TaskGroup:
    graph: Graph
    begin: int
    end: int
    number: int  # two groups may have the same tasks


def begin(stream: ContextStream, mode: int) -> None:
    if mode not in (GLOBAL, THREAD_LOCAL, RELAXED):
        raise InvalidArgument(f"the capture mode is {mode}; it takes 0 (GLOBAL), 1 (THREAD_LOCAL) or 2 (RELAXED)")
    if stream is stream.context.default_stream:
        raise Refused(DEFAULT_STREAM, "the default stream cannot be captured; create one")
    capturing.begin(stream).any_thread = mode == RELAXED


def end(stream: ContextStream) -> int:
    made = capturing.end(stream)
    _open_groups.pop(made.number, None)
    return MODELS.add(made)


def info(stream: ContextStream) -> tuple[int, int]:
    """0 not captured, 1 being captured; the model has a handle only when the capture has ended."""
    return int(stream.graph is not None), 0


def exchange_mode(mode: int) -> int:
    """The mode that held before, of this thread."""
    if mode not in (GLOBAL, THREAD_LOCAL, RELAXED):
        raise InvalidArgument(f"the capture mode is {mode}; it takes 0 (GLOBAL), 1 (THREAD_LOCAL) or 2 (RELAXED)")
    before: int = getattr(_thread, "mode", GLOBAL)
    _thread.mode = mode
    return before


def destroy(number: int) -> None:
    MODELS.end(number).destroy()


def write_json(number: int, path: Path, flags: int) -> None:
    """One event for each task, in the order of the capture: a model's tasks have no times."""
    if flags not in (SUMMARY, VERBOSE):
        raise InvalidArgument(f"flags is {flags}; it takes 0 (summary) or 1 (with arguments)")
    found = MODELS[number]
    found.require_ready()
    events = [_event(found.number, index, task, flags) for index, task in enumerate(found.in_order)]
    try:
        path.write_text(json.dumps({"traceEvents": events}, indent=1))
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be written: {error.strerror}; choose another place") from None


def _event(model: int, index: int, task: CapturedLaunch | CapturedMove, flags: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"Model Id": model, "Stream Id": task.stream, "Task Id": index}
    if isinstance(task, CapturedMove):
        name = task.kind
        facts |= {"Task Type": task.kind, "size": task.size}
    else:
        name = task.name
        facts |= {"Task Type": "KERNEL_AICORE", "numBlocks": task.num_blocks}
        if flags == VERBOSE:
            facts["args"] = task.args.hex()
    return {"name": name, "ph": "X", "ts": index, "dur": 1, "pid": model, "tid": task.stream, "args": facts}


def group_begin(stream: ContextStream) -> None:
    found = _capturing(stream)
    if found.number in _open_groups:
        raise Refused(WRONG_STATE, "a task group is open on this capture already; end it first")
    _open_groups[found.number] = len(found.native)


def group_end(stream: ContextStream) -> int:
    found = _capturing(stream)
    if found.number not in _open_groups:
        raise Refused(WRONG_STATE, "no task group was begun on this capture")
    return GROUPS.add(TaskGroup(found, _open_groups.pop(found.number), len(found.native), next(_order)))


def update_begin(stream: ContextStream, number: int) -> None:
    """From now on launches on the stream replace the tasks of the group."""
    group = GROUPS[number]
    if stream.graph is not None:
        raise Refused(graph.CAPTURING, "the stream is being captured; tasks are updated on another one")
    group.graph.require_ready()
    _updates[stream.native.number] = (group, capturing.begin(stream))


def update_end(stream: ContextStream) -> None:
    if stream.native.number not in _updates:
        raise Refused(WRONG_STATE, "no update was begun on this stream")
    group, _ = _updates.pop(stream.native.number)
    new = capturing.end(stream)
    if new.moves:
        raise Refused(graph.OTHER_KIND, "an update has a copy or a fill; only launches can be updated")
    if len(new) != group.end - group.begin:
        raise Refused(
            graph.OTHER_KIND, f"the group has {group.end - group.begin} tasks and {len(new)} are given; give as many, in their order"
        )
    launches = group.graph.launches
    for index, launch in enumerate(new.launches, group.begin):
        graph.require_same_kind(index, launches[index], launch)  # all of them before the first changes
    for index, launch in enumerate(new.launches, group.begin):
        group.graph.replace(index, launch)
    group.graph.hold(new)  # and with it what its launches keep in device memory


def _capturing(stream: ContextStream) -> Graph:
    if stream.graph is None:
        raise Refused(capturing.NOT_CAPTURING, "the stream is not being captured")
    return stream.graph
