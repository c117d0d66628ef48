# SPDX-License-Identifier: Apache-2.0
"""Single operators with kernels of one's own: a selector for each operator type, and what it chose for which tensors.

    create_kernel    kernel id -> kernel
    register         operator type -> selector
    update_params    runs the selector; (type, descriptors, attributes) -> Description
    execute          looks the description up and launches it; see run.py

What `acl.op` and the aclop functions of `aclimb.capi` have in common. Nothing here takes a lock while it calls a program's function.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ParamSpec, TypeVar

from aclimb import chips, knobs
from aclimb.errors import Refused, Unsupported
from aclimb.op.single import attributes
from aclimb.op.single.attributes import ATTRS, OpAttr
from aclimb.op.single.descriptors import DESCS, TensorDesc
from aclimb.op.single.kernels import ENGINES, KERNEL_DESCS, KERNEL_NOT_FOUND, Deallocate, Description, KernelDesc, RegisteredKernel
from aclimb.op.workspace import end_acl_pools
from aclimb.runtime.context import current
from aclimb.runtime.handles import NULL

NOT_SUPPORTED, FAILURE = 200001, 500001
OP_NOT_FOUND, NO_SELECTOR, SELECTOR_REGISTERED, KERNEL_REGISTERED = 100024, 100028, 100030, 100031
DEFAULT_LIMIT = 20000  # stored descriptions

Selector = Callable[[int, list[int], int, list[int], int, int], Any]
P = ParamSpec("P")
R = TypeVar("R")


class _Known:
    """Everything that is registered and stored, under one lock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.selectors: dict[str, Selector] = {}
        self.kernels: dict[tuple[str, str], RegisteredKernel] = {}  # by operator type and kernel id
        self.descriptions: OrderedDict[tuple[str, Hashable], Description] = OrderedDict()  # the one used last stands last
        self.limit = DEFAULT_LIMIT

    def drop_oldest(self) -> None:
        while len(self.descriptions) > self.limit:
            self.descriptions.popitem(last=False)


_known = _Known()


def on_this_chip(call: Callable[P, R]) -> Callable[P, R]:
    """Refuses a call on products that do not have single operators."""

    @functools.wraps(call)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        _require_chip()
        return call(*args, **kwargs)

    return checked


def _require_chip() -> None:
    try:
        chip = chips.buildable(knobs.soc())
    except Unsupported as error:
        raise Refused(NOT_SUPPORTED, f"single operators exist on Atlas A2 and A3 only; {error}") from None
    with contextlib.suppress(Refused):  # no device is set yet: the one of the settings counts
        chip = current().device.chip
    if chip.family not in chips.FAMILIES or chips.support("aclop", chip.family) == "unsupported":
        raise Refused(NOT_SUPPORTED, f"single operators exist on Atlas A2 and A3 only, not on {chip.name} ({chip.family}); "
                                     "use aclimb.op, or launch the kernel itself")  # fmt: skip


# --- selectors and kernels


@on_this_chip
def register(op_type: str, selector: Selector) -> None:
    with _known.lock:
        if op_type in _known.selectors:
            raise Refused(SELECTOR_REGISTERED, f"operator {op_type} has a selector already; call unregister_compile_func first")
        _known.selectors[op_type] = selector


@on_this_chip
def unregister(op_type: str) -> None:
    """The selector and what it chose are forgotten; the kernels stay. A type without a selector is fine, too."""
    with _known.lock:
        _known.selectors.pop(op_type, None)
        for key in [key for key in _known.descriptions if key[0] == op_type]:
            del _known.descriptions[key]


@on_this_chip
def create_kernel(op_type: str, kernel_id: str, name: str, data: int, size: int, engine: int, deallocate: Deallocate | None) -> None:
    """`deallocate(data, size)` is called when the registration ends, not when it fails."""
    if data == 0 or size <= 0:
        raise Refused(NULL, f"{size} bytes at 0x{data:x} are no operator binary; give the address and size of one")
    if engine not in ENGINES:
        raise Refused(NULL, f"engine type is {engine}; it takes {', '.join(f'{number} ({name})' for number, name in ENGINES.items())}")
    with _known.lock:
        if (op_type, kernel_id) in _known.kernels:
            raise Refused(KERNEL_REGISTERED, f"operator {op_type} has a kernel {kernel_id!r} already; choose another id")
        _known.kernels[op_type, kernel_id] = RegisteredKernel(kernel_id, name, data, size, deallocate)


def end() -> None:
    """acl.finalize: selectors, kernels, descriptions and workspaces go. Waits for kernels that use a workspace."""
    with _known.lock:
        kernels = list(_known.kernels.values())
        for each in (_known.selectors, _known.kernels, _known.descriptions):
            each.clear()
        _known.limit = DEFAULT_LIMIT
    end_acl_pools()
    for kernel in kernels:
        kernel.end()


