# SPDX-License-Identifier: Apache-2.0
"""`op.load`: a library of operators, registered while it is open."""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from aclimb import chips, knobs
from aclimb.compile.options import Options
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.declare.impl import OpImpl
from aclimb.op.declare.kernel import KernelSource
from aclimb.op.declare.register import OpImplRegisterV2
from aclimb.op.declare.registry import OpImplRegistry
from aclimb.op.declare.space import default_space_registry
from aclimb.op.declare.tiling_structs import TilingClass
from aclimb.op.native import wire
from aclimb.op.native.c_api import offer_c_api
from aclimb.op.native.callbacks import Callbacks
from aclimb.op.native.door import DOOR
from aclimb.op.native.kernel_files import KernelFiles, Kernels, identity
from aclimb.op.native.layout import host_library, kernel_folder
from aclimb.op.native.prototype import LoadedOperator, operator_of

_FUNCTION = "aclimb_op_library"
_lock = threading.RLock()
_open: dict[_Key, Library] = {}
_mapped: dict[Path, tuple[str, ctypes.CDLL]] = {}  # for good: C++ code cannot be taken out safely

_Key = tuple[Path, str, Any]  # the host library, the chip, what says where kernels are: two packages may have the same host code


class Library:
    """What `op.load` gives: `library["AddCustom"]` is an operator. `close()`, or leaving its `with` block, takes it back."""

    def __init__(self, path: Path, key: _Key, file: ctypes.CDLL, kernels: Kernels | None) -> None:
        self.path, self._key = path, key
        self._file, self.record = file, _record(path, file)
        self.record.connect(ctypes.byref(DOOR))
        described = json.loads(self.record.description)
        self.tiling_classes = tuple(TilingClass.of(each) for each in described["tiling_classes"])
        self.types: tuple[str, ...] = tuple(row["type"] for row in described["operators"])
        self._rows: dict[str, Mapping[str, Any]] = {row["type"]: row for row in described["operators"] if "prototype" in row}
        self.operators: dict[str, LoadedOperator] = {op_type: self.declared(op_type, knobs.soc()) for op_type in self._rows}
        self._registry = OpImplRegistry()
        for index, row in enumerate(described["operators"]):
            self._register(index, row)
        tiled = [row for row in described["operators"] if not row["execute"] and not row["two_stage"]]  # others launch kernels themselves
        self._kernels = [KernelFiles(self, each, kernels) for row in tiled if (each := self.operators.get(row["type"])) is not None]
        self._look_for_kernels()

    def declared(self, op_type: str, soc: str) -> LoadedOperator:
        """An operator as it is declared for a chip, and no more than that."""
        return operator_of(self._rows[op_type], str(self.path), chips.load(soc))

    def _look_for_kernels(self) -> None:
        """Again, too: kernels may be built anew while the library is open, host code cannot."""
        for each in self._kernels:
            each.give()

    def source(self, operator: LoadedOperator, path: Path, include_dirs: tuple[Path, ...], options: Options | None = None) -> KernelSource:
        """A kernel's source, with the tiling data that the host code has for it."""
        return KernelSource(path, operator.type, self.tiling_classes, include_dirs, options)

    def _register(self, index: int, row: Mapping[str, Any]) -> None:
        builder = OpImplRegisterV2(row["type"], self._registry)
        impl, callbacks = builder._set, Callbacks(self, index)
        operator = self.operators.get(row["type"])
        if operator is not None:
            operator._fill(impl)
            operator._own = self._registry
        for stage in ("infer_shape", "infer_shape_range", "infer_data_type", "tiling"):
            if row[stage]:
                setattr(impl, stage, getattr(callbacks, stage))
        if row["tiling"]:
            classes = [each.size for each in self.tiling_classes if each.is_of(row["type"])]
            impl.max_tiling_data_size = max([row["max_tiling_data_size"], *classes])
        if row["tiling_parse"]:
            impl.tiling_parse, impl.compile_info = callbacks.tiling_parse, callbacks.make_compile_info
        if row["execute"]:
            impl.op_execute_func = callbacks.execute
        if row["two_stage"]:
            impl.prepare, impl.launch = callbacks.prepare, callbacks.launch
        impl.null_stages = row.get("null_stages", 0)  # a library of an older aclimb does not say
        _add_masks(impl, row)
        builder.commit()

    def __getitem__(self, op_type: str) -> LoadedOperator:
        if op_type not in self.operators:
            known = ", ".join(self.operators) or "none"
            other = " It registers functions for it, and no OpDef: op.run calls it." if op_type in self.types else ""
            raise KeyError(f"{self.path.name} declares no operator {op_type!r}; it has {known}.{other}")
        return self.operators[op_type]

    def __iter__(self) -> Iterator[LoadedOperator]:
        return iter(self.operators.values())

    def __len__(self) -> int:
        return len(self.operators)

    def close(self) -> None:
        """Its operators are no longer registered, and what its functions made is deleted. A second time does nothing."""
        with _lock:
            if _open.get(self._key) is not self:
                return
            del _open[self._key]
            default_space_registry().remove_registry(self._registry)
        for operator in self.operators.values():
            operator._own = None
            operator._close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Library {self.path.name}: {', '.join(self.types)}>"


