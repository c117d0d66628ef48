# SPDX-License-Identifier: Apache-2.0
"""Kernels that are looked at closely run their observed images, which tell of plain loads and stores and count what is computed
(compile/observed.py). The engine asks for them here, before such a launch is queued; everybody else runs the plain ones."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aclimb import _engine
from aclimb.binary import KernelBinary
from aclimb.runtime.graph import KERNELS
from aclimb.runtime.stream import Stream

if TYPE_CHECKING:
    from aclimb.runtime.kernel import Kernel

_log = logging.getLogger("aclimb")
RAW_POINTERS = "raw pointers of {name} were not seen: {cause}"  # what others call it: their own words
_told: set[str] = set()  # sentences that were logged
_collectors: list[tuple[str, list[str]]] = []


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of a kernel's observed images."""

    name: str  # of the binary
    images: dict[str, _engine.Image]  # by name; those that could be built
    unseen: tuple[str, ...]  # why the others could not

    @property
    def is_whole(self) -> bool:
        return not self.unseen


@contextmanager
def collect_unseen(words: str = RAW_POINTERS) -> Iterator[list[str]]:
    """What launches queued inside cannot tell: a sentence for each kernel, once, in these words with {name} and {cause}. Where nobody
    collects, it is logged as a warning."""
    sentences: list[str] = []
    _collectors.append((words, sentences))
    try:
        yield sentences
    finally:
        _collectors[:] = [each for each in _collectors if each[1] is not sentences]


def build(binary: KernelBinary, names: list[str]) -> Observed:
    """The observed images of a binary, built or from the cache, and mapped."""
    from aclimb.compile import observed  # the compiler's modules, for those who look closely

    made, reasons = observed.images({name: binary.images[name] for name in names})
    mapped = {name: _engine.Image(image, f"{binary.name}.{name}.observed.{binary.sha256[:16]}") for name, image in made.items()}
    return Observed(binary.name, mapped, tuple(dict.fromkeys(reasons.values())))


def _make(number: int) -> None:
    """For the engine, with the number of its kernel."""
    kernel: Kernel | None = KERNELS.get(number)
    if kernel is None:
        return
    found = kernel.observed()
    for cause in found.unseen:
        _tell(found.name, cause)


def _tell(name: str, cause: str) -> None:
    for words, sentences in _collectors:
        if (sentence := words.format(name=name, cause=cause)) not in sentences:
            sentences.append(sentence)
    sentence = RAW_POINTERS.format(name=name, cause=cause)
    if not _collectors and sentence not in _told:
        _told.add(sentence)
        _log.warning("%s", sentence)


# --- what the scalar unit did, for tests and for a look at one launch


@dataclass(frozen=True, slots=True)
class ScalarRecord:
    """One record of a scalar unit. A plain load or store has the instruction raw_load or raw_store, and the way raw."""

    launch: int
    core: int
    sub: int  # sub-kernel, -1 for none
    instruction: str
    way: str
    memory: str
    address: int
    size_bytes: int
    work: int  # operations of the kernel's own code before it, on that core
    image: bytes | None
    offset: int  # of the call, in the image


@contextmanager
def scalar_log(stream: Stream) -> Iterator[Callable[[], tuple[list[ScalarRecord], int]]]:
    """Logs the launches that are queued on the stream inside. What it gives back is to be called when they have ended: the records, and
    the operations of all cores."""
    log = _engine.ScalarLog()
    stream.native.set_scalar_log(log)
    try:
        yield lambda: ([ScalarRecord(*row) for row in log.rows()], log.work)
    finally:
        stream.native.set_scalar_log(None)


_engine.set_observed_maker(_make)
