# SPDX-License-Identifier: Apache-2.0
"""Matmul objects in a kernel: their types are C++ types, their configurations C++ constants, and `with mm.iterate()` is a loop."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from aclimb.asc.codegen.arguments import Given
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.loops import Loops, stored_in
from aclimb.asc.codegen.objects import _bound
from aclimb.asc.codegen.tree import Block
from aclimb.asc.codegen.values import POSTFIX, Address, Method, Object, Scalar, StructOf, Value, words
from aclimb.asc.language.core import enums
from aclimb.asc.language.core.dtype import DataType, int32
from aclimb.asc.language.table import member

_CONFIGS = {
    "get_normal_config": "CFG_NORM",
    "get_mdl_config": "CFG_MDL",
    "get_ib_share_norm_config": "CFG_IBSHARE_NORM",
    "get_basic_config": "GetBasicConfig(0, 0, 0)",
    "get_special_basic_config": "GetSpecialBasicConfig(0, 0, 0, 0, 0, 0, 0, 0)",
    "get_special_mdl_config": "GetSpecialMDLConfig()",
    "MatmulConfig": "CFG_NORM",
}
_MODES = {
    "CONFIG_NORM": "CFG_NORM",
    "CONFIG_MDL": "CFG_MDL",
    "CONFIG_SPECIALMDL": "GetSpecialMDLConfig()",
    "CONFIG_IBSHARE": "CFG_IBSHARE_NORM",
}
_MEMBERS = {  # of MatmulConfig, where the name is not the plain rule; those that are function arguments under another name among them
    "intrinsics_limit": "intrinsicsCheck",
    "batch_loop": "isNBatch",
    "is_vec_nd2nz": "enVecND2NZ",
    "en_vec_nd2nz": "enVecND2NZ",
    "bmm_mode": "batchMode",
    "is_msg_reuse": "enableReuse",
    "do_mte2_preload": "doMTE2Preload",
    "do_ib_share_norm": "doIBShareNorm",
    "do_special_mdl": "doSpecialMDL",
    "enable_ub_reuse": "enableUBReuse",
    "enable_l1_cache_ub": "enableL1CacheUB",
    "base_mn": "baseMN",
    "single_core_mn": "singleCoreMN",
    "is_a2_b2_shared": "isA2B2Shared",
    "is_co1_shared": "isCO1Shared",
    "shared_co1_buffer_size": "sharedCO1BufferSize",
}


@dataclass(frozen=True)
class Operand:
    """MatmulType(...): known at compile time."""

    position: enums.TPosition
    format: Any
    dtype: DataType
    is_trans: bool = False
    layout: Any = enums.LayoutMode["NONE"]

    def cpp(self) -> str:
        parts = [enums.in_cpp(self.position), enums.in_cpp(self.format), self.dtype.cpp]
        if self.is_trans or self.layout != enums.LayoutMode["NONE"]:
            parts.append("true" if self.is_trans else "false")
        if self.layout != enums.LayoutMode["NONE"]:
            parts.append(enums.in_cpp(self.layout))
        return f"MatmulType<{', '.join(parts)}>"


@dataclass(frozen=True)
class Config:
    """A configuration: one of the library's, and what is different."""

    base: str
    changes: tuple[tuple[str, Any], ...] = ()


