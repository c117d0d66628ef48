# SPDX-License-Identifier: Apache-2.0
"""An OpDef of C++ as an operator of ours."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NoReturn

from aclimb import chips
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.declare.declaration import REQUIRED
from aclimb.op.declare.impl import OpImpl
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.declare.registry import OpImplRegistry
from aclimb.op.declare.space import default_space_registry
from aclimb.op.execute.operator import Operator
from aclimb.op.native.platform import short_name
from aclimb.op.native.request import DTYPE_NAMES
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, Format

_log = logging.getLogger("aclimb")
_told: set[tuple[str, str]] = set()  # operators that are declared for other chips than the one in use
_OPTIONAL, _DYNAMIC = 1, 3  # ops::Option
_TILING_SCOPE = 1  # ops::DependScope
_KINDS: dict[str, Any] = {"bool": bool, "int": int, "float": float, "str": str, "list[bool]": list[bool], "list[int]": list[int],
                          "list[float]": list[float], "list[list[int]]": list[list[int]]}  # fmt: skip
_FORMATS: dict[int, str] = {each: each.name for each in Format} | {30: "ND", 31: "ND", 47: "ND"}  # NCDHW, DHWCN and NCL count as ND
_PAIRED, _LISTED = ("types", "formats"), ("type_list", "format_list")


class LoadedOperator(Operator):
    """An operator that a library declares. It is registered while the library is loaded."""

    has_system_workspace = True

    def __init__(self, op_type: str, where: str, zero: bool) -> None:
        super().__init__(op_type, False, False, True, zero)
        self._where = where
        self.socs: tuple[str, ...] = ()  # as AddConfig names them
        self.settings: dict[str, str] = {}  # ExtendCfgInfo and the flags, of this chip
        self.without_kernel = ""  # why there is none to launch
        self._own: OpImplRegistry | None = None  # of its library, while that is open

    @property
    def is_open(self) -> bool:
        """Whether its library is."""
        return self._own is not None

    @property
    def entry(self) -> str:
        """The name of the kernel function."""
        return self.settings.get("opInterface.value") or kernel_name(self.type)

    @property
    def needs_kernel(self) -> bool:
        """Whether its tiling launches one, and it does not launch kernels itself."""
        impl = self._impl()
        return impl.tiling is not None and impl.launch is None and impl.op_execute_func is None

    @property
    def file_stem(self) -> str:
        """The name of the kernel's source."""
        return self.settings.get("opFile.value") or kernel_name(self.type)

    def _impl(self) -> OpImpl:
        """As everybody finds it; where another library came first, what its own registered: its kernels are for no other tiling."""
        found = default_space_registry().get_op_impl(self.type)
        if found is not None and found.prototype is self:
            return found
        own = self._own.get(self.type) if self._own is not None else None
        if own is None:
            raise self._plan_error(ACLNN_ERR_PARAM_INVALID, f"{self.type} comes from {self._where}, which is closed; op.load it again")
        return own

    def register(self, override: bool = False) -> NoReturn:
        raise AclimbError(f"{self.type} comes from {self._where}: op.load registers it, and close() of the library takes it back")

    def unregister(self) -> NoReturn:
        raise AclimbError(f"{self.type} comes from {self._where}: close() of the library takes it back")


