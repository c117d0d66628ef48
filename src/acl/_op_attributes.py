# SPDX-License-Identifier: Apache-2.0
"""acl.op: attributes. aclimb.op.attributes(attr) reads them, which C cannot."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aclimb.op.single import attributes, registry

TABLE = """
create_attr                                                      => attr      aclopCreateAttr
destroy_attr                 k attr                              => None      aclopDestroyAttr
set_attr_bool                k attr, s name, o value             ->           aclopSetAttrBool
set_attr_int                 k attr, s name, o value             ->           aclopSetAttrInt
set_attr_float               k attr, s name, o value             ->           aclopSetAttrFloat
set_attr_string              k attr, s name, s value             ->           aclopSetAttrString
set_attr_data_type           k attr, s name, i value             -> attr      aclopSetAttrDataType
set_attr_list_bool           k attr, s name, o values            ->           aclopSetAttrListBool
set_attr_list_int            k attr, s name, o values            ->           aclopSetAttrListInt
set_attr_list_float          k attr, s name, o values            ->           aclopSetAttrListFloat
set_attr_list_string         k attr, s name, L values            ->           aclopSetAttrListString
set_attr_list_data_type      k attr, s name, L values            -> attr      aclopSetAttrListDataType
set_attr_list_list_int       k attr, s name, L values            ->           aclopSetAttrListListInt
"""


def create_attr() -> int:
    return registry.create_attr()


def destroy_attr(attr: int) -> None:
    registry.destroy_attr(attr)


def set_attr_bool(attr: int, name: str, value: Any) -> None:
    """True for every number but 0."""
    _set(attr, name, "bool", value)


def set_attr_int(attr: int, name: str, value: Any) -> None:
    _set(attr, name, "int", value)


def set_attr_float(attr: int, name: str, value: Any) -> None:
    """32 bits."""
    _set(attr, name, "float", value)


def set_attr_string(attr: int, name: str, value: str) -> None:
    _set(attr, name, "string", value)


def set_attr_data_type(attr: int, name: str, value: int) -> int:
    _set(attr, name, "data_type", value)
    return attr


def set_attr_list_bool(attr: int, name: str, values: Any) -> None:
    _set_list(attr, name, "list_bool", _plain(values))


def set_attr_list_int(attr: int, name: str, values: Any) -> None:
    _set_list(attr, name, "list_int", _plain(values))


def set_attr_list_float(attr: int, name: str, values: Any) -> None:
    _set_list(attr, name, "list_float", _plain(values))


def set_attr_list_string(attr: int, name: str, values: list[Any]) -> None:
    _set_list(attr, name, "list_string", values)


def set_attr_list_data_type(attr: int, name: str, values: list[Any]) -> int:
    _set_list(attr, name, "list_data_type", values)
    return attr


def set_attr_list_list_int(attr: int, name: str, values: list[Any]) -> None:
    """A list of lists, which may differ in length."""
    _set_list(attr, name, "list_list_int", [_plain(each) for each in values])


def _set(attr: int, name: str, kind: str, value: Any) -> None:
    try:
        taken = attributes.take(kind, value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"acl.op.set_attr_{kind} args parse failed") from None
    registry.set_attr(attr, name, taken)


def _set_list(attr: int, name: str, kind: str, values: list[Any]) -> None:
    try:
        taken = attributes.take(kind, values)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"acl.op.set_attr_{kind}: a value of the list cannot be taken: {error}") from None
    registry.set_attr(attr, name, taken)


def _plain(values: Any) -> list[Any]:
    if isinstance(values, list):
        return values
    if not isinstance(values, np.ndarray):
        raise TypeError("argument 3 is not list or numpy array")
    warnings.warn("argument 3 should be a list; a NumPy array is taken for now", Warning, stacklevel=5)
    return list(values.ravel().tolist())
