# SPDX-License-Identifier: Apache-2.0
"""A device: the modelled chip with its global memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aclimb import _engine, chips, engine, knobs
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.runtime import capturing, counts, isolation
from aclimb.runtime.finish import finish, is_settled

_AIV_MEMORIES = (_engine.Memory.UB,)

_lock = threading.Lock()
_open: dict[tuple[int, str], Device] = {}
_spare: dict[tuple[int, str], list[Device]] = {}  # that stood in for others, see `fresh`; a device keeps its addresses for good


class Device:
    """Device(0) is the first device; asking again gives the same one. `soc` names another chip than ACLIMB_SOC's.

    `strictness` is "strict" or "hardware", for every launch from now on that does not say it itself; without it the device stays as it is,
    at first as ACLIMB_STRICTNESS has it.

    `isolated` runs its kernels in a process of their own that can reach nothing of the host's: for kernels that you do not trust. Ask for
    it the first time the device is opened, before kernels are loaded; without it the device is as ACLIMB_ISOLATED has it.
    """

    index: int
    chip: chips.Chip
    native: _engine.Device
    limits: dict[int, int]  # cores that operators shall use: 0 AIC, 1 AIV
    _queues: dict[int, _engine.Stream]  # in order of creation; a stream that Python forgot stays until its tasks are seen to
    _forgotten: set[int]

    def __new__(cls, index: int = 0, *, soc: str | None = None, strictness: str | None = None, isolated: bool | None = None) -> Device:
        engine.require_own_process()
        chip = chips.buildable(soc or knobs.soc())
        count = knobs.devices()
        if not isinstance(index, int) or not 0 <= index < count:
            raise InvalidArgument(f"device {index!r} does not exist; there are {count} ({knobs.devices.variable}), counted from 0")
        found = cls._opened(index, chip, isolated)
        if isolated is not None and found.isolated != isolated:
            raise InvalidArgument(
                f"device {index} is open already, {'with' if found.isolated else 'without'} isolation; ask for isolated={isolated} "
                "where it is used first"
            )
        if strictness is not None:
            found.strictness = strictness
        return found

    @classmethod
    def known(cls, index: int, soc: str) -> Device | None:
        """One that is open, under the chip's own name: for those who ask before every launch."""
        return _open.get((index, soc))

    @classmethod
    def of_rank(cls, index: int, soc: str | None = None) -> Device:
        """The device of a rank, of which there may be more than ACLIMB_DEVICES."""
        engine.require_own_process()
        return cls._opened(index, chips.buildable(soc or knobs.soc()))

    @classmethod
    def _opened(cls, index: int, chip: chips.Chip, isolated: bool | None = None) -> Device:
        with _lock:
            found = _open.get((index, chip.name))
            if found is None:
                found = _open[index, chip.name] = cls._create(index, chip, isolated)
            return found

    @classmethod
    def _create(cls, index: int, chip: chips.Chip, isolated: bool | None = None) -> Device:
        engine.start()
        self = super().__new__(cls)
        self.index, self.chip, self._queues, self._forgotten = index, chip, {}, set()
        self.limits = {}
        isolated = knobs.isolated() if isolated is None else isolated
        memory = {_engine.Memory[name]: size for name, size in chip.arch.memory.items()}
        self.native = _engine.Device(
            capacity=_capacity(chip),
            aic_cores=chip.aic_cores,
            aiv_cores=chip.aiv_cores,
            aic_memories={each: size for each, size in memory.items() if each not in _AIV_MEMORIES},
            aiv_memories={each: size for each, size in memory.items() if each in _AIV_MEMORIES},
            early_start=chips.support("SetNextTaskStart", chip.family) == "effective",
            isolated=isolated,
        )
        if isolated:
            isolation.start(self.native)
        self.strictness = knobs.strictness()
        counts.count_device(self)
        return self

    @property
    def cores(self) -> tuple[int, int]:
        """How many AICs and AIVs operators shall use, where their stream does not say otherwise."""
        return self.limits.get(0, self.chip.aic_cores), self.limits.get(1, self.chip.aiv_cores)

    @property
    def strictness(self) -> str:
        """Either "strict" or "hardware": whether a mistake that a chip would not notice ends the kernel, or is logged."""
        return self.native.strictness.name

    @strictness.setter
    def strictness(self, value: str) -> None:
        if value not in knobs.strictness.choices:
            raise InvalidArgument(f"strictness is {value!r}; it takes {' or '.join(map(repr, knobs.strictness.choices))}")
        self.native.strictness = _engine.Strictness[value]

    @property
    def isolated(self) -> bool:
        """Whether its kernels run in a process of their own."""
        return self.native.isolated

    @property
    def memory_total(self) -> int:
        """Bytes of global memory that can be allocated."""
        return self.native.capacity

    @property
    def memory_used(self) -> int:
        return self.native.used

    def synchronize(self) -> None:
        """Waits for every stream of this device; raises the first fault, with those of other streams as its notes."""
        capturing.require_no_capture("wait for the device")
        first: AclimbError | None = None
        for key, native in self._queues.copy().items():  # a list would be built pair by pair, and streams may die in between
            try:
                finish(native)
            except AclimbError as error:
                if key in self._forgotten:
                    error.add_note("    its stream was let go before anybody synchronised it")
                if first is None:
                    first = error
                else:
                    first.add_note(f"On another stream: {error.in_full()}")
            if key in self._forgotten:
                self._drop(key)
        self.native.wait_idle()  # of streams that are gone, too: who looks on hears that the host has waited
        if first is not None:
            raise first

    def queues(self) -> list[_engine.Stream]:
        """Those of all streams, in order of creation."""
        return list(self._queues.values())

    def watch(self, native: _engine.Stream) -> None:
        """From now on `synchronize` waits for this stream too."""
        self._queues[id(native)] = native

    def unwatch(self, native: _engine.Stream) -> None:
        """Its Python object is gone. What it still runs, and how that ends, is for the next `synchronize` of the device."""
        if engine.forked():  # nothing ends there any more
            return
        self._forgotten.add(id(native))
        for key in list(self._forgotten):
            found = self._queues.get(key)
            if found is None or is_settled(found):
                self._drop(key)

    def _drop(self, key: int) -> None:
        self._queues.pop(key, None)
        self._forgotten.discard(key)

    def __repr__(self) -> str:
        return f"Device({self.index}, soc={self.chip.name!r})"


def opened() -> list[Device]:
    """The devices that somebody has used so far."""
    with _lock:
        return list(_open.values())


@contextmanager
def fresh(index: int = 0, soc: str | None = None) -> Iterator[Device]:
    """Until the block ends, `Device(index)` of that chip is another one: nothing queued, nothing allocated, settings as at the start."""
    engine.require_own_process()
    chip = chips.buildable(soc or knobs.soc())
    key = index, chip.name
    with _lock:
        before, made = _open.get(key), _unused(index, chip)
        _open[key] = made
    try:
        yield made
    finally:
        with _lock:
            _spare.setdefault(key, []).append(made)
            if before is None:
                del _open[key]
            else:
                _open[key] = before


def _unused(index: int, chip: chips.Chip) -> Device:
    """One that stood in before and has nothing left on it, else a new one."""
    spare = _spare.get((index, chip.name), [])
    for device in spare:
        if not device.memory_used and all(queue.settled for queue in device.queues()):
            spare.remove(device)
            device.limits, device.strictness = {}, knobs.strictness()
            return device
    return Device._create(index, chip)


def _capacity(chip: chips.Chip) -> int:
    host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return knobs.device_memory() or min(chip.device_memory, host // 2)
