# SPDX-License-Identifier: Apache-2.0
"""Kernel templates whose arguments are the tiling key: ASCENDC_TPL_ARGS_DECL and ASCENDC_TPL_SEL.

The declaration gives each template parameter a width and its values; a key is the encoded values side by side, the first
parameter in the lowest bits. A parameter of kind UINT is encoded as the position in its list, every other as its value. The
selection says which combinations exist: these are the instances, and one kernel calls each for its key.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from aclimb.compile.options import Options
from aclimb.compile.passes import KernelEntry, symbol_of
from aclimb.compile.scan import Scan, ScannedKernel
from aclimb.compile.template_arguments import Call, Selection, TemplateParameter, number, parameter_of, selection_of, texts_in
from aclimb.errors import CompileError


@dataclass(frozen=True)
class Instance:
    key: int
    arguments: tuple[str, ...]  # as C++ writes them
    kernel_type: int | None
    struct: str | None


@dataclass(frozen=True)
class TemplateEntry(KernelEntry):
    """A kernel template that is one kernel with a key for each instance."""

    instances: tuple[Instance, ...] = ()

    @property
    def key_arguments(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        return tuple((each.key, each.arguments) for each in self.instances)

    def function(self, instance: Instance) -> str:
        return f"{self.qualified}<{', '.join(instance.arguments)}>"

    def wrapper_line(self, workspace_from_end: int = 0) -> str:
        workspace = self.workspace(workspace_from_end)
        calls = "; ".join(f"ACLIMB_CALL_INSTANCE({each.key}ull, {workspace}, {self.function(each)})" for each in self.instances)
        return self.in_place(f"ACLIMB_ENTRY({self.symbol}, {self.kernel_types()}{calls}, {self.function(self.instances[0])})")

    def kernel_types(self) -> str:
        kinds = {each.kernel_type for each in self.instances}
        if len(kinds) == 1:
            (kind,) = kinds
            return "" if kind is None else f"KERNEL_TASK_TYPE_DEFAULT({kind}); "
        return "".join(f"KERNEL_TASK_TYPE({each.key}ull, {each.kernel_type}); " for each in self.instances)


def entries(found: Scan, options: Options, launched: set[str] | None = None) -> list[KernelEntry]:
    """The kernel templates of a source that declares template arguments. One that was asked for by `instances`, or that the host part
    launches (`launched`), is left alone."""
    texts = [Call.of(each) for each in texts_in(found.tokens)]
    declarations = [each for each in texts if each.name == "args_decl"]
    asked = {each.partition("<")[0].strip().rpartition("::")[2] for each in options.instances} | (launched or set())
    templates = [(kernel, names) for kernel, names in found.templates if kernel.function not in asked]
    if not declarations or not templates:
        return []
    selections = [each for each in texts if each.name == "sel"]
    made = []
    for kernel, names in templates:
        declaration = _declaration_of(kernel, names, declarations)
        if declaration is None:
            continue
        parameters = tuple(parameter_of(each) for each in declaration.calls())
        if len(parameters) != len(names):
            raise CompileError(
                f"kernel template {kernel.name} has {len(names)} parameters, and ASCENDC_TPL_ARGS_DECL({declaration.words[0]}, ...)"
                f" declares {len(parameters)}; they are the same parameters in the same order"
            )
        instances = _instances(kernel, parameters, selections, dict(options.defines))
        made.append(TemplateEntry(kernel, symbol_of(kernel.name), instances=instances))
    return list(made)


def _declaration_of(kernel: ScannedKernel, names: tuple[str, ...], declarations: list[Call]) -> Call | None:
    """That of the operator which the kernel is called after, AddCustom and add_custom; else the only one, where it fits."""
    plain = kernel.function.replace("_", "").lower()
    named = [each for each in declarations if each.words[0].replace("_", "").lower() == plain]
    fitting = [each for each in declarations if len(list(each.calls())) == len(names)]
    return named[0] if named else fitting[0] if len(declarations) == 1 and fitting else None


def _instances(
    kernel: ScannedKernel, parameters: tuple[TemplateParameter, ...], selections: list[Call], defines: dict[str, str]
) -> tuple[Instance, ...]:
    if sum(each.bits for each in parameters) > 64:
        raise CompileError(
            f"the template parameters of {kernel.name} have {sum(each.bits for each in parameters)} bits; a tiling key has 64"
        )
    wanted = defines.get("DETERMINISTIC_MODE", "0") != "0"
    found: dict[int, Instance] = {}
    for call in (each for selection in selections for each in selection.calls()):
        selection = selection_of(call, parameters)
        if selection.deterministic not in (None, wanted):
            continue
        for values in itertools.product(*selection.values):
            if _is_of_this_build(values, parameters, kernel, defines):
                instance = _instance(values, parameters, selection)
                found.setdefault(instance.key, instance)
    if not found:
        raise CompileError(f"kernel template {kernel.name} has no instance: ASCENDC_TPL_SEL selects none of its template arguments")
    return tuple(found[key] for key in sorted(found))


def _instance(values: tuple[int, ...], parameters: tuple[TemplateParameter, ...], selection: Selection) -> Instance:
    key, at = 0, 0
    for parameter, value in zip(parameters, values, strict=True):
        key |= parameter.encode(value) << at
        at += parameter.bits
    shared = [value for parameter, value in zip(parameters, values, strict=True) if parameter.kind == "shared_kernel_type"]
    arguments = tuple(parameter.argument(value) for parameter, value in zip(parameters, values, strict=True))
    return Instance(key, arguments, shared[0] if shared else selection.kernel_type, selection.struct)


def _is_of_this_build(
    values: tuple[int, ...], parameters: tuple[TemplateParameter, ...], kernel: ScannedKernel, defines: dict[str, str]
) -> bool:
    """A build for fixed types (ORIG_DTYPE_X=DT_FLOAT16) has the instances of these types only."""
    for parameter, value in zip(parameters, values, strict=True):
        if parameter.input is None or parameter.input >= len(kernel.parameters):
            continue
        fixed = defines.get(f"ORIG_DTYPE_{kernel.parameters[parameter.input][1].upper()}")
        if fixed is not None and number(fixed, parameter.name) != value:
            return False
    return True
