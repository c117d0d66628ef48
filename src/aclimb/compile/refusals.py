# SPDX-License-Identifier: Apache-2.0
"""Sources that compile and still are no operator binary: no kernel, no such template, a side that is missing."""

from __future__ import annotations

from pathlib import Path

from aclimb.compile.kernels import PassResult
from aclimb.compile.passes import AIC, AIV, KernelEntry
from aclimb.errors import CompileError
from aclimb.flow import KernelInfo, KernelType


def check_sides(kernel: KernelInfo, types: list[KernelType], passes: dict[str, PassResult]) -> None:
    """A kernel has to be there for each sort of core that its types have."""
    for core_pass, is_used in ((AIV, any(kind.has_aiv for kind in types)), (AIC, any(kind.has_aic for kind in types))):
        core = core_pass.name
        names = [entry.name for entry in passes[core].entries] if core in passes else []
        if is_used and kernel.name not in names:
            raise CompileError(
                f"kernel {kernel.name} is {kernel.kernel_type.name}, which has an {core.upper()} side, and the source does not define it"
                f" in the {core.upper()} pass ({core_pass.macro}); define it there too, or choose a kernel type without that side"
            )


def check_names(entries: list[KernelEntry]) -> None:
    """Of all sources of a binary; those of one source are looked at where they are found."""
    known: dict[str, KernelEntry] = {}
    for entry in entries:
        first, kernel = known.setdefault(entry.name, entry).kernel, entry.kernel
        if first is not kernel and first.file != kernel.file:
            raise CompileError(
                f"two kernels are called {entry.name}, at {first.file}:{first.line} and {kernel.file}:{kernel.line};"
                " a launch finds a kernel by its name: rename one"
            )


def no_kernel(source: Path, templates: list[str]) -> CompileError:
    if templates:
        return CompileError(
            f"{source.name} has only kernel templates ({', '.join(templates)}) and no instance of them; name one with"
            f" instances=[\"{templates[0]}<float>\"] or --instance '{templates[0]}<float>'"
        )
    return CompileError(
        f'{source.name} has no kernel; a kernel is a function such as extern "C" __global__ __aicore__ void f(GM_ADDR x) at namespace scope'
    )


def check_instances(instances: tuple[str, ...], kernels: tuple[KernelInfo, ...], source: Path, templates: list[str]) -> None:
    for wanted in instances:
        base = wanted.partition("<")[0].strip()
        if not any(kernel.name.partition("<")[0].endswith(base) for kernel in kernels):
            known = f"it has {', '.join(sorted(templates))}" if templates else "it has none"
            raise CompileError(f"instance {wanted} was asked for, and {source.name} has no kernel template {base}; {known}")


def no_key(source: Path) -> CompileError:
    return CompileError(
        f"{source.name} has conditions of the preprocessor on TILING_KEY_VAR and names no key; name its keys with TILING_KEY_IS(number)"
        ' in the kernel, or fix one with defines={"TILING_KEY_VAR": 1}'
    )


def struct_by_key(kernel: str) -> CompileError:
    return CompileError(
        f"kernel {kernel} asks the preprocessor for TILING_KEY_VAR and takes its tiling struct by key (REGISTER_TILING_FOR_TILINGKEY with"
        " GET_TILING_DATA); read the struct of each key with GET_TILING_DATA_WITH_STRUCT(Struct, name, pointer) in its branch"
    )


def for_clang(error: CompileError, *, is_asked: bool) -> CompileError:
    """`is_asked`: ACLIMB_CXX names g++, so no other compiler is tried."""
    way = "unset ACLIMB_CXX, or set it to clang++ or zig" if is_asked else "install clang++, or `pip install ziglang`"
    return CompileError(f"{error}\nclang takes it: {way}; or move the specialisation behind the class", error.diagnostics)


def key_beside_host(source: Path) -> CompileError:
    return CompileError(
        f"{source.name} has host code and conditions of the preprocessor on TILING_KEY_VAR; an operator project has them apart: put the"
        " kernel into a file of its own"
    )
