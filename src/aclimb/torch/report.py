# SPDX-License-Identifier: Apache-2.0
"""What became of each operator of a compiled function."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class NodeReport:
    name: str  # of the node in the graph
    operator: str
    scope: str  # "" outside
    kernel: str  # the SuperKernel it is in; "" when it runs for itself
    reason: str  # ... and why


@dataclass(slots=True)
class GraphReport:
    """`print(report)` lists it."""

    nodes: list[NodeReport] = field(default_factory=list)
    runs: int = 0

    @property
    def fused(self) -> list[NodeReport]:
        return [each for each in self.nodes if each.kernel]

    @property
    def eager(self) -> list[NodeReport]:
        return [each for each in self.nodes if not each.kernel]

    def __str__(self) -> str:
        kernels = list(dict.fromkeys(each.kernel for each in self.fused))
        lines = [f"{len(self.fused)} of {len(self.nodes)} operators in {len(kernels)} SuperKernel{'s' if len(kernels) != 1 else ''}"]
        for kernel in kernels:
            lines.append(f"  {kernel}: {', '.join(each.operator for each in self.fused if each.kernel == kernel)}")
        wide = max((len(each.operator) for each in self.eager), default=0)
        lines += [f"  eager {each.operator:<{wide}}  {each.reason}" for each in self.eager]
        return "\n".join(lines)
