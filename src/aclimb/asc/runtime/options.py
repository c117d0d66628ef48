# SPDX-License-Identifier: Apache-2.0
"""Options of @asc.jit, which a call may give too."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from aclimb.asc.runtime.config import KernelType


@dataclass(frozen=True)
class CodegenOptions:
    """What the compiler of Python does."""

    capture_exceptions: bool = True
    ir_multithreading: bool = True
    run_passes: bool = True
    print_ir_before_all: bool = False
    strip_loc: bool = False
    debug: bool = False
    verify_sync: bool = False


@dataclass(frozen=True)
class CompileOptions:
    """What the builder of Ascend C does."""

    kernel_type: KernelType | None = None
    opt_level: int = 3
    auto_sync: bool = True
    auto_sync_log: str = ""
    insert_sync: bool | None = None
    bisheng_options: tuple[str, ...] | None = None
    always_compile: bool = False
    matmul_cube_only: bool = False


@dataclass(frozen=True)
class LaunchOptions:
    """What a launch takes where its brackets do not say it."""

    core_num: int = 0
    stream: Any = None


NAMES = tuple(field.name for kind in (CodegenOptions, CompileOptions, LaunchOptions) for field in fields(kind))


@dataclass(frozen=True, eq=False)
class JitOptions:
    """All of them. Equal ones are one object, so that launches compare them by identity."""

    codegen: CodegenOptions = CodegenOptions()
    compile: CompileOptions = CompileOptions()
    launch: LaunchOptions = LaunchOptions()

    def with_(self, given: dict[str, Any]) -> JitOptions:
        """These, with some changed. An unknown one is an error."""
        if not given:
            return self
        key = (self, repr(sorted(given.items(), key=lambda each: each[0])))
        found = _made.get(key)
        if found is None:
            found = _made[key] = self._with(given)
        return found

    def _with(self, given: dict[str, Any]) -> JitOptions:
        for name in given:
            if name not in NAMES:
                raise RuntimeError(f"@asc.jit has no option {name!r}; there are {', '.join(NAMES)}")
        if given.get("opt_level", 3) not in (0, 1, 2, 3):
            raise RuntimeError(f"opt_level is {given['opt_level']!r}; it takes 0, 1, 2 or 3")
        if "bisheng_options" in given and given["bisheng_options"] is not None:
            given = given | {"bisheng_options": tuple(given["bisheng_options"])}
        parts = {}
        for part in ("codegen", "compile", "launch"):
            own = getattr(self, part)
            parts[part] = replace(own, **{name: value for name, value in given.items() if name in {field.name for field in fields(own)}})
        return JitOptions(**parts)


PLAIN = JitOptions()
_made: dict[tuple[JitOptions, str], JitOptions] = {}
