# SPDX-License-Identifier: Apache-2.0
"""Products of matrices and vectors"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import in_type_of

TABLE = """
aclnnMatmul                   t self, t mat2, o out, c cube_math_type            matmul
aclnnMm                       t self, t mat2, o out, c cube_math_type            matmul
aclnnBatchMatMul              t self, t mat2, o out, c cube_math_type            matmul
aclnnMv                       t self, t vec, o out, c cube_math_type             matmul
aclnnDot                      t self, t tensor, o out                            dot
aclnnGer                      t self, t vec2, o out                              outer
aclnnAddmm                    t self, t mat1, t mat2, s beta, s alpha, o out, c cube_math_type    addmm
aclnnBaddbmm                  t self, t batch1, t batch2, s beta, s alpha, o out, c cube_math_type    addmm
aclnnAddmv                    t self, t mat, t vec, s alpha, s beta, o out, c cube_math_type    addmv
"""
Array = NDArray[Any]


def matmul(self: Array, mat2: Array, out: Array, cube_math_type: int) -> None:
    """Halves are multiplied and summed in float32; no type is made narrower, whatever the cube's precision is set to."""
    out[...] = np.matmul(*in_type_of(out, self, mat2))


def dot(self: Array, tensor: Array, out: Array) -> None:
    out[...] = np.dot(*in_type_of(out, self, tensor))


def outer(self: Array, vec2: Array, out: Array) -> None:
    out[...] = np.outer(*in_type_of(out, self, vec2))


def addmm(self: Array, mat1: Array, mat2: Array, beta: Array, alpha: Array, out: Array, cube_math_type: int) -> None:
    start, one, two, keep, factor = in_type_of(out, self, mat1, mat2, beta, alpha)
    product = factor * np.matmul(one, two)
    out[...] = keep * start + product if keep else product  # with 0 not even a NaN of self counts


def addmv(self: Array, mat: Array, vec: Array, alpha: Array, beta: Array, out: Array, cube_math_type: int) -> None:
    addmm(self, mat, vec, beta, alpha, out, cube_math_type)
