# SPDX-License-Identifier: Apache-2.0
"""`with aclimb.profile() as p:` times what is queued inside, on the chip that is asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Literal, get_args

from aclimb import _engine, chips, engine, knobs
from aclimb.chips import Timing
from aclimb.errors import DeviceError, InvalidArgument
from aclimb.runtime import device as devices
from aclimb.runtime.observed import collect_unseen
from aclimb.trace.document import document, write_document
from aclimb.trace.launch import LaunchTiming, read_launches
from aclimb.trace.tables import Tables
from aclimb.trace.what_if import Advice, advice_of

L2 = Literal["cold", "clean-warm", "dirty-warm"]
_UNCOUNTED = "plain C++ of {name} took no time, only its calls did: {cause}"
_lock = threading.Lock()
_open: list[Profile] = []


def is_open() -> bool:
    """Whether somebody in this process records what is queued now."""
    return bool(_open)


class Profile:
    """Times what is queued inside its `with` block on a modelled chip: one `LaunchTiming` a launch, and the slices as tables.

    `set` replaces parameters of the model ({"hbm_gbs": 1200}). `timing_only` leaves the arithmetic out, `sampled` runs one
    block with its share of the bandwidth, `trace=False` keeps sums instead of every slice. `scalar=False` leaves out what plain
    C++ of the kernel takes between its calls, and saves the second build that counts it. `l2` says what a launch finds in
    the L2 cache: nothing (cold), what earlier launches left (clean-warm), or that with its dirty lines (dirty-warm).
    `blocks` gives every launch so many blocks, whatever it asks for.

    Times are of the model: `task_us` from the scheduler's start to the end of the last block, `core_us` the mean over
    the cores. What the model assumes is listed in `assumed`.
    """

    def __init__(
        self,
        *,
        soc: str | None = None,
        set: Mapping[str, float] = MappingProxyType({}),
        timing_only: bool = False,
        sampled: bool = False,
        trace: bool = True,
        scalar: bool = True,
        l2: L2 = "clean-warm",
        limit: str | int = "1 GiB",
        blocks: int | None = None,
    ) -> None:
        self.chip = chips.buildable(soc or knobs.soc())
        self.model: Timing = chips.timing(self.chip.name, set)
        self.overrides = dict(set)
        self.timing_only, self.sampled, self.trace, self.scalar = timing_only, sampled, trace, scalar
        if l2 not in get_args(L2):
            raise InvalidArgument(f"l2 is {l2!r}; it takes {', '.join(get_args(L2))}: what a launch finds in the L2 cache")
        self.l2, self.limit = l2, _bytes(limit)
        if blocks is not None and not (isinstance(blocks, int) and 1 <= blocks <= 65535):
            raise InvalidArgument(f"blocks is {blocks!r}; it takes 1 to 65535, or None for what each launch asks for")
        self.blocks = blocks
        values = {name: self.model.parameters[name].value for name in _engine.timing_parameters()}
        self._native = _engine.Profile(
            values,
            _vector_rows(self.model),
            aic_cores=self.chip.aic_cores,
            aiv_cores=self.chip.aiv_cores,
            l2_start=_engine.L2Start[l2.replace("-", "_")],
            trace=trace,
            timing_only=timing_only,
            sampled=sampled,
            scalar=scalar,
            limit=self.limit,
            blocks=blocks or 0,
        )
        self._uncounted: list[str] = []
        self._collecting = ExitStack()
        self._launches: list[LaunchTiming] | None = None
        self._advice: dict[int, list[Advice]] = {}
        self._tables: Tables | None = None

    # --- while it is open

    def __enter__(self) -> Profile:
        with _lock:
            if _open:
                raise DeviceError("a profile is open already, in this process; close it before the next one begins")
            _open.append(self)
        self._launches = self._tables = None  # opened again, it goes on where it stopped
        found = self._collecting.enter_context(collect_unseen(_UNCOUNTED))
        self._collecting.callback(lambda: self._uncounted.extend(each for each in found if each not in self._uncounted))
        self._native.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the profile, after everything that was queued has run."""
        if self._leave():
            self.settle()

    @contextmanager
    def queueing(self) -> Iterator[None]:
        """As the `with` block of the profile itself, without waiting at its end: `settle` waits, when the numbers are wanted."""
        self.__enter__()
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> bool:
        with _lock:
            if self not in _open:
                return False
            _open.remove(self)
        self._native.close()
        self._collecting.close()
        return True

    def settle(self) -> None:
        """Waits until everything that was recorded has run."""
        for device in devices.opened():
            device.native.wait_idle()
        until = time.monotonic() + 600
        while not self._native.settled and time.monotonic() < until:
            time.sleep(0.001)

    # --- afterwards

    @property
    def launches(self) -> list[LaunchTiming]:
        """The launches in the order they were queued."""
        if self in _open:
            raise DeviceError("the profile is still open; its numbers are complete when the `with` block ends")
        if self._launches is None:
            self._launches = read_launches(self._native)
        return self._launches

    def advice(self, launch: LaunchTiming) -> list[Advice]:
        """What to change about a launch, tried by the model: the largest gain first."""
        if launch.id not in self._advice:
            self._advice[launch.id] = advice_of(self, launch)
        return self._advice[launch.id]

    @property
    def log(self) -> list[dict[str, Any]]:
        """What the streams did: launches, copies, events, callbacks, with start and end in picoseconds."""
        keys = ("stream", "device", "queued", "start", "end", "direction", "bytes", "launch", "label")
        return [{"kind": row.kind.name, **{key: getattr(row, key) for key in keys}} for row in self._native.log]

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers should know."""
        notes = []
        if self._native.cut:
            notes.append(
                f"the recording stopped at {_size(self.limit)}; later instructions are missing. Give a larger limit "
                "(--limit 4G), trace off, or a smaller problem"
            )
        if self.stuck:
            notes.append(
                f"not timed to their end: {', '.join(self.stuck)}. Their blocks wait for blocks that no core is free for; give fewer"
            )
        if self.sampled:
            notes.append("sampled: one block ran, with its share of the bandwidth; the others are assumed to be like it")
            whole = sorted({each.kernel for each in self.launches if len({core.block for core in each.cores}) > 1})
            if whole:
                notes.append(f"all blocks ran, because fused kernels wait for each other: {', '.join(whole)}")
        if self.timing_only:
            full = sorted({each.kernel for each in self.launches if not each.timing_only})
            notes.append("timing only: arithmetic and copies inside the kernels were left out; results are not valid")
            if full:
                notes.append(f"computed in full, because their control flow reads results: {', '.join(full)}")
        notes += self._uncounted if self.scalar else ["plain C++ of the kernels took no time, only their calls did"]
        strays, on_host = (sorted({each.kernel for each in self.launches if each.clock == state}) for state in ("strays", "host"))
        if strays:
            notes.append(f"what they do depends on GetSystemCycle, and the model's times with it: {', '.join(strays)}")
        if on_host:
            notes.append(f"GetSystemCycle was this host's clock, because their control flow reads results: {', '.join(on_host)}")
        return notes

    @property
    def stuck(self) -> list[str]:
        """Kernels whose blocks wait for each other, launched with more blocks than run at once. Their times are too short."""
        return [] if self._native.cut else sorted({each.kernel for each in self.launches if each.cut and not each.failed})

    @property
    def mode(self) -> str:
        return "sampled" if self.sampled else "timing-only" if self.timing_only else "full"

    @property
    def assumed(self) -> dict[str, float]:
        """Parameters of the model that nobody has measured."""
        return {name: row.value for name, row in self.model.parameters.items() if row.grade == "D"}

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """A question in SQL over the tables slice, pipe, stall and launch; times are picoseconds."""
        if self._tables is None:
            self._tables = Tables(self.launches)
        return self._tables.query(sql, values)

    def json(self) -> dict[str, Any]:
        """The whole profile as plain data: what `profile.json` holds."""
        return document(self)

    def save(self, folder: str | Path) -> Path:
        """Writes profile.json into a folder."""
        return write_document(self.json(), Path(folder))


profile = Profile  # `with aclimb.profile() as p:` reads as what it does


def _bytes(limit: str | int) -> int:
    try:
        value = limit if isinstance(limit, int) else knobs.profile_limit.parse(limit)
    except (InvalidArgument, TypeError):
        value = 0
    if value <= 0:
        raise InvalidArgument(f"limit is {limit!r}; it takes bytes above 0, such as '1 GiB'")
    return value


def _size(count: int) -> str:
    return f"{count / 2**20:.0f} MiB" if count >= 2**20 else f"{count} bytes"


def _vector_rows(model: Timing) -> dict[str, tuple[float, float, float]]:
    rows = {}
    for row in engine.instructions():
        if row.time == "repeats":
            rows[row.name] = model.vector["Cast_same_width" if row.call == "Cast" else row.call]
    rows["cast_wide"] = model.vector["Cast_change_width"]
    return {name: (row.b32, row.b16, row.fixed) for name, row in rows.items()}
