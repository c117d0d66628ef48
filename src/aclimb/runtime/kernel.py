# SPDX-License-Identifier: Apache-2.0
"""A kernel of an operator binary, mapped and ready to launch."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Any

from aclimb import _engine, engine
from aclimb.binary import KernelBinary
from aclimb.errors import AbiMismatch, InvalidArgument, InvalidBinary
from aclimb.flow import KernelInfo, KernelType
from aclimb.runtime import counts, fused, isolation, observed
from aclimb.runtime.graph import KERNELS

if TYPE_CHECKING:
    from aclimb.runtime.device import Device

_Kind = _engine.ParameterKind
_KINDS = {"pointer": _Kind.pointer, "int": _Kind.sint, "uint": _Kind.uint, "float": _Kind.real, "bool": _Kind.boolean,
          "struct": _Kind.structure}  # fmt: skip
_SMALL_FLOATS = {"half": _Kind.half, "bfloat16": _Kind.bfloat16}
_log = logging.getLogger("aclimb")
_told: set[tuple[str, str]] = set()  # (binary, family of the device) that was warned of
_parameter_names: dict[str, dict[int, str]] = {}  # of the last kernel of each name


class Kernel:
    """`Kernel(binary)` for a binary with one kernel, else `Kernel(binary, "add_custom")`.

    `binary` is a KernelBinary, or the path of a .o file. Every Kernel maps the images anew: two of them share no variables.
    """

    def __init__(self, binary: KernelBinary | str | os.PathLike[str], name: str | None = None) -> None:
        engine.require_own_process()
        self.binary = binary if isinstance(binary, KernelBinary) else KernelBinary.read(binary)
        self._set(Images(self.binary), *self._choose(name))
        counts.count("binaries", self)

    @classmethod
    def of(cls, binary: KernelBinary, images: Images, info: KernelInfo, tiling_key: int | None) -> Kernel:
        """A kernel on images that are mapped already, and counted elsewhere."""
        self = cls.__new__(cls)
        self.binary = binary
        self._set(images, info, tiling_key)
        return self

    def _set(self, images: Images, info: KernelInfo, tiling_key: int | None) -> None:
        self.info, self.tiling_key, self._images = info, tiling_key, images
        self._natives: dict[int | None, _engine.Kernel] = {}
        self._observed: observed.Observed | None = None
        self._lock = threading.Lock()
        self.requests: dict[tuple[Device, int, int | None, str | None, int], _engine.LaunchRequest] = {}  # that were checked already

    @property
    def name(self) -> str:
        return self.info.name

    def native(self, tiling_key: int | None) -> _engine.Kernel:
        """The engine's kernel for a tiling key: the key may change the kernel type."""
        found = self._natives.get(tiling_key)
        if found is None:
            with self._lock:
                found = self._natives[tiling_key] = self._bind(tiling_key, self._images.all)
                KERNELS[found.number] = self
                _parameter_names[self.name] = {each.offset // 8: each.name for each in self.info.parameters}
                self._observe(tiling_key)
        return found

    def observed(self) -> observed.Observed:
        """From now on, launches that somebody looks at closely run images of the same source that tell of plain loads and stores too, and
        count the work of the scalar unit. They are built the first time; what cannot be is in the answer."""
        with self._lock:
            if self._observed is None:
                self._observed = observed.build(self.binary, list(self._images.all))
                for tiling_key in self._natives:
                    self._observe(tiling_key)
            return self._observed

    def _observe(self, tiling_key: int | None) -> None:
        found = self._observed
        if found is not None and found.images:
            self._natives[tiling_key].observe(self._bind(tiling_key, self._images.all | found.images), whole=found.is_whole)

    def use_on(self, device: Device) -> None:
        """Before a launch on a device: says once that a binary was built for another product."""
        record, chip = self.binary.record, device.chip
        if record.family == chip.family or (self.binary.sha256, chip.family) in _told:
            return
        _told.add((self.binary.sha256, chip.family))
        _log.warning(
            "%s.o was built for %s (Atlas %s) and runs on %s (Atlas %s), which may do things differently; build it with soc=%r",
            self.binary.name, record.soc, record.family, chip.name, chip.family, chip.name,
        )  # fmt: skip

    def _choose(self, name: str | None) -> tuple[KernelInfo, int | None]:
        if name is not None:
            return self.binary.find(name)
        if len(self.binary.kernels) != 1:
            raise InvalidArgument(
                f"{self.binary.name}.o has {len(self.binary.kernels)} kernels; name one of {', '.join(self.binary.kernel_names)}"
            )
        return self.binary.kernels[0], None

    def _bind(self, tiling_key: int | None, images: dict[str, _engine.Image]) -> _engine.Kernel:
        info, plan = self.info, self.binary.plan
        if plan is not None:
            return fused.bind(self.binary, plan, images, _parameters(info), _bind_one)
        kind = info.type_for(tiling_key)
        return _bind_one(info, kind, images.get("aic") if kind.has_aic else None, images.get("aiv") if kind.has_aiv else None)

    def __repr__(self) -> str:
        return f"<Kernel {self.info.signature} {self.info.kernel_type.name}>"


def _bind_one(info: KernelInfo, kind: KernelType, aic: Any, aiv: Any) -> _engine.Kernel:
    prints = info.prints or info.dumps_tensors
    try:
        return _engine.Kernel(
            info.name, kind, aic, aiv, info.entry, _parameters(info),
            in_block_order=info.float_atomics, prints=prints, asserts=info.asserts, reads_clock=info.reads_clock,
        )  # fmt: skip
    except RuntimeError as error:
        raise InvalidBinary(f"kernel {info.name} cannot be launched: {error}; build it again with `aclimb build`") from error


def _parameters(info: KernelInfo) -> list[_engine.Parameter]:
    return [_engine.Parameter(_SMALL_FLOATS.get(p.type, _KINDS[p.kind]), p.size, p.offset) for p in info.parameters]


def parameter_names(kernel: str) -> dict[int, str]:
    """By word of the argument block; also of a kernel that is gone, for messages that come later."""
    return _parameter_names.get(kernel, {})


class Images:
    """The images of a binary, mapped privately."""

    def __init__(self, binary: KernelBinary) -> None:
        _require_rows(binary)
        self.all: dict[str, _engine.Image] = {name: _map(binary, name) for name in binary.images}


def _require_rows(binary: KernelBinary) -> None:
    """A kernel names instructions by their row: the engine has to have the rows it was built with."""
    rows = binary.record.rows
    if rows is None or _engine.rows_fingerprint(rows.known) == rows.fingerprint:
        return
    known = len(_engine.instructions())
    differs = f"this engine knows {known}: it comes from a newer aclimb" if rows.known > known else "the first of this engine are others"
    raise AbiMismatch(
        f"{binary.name}.o was built with {rows.known} instructions; {differs}; "
        "build it again with `aclimb build`, or update aclimb (in a checkout: `make setup`)"
    )


def _map(binary: KernelBinary, core: str) -> _engine.Image:
    isolation.expect(binary.images[core])
    try:
        return _engine.Image(binary.images[core], f"{binary.name}.{core}.{binary.sha256[:16]}")
    except RuntimeError as error:
        raise InvalidBinary(f"the {core} image of {binary.name}.o cannot be mapped: {error}; build it again with `aclimb build`") from error
