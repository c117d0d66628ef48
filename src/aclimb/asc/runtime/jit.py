# SPDX-License-Identifier: Apache-2.0
"""@asc.jit: a Python function that becomes a kernel when it is launched, and part of one when a kernel calls it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from aclimb.asc.codegen.source import FunctionSource
from aclimb.asc.runtime import config
from aclimb.asc.runtime.arguments import MockTensor, MockValue, Parameters, type_of
from aclimb.asc.runtime.compiled import CompiledKernel
from aclimb.asc.runtime.launch import Launcher
from aclimb.asc.runtime.options import NAMES, PLAIN, JitOptions
from aclimb.asc.runtime.reads import Read, fingerprint, reads_of
from aclimb.errors import InvalidArgument

if TYPE_CHECKING:
    from aclimb.asc.runtime.inline import CheckReport, ProfileReport


class CacheInfo(NamedTuple):
    hits: int
    misses: int
    specializations: int


class _Known:
    """A specialisation, and what its text depends on besides the arguments."""

    __slots__ = ("_globals", "_others", "compiled")

    def __init__(self, compiled: CompiledKernel, reads: list[Read]) -> None:
        self.compiled = compiled
        self._globals = [(each.where, each.name, each.value) for each in reads if isinstance(each.where, dict) and each.is_plain_name]
        self._others = [each for each in reads if not isinstance(each.where, dict) or not each.is_plain_name]

    def is_same(self) -> bool:
        """Most are the same objects as before; the rest is looked at more closely."""
        for where, name, value in self._globals:
            if where.get(name) is not value and fingerprint(where.get(name)) != fingerprint(value):
                return False
        return all(read.is_same() for read in self._others)


class JITFunction:
    """kernel[cores](...) launches it; source(), compile(), profile() and check() look at it."""

    def __init__(self, function: FunctionType, options: JitOptions) -> None:
        if not isinstance(function, FunctionType):
            raise RuntimeError(f"@asc.jit was given {function!r}; it takes a function: @asc.jit above a def")
        self.fn = self.__wrapped__ = function
        functools.update_wrapper(self, function)
        self.options = options
        self.parameters = Parameters(function)
        taken = [name for name in self.parameters.names if name in NAMES]
        if taken:
            raise RuntimeError(f"{function.__name__} has a parameter {taken[0]!r}, which is an option of @asc.jit; give it another name")
        self._known: dict[Any, list[_Known]] = {}
        self._last: CompiledKernel | None = None
        self._source: FunctionSource | None = None
        self._hits = self._misses = 0
        self._lock = threading.RLock()

    # --- launching

    def __getitem__(self, brackets: Any) -> Launcher:
        """kernel[8] or kernel[8, stream]: a launcher of its own, which nobody else changes."""
        cores, stream = brackets if isinstance(brackets, tuple) and len(brackets) == 2 else (brackets, None)
        return Launcher(self, cores, stream)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The plain Python function, where device calls raise. With core_num in the decorator: a launch."""
        if self.options.launch.core_num:
            return Launcher(self, self.options.launch.core_num, self.options.launch.stream)(*args, **kwargs)
        return self.fn(*args, **kwargs)

    # --- specialisations

    def asc_source(self) -> FunctionSource:
        if self._source is None:
            self._source = FunctionSource(self.fn)
        return self._source

    def specialise(self, values: list[Any], options: JitOptions, cores: int = 0) -> CompiledKernel:
        """The kernel for these arguments: a known one where all it depends on is as it was."""
        key = (options, config.soc(), *map(self._key, self.parameters.names, values))
        for known in self._known.get(key, ()):
            if not options.compile.always_compile and known.is_same():
                self._hits += 1
                self._last = known.compiled
                return known.compiled
        with self._lock:
            return self._compile(key, values, options)

    def _key(self, name: str, value: Any) -> Any:
        if name in self.parameters.constants:
            return value if type(value) in (int, str, bool) else fingerprint(value)
        if isinstance(value, np.ndarray):
            return value.dtype
        if type(value) is float or (type(value) is int and -2147483648 <= value <= 2147483647):
            return type(value)
        return type_of(value, f"{name} of {self.fn.__name__}")

    def _compile(self, key: Any, values: list[Any], options: JitOptions) -> CompiledKernel:
        types, constants = {}, {}
        for name, value in zip(self.parameters.names, values, strict=True):
            if name in self.parameters.constants:
                constants[name] = self.parameters.constant(name, value)
            else:
                types[name] = type_of(value, f"{name} of {self.fn.__name__}")
        source = self.asc_source()
        made = CompiledKernel(source, types, constants, options, config.soc())
        self._misses += 1
        known = self._known.setdefault(key, [])
        known.insert(0, _Known(made, reads_of(source)))
        del known[8:]
        self._last = made
        return made

    def _split(self, kwargs: dict[str, Any]) -> tuple[dict[str, Any], JitOptions]:
        if not kwargs:
            return kwargs, self.options
        given = {name: value for name, value in kwargs.items() if name in NAMES}
        return {name: value for name, value in kwargs.items() if name not in given}, self.options.with_(given)

    def compile(self, *args: Any, **kwargs: Any) -> CompiledKernel:
        """Compiles for these arguments and launches nothing. asc.float32 stands for an array, MockValue(asc.int32) for a number."""
        rest, options = self._split(kwargs)
        made = self.specialise(self.parameters.bind(args, rest), options)
        _ = made.binary
        return made

    # --- looking at it

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated Ascend C: for these arguments, or of the last launch."""
        return self._asked("source", args, kwargs).source

    def export(self, path: Any, *args: Any, form: str = "launch", **kwargs: Any) -> Any:
        """Writes the generated Ascend C for the chip: for these arguments, or of the last launch."""
        return self._asked("export", args, kwargs).export(path, form=form)

    def profile(self, *args: Any, **kwargs: Any) -> ProfileReport:
        """A launch with its times: profile(x, y, core_num=8)."""
        return self[kwargs.pop("core_num", 0) or self.options.launch.core_num or 1].profile(*args, **kwargs)

    def check(self, *args: Any, **kwargs: Any) -> CheckReport:
        """A launch with what a race detector finds: check(x, y, core_num=8)."""
        return self[kwargs.pop("core_num", 0) or self.options.launch.core_num or 1].check(*args, **kwargs)

    def _asked(self, what: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CompiledKernel:
        if args or kwargs or not self.parameters.names:
            rest, options = self._split(kwargs)
            return self.specialise(self.parameters.bind(args, rest), options)
        if self._last is None:
            call = f"{self.fn.__name__}.{what}"
            raise InvalidArgument(
                f"{call}() shows the last specialisation, and there is none yet; launch it, or give arguments: {call}(asc.float32)"
            )
        return self._last

    @property
    def specializations(self) -> list[CompiledKernel]:
        return [known.compiled for each in self._known.values() for known in each]

    def cache_info(self) -> CacheInfo:
        return CacheInfo(self._hits, self._misses, len(self.specializations))

    def cache_clear(self) -> None:
        self._known.clear()
        self._hits = self._misses = 0

    def __repr__(self) -> str:
        return f"<kernel {self.fn.__name__}{self.parameters.signature}>"


def jit(function: Any = None, **options: Any) -> Any:
    """@asc.jit, or @asc.jit(option=value): a kernel, or a function that kernels call."""
    made = PLAIN.with_(options)
    if function is not None:
        return JITFunction(function, made)
    decorate: Callable[[FunctionType], JITFunction] = lambda each: JITFunction(each, made)  # noqa: E731
    return decorate


__all__ = ["JITFunction", "MockTensor", "MockValue", "jit"]
