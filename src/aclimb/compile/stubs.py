# SPDX-License-Identifier: Apache-2.0
"""The stubs in the assembly of a host part: which kernels, and which instances of kernel templates, host code can launch;
and the assembly that registers them.

Only the compiler knows which instances a program uses, and what a kernel in an unnamed namespace is called. Both stand in
its assembly, as labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import diagnostics
from aclimb.compile.demangle import FunctionName, function_name
from aclimb.compile.device_link import LINKED_IMAGE
from aclimb.compile.host_text import SELF
from aclimb.compile.options import WantedKernel
from aclimb.compile.scan import ScannedKernel
from aclimb.errors import Diagnostic

_SELF = re.compile(rf"\b_ZZ([\w.$]+?)E\d+{SELF}(\d+)\b")
_C_NAME = re.compile(r"\d+(\w+)")


@dataclass(frozen=True, slots=True)
class Stub:
    """A launching function of the host part."""

    own: str  # label of its static
    label: str  # of the function
    name: FunctionName
    kernel: ScannedKernel
    number: int  # of the kernel among those of its line

    @property
    def is_instance(self) -> bool:
        return self.name.function.endswith(">")


def read_stubs(assembly: str, kernels: list[ScannedKernel]) -> list[Stub]:
    found = {}
    for match in _SELF.finditer(assembly):
        own, encoding, number = match[0], match[1], int(match[2])
        if own not in found:
            label = _label(assembly, encoding)
            kernel = kernels[number]
            on_line = [k for k in kernels if (k.file, k.line) == (kernel.file, kernel.line)]
            found[own] = Stub(own, label, function_name(label), kernel, on_line.index(kernel))
    return sorted(found.values(), key=lambda stub: (stub.kernel.file, stub.kernel.line, stub.label))


def _label(assembly: str, encoding: str) -> str:
    """The static of f is _ZZ1fvE..., and f itself is _Z1fv, or f if it is extern "C"."""
    plain = _C_NAME.fullmatch(encoding)
    if plain and re.search(rf"^{re.escape(plain[1])}:", assembly, re.MULTILINE):
        return plain[1]
    return f"_Z{encoding}"


def image_name(stub: Stub, kernels: list[ScannedKernel]) -> str:
    """What the kernel is called in the image: with its types where the name alone does not tell."""
    if is_overloaded(stub, kernels):
        return f"{stub.name.function}({stub.name.types})"
    return stub.name.function if stub.is_instance else stub.kernel.name


def is_overloaded(stub: Stub, kernels: list[ScannedKernel]) -> bool:
    same = [k for k in kernels if k.name == stub.name.base or k.name == stub.kernel.name]
    return len(same) > 1 and "<" not in stub.kernel.function


def wanted_kernels(stubs: list[Stub], kernels: list[ScannedKernel], source: Path) -> tuple[WantedKernel, ...]:
    """What the device part does not define under that very name."""
    found = []
    for stub in stubs:
        overloaded = is_overloaded(stub, kernels)
        if stub.name.is_nameless:
            text = (
                f"{stub.name.function} is launched, and one of its types has no name outside of a function; define the type at namespace"
                " scope, where the code for the AI Core can name it"
            )
            raise diagnostics.from_diagnostics(source, [Diagnostic(stub.kernel.file, stub.kernel.line, 0, "error", text)])
        if stub.is_instance or overloaded:
            place = (stub.kernel.file, stub.kernel.line, stub.number)
            found.append(WantedKernel(image_name(stub, kernels), f"::{stub.name.function}", stub.name.types, overloaded, *place))
    return tuple(found)


def registration(
    assembly: str, stubs: list[Stub], kernels: list[ScannedKernel], source: Path, image: Path | None, size: int, is_linked: bool = True
) -> str:
    """The assembly with the image, the table of its kernels and the unit, which a constructor registers (host_text.py). Without an
    image, the link brings the one of all units, or there is none."""
    for stub in stubs:  # each library keeps its own, and can be closed
        assembly = assembly.replace(f"{stub.own}, @gnu_unique_object", f"{stub.own}, @object")
        assembly = assembly.replace(f"{stub.own}, %gnu_unique_object", f"{stub.own}, %object")
    names = "".join(f".Laclimb_name_{i}:\n\t.asciz {_quoted(image_name(stub, kernels))}\n" for i, stub in enumerate(stubs))
    rows = "".join(f"\t.quad {stub.own}, {stub.label}, .Laclimb_name_{i}\n" for i, stub in enumerate(stubs))
    label = ".Laclimb_image" if image else LINKED_IMAGE if is_linked else "0"
    own = f'\t.section .rodata.aclimb_image,"a"\n\t.balign 16\n{label}:\n\t.incbin {_quoted(str(image))}' if image else ""
    own = own or (f"\t.hidden {label}" if is_linked else "")
    return f"""{assembly.rstrip()}
{own}
\t.section .rodata.aclimb_names,"a"
.Laclimb_source:
\t.asciz {_quoted(str(source))}
{names}\t.section .data.rel.aclimb_unit,"aw"
\t.balign 8
.Laclimb_kernels:
{rows}aclimb_this_unit:
\t.quad .Laclimb_source, {label}, {size}, .Laclimb_kernels, {len(stubs)}, 0
"""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
