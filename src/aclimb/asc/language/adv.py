# SPDX-License-Identifier: Apache-2.0
"""The library on top of a core's calls: mathematics, soft-max, norms, quantisation, Matmul."""

from typing import Any

from aclimb.asc.language import specials
from aclimb.asc.language.tilings import LayerNormTiling, RmsNormTiling, SoftmaxTiling, TCubeTiling

NAMES: dict[str, Any] = specials.names_of("adv") | {
    "LayerNormTiling": LayerNormTiling,
    "RmsNormTiling": RmsNormTiling,
    "SoftmaxTiling": SoftmaxTiling,
    "TCubeTiling": TCubeTiling,
}


def __getattr__(name: str) -> Any:
    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"module 'asc.adv' has no attribute {name!r}") from None