# --- descriptions


def key_of(op_type: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc], attrs: OpAttr) -> tuple[str, Hashable]:
    """What a description is stored under."""
    return op_type, (tuple([each.key for each in inputs]), tuple([each.key for each in outputs]), attrs.key)


@on_this_chip
def update_params(op_type: str, inputs: Sequence[int], outputs: Sequence[int], attr: int) -> None:
    """Runs the selector, here and now. What it says is stored, unless the same tensors and attributes have a description."""
    key = key_of(op_type, [DESCS[each] for each in inputs], [DESCS[each] for each in outputs], attributes.of(attr))
    selector = _known.selectors.get(op_type)
    if selector is None:
        raise Refused(NO_SELECTOR, f"operator {op_type} has no selector; call register_compile_func first")
    chosen = _select(op_type, selector, inputs, outputs, attr)
    with _known.lock:
        if _known.selectors.get(op_type) is not selector:
            raise Refused(NO_SELECTOR, f"operator {op_type} lost its selector while that was running")
        kernel = _known.kernels.get((op_type, chosen.kernel_id))
        if kernel is None:
            raise _no_kernel(op_type, chosen.kernel_id)
        description = Description(kernel, chosen.num_blocks, chosen.args, tuple(chosen.workspace_sizes))
        _known.descriptions.setdefault(key, description)
        _known.descriptions.move_to_end(key)
        _known.drop_oldest()


def _select(op_type: str, selector: Selector, inputs: Sequence[int], outputs: Sequence[int], attr: int) -> KernelDesc:
    desc = KernelDesc()
    number = KERNEL_DESCS.add(desc)
    try:
        answer = selector(len(inputs), list(inputs), len(outputs), list(outputs), attr, number)
    except Exception as error:
        told = "".join(traceback.format_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)))
        raise Refused(FAILURE, f"the selector of operator {op_type} raised:\n{told}") from None
    finally:
        KERNEL_DESCS.pop(number, None)
    if answer is None:
        return desc
    try:
        code = answer.__index__()
    except (AttributeError, TypeError):
        raise Refused(FAILURE, f"the selector of operator {op_type} returned {answer!r}; it takes None, or a code") from None
    if code != 0:
        raise Refused(code, f"the selector of operator {op_type} returned {code}")
    return desc


def _no_kernel(op_type: str, kernel_id: str) -> Refused:
    ids = [repr(each) for owner, each in _known.kernels if owner == op_type]
    chose = f"chose kernel {kernel_id!r}" if kernel_id else "chose no kernel; it has to call set_kernel_args"
    return Refused(KERNEL_NOT_FOUND, f"the selector of operator {op_type} {chose}; the operator has {', '.join(ids) or 'no kernels'}")


@on_this_chip
def set_limit(most: int) -> None:
    """How many descriptions are kept; beyond it the one that was not used for longest leaves."""
    if most == 0:
        raise Refused(NULL, "the number of operators is 0; it takes 1 and more")
    with _known.lock:
        _known.limit = most
        _known.drop_oldest()


def has_selector(op_type: str) -> bool:
    return op_type in _known.selectors


def lookup(op_type: str, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc], attrs: OpAttr) -> Description:
    """What was stored for these tensors and attributes."""
    key = key_of(op_type, inputs, outputs, attrs)
    with _known.lock:
        found = _known.descriptions.get(key)
        if found is not None:
            _known.descriptions.move_to_end(key)
            return found
        others = sum(owner == op_type for owner, _ in _known.descriptions)
        has_selector = op_type in _known.selectors
    if not has_selector:
        raise Refused(
            OP_NOT_FOUND,
            f"operator {op_type} is not known; register a selector with register_compile_func and call update_params, or name "
            "the folder of a package that has it in ASCEND_CUSTOM_OPP_PATH",
        )
    raise Refused(OP_NOT_FOUND, f"operator {op_type} has no kernel for these tensors and attributes (for others: {others}); "
                                "call update_params with exactly the same ones first")  # fmt: skip


# --- attributes


@on_this_chip
def create_attr() -> int:
    return ATTRS.add(OpAttr())


@on_this_chip
def destroy_attr(attr: int) -> None:
    ATTRS.end(attr)


@on_this_chip
def set_attr(attr: int, name: str, value: attributes.Value) -> None:
    """The last value under a name counts."""
    ATTRS[attr][name] = value


# --- what a selector calls


@on_this_chip
def set_kernel_args(desc: int, kernel_id: str, num_blocks: int, args: int, size: int) -> None:
    KERNEL_DESCS[desc].set_args(kernel_id, num_blocks, args, size)


@on_this_chip
def add_workspaces(desc: int, count: int, sizes: int) -> None:
    KERNEL_DESCS[desc].add_workspaces(count, sizes)