class Matmuls(Loops):
    def _make_MatmulType(self, args: list[Any], kwargs: Given, node: ast.Call) -> Operand:  # noqa: N802
        names = ("position", "format", "dtype", "is_trans", "layout")
        given = _bound(names, {"is_trans": False, "layout": enums.LayoutMode["NONE"]}, args, kwargs, node)
        self._known(given["dtype"], DataType, "dtype", node)
        return Operand(**given)

    def _make_Matmul(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        names = ("a", "b", "c", "bias", "matmul_config", "matmul_policy")
        given = _bound(names, {"bias": None, "matmul_config": None, "matmul_policy": 0}, args, kwargs, node)
        operands = [self._known(given[each] or given["c"], Operand, each, node) for each in ("a", "b", "c", "bias")]
        texts = [each.cpp() for each in operands]
        if isinstance(given["matmul_config"], Config):
            texts.append(self._config(given["matmul_config"]))
        kernel = self.unit.kernel
        self.unit.has_matmul = True
        kernel.includes = list(dict.fromkeys([*kernel.includes, "lib/matmul_intf.h"]))
        if self.unit.wanted.cube_only:
            kernel.defines = ["ASCENDC_CUBE_ONLY"]
        return self._object("Matmul", f"Matmul<{', '.join(texts)}>", node)

    def _config(self, config: Config) -> str:
        """The name of a constant; one that differs from the library's is written out in front of the kernel."""
        if not config.changes and "(" not in config.base:
            return config.base
        lines = [f"    made.{name} = {str(value).lower() if isinstance(value, bool) else value};" for name, value in config.changes]
        before = self.unit.kernel.before
        name = f"CONFIG_{len(before) + 1}"
        text = "\n".join(
            [f"constexpr MatmulConfig {name} = [] {{", f"    MatmulConfig made = {config.base};", *lines, "    return made;", "}();"]
        )
        known = next((each for each in before if each.partition("=")[2] == text.partition("=")[2]), None)
        if known is not None:
            return known.partition(" = ")[0].rpartition(" ")[2]
        before.append(text)
        return name

    def _configured(self, name: str, kwargs: Given, base: str = "") -> Config:
        changes = []
        for key, value in kwargs.items():
            if isinstance(value, Value):
                raise Refusal(
                    f"{key} is only known when the kernel runs", hint="a configuration is part of the program: make it a ConstExpr"
                )
            changes.append((_MEMBERS.get(key) or member(key), enums.in_cpp(value) if isinstance(value, IntEnum) else value))
        return Config(base or _CONFIGS[name], tuple(changes))

    def special(self, name: str, args: list[Any], kwargs: Given, node: ast.Call) -> Any:
        if name in _CONFIGS:
            return self._configured(name, kwargs)
        if name == "get_mm_config":
            mode = kwargs.pop("mode", args[0] if args else enums.MatmulConfigMode["CONFIG_NORM"])
            return self._configured(name, kwargs, _MODES[mode.name])
        return super().special(name, args, kwargs, node)

    def _make_register_matmul(self, args: list[Any], kwargs: Given, node: ast.Call) -> None:
        more = args[4:]  # further pairs of an object and its tiling: all objects of a kernel are made known at once
        given = _bound(("pipe", "workspace", "matmul", "tiling"), {"tiling": None}, args[:4], kwargs, node)
        pipe, workspace, matmul, tiling = (given[each] for each in ("pipe", "workspace", "matmul", "tiling"))
        if not isinstance(matmul, Value) or not isinstance(matmul.type, Object) or matmul.type.kind != "Matmul":
            raise Refusal(f"register_matmul was given {words(matmul)}", node, "the third argument is a Matmul")
        if tiling is not None and not (isinstance(tiling, Value) and isinstance(tiling.type, StructOf)):
            raise Refusal(f"the tiling is {words(tiling)}", node, "it takes an asc.adv.TCubeTiling")
        where = "GetSysWorkSpacePtr()"
        if isinstance(workspace, Value) and isinstance(workspace.type, Address):
            where = workspace.text if workspace.dtype.name == "uint8" else f"reinterpret_cast<__gm__ uint8_t*>({workspace.text})"
        texts = [f"&{pipe.text}", where, matmul.text, *([f"&{tiling.text}"] if tiling is not None else [])]
        texts += [("&" if isinstance(each.type, StructOf) else "") + each.text for each in more]
        self.emit(f"REGIST_MATMUL_OBJ({', '.join(texts)})")

    # --- with mm.iterate() as count:

    def _With(self, node: ast.With) -> bool:  # noqa: N802
        call = node.items[0].context_expr
        method = self.evaluate(call.func) if isinstance(call, ast.Call) and len(node.items) == 1 else None
        if not isinstance(call, ast.Call) or not isinstance(method, Method) or method.name != "iterate":
            raise Refusal("with is for a Matmul's blocks", node, "with mm.iterate() as count:", is_syntax=True)
        names = stored_in(node.body)
        self._refuse_carried(names, node.body)
        self._retried(names, lambda: self._iterate(node, call, method.value))
        return False

    def _iterate(self, node: ast.With, call: ast.Call, own: Value) -> None:
        args, kwargs = [self.operand(each) for each in call.args], {each.arg or "": self.operand(each.value) for each in call.keywords}
        names = ("en_partial_sum", "sync", "local_c_matrix")
        given = _bound(names, {"en_partial_sum": False, "sync": True, "local_c_matrix": None}, args, kwargs, call)
        texts = [str(given["en_partial_sum"]).lower()] if given["en_partial_sum"] or given["local_c_matrix"] is not None else []
        texts += [given["local_c_matrix"].text] if given["local_c_matrix"] is not None else []
        template = "" if given["sync"] else "<false>"
        target = node.items[0].optional_vars
        before = dict(self.names)
        self.cpp_names.append(set())
        count = self.fresh(target.id if isinstance(target, ast.Name) else "block")
        step = f"{own.inside(POSTFIX)}.Iterate{template}({', '.join(texts)})"
        block = Block(self.place, f"for (int32_t {count} = 0; {step}; ++{count})", is_loop=True)
        self.statements.append(block)
        self.loops.append(None)
        with self.block(block.body):
            if isinstance(target, ast.Name):
                self.names[target.id] = Value(Scalar(int32), count)
            self.run(node.body)
        self.loops.pop()
        self.cpp_names.pop()
        self.leave(before, "with", node.lineno)
