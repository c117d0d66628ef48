# SPDX-License-Identifier: Apache-2.0
"""Kernels that programs bring along, and their launches."""

from __future__ import annotations


def launch(own: int, num_blocks: int, stream: int, args: int, size: int) -> int:
    raise NotImplementedError
