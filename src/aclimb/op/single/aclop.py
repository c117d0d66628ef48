# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: N802 - C's names
"""The aclop functions of aclimb.capi: C's parameters, with a list for an array of handles and None for NULL."""

from __future__ import annotations

from typing import Any

from aclimb.errors import Refused
from aclimb.op.single import attributes, infer, registry, run
from aclimb.op.single.kernels import Deallocate, free_host
from aclimb.op.single.run import Tensors
from aclimb.runtime.handles import NULL

TABLE = """
aclopRegisterCompileFunc              z op_type, o selector                                             ->
aclopUnregisterCompileFunc            z op_type                                                         ->
aclopCreateKernel     z op_type, z kernel_id, z kernel_name, p data, i size, i engine, o deallocator    ->
aclopSetKernelArgs                    p desc, z kernel_id, I num_blocks, p args, I size                 ->
aclopSetKernelWorkspaceSizes          p desc, i count, p sizes                                          ->
aclopUpdateParams                     z op_type, i num_inputs, o inputs, i num_outputs, o outputs, p attr  ->
aclopInferShape       z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, p attr  ->
aclopExecute          z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, o outputs, p attr, p stream  ->
aclopExecuteV2        z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, o outputs, p attr, p stream  ->
aclopCreateHandle                     z op_type, i num_inputs, o inputs, i num_outputs, o outputs, p attr  -> handle
aclopDestroyHandle                    p handle                                                          => None
aclopExecWithHandle                   p handle, i num_inputs, o inputs, i num_outputs, o outputs, p stream  ->
aclopSetMaxOpQueueNum                 k count                                                           ->
aclopCreateAttr                                                                                         => attr
aclopDestroyAttr                      p attr                                                            => None
aclopSetAttrBool                      p attr, z name, o value                                           ->
aclopSetAttrInt                       p attr, z name, o value                                           ->
aclopSetAttrFloat                     p attr, z name, o value                                           ->
aclopSetAttrString                    p attr, z name, z value                                           ->
aclopSetAttrDataType                  p attr, z name, i value                                           ->
aclopSetAttrListBool                  p attr, z name, i count, o values                                 ->
aclopSetAttrListInt                   p attr, z name, i count, o values                                 ->
aclopSetAttrListFloat                 p attr, z name, i count, o values                                 ->
aclopSetAttrListString                p attr, z name, i count, o values                                 ->
aclopSetAttrListDataType              p attr, z name, i count, o values                                 ->
aclopSetAttrListListInt               p attr, z name, i num_lists, o num_values, o values               ->
"""

UNSUPPORTED = {
    "aclimb runs kernels, not models of single operators; register the kernel with aclopCreateKernel, or name the package of "
    "the operator in ASCEND_CUSTOM_OPP_PATH": """
aclopSetModelDir                      ->
aclopLoad                             ->
""",
    "there is no built-in operator for casts; register a kernel with aclopCreateKernel": """
aclopCast                             ->
aclopCreateHandleForCast              -> handle
""",
    "the key dump of acl.init's configuration, with dump_op_switch, dumps tensors of operators": """
aclopStartDumpArgs                    ->
aclopStopDumpArgs                     ->
""",
}


def _require(**values: Any) -> None:
    for name, value in values.items():
        if value is None:
            raise Refused(NULL, f"{name} is None (NULL)")


def array(call: str, count: int, values: Any) -> list[Any]:
    """The first `count` of a list."""
    if count < 0:
        raise Refused(NULL, f"{count} values are announced; it takes 0 and more")
    if values is None and count == 0:
        return []
    _require(array=values)
    if not isinstance(values, list):
        raise _parse_failed(call)
    if len(values) < count:
        raise Refused(NULL, f"{count} values are announced and {len(values)} are given")
    return values[:count]


def _handles(call: str, count: int, values: Any) -> list[int]:
    found = [0 if each is None else each for each in array(call, count, values)]
    if not all(isinstance(each, int) for each in found):
        raise _parse_failed(call)
    return found


def _parse_failed(call: str) -> TypeError:
    return TypeError(f"{call} args parse failed")


# --- selectors and kernels


def aclopRegisterCompileFunc(op_type: str, selector: Any) -> None:
    """selector(num_inputs, inputs, num_outputs, outputs, attr, kernel_desc) chooses a kernel in aclopUpdateParams."""
    _require(op_type=op_type, selector=selector)
    if not callable(selector):
        raise _parse_failed("aclopRegisterCompileFunc")
    registry.register(op_type, selector)


def aclopUnregisterCompileFunc(op_type: str) -> None:
    _require(op_type=op_type)
    registry.unregister(op_type)


def aclopCreateKernel(op_type: str, kernel_id: str, kernel_name: str, data: int, size: int, engine: int, deallocator: Any) -> None:
    """deallocator(data, size) is called when the registration ends; 1 is pyACL's, None and 0 are none."""
    _require(op_type=op_type, kernel_id=kernel_id, kernel_name=kernel_name)
    registry.create_kernel(op_type, kernel_id, kernel_name, data, size, engine, _deallocate(deallocator))


def _deallocate(deallocator: Any) -> Deallocate | None:
    if callable(deallocator):
        found: Deallocate = deallocator
        return found
    if deallocator not in (None, 0, 1):
        raise _parse_failed("aclopCreateKernel")
    return free_host if deallocator else None


def aclopSetKernelArgs(desc: int, kernel_id: str, num_blocks: int, args: int, size: int) -> None:
    _require(kernel_id=kernel_id)
    registry.set_kernel_args(desc, kernel_id, num_blocks, args, size)


