# SPDX-License-Identifier: Apache-2.0
"""aclmdlRI: what is captured on a stream, as a model that can be replayed."""

from __future__ import annotations

from pathlib import Path

from aclimb.errors import Refused
from aclimb.flow import Waited
from aclimb.runtime import models
from aclimb.runtime.context import current, stream_of
from aclimb.runtime.failures import queue_on, settle
from aclimb.runtime.handles import NULL

TABLE = """
aclmdlRICaptureBegin                  p stream, i mode                                                  ->
aclmdlRICaptureEnd                    p stream                                                          -> model
aclmdlRICaptureGetInfo                p stream                                                          -> status, model
aclmdlRICaptureThreadExchangeMode     i mode                                                            -> mode
aclmdlRICaptureTaskGrpBegin           p stream                                                          ->
aclmdlRICaptureTaskGrpEnd             p stream                                                          -> group
aclmdlRICaptureTaskUpdateBegin        p stream, p group                                                 ->
aclmdlRICaptureTaskUpdateEnd          p stream                                                          ->
aclmdlRIExecute                       p model, i timeout_ms                                             ->
aclmdlRIExecuteAsync                  p model, p stream                                                 ->
aclmdlRIDestroy                       p model                                                           ->
aclmdlRIDebugJsonPrint                p model, z path, I flags                                          ->
"""

SYNC_TIMEOUT = 507046


def aclmdlRICaptureBegin(stream: int, mode: int) -> None:
    """What is launched on the stream from now on is recorded, not run."""
    models.begin(queue_on(stream), mode)


def aclmdlRICaptureEnd(stream: int) -> int:
    return models.end(stream_of(stream))


def aclmdlRICaptureGetInfo(stream: int) -> tuple[int, int]:
    """Status 0: not captured, 1: being captured. The model has a handle from the end of the capture on, and is 0 before."""
    return models.info(stream_of(stream))


def aclmdlRICaptureThreadExchangeMode(mode: int) -> int:
    """Gives the mode that held before. aclimb allows the same calls in all modes."""
    return models.exchange_mode(mode)


def aclmdlRICaptureTaskGrpBegin(stream: int) -> None:
    models.group_begin(stream_of(stream))


def aclmdlRICaptureTaskGrpEnd(stream: int) -> int:
    return models.group_end(stream_of(stream))


def aclmdlRICaptureTaskUpdateBegin(stream: int, group: int) -> None:
    """What is launched on the stream from now on replaces the tasks of the group."""
    models.update_begin(queue_on(stream), group)


def aclmdlRICaptureTaskUpdateEnd(stream: int) -> None:
    """Other kinds, or another number, of tasks are refused, and the model stays as it was."""
    models.update_end(stream_of(stream))


def aclmdlRIExecute(model: int, timeout_ms: int) -> None:
    """Replays and waits; -1 for ever."""
    found = models.MODELS[model]
    stream = current().default_stream
    found.launch(stream)
    if stream.native.wait(max(timeout_ms, 0) * 1_000_000) is Waited.timed_out:
        raise Refused(SYNC_TIMEOUT, f"the model was not done within {timeout_ms} ms; it goes on")
    settle([stream])


def aclmdlRIExecuteAsync(model: int, stream: int) -> None:
    models.MODELS[model].launch(queue_on(stream))


def aclmdlRIDestroy(model: int) -> None:
    models.destroy(model)


def aclmdlRIDebugJsonPrint(model: int, path: str | None, flags: int) -> None:
    """The tasks of a model as a file for chrome://tracing; with flags 1 their arguments too."""
    if path is None:
        raise Refused(NULL, "path is None (NULL)")
    models.write_json(model, Path(path), flags)
