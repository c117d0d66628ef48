# SPDX-License-Identifier: Apache-2.0
"""The passes of a build. AIC and AIV see the same source with other macros, so a split kernel is compiled twice, into
two images."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from aclimb.compile.options import WantedKernel
from aclimb.compile.scan import Scan, ScannedKernel
from aclimb.compile.tokens import normalise, spell, split, tokens_of
from aclimb.errors import CompileError

# Words that only a source with work for the cube core contains. A needless AIC pass costs time and no more: its image
# is dropped.
_CUBE_WORDS = re.compile(
    r"\b(?:Mmad\w*|Fixpipe\w*|LoadData\w*|Matmul\w*|Nd2Nz\w*|DataCopyCO12DstParams|g_coreType|ASCEND_IS_(?:NOT_)?AI[CV]"
    r"|__DAV_C220_CUBE__|__DAV_CUBE__|KERNEL_TYPE_MIX_AIC\w*|KERNEL_TYPE_AIC_ONLY|aclimb_cube|InitConstValue"
    r"|(?:TPosition|QuePosition)::(?:A1|A2|B1|B2|C1|C2|CO1|CO2|C2PIPE2GM)|Hardware::(?:L1|L0A|L0B|L0C|BIAS|FIXBUF))\b|\baclimb_mix 1\b"
)


@dataclass(frozen=True, slots=True)
class CorePass:
    name: str  # of the image
    core_type: int  # CoreType of abi.h
    macros: tuple[str, ...]  # that only this pass has

    def defines(self) -> list[str]:
        return [
            *(f"-D{macro}=1" for macro in self.macros),
            "-D__CCE__=1",
            "-D__CCE_AICORE__=220",
            "-D__NPU_ARCH__=2201",
            f"-DACLIMB_CORE_TYPE={self.core_type}",
        ]

    @property
    def macro(self) -> str:
        return self.macros[0]

    def wants(self, kernel: ScannedKernel) -> bool:
        """Whether the kernel's qualifier lets it run on this sort of core."""
        if "vector" in kernel.annotations:
            return self is AIV
        if "cube" in kernel.annotations:
            return self is AIC
        shares = kernel.annotations.get("mix", "1 1").split()
        return shares[0 if self is AIC else 1] != "0" if len(shares) == 2 else True


AIV = CorePass("aiv", 2, ("__DAV_C220_VEC__", "__DAV_VEC__"))
AIC = CorePass("aic", 1, ("__DAV_C220_CUBE__", "__DAV_CUBE__"))


def needs_aic(text: str) -> bool:
    """`text`: of the user's files, before and after the preprocessor."""
    return bool(_CUBE_WORDS.search(text))


def needs_aiv(scan: Scan) -> bool:
    """Always, unless every kernel says that it has no vector side."""
    kernels = [*scan.kernels, *(kernel for kernel, _ in scan.templates)]
    return not kernels or any(AIV.wants(kernel) for kernel in kernels)