def operator_of(row: Mapping[str, Any], where: str, chip: chips.Chip) -> LoadedOperator:
    """Of a row of the library's description that has a prototype."""
    prototype, op_type = row["prototype"], row["type"]
    configs = [*prototype["configs"], *row["configs"]]
    made = LoadedOperator(op_type, where, prototype["launch_empty"])
    made.socs = tuple(dict.fromkeys(each["soc"] for each in configs))
    config = next((each for each in configs if each["soc"].lower() == short_name(chip).lower()), None)
    if config is None and configs and (op_type, chip.name) not in _told:
        _told.add((op_type, chip.name))
        _log.warning("%s is declared for %s; %s is %s", op_type, ", ".join(made.socs), chip.name, short_name(chip).lower())
    made.settings = config["settings"] if config is not None else {}
    inputs, outputs = ([_overridden(each, config, side) for each in prototype[side]] for side in ("inputs", "outputs"))
    _keep_modelled(op_type, [*inputs, *outputs])
    for each in inputs:
        made.input(each["name"], **_tensor(each), optional=each["kind"] == _OPTIONAL, value_depend=_value_depend(each),
                   scalar=each["scalar"] or each["scalar_list"])  # fmt: skip
    for each in outputs:
        made.output(each["name"], **_tensor(each), nullable=each["kind"] == _OPTIONAL, shape_from_kernel=each["shape_from_kernel"],
                    init_value=_init_value(op_type, each))  # fmt: skip
    for each in prototype["attrs"]:
        made.attr(each["name"], _kind(op_type, each), _default(op_type, each))
    for name, *default in row["private_attrs"]:
        made.private_attr(name, _kind_of(default[0]) if default else int, *default)
    return made


def _overridden(declared: dict[str, Any], config: Mapping[str, Any] | None, side: str) -> dict[str, Any]:
    """What a chip's own configuration says comes before what is said for all."""
    own = next((each for each in config[side] if each["name"] == declared["name"]), None) if config is not None else None
    if own is None:
        return declared
    return declared | {key: own[key] for key in (*_PAIRED, *_LISTED) if own[key]}


def _keep_modelled(op_type: str, params: list[dict[str, Any]]) -> None:
    """Leaves out combinations with a type or format that no chip here has."""
    columns = [(param, key, _known(key)) for param in params for key in _PAIRED if param[key]]
    lengths = {len(param[key]) for param, key, _ in columns}
    if len(lengths) == 1:  # otherwise the declaration says what does not fit
        kept = [i for i in range(lengths.pop()) if all(param[key][i] in known for param, key, known in columns)]
        if not kept:
            raise InvalidArgument(f"{op_type}: every combination of types and formats has one that is not modelled")
        for param, key, _ in columns:
            param[key] = [param[key][i] for i in kept]
    for param in params:
        for key in _LISTED:
            kept = [each for each in param[key] if each in _known(key)]
            if param[key] and not kept:
                raise InvalidArgument(f"{op_type}: no type or format of {param['name']} is modelled")
            param[key] = kept


def _known(key: str) -> Mapping[int, str]:
    return DTYPE_NAMES if key in ("types", "type_list") else _FORMATS


def _tensor(declared: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "dtype": [DTYPE_NAMES[each] for each in declared["types"]],
        "dtype_list": list(dict.fromkeys(DTYPE_NAMES[each] for each in declared["type_list"])),
        "format": [_FORMATS[each] for each in declared["formats"]],
        "format_list": list(dict.fromkeys(_FORMATS[each] for each in declared["format_list"])),
        "follow": declared["follow"] or None,
        "dynamic": declared["kind"] == _DYNAMIC,
    }


def _value_depend(declared: Mapping[str, Any]) -> str | None:
    if not declared["value_depend"]:
        return None
    return "tiling" if declared["depend_scope"] == _TILING_SCOPE else "all"


def _init_value(op_type: str, declared: Mapping[str, Any]) -> Any:
    values = set(declared["init_values"])
    if len(values) > 1:
        raise InvalidArgument(f"{op_type}: InitValue of {declared['name']} has {len(values)} different values; give one for all types")
    return values.pop() if values else None


def _kind(op_type: str, attr: Mapping[str, Any]) -> Any:
    if attr["kind"] not in _KINDS:
        raise InvalidArgument(f"{op_type}: attribute {attr['name']} has no type; call one of Bool, Int, Float, String, ListInt and so on")
    return _KINDS[attr["kind"]]


def _default(op_type: str, attr: Mapping[str, Any]) -> Any:
    if attr["required"]:
        return REQUIRED
    if attr["default"] is None:
        raise InvalidArgument(f"{op_type}: attribute {attr['name']} is OPTIONAL and has no default; give one, as in Int(0)")
    return attr["default"]


def _kind_of(default: Any) -> Any:
    if isinstance(default, list):
        return list[float] if default and isinstance(default[0], float) else list[int]
    return type(default)