def load(path: str | os.PathLike[str], *, kernels: Kernels | None = None) -> Library:
    """Registers what a shared library with C++ host code declares: OpDef, OpImplRegisterV2. Loaded again it is the same object, with the
    kernels that lie there now.

    `kernels` says what tiling launches: a folder with `add_custom.cpp`, `.asc` or `.o` for AddCustom, or for each type what
    `Operator.kernel` takes. `path` may be the folder of a package, as `aclimb op build` makes one: then it has both. Of several libraries
    that register the same function of a type, the first one counts for who names the type alone; `library["AddCustom"]` is its own.
    """
    found = Path(path).resolve()
    if found.is_dir():
        found, kernels = host_library(found), kernel_folder(found) if kernels is None else kernels
    if not found.is_file():
        raise InvalidArgument(f"{path} is not a file; it takes a shared library, which is made of op_host sources with aclimb's headers")
    found = found.resolve()
    digest = hashlib.sha256(found.read_bytes()).hexdigest()
    with _lock:
        file, key = _map(found, digest), (found, knobs.soc(), identity(kernels))
        library = _open_one(key)
        if library is not None:
            library._look_for_kernels()
            return library
        library = Library(found, key, file, kernels)
        for op_type in library.operators:
            there = OpImplRegistry.instance().get(op_type)
            if there is not None and there.prototype is not None:
                raise AclimbError(f"{op_type} is registered already, at {there.prototype._where}; {found.name} has another one. Unregister "
                                  "the first")  # fmt: skip
        default_space_registry().add_registry(library._registry)
        _open[key] = library
    return library


def _open_one(key: _Key) -> Library | None:
    """Who says nothing about kernels means the library that is open, whichever it has."""
    same = (library for other, library in _open.items() if other[:2] == key[:2]) if key[2] is None else iter(())
    return _open.get(key) or next(same, None)


def _map(path: Path, digest: str) -> ctypes.CDLL:
    before = _mapped.get(path)
    if before is not None:
        if before[0] != digest:
            raise AclimbError(f"{path} has changed since it was loaded, and C++ code cannot be replaced in a running process: start a new "
                              "one, or give the library another name")  # fmt: skip
        return before[1]
    try:
        offer_c_api(path)
        made = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be loaded: {error}") from None
    _mapped[path] = (digest, made)
    return made


def _record(path: Path, file: ctypes.CDLL) -> wire.LibraryRecord:
    function = getattr(file, _FUNCTION, None)
    if function is None:
        raise InvalidArgument(f"{path} declares no operators: it has no {_FUNCTION}, which register/op_impl_registry.h and "
                              "register/op_def_registry.h of aclimb bring along")  # fmt: skip
    function.restype = ctypes.POINTER(wire.LibraryRecord)
    record: wire.LibraryRecord = function().contents
    if record.version != wire.VERSION:
        raise InvalidArgument(f"{path} was built with headers of version {record.version}; this aclimb has {wire.VERSION}: build it again")
    return record


def _add_masks(impl: OpImpl, row: Mapping[str, Any]) -> None:
    """To what the prototype said."""
    for name in ("inputs_data_dependency", "tiling_inputs_data_dependency", "tiling_placements", "host_inputs",
                 "output_shape_depend_on_compute", "nullable_outputs"):  # fmt: skip
        setattr(impl, name, getattr(impl, name) | row[name])
    if row["private_attrs"]:
        impl.private_attrs = [(name, default[0] if default else None) for name, *default in row["private_attrs"]]


@atexit.register
def _close_all() -> None:
    """Compile info and prepared params are deleted by their libraries, while there is a Python to do it."""
    for library in list(_open.values()):
        library.close()