@dataclass(frozen=True)
class KernelEntry:
    """A kernel as the wrapper names it."""

    kernel: ScannedKernel
    symbol: str
    pointer: str = ""  # the function, where its name alone does not say which

    @property
    def name(self) -> str:
        return self.kernel.name

    @property
    def key_arguments(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Where template arguments are the tiling key: those of each."""
        return ()

    @property
    def qualified(self) -> str:
        """The kernel and nothing else of its name: intrinsics are found through a using-directive, which such a name does not ask."""
        return f"::{self.name}"

    def wrapper_line(self, workspace_from_end: int = 0) -> str:
        return self.in_place(f"ACLIMB_KERNEL({self.symbol}, {self.workspace(workspace_from_end)}, {self.pointer or self.qualified})")

    def workspace(self, from_end: int) -> int:
        """Which parameter begins with the system workspace, 1 for the last and 0 for none: the one that is marked, else this one."""
        found = int(self.kernel.annotations.get("workspace", from_end))
        return found if found <= len(self.kernel.parameters) else 0

    def in_place(self, line: str) -> str:
        """Inside the kernel's own namespaces, so that template arguments mean what they mean there; at its own line for
        messages."""
        for name in reversed([name for name in self.kernel.namespaces if name]):
            line = f"namespace {name} {{ {line} }}"
        place = f'#line {self.kernel.line} "{self.kernel.file}"\n' if self.kernel.file else ""
        return place + line


def entries(scan: Scan, instances: tuple[str, ...], wanted: tuple[WantedKernel, ...] = ()) -> list[KernelEntry]:
    """Kernels, explicit instances in the source, and the instances that were asked for."""
    overloaded = {each.name.partition("(")[0] for each in wanted if each.is_overloaded}
    found = [kernel for kernel in scan.kernels if kernel.name not in overloaded]
    for text in instances:
        kernel = _instantiate(scan, normalise(text))
        if kernel is not None and all(k.name != kernel.name for k in found):
            found.append(kernel)
    by_name: dict[str, ScannedKernel] = {}
    for kernel in found:
        if kernel.name in by_name:
            raise CompileError(
                f"two kernels are called {kernel.name}, at line {by_name[kernel.name].line} and line"
                f" {kernel.line} of {kernel.file};"
                " a launch finds a kernel by its name: rename one"
            )
        by_name[kernel.name] = kernel
    own = [KernelEntry(_with_arguments(scan, kernel), symbol_of(kernel.name)) for kernel in found]
    return own + [entry for each in wanted if each.name not in by_name and (entry := _wanted_entry(scan, each)) is not None]


def _wanted_entry(scan: Scan, wanted: WantedKernel) -> KernelEntry | None:
    """None where this pass does not define it."""
    defined = [*scan.kernels, *(template for template, _ in scan.templates)]
    here = [kernel for kernel in defined if (kernel.file, kernel.line) == (wanted.file, wanted.line)]
    here = [kernel for kernel in here if kernel.tokens[1] != kernel.tokens[2]]
    if wanted.number >= len(here):
        return None
    definition = here[wanted.number]
    types = [spell(part) for part in split(list(tokens_of(wanted.types)))]
    names = [name for _, name in definition.parameters] + [""] * len(types)
    parameters = tuple(zip(types, names, strict=False))
    kernel = ScannedKernel((), wanted.name, parameters, definition.annotations, definition.file, definition.line)
    pointer = f"*static_cast<void (*)({wanted.types})>(&{wanted.function})" if wanted.is_overloaded else wanted.function
    return KernelEntry(kernel, symbol_of(wanted.name), pointer)


def _instantiate(scan: Scan, wanted: str) -> ScannedKernel | None:
    base, _, arguments = wanted.partition("<")
    for template, _names in scan.templates:
        if base in (template.name, template.function):
            return ScannedKernel(
                template.namespaces,
                f"{template.function}<{arguments}",
                template.parameters,
                template.annotations,
                template.file,
                template.line,
            )
    return None


def _with_arguments(scan: Scan, kernel: ScannedKernel) -> ScannedKernel:
    """An instance with the template's parameter names and qualifiers, and the arguments in place of T."""
    base, _, rest = kernel.function.partition("<")
    for template, names in scan.templates:
        if template.function != base or template.namespaces != kernel.namespaces or not rest:
            continue
        values = dict(zip(names, _split_arguments(rest[:-1]), strict=False))
        parameters = tuple((_replace(kind, values), name) for kind, name in template.parameters)
        return ScannedKernel(
            kernel.namespaces,
            kernel.function,
            parameters,
            {**template.annotations, **kernel.annotations},
            template.file,
            template.line,
        )
    return kernel


def _split_arguments(text: str) -> list[str]:
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<({") - (letter in ">)}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _replace(kind: str, values: dict[str, str]) -> str:
    return re.sub(r"\w+", lambda match: values.get(match[0], match[0]), kind)


def symbol_of(name: str) -> str:
    """A C name for a kernel; unchanged where the kernel has one already."""
    plain = re.sub(r"\W+", "_", name).strip("_")
    return plain if plain == name else f"{plain}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