def aclopSetKernelWorkspaceSizes(desc: int, count: int, sizes: int) -> None:
    """The address of `count` numbers of 64 bits."""
    registry.add_workspaces(desc, count, sizes)


def aclopUpdateParams(op_type: str, num_inputs: int, inputs: Any, num_outputs: int, outputs: Any, attr: int) -> None:
    _require(op_type=op_type)
    call = "aclopUpdateParams"
    registry.update_params(op_type, _handles(call, num_inputs, inputs), _handles(call, num_outputs, outputs), attr)


def aclopSetMaxOpQueueNum(count: int) -> None:
    registry.set_limit(count)


# --- executing


def aclopInferShape(op_type: str, num_inputs: int, in_descs: Any, inputs: Any, num_outputs: int, out_descs: Any, attr: int) -> None:
    _require(op_type=op_type)
    call = "aclopInferShape"
    sources, buffers, targets = (_handles(call, num_inputs, in_descs), _handles(call, num_inputs, inputs),
                                 _handles(call, num_outputs, out_descs))  # fmt: skip
    infer.infer_shape(op_type, sources, buffers, num_outputs, targets, attr)


def aclopExecute(
    op_type: str, num_inputs: int, in_descs: Any, inputs: Any, num_outputs: int, out_descs: Any, outputs: Any, attr: int, stream: int
) -> None:
    _require(op_type=op_type)
    sources = _tensors("aclopExecute", num_inputs, in_descs, inputs)
    targets = _tensors("aclopExecute", num_outputs, out_descs, outputs)
    run.execute(op_type, sources, targets, attr, stream, refresh=False)


def aclopExecuteV2(
    op_type: str, num_inputs: int, in_descs: Any, inputs: Any, num_outputs: int, out_descs: Any, outputs: Any, attr: int, stream: int
) -> None:
    _require(op_type=op_type)
    sources = _tensors("aclopExecuteV2", num_inputs, in_descs, inputs)
    targets = _tensors("aclopExecuteV2", num_outputs, out_descs, outputs)
    run.execute(op_type, sources, targets, attr, stream, refresh=True)


def _tensors(call: str, count: int, descs: Any, buffers: Any) -> Tensors:
    return Tensors(_handles(call, count, descs), _handles(call, count, buffers))


def aclopCreateHandle(op_type: str, num_inputs: int, inputs: Any, num_outputs: int, outputs: Any, attr: int) -> int:
    _require(op_type=op_type)
    call = "aclopCreateHandle"
    return run.create_handle(op_type, _handles(call, num_inputs, inputs), _handles(call, num_outputs, outputs), attr)


def aclopDestroyHandle(handle: int) -> None:
    run.destroy_handle(handle)


def aclopExecWithHandle(handle: int, num_inputs: int, inputs: Any, num_outputs: int, outputs: Any, stream: int) -> None:
    call = "aclopExecWithHandle"
    buffers = _handles(call, num_inputs, inputs), _handles(call, num_outputs, outputs)
    run.execute_with_handle(handle, *buffers, stream)


# --- attributes


def aclopCreateAttr() -> int:
    return registry.create_attr()


def aclopDestroyAttr(attr: int) -> None:
    registry.destroy_attr(attr)


def _set(call: str, attr: int, name: str, kind: str, value: Any) -> None:
    _require(name=name, value=value)
    try:
        taken = attributes.take(kind, value)
    except (TypeError, ValueError, OverflowError):
        raise _parse_failed(call) from None
    registry.set_attr(attr, name, taken)


def aclopSetAttrBool(attr: int, name: str, value: Any) -> None:
    _set("aclopSetAttrBool", attr, name, "bool", value)


def aclopSetAttrInt(attr: int, name: str, value: Any) -> None:
    _set("aclopSetAttrInt", attr, name, "int", value)


def aclopSetAttrFloat(attr: int, name: str, value: Any) -> None:
    _set("aclopSetAttrFloat", attr, name, "float", value)


def aclopSetAttrString(attr: int, name: str, value: str) -> None:
    _set("aclopSetAttrString", attr, name, "string", value)


def aclopSetAttrDataType(attr: int, name: str, value: int) -> None:
    _set("aclopSetAttrDataType", attr, name, "data_type", value)


def aclopSetAttrListBool(attr: int, name: str, count: int, values: Any) -> None:
    _set("aclopSetAttrListBool", attr, name, "list_bool", array("aclopSetAttrListBool", count, values))


def aclopSetAttrListInt(attr: int, name: str, count: int, values: Any) -> None:
    _set("aclopSetAttrListInt", attr, name, "list_int", array("aclopSetAttrListInt", count, values))


def aclopSetAttrListFloat(attr: int, name: str, count: int, values: Any) -> None:
    _set("aclopSetAttrListFloat", attr, name, "list_float", array("aclopSetAttrListFloat", count, values))


def aclopSetAttrListString(attr: int, name: str, count: int, values: Any) -> None:
    texts = array("aclopSetAttrListString", count, values)
    _require(**{f"values[{place}]": text for place, text in enumerate(texts)})
    _set("aclopSetAttrListString", attr, name, "list_string", texts)


def aclopSetAttrListDataType(attr: int, name: str, count: int, values: Any) -> None:
    _set("aclopSetAttrListDataType", attr, name, "list_data_type", array("aclopSetAttrListDataType", count, values))


def aclopSetAttrListListInt(attr: int, name: str, num_lists: int, num_values: Any, values: Any) -> None:
    """A count for each list, and the lists."""
    call = "aclopSetAttrListListInt"
    counts, lists = _handles(call, num_lists, num_values), array(call, num_lists, values)
    _set(call, attr, name, "list_list_int", [array(call, count, each) for count, each in zip(counts, lists, strict=True)])
