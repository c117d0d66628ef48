# SPDX-License-Identifier: Apache-2.0
"""`torch.compile(f, backend="aclimb")`: operators of ours inside a super_kernel scope become one launch, everything else runs as it is."""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Sequence
from typing import Any

from torch.fx import GraphModule, Node
from torch.fx.node import map_arg

from aclimb.fuse.scope import super_kernel
from aclimb.op.execute.run import own_stream
from aclimb.op.node.node import OpTensor, as_tensor
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.stream import Stream
from aclimb.torch import tensors
from aclimb.torch.register import registered_as
from aclimb.torch.report import GraphReport, NodeReport
from aclimb.torch.scope import BEGIN, END

_MOST = 64
_reports: list[GraphReport] = []


def reports() -> list[GraphReport]:
    """Of the functions that were compiled last, oldest first; a graph break makes several of one function."""
    return list(_reports)


def compile_graph(module: GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    """The backend itself, as torch calls it."""
    made = _Compiled(module)
    _reports.append(made.report)
    del _reports[:-_MOST]
    return made


class _Stretch:
    """Operators of one scope with nothing between them but the unpacking of results."""

    def __init__(self, scope: str, options: str) -> None:
        self.scope, self.options = scope, options
        self.nodes: list[Node] = []


class _Compiled:
    def __init__(self, module: GraphModule) -> None:
        self.module, self.report = module, GraphReport()
        self.steps = _steps(module)
        _note_eager(self.steps, self.report)

    def __call__(self, *inputs: Any) -> Any:
        values: dict[Node, Any] = {}
        given = iter(inputs)
        for step in self.steps:
            if isinstance(step, _Stretch):
                self._fused(step, values)
            elif step.op == "placeholder":
                values[step] = next(given)
            elif step.op == "output":
                self.report.runs += 1
                return map_arg(step.args[0], values.__getitem__)
            else:
                values[step] = self._eager(step, values)
        raise AssertionError("a graph without an output")

    def _eager(self, node: Node, values: dict[Node, Any]) -> Any:
        args, named = map_arg(node.args, values.__getitem__), map_arg(node.kwargs, values.__getitem__)
        if node.op == "get_attr":
            return _attribute(self.module, str(node.target))
        if node.op == "call_module":
            return self.module.get_submodule(str(node.target))(*args, **named)
        if node.op == "call_method":
            return getattr(args[0], str(node.target))(*args[1:], **named)
        assert callable(node.target)
        return node.target(*args, **named)

    def _fused(self, stretch: _Stretch, values: dict[Node, Any]) -> None:
        stream = own_stream()
        kept: list[Any] = []  # what the launches use, until they have run
        staged: list[tensors.Staged] = []
        made: dict[Node, Any] = {}
        with super_kernel(stretch.scope, stretch.options, stream=stream) as scope:
            for node in stretch.nodes:
                if node.target is python.getitem:
                    made[node] = made[node.args[0]][node.args[1]]
                else:
                    made[node] = _launched(node, {**values, **made}, stream, kept, staged)
        stream.synchronize()
        tensors.give_back(staged)
        for node, result in made.items():
            values[node] = tuple(map(tensors.as_torch, result)) if isinstance(result, tuple) else tensors.as_torch(result)
        if not self.report.runs:
            self._note(stretch, scope)

    def _note(self, stretch: _Stretch, scope: super_kernel) -> None:
        """The launches of one operator are told of by what became of the first; an operator may have several."""
        assert scope.graph is not None
        operators = [node for node in stretch.nodes if node.target is not python.getitem]
        decisions = list(scope.graph.report or ())
        for node, decision in zip(operators, decisions, strict=False) if len(decisions) == len(operators) else ():
            self.report.nodes.append(
                NodeReport(node.name, _name(node), stretch.scope, decision.fused_into, "" if decision.fused_into else decision.text)
            )
        if len(decisions) != len(operators):
            kernel = next((each.fused_into for each in decisions if each.fused_into), "")
            self.report.nodes += [NodeReport(node.name, _name(node), stretch.scope, kernel, "" if kernel else "nothing to fuse")
                                  for node in operators]  # fmt: skip


# --- what is done before it runs


def _steps(module: GraphModule) -> list[Node | _Stretch]:
    steps: list[Node | _Stretch] = []
    scopes: list[tuple[str, str]] = []
    for node in module.graph.nodes:
        if node.target in BEGIN:
            scopes.append((str(node.args[0]), str(node.args[1])))
        elif node.target in END:
            scopes.pop()
        elif scopes and scopes[-1][0] and registered_as(node.target) is not None:
            last = steps[-1] if steps else None
            if not isinstance(last, _Stretch) or (last.scope, last.options) != scopes[-1]:
                steps.append(last := _Stretch(*scopes[-1]))
            last.nodes.append(node)
        elif node.target is python.getitem and steps and isinstance(steps[-1], _Stretch) and node.args[0] in steps[-1].nodes:
            steps[-1].nodes.append(node)
        else:
            node.meta["aclimb_scope"] = scopes[-1][0] if scopes else None
            steps.append(node)
    return steps


def _note_eager(steps: Sequence[Node | _Stretch], report: GraphReport) -> None:
    for step in steps:
        if isinstance(step, _Stretch) or step.op not in ("call_function", "call_method", "call_module") or step.target is python.getitem:
            continue
        scope = step.meta["aclimb_scope"]
        ours = registered_as(step.target) is not None
        reason = (
            "it is no operator of aclimb" if not ours else "it stands in no scope" if scope is None else "it stands in super_kernel(None)"
        )
        report.nodes.append(NodeReport(step.name, _name(step), scope or "", "", reason))


def _name(node: Node) -> str:
    target = node.target
    return str(target) if isinstance(target, str) else getattr(target, "__name__", str(target)).removesuffix(".default")


def _attribute(module: GraphModule, target: str) -> Any:
    found: Any = module
    for part in target.split("."):
        found = getattr(found, part)
    return found


# --- while it runs


def _launched(node: Node, values: dict[Node, Any], stream: Stream, kept: list[Any], staged: list[tensors.Staged]) -> Any:
    found = registered_as(node.target)
    assert found is not None

    def on_device(value: Any) -> OpTensor:
        tensor = as_tensor(value) if isinstance(value, Buffer) else tensors.on_device(value, stream.device, staged)
        kept.append(tensor)
        return tensor

    def argument(value: Any) -> Any:
        return [on_device(each) for each in value] if isinstance(value, list | tuple) else None if value is None else on_device(value)

    looked_up = map_arg(node.args, values.__getitem__)
    named = dict(map_arg(node.kwargs, values.__getitem__))
    inputs = found.calls.operator.inputs
    arguments = [*looked_up, *(named.pop(name, None) for name in inputs[len(looked_up) :])]
    made = found.calls.launch(stream, [argument(each) for each in arguments], named)
    kept += made
    return made[0] if len(made) == 1 else tuple(made)
